// tandem reproduce collision-chip: table 1, the cycle model beside it, and other chips.
#include "measure/findings.h"
#include "papers/collision_chip/collision_chip.h"
#include "papers/collision_chip_hardware/collision_chip_hardware.h"

namespace tandem::cli::collision_chip_hardware {

namespace {

constexpr const char* k_introduction =
    R"(The collision chip: equation 5 and a model that runs queries cycle by cycle. Two copies of an
object in close proximity: at the smallest distance of their centres, to 1 %, at which they touch at
no step of a turn. Trees as in the library: 24-DOPs, by the surface area heuristic, one triangle
per leaf. The paper's own objects are not available, so others are measured here. "Same here" is
the same traversal and triangle test on one core, "default here" the library's default engine.

Table 1 of the paper: its counts, on average and at worst, and the chip's times by equation 5
)";

}  // namespace

void reproduce(const ReproduceOptions& options) {
  const std::vector<TumblingObject> objects = collision_chip::load_objects(options);
  const int steps = collision_chip::step_count(options);
  options.report.say(k_introduction + hardware::paper_table_text());
  std::vector<hardware::Measurement> measurements;
  std::vector<CloseObject> close;
  for (const TumblingObject& object : objects) {
    measurements.push_back(
        hardware::measure_close(object, steps, {}, hardware::Software::timed, options.reporting));
    const hardware::Measurement& measurement = measurements.back();
    options.report.say("\n");
    options.report.say(measurement.heading() + "\n" + hardware::table_text(measurement) +
                       hardware::accounting_text(measurement));
    close.push_back({object.name, Model(object.mesh), tumble_poses(steps, measurement.distance)});
  }
  const std::vector<Exploration> explorations = explore(close, options.reporting);
  options.report.say("\nOther chips: mean time of a query, and bytes read\n");
  for (const Exploration& exploration : explorations) {
    options.report.say(table_text(exploration) + "\n");
  }
  const std::vector<std::string> sentences = findings(measurements, explorations);
  options.report.say(findings_text(sentences) + "\n");
  options.report.plot([&](const WriteChart& write) {
    for (const hardware::Measurement& measurement : measurements) {
      write("chip-" + measurement.name, chart_of(measurement));
    }
    for (const Exploration& exploration : explorations) {
      write("chip-" + exploration.sweep.key, chart_of(exploration));
    }
  });
  Json rows = Json::array();
  for (const hardware::Measurement& measurement : measurements) {
    rows.push_back(hardware::to_json(measurement));
  }
  for (const Exploration& exploration : explorations) {
    for (const Json& row : to_json(exploration)) rows.push_back(row);
  }
  write_paper_json(options, "collision-chip", rows, sentences);
}

}  // namespace tandem::cli::collision_chip_hardware
