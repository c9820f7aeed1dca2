// The tables of the tumble benchmark, and its rows as JSON.
#include <algorithm>

#include "bench/tumble_bench.h"
#include "measure/geometric_mean.h"
#include "measure/pair_hash.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli::tumble_bench {

namespace {

std::string mean(std::uint64_t sum, int steps) {
  return rounded(static_cast<double>(sum) / steps);
}

bool has_list(const Measurement& measurement) {
  return std::any_of(measurement.rows.begin(), measurement.rows.end(),
                     [](const Row& row) { return row.statistics.tumbled_visits > 0; });
}

// Transforms and times of row `i`, relative to recursion with the same structure.
std::string ratios(std::span<const Measurement> object, std::size_t i) {
  GeometricMean transforms;
  GeometricMean times;
  for (const Measurement& measurement : object) {
    const Row& row = measurement.rows[i];
    const Row& twin = *measurement.recursive_twin(row);
    transforms.add(static_cast<double>(row.statistics.node_transforms) /
                   static_cast<double>(twin.statistics.node_transforms));
    times.add(median_ratio(row.timing, twin.timing));
  }
  return fixed(transforms.value(), transforms.value() < 0.1 ? 3 : 2) + " / " +
         ratio_text(times.value());
}

}  // namespace

std::string table_text(const Measurement& measurement) {
  const bool list = has_list(measurement);
  Table table;
  std::vector<std::string> head = {"structure, traversal", "time", "iterations", "transforms"};
  if (list) head.insert(head.end(), {"aligned", "tumbled"});
  head.insert(head.end(), {"triangle tests", "to recursive"});
  table.add_row(std::move(head));
  for (const Row& row : measurement.rows) {
    const Statistics& statistics = row.statistics;
    const int steps = measurement.steps;
    std::vector<std::string> cells = {row.combination.name(), duration(measurement.query_s(row)),
                                      mean(statistics.iterations, steps),
                                      mean(statistics.node_transforms, steps)};
    if (list) {
      const bool is_list = statistics.tumbled_visits > 0;
      cells.push_back(is_list ? mean(statistics.aligned_visits, steps) : "");
      cells.push_back(is_list ? mean(statistics.tumbled_visits, steps) : "");
    }
    cells.push_back(mean(statistics.triangle_tests, steps));
    const Row* const twin = measurement.recursive_twin(row);
    const bool compared = twin != nullptr && twin != &row;
    cells.push_back(compared ? ratio_text(median_ratio(row.timing, twin->timing)) : "");
    table.add_row(std::move(cells));
  }
  const Row& first = measurement.rows.front();
  return std::string("\n") + measurement.title() + ": " +
         counted(first.pair_count, "touching pair", "touching pairs") + " in all steps, hash " +
         hexadecimal(first.hash).substr(0, 8) + "\n" + table.text("  ");
}

std::string ratios_text(std::span<const Measurement> measurements) {
  const auto objects = by_object(measurements);
  const Measurement& first = measurements.front();
  std::string text;
  for (const Traversal traversal : first.traversals()) {
    if (traversal == Traversal("recursive")) continue;
    Table table;
    std::vector<std::string> head = {""};
    for (const auto& object : objects) head.push_back(object[0].name);
    table.add_row(std::move(head));
    bool compared = false;
    for (std::size_t i = 0; i < first.rows.size(); ++i) {
      const Row& row = first.rows[i];
      if (row.combination.traversal != traversal) continue;
      if (first.recursive_twin(row) == nullptr) continue;
      std::vector<std::string> cells = {row.combination.structure_name()};
      for (const auto& object : objects) cells.push_back(ratios(object, i));
      table.add_row(std::move(cells));
      compared = true;
    }
    if (!compared) continue;
    text.append("\n").append(traversal.name());
    text += " relative to recursive: node transforms / time, geometric mean over the distances\n";
    text += table.text("  ");
  }
  return text;
}

Json to_json(const Measurement& measurement, const Row& row) {
  Json object = measurement.json_head();
  object["structure"] = row.combination.build.structure.name();
  object["test"] = row.combination.test.name();
  object["traversal"] = row.combination.traversal.name();
  object["time_us"] = measurement.query_s(row) * 1e6;
  object["pairs"] = row.pair_count;
  object["iterations"] = row.statistics.iterations;
  object["transforms"] = row.statistics.node_transforms;
  object["aligned_visits"] = row.statistics.aligned_visits;
  object["tumbled_visits"] = row.statistics.tumbled_visits;
  object["overlaps"] = row.statistics.overlaps;
  object["leaf_overlaps"] = row.statistics.leaf_overlaps;
  object["triangle_tests"] = row.statistics.triangle_tests;
  object["hash"] = hexadecimal(row.hash);
  object["steps"] = measurement.steps;
  return object;
}

}  // namespace tandem::cli::tumble_bench
