// The tables of distances beside other libraries, and their rows as JSON.
#include <algorithm>

#include "bench/distance/distance_bench.h"
#include "measure/geometric_mean.h"
#include "text/numbers.h"
#include "text/strings.h"
#include "text/table.h"

namespace tandem::cli::distance_bench {

namespace {

std::string mode_title(Mode mode) {
  if (mode == Mode::distance) return "distance";
  const bool less = mode == Mode::within_less;
  return "within " + shortest(less ? k_less : k_more) + " of it";
}

std::string mode_name(Mode mode) {
  if (mode == Mode::distance) return "distance";
  return mode == Mode::within_less ? "within-less" : "within-more";
}

/// What the rows of one peer in one mode have in common.
struct Ratios {
  std::string_view name;
  RatioRange range = {};
  std::uint64_t differ = 0;
};

}  // namespace

std::string introduction(const Plan& plan) {
  std::string text;
  for (const DistancePeerInfo& info : plan.peers) {
    text += list_line(info.name, info.description, 16);
  }
  return text;
}

std::string table_text(const Measurement& measurement) {
  std::string text =
      "\n" + measurement.title + ": " + counted(measurement.query_count, "query", "queries") + "\n";
  for (const Mode mode : k_modes) {
    Table table;
    table.add_row({mode_title(mode), "time", "ratio", mode == Mode::distance ? "differ" : "wrong",
                   mode == Mode::distance ? "largest difference" : ""});
    for (const Row& row : measurement.rows) {
      if (row.mode != mode) continue;
      table.add_row({std::string(row.peer.name), duration(row.query_s), ratio_text(row.ratio),
                     grouped(row.differ),
                     mode == Mode::distance ? three_digits(row.largest_difference) : ""});
    }
    text += table.text("  ");
  }
  return text;
}

std::string summary_text(std::span<const Measurement> measurements) {
  std::string text;
  for (const Mode mode : k_modes) {
    std::vector<Ratios> ratios;
    for (const Measurement& measurement : measurements) {
      for (const Row& row : measurement.rows) {
        if (row.mode != mode) continue;
        auto found = std::find_if(ratios.begin(), ratios.end(),
                                  [&](const Ratios& r) { return r.name == row.peer.name; });
        if (found == ratios.end()) found = ratios.insert(found, Ratios{row.peer.name});
        found->range.add(row.ratio, measurement.title);
        found->differ += row.differ;
      }
    }
    Table table;
    table.add_row({mode_title(mode), "ratio (geometric mean)", "least", "most",
                   mode == Mode::distance ? "differ" : "wrong", "least at"});
    for (const Ratios& r : ratios) {
      table.add_row({std::string(r.name), ratio_text(r.range.mean.value()),
                     ratio_text(r.range.least), ratio_text(r.range.most), grouped(r.differ),
                     r.range.least_at});
    }
    text += "\nTime over Tandem's, " + counted(measurements.size(), "set", "sets") +
            " of queries\n" + table.text("  ");
  }
  return text;
}

Json to_json(const Measurement& measurement, const Row& row) {
  Json object = measurement.head;
  object["queries"] = measurement.query_count;
  object["mode"] = mode_name(row.mode);
  object["peer"] = row.peer.name;
  object["ns_per_query"] = row.query_s * 1e9;
  object["ratio"] = row.ratio;
  object["differ"] = row.differ;
  if (row.mode == Mode::distance) object["largest_difference"] = row.largest_difference;
  return object;
}

}  // namespace tandem::cli::distance_bench
