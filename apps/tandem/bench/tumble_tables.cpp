// The tables, rows and charts of the tumble benchmark.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "bench/tumble_bench.h"
#include "measure/findings.h"
#include "measure/pair_hash.h"
#include "text/chart.h"
#include "text/numbers.h"

namespace tandem::cli::tumble {

namespace {

// More lines than that are not told apart in one chart.
constexpr std::size_t k_most_lines = 12;
constexpr std::size_t k_solid_lines = 8;
constexpr std::size_t k_most_ticks = 12;

// The measurements of one object after the other; they stand together.
std::vector<std::span<const Measurement>> by_object(std::span<const Measurement> measurements) {
  std::vector<std::span<const Measurement>> groups;
  for (std::size_t begin = 0; begin < measurements.size();) {
    std::size_t end = begin;
    while (end < measurements.size() && measurements[end].name == measurements[begin].name) ++end;
    groups.push_back(measurements.subspan(begin, end - begin));
    begin = end;
  }
  return groups;
}

std::string mean(std::uint64_t sum, int steps) {
  return grouped(static_cast<std::uint64_t>(
      std::llround(static_cast<double>(sum) / static_cast<double>(steps))));
}

bool has_list(const Measurement& measurement) {
  return std::any_of(measurement.rows.begin(), measurement.rows.end(),
                     [](const Row& row) { return row.statistics.tumbled_visits > 0; });
}

// Transforms and times of row `i`, relative to the same volume's by recursion.
std::string ratios(std::span<const Measurement> object, std::size_t i) {
  double transforms = 0;
  double times = 0;
  for (const Measurement& measurement : object) {
    const Row& row = measurement.rows[i];
    const Row& twin = *measurement.recursive_twin(row);
    transforms += std::log(static_cast<double>(row.statistics.node_transforms) /
                           static_cast<double>(twin.statistics.node_transforms));
    times += std::log(median_ratio(row.timing, twin.timing));
  }
  const auto count = static_cast<double>(object.size());
  const double transform_ratio = std::exp(transforms / count);
  char text[64];
  std::snprintf(text, sizeof text, "%.*f / %s", transform_ratio < 0.1 ? 3 : 2, transform_ratio,
                ratio_text(std::exp(times / count)).c_str());
  return text;
}

using Chosen = std::function<bool(const Combination&)>;

Chart chart_of(std::span<const Measurement> object, const std::string& title, const Chosen& chosen,
               std::string (Combination::*name)() const) {
  Chart chart;
  chart.title = object[0].name + ": " + title;
  chart.subtitle = grouped(object[0].triangle_count) + " triangles, " +
                   counted(static_cast<std::uint64_t>(object[0].steps), "step", "steps");
  chart.x = {.title = "distance of the centres (the longest side is 2)"};
  chart.y = {.title = "mean time of a query in µs", .scale = Scale::log};
  for (std::size_t i = 0; i < object[0].rows.size(); ++i) {
    const Combination& combination = object[0].rows[i].combination;
    if (!chosen(combination)) continue;
    Series series{.name = (combination.*name)(), .points = {}};
    if (chart.series.size() >= k_solid_lines) series.style = LineStyle::dashed;
    for (const Measurement& measurement : object) {
      series.points.push_back(
          {measurement.distance, measurement.query_s(measurement.rows[i]) * 1e6});
    }
    std::sort(series.points.begin(), series.points.end(),
              [](const PlotPoint& one, const PlotPoint& other) { return one.x < other.x; });
    chart.series.push_back(std::move(series));
  }
  if (object.size() <= k_most_ticks) {
    for (const Measurement& measurement : object) chart.x.ticks.push_back(measurement.distance);
  }
  return chart;
}

// The traversals of the rows, each once.
std::vector<AlgorithmInfo> traversals_of(const Measurement& measurement) {
  std::vector<AlgorithmInfo> result;
  for (const Row& row : measurement.rows) {
    const AlgorithmInfo& traversal = row.combination.traversal;
    if (std::none_of(result.begin(), result.end(), [&](const AlgorithmInfo& known) {
          return known.algorithm == traversal.algorithm;
        })) {
      result.push_back(traversal);
    }
  }
  return result;
}

}  // namespace

std::string table_text(const Measurement& measurement) {
  const bool list = has_list(measurement);
  Table table;
  std::vector<std::string> head = {"volume, traversal", "time", "iterations", "transforms"};
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
  return "\n" + measurement.name + " (" +
         counted(measurement.triangle_count, "triangle", "triangles") + ") at the distance " +
         shortest(measurement.distance) + ": " +
         counted(first.pair_count, "touching pair", "touching pairs") + " in all steps, hash " +
         hexadecimal(first.hash).substr(0, 8) + "\n" + table.text("  ");
}

std::string ratios_text(std::span<const Measurement> measurements) {
  const auto objects = by_object(measurements);
  const Measurement& first = measurements.front();
  std::string text;
  for (const AlgorithmInfo& traversal : traversals_of(first)) {
    if (traversal.algorithm == Algorithm::recursive) continue;
    Table table;
    std::vector<std::string> head = {""};
    for (const auto& object : objects) head.push_back(object[0].name);
    table.add_row(std::move(head));
    bool compared = false;
    for (std::size_t i = 0; i < first.rows.size(); ++i) {
      const Row& row = first.rows[i];
      if (row.combination.traversal.algorithm != traversal.algorithm) continue;
      if (first.recursive_twin(row) == nullptr) continue;
      std::vector<std::string> cells = {row.combination.volume_name()};
      for (const auto& object : objects) cells.push_back(ratios(object, i));
      table.add_row(std::move(cells));
      compared = true;
    }
    if (!compared) continue;
    text.append("\n").append(traversal.name);
    text += " relative to recursive: node transforms / time, geometric mean over the distances\n";
    text += table.text("  ");
  }
  return text;
}

Json to_json(const Measurement& measurement, const Row& row) {
  Json object;
  object["mesh"] = measurement.source;
  object["triangles"] = measurement.triangle_count;
  object["distance"] = measurement.distance;
  object["volume"] = row.combination.volume.name;
  object["test"] = row.combination.test.name;
  object["traversal"] = row.combination.traversal.name;
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

std::vector<std::string> write_charts(const std::string& folder,
                                      std::span<const Measurement> measurements) {
  std::vector<std::string> files;
  const auto write = [&](const std::string& name, const Chart& chart) {
    files.push_back((std::filesystem::path(folder) / ("tumble-" + name + ".svg")).string());
    write_file(files.back(), to_svg(chart));
  };
  for (const auto& object : by_object(measurements)) {
    const std::vector<AlgorithmInfo> traversals = traversals_of(object[0]);
    if (traversals.size() > 1 && object[0].rows.size() <= k_most_lines) {
      const auto all = [](const Combination&) { return true; };
      write(object[0].name, chart_of(object, "tumbling", all, &Combination::name));
      continue;
    }
    for (const AlgorithmInfo& traversal : traversals) {
      const std::string name(traversal.name);
      const auto same = [&](const Combination& combination) {
        return combination.traversal.algorithm == traversal.algorithm;
      };
      write(object[0].name + "-" + name,
            chart_of(object, "tumbling, " + name, same, &Combination::volume_name));
    }
  }
  return files;
}

}  // namespace tandem::cli::tumble
