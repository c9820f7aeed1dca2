// The charts of the tumble benchmark.
#include <algorithm>
#include <functional>

#include "bench/tumble_bench.h"

namespace tandem::cli::tumble_bench {

namespace {

// Readers cannot tell more lines than this apart in one chart.
constexpr std::size_t k_most_lines = 12;
// Colours repeat after these; the lines that follow are dashed.
constexpr std::size_t k_solid_lines = 8;
constexpr std::size_t k_most_ticks = 12;

using Chosen = std::function<bool(const Combination&)>;

Chart chart_of(std::span<const Measurement> object, const std::string& title, const Chosen& chosen,
               std::string (Combination::*name)() const) {
  Chart chart = distance_chart(object[0], title);
  for (std::size_t i = 0; i < object[0].rows.size(); ++i) {
    const Combination& combination = object[0].rows[i].combination;
    if (!chosen(combination)) continue;
    Series series{.name = (combination.*name)(), .points = {}};
    if (chart.series.size() >= k_solid_lines) series.style = LineStyle::dashed;
    for (const Measurement& measurement : object) {
      series.points.push_back(
          {measurement.distance, measurement.query_s(measurement.rows[i]) * 1e6});
    }
    std::sort(series.points.begin(), series.points.end(),
              [](const PlotPoint& one, const PlotPoint& other) { return one.x < other.x; });
    chart.series.push_back(std::move(series));
  }
  if (object.size() <= k_most_ticks) {
    for (const Measurement& measurement : object) chart.x.ticks.push_back(measurement.distance);
  }
  return chart;
}

}  // namespace

void draw_charts(std::span<const Measurement> measurements, const WriteChart& write) {
  for (const auto& object : by_object(measurements)) {
    const std::string file = "tumble-" + object[0].name;
    const std::vector<Traversal> traversals = object[0].traversals();
    if (traversals.size() > 1 && object[0].rows.size() <= k_most_lines) {
      const auto all = [](const Combination&) { return true; };
      write(file, chart_of(object, "tumbling", all, &Combination::name));
      continue;
    }
    for (const Traversal traversal : traversals) {
      const std::string name(traversal.name());
      const auto same = [&](const Combination& combination) {
        return combination.traversal == traversal;
      };
      write(std::string(file).append("-").append(name),
            chart_of(object, "tumbling, " + name, same, &Combination::structure_name));
    }
  }
}

}  // namespace tandem::cli::tumble_bench
