// The charts of the benchmark against other libraries.
#include <algorithm>

#include "bench/peer_bench.h"

namespace tandem::cli::peer_bench {

namespace {

// The line of a peer, which is added when it is not there yet.
Series& series_of(Chart& chart, std::string_view peer) {
  const auto found = std::find_if(chart.series.begin(), chart.series.end(),
                                  [&](const Series& series) { return series.name == peer; });
  if (found != chart.series.end()) return *found;
  chart.series.push_back({.name = std::string(peer), .points = {}});
  return chart.series.back();
}

}  // namespace

void draw_charts(std::span<const Measurement> measurements, const WriteChart& write) {
  for (const auto& object : by_object(measurements)) {
    for (const Mode mode : {Mode::all, Mode::first}) {
      Chart chart = distance_chart(object[0], mode == Mode::all ? "all pairs" : "first pair");
      for (const Measurement& measurement : object) {
        if (measurement.apart == 0) chart.x.ticks.push_back(measurement.distance);
        for (const Row& row : measurement.rows) {
          if (row.mode != mode) continue;
          series_of(chart, row.peer.name)
              .points.push_back({measurement.distance, row.time_s * 1e6});
        }
      }
      for (Series& series : chart.series) {
        std::sort(series.points.begin(), series.points.end(),
                  [](const PlotPoint& one, const PlotPoint& other) { return one.x < other.x; });
      }
      write("peers-" + object[0].name + "-" + mode_name(mode), chart);
    }
  }
}

}  // namespace tandem::cli::peer_bench
