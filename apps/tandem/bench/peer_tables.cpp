// The tables of the benchmark against other libraries, and its rows as JSON.
#include <algorithm>

#include "bench/peer_bench.h"
#include "measure/geometric_mean.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli::peer_bench {

std::string mode_name(Mode mode) {
  return mode == Mode::all ? "all" : "first";
}

namespace {

/// What the rows of one peer have in common.
struct Ratios {
  explicit Ratios(std::string_view peer) : name(peer) {}

  std::string name;
  RatioRange range;
  Judgement judgement;

  void add(const Measurement& measurement, const Row& row) {
    range.add(row.ratio, measurement.name + " at " + shortest(measurement.distance));
    judgement.add(row.judgement);
  }
};

Table ratios_table(const std::vector<const Measurement*>& measurements, Mode mode) {
  std::vector<Ratios> ratios;
  for (const Measurement* const measurement : measurements) {
    for (const Row& row : measurement->rows) {
      if (row.mode != mode) continue;
      auto found = std::find_if(ratios.begin(), ratios.end(),
                                [&](const Ratios& r) { return r.name == row.peer.name; });
      if (found == ratios.end()) {
        found = ratios.emplace(found, row.peer.name);
      }
      found->add(*measurement, row);
    }
  }
  Table table;
  table.add_row(
      {"", "ratio (geometric mean)", "least", "most", "missed", "false", "close", "least at"});
  for (const Ratios& r : ratios) {
    table.add_row({r.name, ratio_text(r.range.mean.value()), ratio_text(r.range.least),
                   ratio_text(r.range.most), grouped(r.judgement.missed),
                   grouped(r.judgement.false_ones), grouped(r.judgement.close), r.range.least_at});
  }
  return table;
}

}  // namespace

std::string table_text(const Measurement& measurement) {
  const Place place{measurement.distance, measurement.apart};
  std::string text = "\n";
  text += place.title(measurement);
  text += "\n";
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
  std::string text;
  for (const bool touching : {true, false}) {
    std::vector<const Measurement*> chosen;
    for (const Measurement& measurement : measurements) {
      if (measurement.touching == touching) chosen.push_back(&measurement);
    }
    if (chosen.empty()) continue;
    const std::string where =
        counted(chosen.size(), "object and distance", "objects and distances") +
        (touching ? " at which something touches" : " at which nothing touches");
    for (const Mode mode : {Mode::all, Mode::first}) {
      text += mode == Mode::all ? "\nAll pairs" : "\nFirst pair";
      text += ": time over Tandem's, " + where + "\n" + ratios_table(chosen, mode).text("  ");
    }
  }
  return text;
}

Json to_json(const Measurement& measurement, const Row& row) {
  Json object = measurement.json_head();
  object["apart"] = measurement.apart == 0 ? Json() : Json(measurement.apart);
  object["touching"] = measurement.touching;
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
