// The tables of the robot arm's benchmark, its rows as JSON, and its chart.
#include <algorithm>

#include "bench/arm/arm_bench.h"
#include "measure/geometric_mean.h"
#include "measure/pair_hash.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli::arm_bench {

std::string table_text(const Measurement& measurement) {
  Table table;
  table.add_row({"", "time", "least", "ratio", "touching", "missed", "false", "hash"});
  for (const Row& row : measurement.rows) {
    table.add_row({std::string(row.peer.name), duration(row.query_s), duration(row.least_s),
                   ratio_text(row.ratio), grouped(row.hits), grouped(row.missed),
                   grouped(row.false_ones), hexadecimal(row.hash).substr(0, 8)});
  }
  return "\n" + measurement.title + ": " + counted(measurement.query_count, "query", "queries") +
         "\n" + table.text("  ");
}

std::string summary_text(std::span<const Measurement> measurements) {
  Table table;
  table.add_row({"", "ratio (geometric mean)", "least", "most", "least at"});
  for (std::size_t i = 0; i < measurements[0].rows.size(); ++i) {
    RatioRange range;
    for (const Measurement& measurement : measurements) {
      range.add(measurement.rows[i].ratio, measurement.title);
    }
    table.add_row({std::string(measurements[0].rows[i].peer.name), ratio_text(range.mean.value()),
                   ratio_text(range.least), ratio_text(range.most), range.least_at});
  }
  return "\nTime over that of Tandem's intersects, " + counted(measurements.size(), "set", "sets") +
         " of queries\n" + table.text("  ");
}

Json to_json(const Measurement& measurement, const Row& row) {
  Json object;
  object["peer"] = row.peer.name;
  object["kind"] = kind_name(measurement.kind);
  object["hits_percent"] = measurement.hits_percent;
  object["ns_per_query"] = row.query_s * 1e9;
  object["ns_least"] = row.least_s * 1e9;
  object["ratio"] = row.ratio;
  object["queries"] = measurement.query_count;
  object["hits"] = row.hits;
  object["missed"] = row.missed;
  object["false"] = row.false_ones;
  object["hash"] = hexadecimal(row.hash);
  return object;
}

void draw_chart(std::span<const Measurement> measurements, const WriteChart& write) {
  Chart chart;
  chart.title = "A robot arm: does it touch?";
  chart.subtitle =
      counted(measurements[0].query_count, "query", "queries") + " each; at 0 % near misses";
  chart.x = {.title = "hits in %"};
  chart.y = {.title = "mean time of a query in ns", .scale = Scale::log};
  for (std::size_t i = 0; i < measurements[0].rows.size(); ++i) {
    Series series{.name = std::string(measurements[0].rows[i].peer.name), .points = {}};
    for (const Measurement& measurement : measurements) {
      if (measurement.kind == Kind::far) continue;
      series.points.push_back({measurement.hits_percent, measurement.rows[i].query_s * 1e9});
    }
    std::sort(series.points.begin(), series.points.end(),
              [](const PlotPoint& one, const PlotPoint& other) { return one.x < other.x; });
    chart.series.push_back(std::move(series));
  }
  for (const PlotPoint& point : chart.series[0].points) chart.x.ticks.push_back(point.x);
  write("arm", chart);
}

}  // namespace tandem::cli::arm_bench
