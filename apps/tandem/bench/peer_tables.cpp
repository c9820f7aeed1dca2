// The tables, rows and charts of the benchmark against other libraries.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "bench/peer_bench.h"
#include "measure/findings.h"
#include "text/chart.h"
#include "text/numbers.h"

namespace tandem::cli::peer_bench {

namespace {

std::string number(double value) {
  return grouped(static_cast<std::uint64_t>(std::llround(value)));
}

std::string mode_name(Mode mode) {
  return mode == Mode::all ? "all" : "first";
}

}  // namespace

std::string table_text(const Measurement& measurement) {
  std::string text = "\n" + measurement.name + " (" +
                     counted(measurement.triangle_count, "triangle", "triangles") +
                     ") at the distance " + shortest(measurement.distance) + "\n";
  for (const Mode mode : {Mode::all, Mode::first}) {
    Table table;
    table.add_row({mode == Mode::all ? "all pairs" : "first pair", "time", "worst", "ratio",
                   mode == Mode::all ? "pairs" : "steps touching", "missed", "false", "close",
                   "build", "bytes a triangle"});
    for (const Row& row : measurement.rows) {
      if (row.mode != mode) continue;
      table.add_row({std::string(row.peer.name), duration(row.time_s), duration(row.worst_s),
                     ratio_text(row.ratio), grouped(row.judgement.pairs),
                     grouped(row.judgement.missed), grouped(row.judgement.false_ones),
                     grouped(row.judgement.close), duration(row.build_s),
                     number(row.bytes_per_triangle)});
    }
    text += table.text("  ");
  }
  return text;
}

std::string summary_text(std::span<const Measurement> measurements) {
  struct Ratios {
    double log_sum = 0;
    int count = 0;
    double least = 0;
    double most = 0;
    std::string least_where;
    Judgement judgement;
  };
  std::string text;
  for (const Mode mode : {Mode::all, Mode::first}) {
    std::vector<std::string> names;
    std::map<std::string, Ratios> ratios;
    for (const Measurement& measurement : measurements) {
      if (!measurement.touching) continue;
      for (const Row& row : measurement.rows) {
        if (row.mode != mode) continue;
        const std::string name(row.peer.name);
        if (ratios.count(name) == 0) names.push_back(name);
        Ratios& r = ratios[name];
        r.log_sum += std::log(row.ratio);
        if (r.count++ == 0 || row.ratio < r.least) {
          r.least = row.ratio;
          r.least_where = measurement.name + " at " + shortest(measurement.distance);
        }
        r.most = std::max(r.most, row.ratio);
        r.judgement.add(row.judgement);
      }
    }
    Table table;
    table.add_row(
        {"", "ratio (geometric mean)", "least", "most", "missed", "false", "close", "least at"});
    for (const std::string& name : names) {
      const Ratios& r = ratios[name];
      table.add_row({name, ratio_text(std::exp(r.log_sum / r.count)), ratio_text(r.least),
                     ratio_text(r.most), grouped(r.judgement.missed),
                     grouped(r.judgement.false_ones), grouped(r.judgement.close), r.least_where});
    }
    text += mode == Mode::all ? "\nAll pairs" : "\nFirst pair";
    text += ": time over Tandem's, ";
    const auto touching = std::count_if(measurements.begin(), measurements.end(),
                                        [](const Measurement& m) { return m.touching; });
    text += counted(static_cast<std::uint64_t>(touching), "object and distance",
                    "objects and distances");
    text += " at which something touches";
    text += "\n";
    text += table.text("  ");
  }
  return text;
}

Json to_json(const Measurement& measurement, const Row& row) {
  Json object;
  object["mesh"] = measurement.source;
  object["triangles"] = measurement.triangle_count;
  object["distance"] = measurement.distance;
  object["steps"] = measurement.steps;
  object["mode"] = mode_name(row.mode);
  object["peer"] = row.peer.name;
  object["time_us"] = row.time_s * 1e6;
  object["worst_us"] = row.worst_s * 1e6;
  object["ratio"] = row.ratio;
  object["pairs"] = row.judgement.pairs;
  object["missed"] = row.judgement.missed;
  object["false"] = row.judgement.false_ones;
  object["close"] = row.judgement.close;
  object["build_ms"] = row.build_s * 1e3;
  object["bytes_per_triangle"] = row.bytes_per_triangle;
  return object;
}

std::vector<std::string> write_charts(const std::string& folder,
                                      std::span<const Measurement> measurements) {
  std::vector<std::string> files;
  for (std::size_t begin = 0; begin < measurements.size();) {
    std::size_t end = begin;
    while (end < measurements.size() && measurements[end].name == measurements[begin].name) ++end;
    const auto object = measurements.subspan(begin, end - begin);
    begin = end;
    for (const Mode mode : {Mode::all, Mode::first}) {
      Chart chart;
      chart.title = object[0].name + (mode == Mode::all ? ": all pairs" : ": first pair");
      chart.subtitle = grouped(object[0].triangle_count) + " triangles, " +
                       counted(static_cast<std::uint64_t>(object[0].steps), "step", "steps");
      chart.x = {.title = "distance of the centres (the longest side is 2)"};
      chart.y = {.title = "mean time of a query in µs", .scale = Scale::log};
      for (const Measurement& measurement : object) {
        chart.x.ticks.push_back(measurement.distance);
        for (const Row& row : measurement.rows) {
          if (row.mode != mode) continue;
          const auto same = [&](const Series& s) { return s.name == row.peer.name; };
          auto series = std::find_if(chart.series.begin(), chart.series.end(), same);
          if (series == chart.series.end()) {
            chart.series.push_back({.name = std::string(row.peer.name), .points = {}});
            series = chart.series.end() - 1;
          }
          series->points.push_back({measurement.distance, row.time_s * 1e6});
        }
      }
      files.push_back((std::filesystem::path(folder) /
                       ("peers-" + object[0].name + "-" + mode_name(mode) + ".svg"))
                          .string());
      write_file(files.back(), to_svg(chart));
    }
  }
  return files;
}

}  // namespace tandem::cli::peer_bench
