// Figure 8 of the blocked tandem paper.
#include <algorithm>

#include "papers/gpu_blocked_tandem/gpu_blocked_tandem.h"
#include "simulate/sim_scenes.h"
#include "text/numbers.h"

namespace tandem::cli::gpu_blocked_tandem {

namespace {

using Number = std::size_t Measurement::*;

/// Times over one number of a setup, of those that have the most of another.
Chart chart_of(std::string_view scene, std::span<const Measurement> measurements, Number over,
               Number largest) {
  Chart chart;
  chart.y = {.title = "ms per frame", .scale = Scale::log};
  chart.x.scale = Scale::log;
  std::size_t most = 0;
  for (const Measurement& m : measurements) {
    if (m.scene == scene) most = std::max(most, m.*largest);
  }
  const auto add = [&](const std::string& name, LineStyle style, const PlotPoint& point) {
    auto series = std::find_if(chart.series.begin(), chart.series.end(),
                               [&](const Series& each) { return each.name == name; });
    if (series == chart.series.end()) {
      chart.series.push_back({.name = name, .points = {}, .style = style});
      series = chart.series.end() - 1;
    }
    series->points.push_back(point);
  };
  for (const Measurement& m : measurements) {
    if (m.scene != scene || m.*largest != most) continue;
    const auto x = static_cast<double>(m.*over);
    chart.x.ticks.push_back(x);
    for (const Row& row : m.rows) {
      add(row.contender, LineStyle::solid, {x, 1e3 * row.find_s});
      if (row.device_s) {
        add(row.contender + ", no copies", LineStyle::dashed, {x, 1e3 * *row.device_s});
      }
    }
  }
  return chart;
}

}  // namespace

void draw_charts(std::span<const Measurement> measurements, const WriteChart& write) {
  for (const SimSceneInfo& scene : sim_scenes()) {
    const std::string name(scene.name);
    Chart objects = chart_of(name, measurements, &Measurement::objects, &Measurement::triangles);
    objects.title = name + ": time to find touching triangles";
    objects.subtitle = "objects with the most triangles";
    objects.x.title = "objects";
    write("gpu-blocked-tandem-" + name + "-objects", objects);

    Chart triangles = chart_of(name, measurements, &Measurement::triangles, &Measurement::objects);
    triangles.title = objects.title;
    triangles.subtitle = "the most objects";
    triangles.x.title = "triangles of each object";
    write("gpu-blocked-tandem-" + name + "-triangles", triangles);
  }
}

}  // namespace tandem::cli::gpu_blocked_tandem
