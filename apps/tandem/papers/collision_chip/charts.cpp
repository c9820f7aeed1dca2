// A chart for each object: counts against the angle of the turn.
#include "papers/collision_chip/collision_chip.h"
#include "text/numbers.h"

namespace tandem::cli::collision_chip {

Chart chart_of(const Measurement& measurement) {
  struct Line {
    const char* name;
    Traversal traversal;
    std::uint64_t Statistics::*counter;
  };
  const Line k_lines[] = {
      {"recursive: pairs of nodes", "recursive", &Statistics::iterations},
      {"recursive: transforms", "recursive", &Statistics::node_transforms},
      {"list: aligned visits", "list", &Statistics::aligned_visits},
      {"list-pairs: aligned visits", "list-pairs", &Statistics::aligned_visits},
      {"list-fours: aligned visits", "list-fours", &Statistics::aligned_visits},
      {"list: tumbled visits", "list", &Statistics::tumbled_visits},
  };
  Chart chart;
  chart.title = measurement.name + " in close proximity: visits and transforms";
  chart.subtitle = "24-DOPs, " + grouped(measurement.triangle_count) + " triangles";
  chart.x = {.title = "angle of the turn in degrees", .ticks = {0, 60, 120, 180, 240, 300, 360}};
  chart.y = {.title = "count in a query", .scale = Scale::log};
  for (const Line& line : k_lines) {
    Series series{.name = line.name, .points = {}};
    const std::vector<Statistics>& steps = measurement.row(line.traversal).steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      series.points.push_back(
          {360 * (static_cast<double>(i) + 0.5) / static_cast<double>(steps.size()),
           static_cast<double>(steps[i].*line.counter)});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace tandem::cli::collision_chip
