// Charts of the cycle model beside equation 5, and of the sweeps.
#include <cstddef>

#include "papers/collision_chip_hardware/collision_chip_hardware.h"
#include "text/numbers.h"

namespace tandem::cli::collision_chip_hardware {

Chart chart_of(const hardware::Measurement& measurement) {
  Chart chart;
  chart.title = measurement.name + " in close proximity: the chip's time";
  chart.subtitle = "24-DOPs, " + grouped(measurement.triangle_count) + " triangles";
  chart.x = {.title = "angle of the turn in degrees", .ticks = {0, 60, 120, 180, 240, 300, 360}};
  chart.y = {.title = "time of a query in µs", .scale = Scale::log};
  chart.series = {{.name = "equation 5", .points = {}, .style = LineStyle::dashed},
                  {.name = "cycle model", .points = {}},
                  {.name = "list-pairs here", .points = {}},
                  {.name = "default engine here", .points = {}}};
  const auto count = static_cast<double>(measurement.steps_of_turn.size());
  for (std::size_t i = 0; i < measurement.steps_of_turn.size(); ++i) {
    const hardware::Step& step = measurement.steps_of_turn[i];
    const double angle = 360 * (static_cast<double>(i) + 0.5) / count;
    chart.series[0].points.push_back({angle, measurement.closed_form_us(step)});
    chart.series[1].points.push_back({angle, measurement.chip_us(step)});
    chart.series[2].points.push_back({angle, 1e6 * step.list_pairs_s});
    chart.series[3].points.push_back({angle, 1e6 * step.default_s});
  }
  return chart;
}

Chart chart_of(const Exploration& exploration) {
  Chart chart;
  chart.title = "The chip, " + exploration.sweep.title;
  chart.subtitle = "two copies in close proximity, mean of a turn";
  chart.x = exploration.sweep.axis;
  chart.y = {.title = "time of a query in µs", .scale = Scale::log};
  for (std::size_t o = 0; o < exploration.objects.size(); ++o) {
    Series series{.name = exploration.objects[o], .points = {}, .look = o};
    // A boxtree has no place among DOPs: it is a line across the chart.
    Series across{.name = exploration.objects[o] + ", boxtree",
                  .points = {},
                  .style = LineStyle::dashed,
                  .look = o};
    for (std::size_t v = 0; v < exploration.sweep.variants.size(); ++v) {
      const Variant& variant = exploration.sweep.variants[v];
      const double us = exploration.results[o][v].mean_us;
      if (exploration.sweep.key == "nodes" && variant.config.nodes == chip::Nodes::boxtree) {
        across.points = {{chart.x.ticks.front(), us}, {chart.x.ticks.back(), us}};
      } else {
        series.points.push_back({variant.x, us});
      }
    }
    chart.series.push_back(std::move(series));
    if (!across.points.empty()) chart.series.push_back(std::move(across));
  }
  return chart;
}

}  // namespace tandem::cli::collision_chip_hardware
