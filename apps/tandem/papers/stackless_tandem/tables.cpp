// Tables 2 to 8 of the stackless-tandem paper, measured here, and their rows as JSON.
#include <algorithm>

#include "measure/pair_hash.h"
#include "options/named_choices.h"
#include "papers/stackless_tandem/stackless_tandem.h"
#include "text/counters.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli::stackless_tandem {

namespace {

// The unit for the times of a setup.
struct TimeUnit {
  const char* name;
  double seconds;
};
TimeUnit unit_for(const Measurement& measurement) {
  const double mean_s = measurement.row("dynamic-stack").timing.mean_s();
  return mean_s < 1e-6   ? TimeUnit{"ns", 1e-9}
         : mean_s < 1e-3 ? TimeUnit{"µs", 1e-6}
                         : TimeUnit{"ms", 1e-3};
}

// "100 rounds", or "37 to 100 rounds" where some traversals ran out of time.
std::string rounds_text(const Measurement& measurement) {
  const auto [least, most] = std::minmax_element(
      measurement.rows.begin(), measurement.rows.end(), [](const Row& one, const Row& other) {
        return one.timing.rounds_s.size() < other.timing.rounds_s.size();
      });
  const std::size_t least_rounds = least->timing.rounds_s.size();
  const std::size_t most_rounds = most->timing.rounds_s.size();
  return (least_rounds == most_rounds ? "" : std::to_string(least_rounds) + " to ") +
         counted(most_rounds, "round", "rounds");
}

// Four digits, or more where a whole number needs them.
std::string four_digits(double value) {
  if (value >= 1000) return rounded(value);
  return fixed(value, value < 10 ? 3 : value < 100 ? 2 : 1);
}

std::vector<std::string> cells(const Measurement& measurement, const Row& row) {
  const double unit_s = unit_for(measurement).seconds;
  const Timing& timing = row.timing;
  const Statistics& statistics = row.statistics;
  return {name_of(row.traversal),
          four_digits(timing.min_s() / unit_s),
          four_digits(timing.max_s() / unit_s),
          four_digits(timing.mean_s() / unit_s),
          four_digits(timing.stddev_s() / unit_s),
          grouped(statistics.iterations),
          grouped(statistics.overlaps),
          grouped(statistics.leaf_overlaps),
          grouped(statistics.triangle_overlaps),
          row.twin ? fixed(row.mean_ratio, 2) : "",
          row.twin ? fixed(row.median_ratio, 2) : "",
          grouped(timing.repetitions),
          hexadecimal(measurement.pairs_hash).substr(0, 8)};
}

}  // namespace

std::string table_text(int table, std::span<const Measurement> measurements) {
  // All rows in one table, so that columns line up; then a title is inserted before each setup.
  Table rows;
  rows.add_row(
      {"", "", "", "", "standard", "", "", "leaf", "geometry", "mean", "median", "", "pairs"});
  rows.add_row({"", "min", "max", "mean", "deviation", "iterations", "overlaps", "overlaps",
                "overlaps", "ratio", "ratio", "repetitions", "hash"});
  for (const Measurement& measurement : measurements) {
    for (const Row& row : measurement.rows) rows.add_row(cells(measurement, row));
  }
  const std::string lines = rows.text("  ");
  std::size_t position = 0;
  const auto take_line = [&] {
    const std::size_t begin = position;
    position = lines.find('\n', begin) + 1;
    return lines.substr(begin, position - begin);
  };
  std::string text =
      "\nTable " + std::to_string(table) + ". " + std::string(table_title(table)) + "\n";
  text += take_line();
  text += take_line();
  for (const Measurement& measurement : measurements) {
    text += measurement.setup + ": " + grouped(measurement.triangles_a) + " against " +
            counted(measurement.triangles_b, "triangle", "triangles") + ", " +
            rounds_text(measurement) + ", times in " + unit_for(measurement).name + "\n";
    for (std::size_t i = 0; i < measurement.rows.size(); ++i) text += take_line();
  }
  return text;
}

Json to_json(const Measurement& measurement, const Row& row) {
  Json object;
  object["table"] = measurement.table;
  object["setup"] = measurement.setup;
  object["traversal"] = name_of(row.traversal);
  object["triangles_a"] = measurement.triangles_a;
  object["triangles_b"] = measurement.triangles_b;
  add_counters(object, row.statistics);
  object["rounds"] = row.timing.rounds_s.size();
  object["repetitions"] = row.timing.repetitions;
  object["min_s"] = row.timing.min_s();
  object["max_s"] = row.timing.max_s();
  object["mean_s"] = row.timing.mean_s();
  object["median_s"] = row.timing.median_s();
  object["stddev_s"] = row.timing.stddev_s();
  object["twin"] = nullptr;
  object["ratio_to_twin"] = nullptr;
  if (row.twin) {
    object["twin"] = name_of(*row.twin);
    object["ratio_to_twin"] = row.mean_ratio;
    object["min_ratio_to_twin"] = row.min_ratio;
    object["median_ratio_to_twin"] = row.median_ratio;
  }
  object["pairs_hash"] = hexadecimal(measurement.pairs_hash);
  return object;
}

}  // namespace tandem::cli::stackless_tandem
