// tandem reproduce collision-chip-traversal: measures, and prints table 1.
#include <cmath>

#include "measure/findings.h"
#include "papers/collision_chip/collision_chip.h"
#include "text/numbers.h"

namespace tandem::cli::collision_chip {

namespace {

constexpr const char* k_objects = "shape:knot:80000,shape:rock:20000,shape:torus:20000";
constexpr const char* k_quick_objects = "shape:knot:20000,shape:rock:5000,shape:torus:5000";
constexpr int k_steps = 100;
constexpr int k_quick_steps = 20;

constexpr const char* k_introduction =
    R"(Two copies of an object in close proximity: at the smallest distance of their centres, to
1 %, at which they touch at no step of a turn. 24-DOP trees built by the surface area heuristic, one
triangle per leaf. The worst case of each count is its maximum over the steps. Recursion visits
pairs of nodes; a list traversal visits each tumbled node (of B) once, with a list of aligned nodes
(of A). Chip: what equation 5 gives for these counts at 3.76 ns per cycle. The paper's own objects
are not available, so others are measured here.
)";

}  // namespace

std::vector<TumblingObject> load_objects(const ReproduceOptions& options) {
  return load_tumbling_objects(
      options.meshes.value_or(options.quick() ? k_quick_objects : k_objects), options.reporting);
}

int step_count(const ReproduceOptions& options) {
  return options.quick() ? k_quick_steps : k_steps;
}

void reproduce(const ReproduceOptions& options) {
  const std::vector<TumblingObject> objects = load_objects(options);
  const int steps = step_count(options);
  options.report.say(k_introduction);
  std::vector<Measurement> measurements;
  for (const TumblingObject& object : objects) {
    measurements.push_back(measure(object, steps, options));
    const Measurement& measurement = measurements.back();
    options.report.say("\n" + measurement.name + ": " +
                       counted(measurement.triangle_count, "triangle", "triangles") +
                       ", close proximity at " +
                       shortest(std::round(measurement.distance * 1000) / 1000) + ", " +
                       std::to_string(steps) + " steps\n");
    options.report.say(table_text(measurement, Summary::mean) +
                       table_text(measurement, Summary::worst));
  }

  const std::vector<std::string> sentences = findings(measurements);
  options.report.say(std::string("\n") + findings_text(sentences) + "\n");
  options.report.plot([&](const WriteChart& write) {
    for (const Measurement& measurement : measurements) {
      write("collision-chip-" + measurement.name, chart_of(measurement));
    }
  });
  write_paper_json(options, "collision-chip-traversal", rows_of(measurements, to_json), sentences);
}

}  // namespace tandem::cli::collision_chip
