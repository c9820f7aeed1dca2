// Figure 33 of the stackless-tandem paper, and the iterations behind it.
#include <algorithm>
#include <functional>

#include "options/named_choices.h"
#include "papers/stackless_tandem/stackless_tandem.h"

namespace tandem::cli::stackless_tandem {

namespace {

constexpr int k_scalability_table = 6;

bool has_stack(Traversal traversal) {
  return traversal == Traversal("dynamic-stack") || traversal == Traversal("alternating-stack") ||
         traversal == Traversal("recursive");
}

using Value = std::function<double(const Measurement&, const Row&)>;

Series series_of(std::span<const Measurement> measurements, Traversal traversal,
                 const Value& value) {
  Series series{.name = name_of(traversal), .points = {}};
  if (!has_stack(traversal)) series.style = LineStyle::dashed;
  for (const Measurement& measurement : measurements) {
    if (measurement.table != k_scalability_table) continue;
    series.points.push_back({static_cast<double>(measurement.triangles_a),
                             value(measurement, measurement.row(traversal))});
  }
  return series;
}

bool coincide(const Series& one, const Series& other) {
  return std::equal(
      one.points.begin(), one.points.end(), other.points.begin(), other.points.end(),
      [](const PlotPoint& p, const PlotPoint& q) { return p.x == q.x && p.y == q.y; });
}

// A line for each traversal over the numbers of triangles of table 6. A traversal has the same
// colour and marker in every chart. Lines that coincide become one line with all their names.
Chart scalability_chart(std::span<const Measurement> measurements, const Value& value) {
  Chart chart;
  chart.x = {.title = "triangles of each object", .scale = Scale::log};
  chart.subtitle = "dashed: without a stack";
  std::size_t look = 0;
  for (const Contender& contender : contenders()) {
    Series series = series_of(measurements, contender.traversal, value);
    series.look = look++;
    const auto twin = std::find_if(chart.series.begin(), chart.series.end(),
                                   [&](const Series& other) { return coincide(series, other); });
    if (twin == chart.series.end()) {
      chart.series.push_back(std::move(series));
    } else {
      twin->name += ", " + series.name;
    }
  }
  for (const PlotPoint& point : chart.series.front().points) chart.x.ticks.push_back(point.x);
  return chart;
}

}  // namespace

void draw_charts(std::span<const Measurement> measurements, const WriteChart& write) {
  Chart times = scalability_chart(
      measurements, [](const Measurement&, const Row& row) { return row.timing.median_s() * 1e3; });
  times.title = "Two intersecting torus knots: time of a query";
  times.y = {.title = "median time in ms", .scale = Scale::log};
  write("stackless-tandem-figure-33", times);

  Chart ratios =
      scalability_chart(measurements, [](const Measurement& measurement, const Row& row) {
        return median_ratio(row.timing, measurement.row("dynamic-stack").timing);
      });
  ratios.title = "Two intersecting torus knots: time relative to dynamic-stack";
  ratios.y = {.title = "median ratio of times", .scale = Scale::log};
  write("stackless-tandem-ratios", ratios);

  Chart iterations = scalability_chart(measurements, [](const Measurement&, const Row& row) {
    return static_cast<double>(row.statistics.iterations);
  });
  iterations.title = "Two intersecting torus knots: pairs of nodes visited";
  iterations.subtitle = "";
  iterations.y = {.title = "iterations", .scale = Scale::log};
  write("stackless-tandem-iterations", iterations);
}

}  // namespace tandem::cli::stackless_tandem
