// Figures 1, 6, 8, 9 and 10 of the restricted boxtree paper.
#include "papers/restricted_boxtree/restricted_boxtree.h"
#include "text/numbers.h"

namespace tandem::cli::restricted_boxtree {

namespace {

Chart empty_space_chart(std::span<const EmptySpace> spaces) {
  Chart chart;
  chart.title = "AABB trees: empty space between a node's box and its parent's";
  chart.subtitle = "without the side of the split";
  chart.x = {.title = "at most this much of the parent's box is empty, in %",
             .ticks = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}};
  chart.y = {.title = "nodes in %", .ticks = {0, 20, 40, 60, 80, 100}};
  for (const EmptySpace& space : spaces) {
    if (space.builder != Builder("sah")) continue;
    Series series{.name = space.name, .points = {}};
    for (int i = 0; i <= 20; ++i) {
      series.points.push_back({5.0 * i, 100 * space.nodes_within(i / 20.0)});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Chart builds_chart(std::span<const BuildCurve> curves) {
  Chart chart;
  chart.title = "Build times of boxtrees";
  chart.subtitle = "dashed: only the longest side is considered";
  chart.x = {.title = "triangles", .scale = Scale::log};
  chart.y = {.title = "time in ms", .scale = Scale::log};
  std::size_t look = 0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (i > 0 && curves[i].name != curves[i - 1].name) ++look;
    const bool longest = curves[i].builder == Builder("volume-longest");
    Series series{.name = curves[i].name + (longest ? ", longest side" : ""),
                  .points = {},
                  .style = longest ? LineStyle::dashed : LineStyle::solid,
                  .look = look};
    for (const BuildCurve::Point& point : curves[i].points) {
      series.points.push_back(
          {static_cast<double>(point.triangle_count), point.timing.median_s() * 1e3});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// Time against distance.
Series distance_series(const Comparison& comparison, const std::string& object,
                       std::size_t variant) {
  Series series{.name = comparison.variants[variant].name, .points = {}};
  for (const tumble_bench::Measurement* measurement : comparison.of(object)) {
    series.points.push_back(
        {measurement->distance, measurement->query_s(measurement->rows[variant]) * 1e3});
  }
  return series;
}

Chart query_chart(const std::string& title, const std::string& subtitle) {
  Chart chart;
  chart.title = title;
  chart.subtitle = subtitle;
  chart.x = {.title = "distance of the centres (the longest side is 2)"};
  chart.y = {.title = "mean time of a query in ms"};
  return chart;
}

std::string triangles_of(const Comparison& comparison, const std::string& object) {
  return counted(comparison.of(object)[0]->triangle_count, "triangle", "triangles");
}

Chart family_chart(const Family& family, const Comparison& comparison) {
  Chart chart;
  chart.title = family.name + ": boxtrees and 24-DOP trees";
  chart.subtitle = "dashed: list-pairs";
  chart.x = {.title = "triangles", .scale = Scale::log};
  chart.y = {.title = "mean time of a query in ms", .scale = Scale::log};
  // The colour and marker show the structure, the style of the line shows the traversal.
  const auto structure_of = [&](std::size_t i) {
    return comparison.variants[i].combination.build.structure;
  };
  for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
    std::size_t look = 0;
    while (structure_of(look) != structure_of(i)) ++look;
    const bool list = comparison.variants[i].combination.traversal == Traversal("list-pairs");
    Series series{.name = comparison.variants[i].name,
                  .points = {},
                  .style = list ? LineStyle::dashed : LineStyle::solid,
                  .look = look};
    for (const TumblingObject& object : family.sizes) {
      series.points.push_back({static_cast<double>(object.mesh.triangle_count()),
                               comparison.mean_query_s(object.name, i) * 1e3});
    }
    chart.series.push_back(std::move(series));
  }
  for (const TumblingObject& object : family.sizes) {
    chart.x.ticks.push_back(static_cast<double>(object.mesh.triangle_count()));
  }
  return chart;
}

}  // namespace

void draw_charts(const Measurements& measurements, const WriteChart& write_chart) {
  const auto write = [&](const std::string& figure, const Chart& chart) {
    write_chart("restricted-boxtree-" + figure, chart);
  };
  write("figure-1", empty_space_chart(measurements.empty_spaces));
  write("figure-6", builds_chart(measurements.builds));

  const Comparison& tests = measurements.tests;
  Chart queries = query_chart("Boxtrees by SAT lite: time of a query", "");
  for (const std::string& object : tests.objects()) {
    queries.series.push_back(distance_series(tests, object, 0));
    queries.series.back().name = object + ", " + triangles_of(tests, object);
    Chart chart =
        query_chart(object + ": the overlap tests of boxtrees", triangles_of(tests, object));
    for (std::size_t i = 0; i < tests.variants.size(); ++i) {
      chart.series.push_back(distance_series(tests, object, i));
    }
    write("figure-9-" + object, chart);
  }
  write("figure-8", queries);
  for (const Family& family : measurements.families) {
    write("figure-10-" + family.name, family_chart(family, measurements.dops));
  }
}

}  // namespace tandem::cli::restricted_boxtree
