// The tables of the benchmark against other libraries, and its rows as JSON.
#include <algorithm>
#include <limits>
#include <map>

#include "bench/peer_bench.h"
#include "measure/geometric_mean.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli::peer_bench {

std::string mode_name(Mode mode) {
  return mode == Mode::all ? "all" : "first";
}

std::string table_text(const Measurement& measurement) {
  std::string text = "\n" + measurement.title() + "\n";
  for (const Mode mode : {Mode::all, Mode::first}) {
    Table table;
    table.add_row({mode == Mode::all ? "all pairs" : "first pair", "time", "worst", "ratio",
                   mode == Mode::all ? "pairs" : "steps touching", "missed", "false", "close",
                   "build", "bytes per triangle"});
    for (const Row& row : measurement.rows) {
      if (row.mode != mode) continue;
      table.add_row({std::string(row.peer.name), duration(row.time_s), duration(row.worst_s),
                     ratio_text(row.ratio), grouped(row.judgement.pairs),
                     grouped(row.judgement.missed), grouped(row.judgement.false_ones),
                     grouped(row.judgement.close), duration(row.build_s),
                     rounded(row.bytes_per_triangle)});
    }
    text += table.text("  ");
  }
  return text;
}

std::string summary_text(std::span<const Measurement> measurements) {
  struct Ratios {
    GeometricMean mean;
    double least = std::numeric_limits<double>::infinity();
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
        r.mean.add(row.ratio);
        if (row.ratio < r.least) {
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
      table.add_row({name, ratio_text(r.mean.value()), ratio_text(r.least), ratio_text(r.most),
                     grouped(r.judgement.missed), grouped(r.judgement.false_ones),
                     grouped(r.judgement.close), r.least_where});
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
  Json object = measurement.json_head();
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

}  // namespace tandem::cli::peer_bench
