// tandem reproduce collision-chip-traversal: table 1's node counts, here.
#include "papers/collision_chip/collision_chip.h"

#include <cmath>
#include <filesystem>

#include "measure/findings.h"
#include "text/chart.h"
#include "text/numbers.h"
#include "text/output.h"

namespace tandem::cli::collision_chip {

namespace {

constexpr const char* k_objects = "shape:knot:80000,shape:rock:20000,shape:torus:20000";
constexpr const char* k_quick_objects = "shape:knot:20000,shape:rock:5000,shape:torus:5000";
constexpr int k_steps = 100;
constexpr int k_quick_steps = 20;

// What can be seen of the paper's objects is their names; these are others.
constexpr const char* k_introduction =
    R"(Two copies of an object in close proximity: at the smallest distance of their centres, to 1 %, at
which they touch at no step of a turn. 24-DOP trees built by the surface area heuristic, one
triangle a leaf. The worst case of each count is its maximum over the steps. Recursion takes up pairs
of nodes; a list traversal visits each tumbled node (of B) once, with a list of aligned nodes (of A).
Chip: what equation 5 gives for these counts at 3.76 ns a cycle. The paper's own objects are not to
be had, so these stand for them.
)";

std::string_view name_of(Algorithm algorithm) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (info.algorithm == algorithm) return info.name;
  }
  return "";
}

bool has_chip_time(const Row& row) {
  return row.traversal == Algorithm::list || row.traversal == Algorithm::list_pairs;
}

double mean_chip_us(const Row& row) {
  return chip_us(row.traversal, row.mean(&Statistics::aligned_visits),
                 row.mean(&Statistics::tumbled_visits));
}

double worst_chip_us(const Row& row) {
  return chip_us(row.traversal, static_cast<double>(row.most(&Statistics::aligned_visits)),
                 static_cast<double>(row.most(&Statistics::tumbled_visits)));
}

// The counters of the table; those of list traversals are empty for recursion.
constexpr Counter k_columns[] = {
    {"pairs of nodes", &Statistics::iterations},     {"transforms", &Statistics::node_transforms},
    {"aligned", &Statistics::aligned_visits},        {"tumbled", &Statistics::tumbled_visits},
    {"triangle tests", &Statistics::triangle_tests},
};

bool is_shown(const Row& row, const Counter& column) {
  return row.traversal != Algorithm::recursive || (column.value != &Statistics::aligned_visits &&
                                                   column.value != &Statistics::tumbled_visits);
}

std::string rounded(double value) {
  return grouped(static_cast<std::uint64_t>(std::llround(value)));
}

enum class Summary { mean, worst };

std::string table_text(const Measurement& measurement, Summary summary) {
  const bool mean = summary == Summary::mean;
  Table table;
  std::vector<std::string> head = {mean ? "average" : "worst case"};
  for (const Counter& column : k_columns) head.push_back(column.title());
  head.emplace_back("chip");
  if (mean) head.emplace_back("time here");
  table.add_row(std::move(head));
  for (const Row& row : measurement.rows) {
    std::vector<std::string> cells = {std::string(name_of(row.traversal))};
    for (const Counter& column : k_columns) {
      const std::string cell =
          mean ? rounded(row.mean(column.value)) : grouped(row.most(column.value));
      cells.push_back(is_shown(row, column) ? cell : "");
    }
    const double us = mean ? mean_chip_us(row) : worst_chip_us(row);
    cells.push_back(has_chip_time(row) ? rounded(us) + " µs" : "");
    if (mean) cells.push_back(duration(row.query_s));
    table.add_row(std::move(cells));
  }
  return table.text("  ");
}

Json to_json(const Measurement& measurement, const Row& row) {
  Json object;
  object["mesh"] = measurement.source;
  object["triangles"] = measurement.triangle_count;
  object["distance"] = measurement.distance;
  object["steps"] = row.steps.size();
  object["volume"] = "dop24";
  object["traversal"] = name_of(row.traversal);
  const std::pair<const char*, std::uint64_t Statistics::*> counters[] = {
      {"iterations", &Statistics::iterations},
      {"transforms", &Statistics::node_transforms},
      {"aligned_visits", &Statistics::aligned_visits},
      {"tumbled_visits", &Statistics::tumbled_visits},
      {"triangle_tests", &Statistics::triangle_tests},
  };
  for (const auto& [key, counter] : counters) {
    object[std::string("mean_") + key] = row.mean(counter);
    object[std::string("worst_") + key] = row.most(counter);
  }
  object["mean_chip_us"] = nullptr;
  object["worst_chip_us"] = nullptr;
  if (has_chip_time(row)) {
    object["mean_chip_us"] = mean_chip_us(row);
    object["worst_chip_us"] = worst_chip_us(row);
  }
  object["time_us"] = row.query_s * 1e6;
  return object;
}

// Counts against the angle, step by step.
Chart chart_of(const Measurement& measurement) {
  struct Line {
    const char* name;
    Algorithm traversal;
    std::uint64_t Statistics::*counter;
  };
  constexpr Line k_lines[] = {
      {"recursive: pairs of nodes", Algorithm::recursive, &Statistics::iterations},
      {"recursive: transforms", Algorithm::recursive, &Statistics::node_transforms},
      {"list: aligned visits", Algorithm::list, &Statistics::aligned_visits},
      {"list-pairs: aligned visits", Algorithm::list_pairs, &Statistics::aligned_visits},
      {"list-fours: aligned visits", Algorithm::list_fours, &Statistics::aligned_visits},
      {"list: tumbled visits", Algorithm::list, &Statistics::tumbled_visits},
  };
  Chart chart;
  chart.title = measurement.name + " in close proximity: visits and transforms";
  chart.subtitle = "24-DOPs, " + grouped(measurement.triangle_count) + " triangles";
  chart.x = {.title = "angle of the turn in degrees", .ticks = {0, 60, 120, 180, 240, 300, 360}};
  chart.y = {.title = "count in a query", .scale = Scale::log};
  for (const Line& line : k_lines) {
    Series series{.name = line.name, .points = {}};
    const std::vector<Statistics>& steps = measurement.row(line.traversal).steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      series.points.push_back(
          {360 * (static_cast<double>(i) + 0.5) / static_cast<double>(steps.size()),
           static_cast<double>(steps[i].*line.counter)});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Json to_json(std::span<const Measurement> measurements, const ReproduceOptions& options) {
  Json object;
  object["paper"] = "collision-chip-traversal";
  object["version"] = TANDEM_VERSION;
  object["quick"] = options.extent == Extent::quick;
  object["rows"] = rows_of(measurements, [](const Measurement& measurement, const Row& row) {
    return to_json(measurement, row);
  });
  object["findings"] = findings(measurements);
  return object;
}

}  // namespace

std::vector<std::string> findings(std::span<const Measurement> measurements) {
  Range mean_transforms;
  Range worst_transforms;
  Range pairs_reads;
  Range fours_reads;
  Range fours_tumbled;
  Range list_times;
  Range pairs_times;
  Range chip_times;
  Range worst_chip_times;
  std::uint64_t query_count = 0;
  for (const Measurement& measurement : measurements) {
    const Row& recursive = measurement.row(Algorithm::recursive);
    const Row& list = measurement.row(Algorithm::list);
    const Row& pairs = measurement.row(Algorithm::list_pairs);
    const Row& fours = measurement.row(Algorithm::list_fours);
    const auto most = [](const Row& row) {
      return static_cast<double>(row.most(&Statistics::node_transforms));
    };
    mean_transforms.add(recursive.mean(&Statistics::node_transforms) /
                        list.mean(&Statistics::node_transforms));
    worst_transforms.add(most(recursive) / most(list));
    const double reads = list.mean(&Statistics::aligned_visits);
    pairs_reads.add(pairs.mean(&Statistics::aligned_visits) / reads);
    fours_reads.add(fours.mean(&Statistics::aligned_visits) / reads);
    fours_tumbled.add(fours.mean(&Statistics::tumbled_visits) /
                      list.mean(&Statistics::tumbled_visits));
    list_times.add(list.query_s / recursive.query_s);
    pairs_times.add(pairs.query_s / recursive.query_s);
    chip_times.add(mean_chip_us(pairs));
    worst_chip_times.add(worst_chip_us(pairs));
    query_count += 3 * list.steps.size();
  }
  return {
      "Each tumbled node was transformed exactly once, in all " + grouped(query_count) +
          " queries of the list traversals.",
      "Recursion transformed " + mean_transforms.text() + " times as many nodes on average, " +
          worst_transforms.text() + " times as many at worst.",
      "Siblings taken together read " + pairs_reads.text() +
          " of the aligned nodes that single ones read (the paper: half); grandchildren taken "
          "together read " +
          fours_reads.text() + " of them, and transformed " + fours_tumbled.text() +
          " times as many tumbled nodes, as the levels between are skipped.",
      "In software the list traversal took " + list_times.text() +
          " of the time of recursion, with siblings together " + pairs_times.text() + ".",
      "From the counts of siblings together, equation 5 gives the chip " + chip_times.text() +
          " µs on average, " + worst_chip_times.text() +
          " µs at worst (the paper's objects: 9 to 153 and 77 to 5,638 µs).",
  };
}

void reproduce(const ReproduceOptions& options) {
  const bool quick = options.extent == Extent::quick;
  const std::vector<TumblingObject> objects = load_tumbling_objects(
      options.meshes.value_or(quick ? k_quick_objects : k_objects), options.reporting);
  const int steps = quick ? k_quick_steps : k_steps;
  options.report.say(k_introduction);
  std::vector<Measurement> measurements;
  for (const TumblingObject& object : objects) {
    measurements.push_back(measure(object, steps, options));
    const Measurement& measurement = measurements.back();
    options.report.say("\n" + measurement.name + ": " +
                       counted(measurement.triangle_count, "triangle", "triangles") +
                       ", close proximity at " +
                       shortest(std::round(measurement.distance * 1000) / 1000) + ", " +
                       std::to_string(steps) + " steps\n");
    options.report.say(table_text(measurement, Summary::mean) +
                       table_text(measurement, Summary::worst));
  }

  options.report.say("\n");
  for (const std::string& sentence : findings(measurements))
    options.report.say(wrapped(sentence, 98, "- ", "  "));
  options.report.say("\n");
  options.report.plot([&](const std::string& folder) {
    std::vector<std::string> files;
    for (const Measurement& measurement : measurements) {
      files.push_back(
          (std::filesystem::path(folder) / ("collision-chip-" + measurement.name + ".svg"))
              .string());
      write_file(files.back(), to_svg(chart_of(measurement)));
    }
    return files;
  });
  options.report.write([&] { return to_json(measurements, options); });
}

}  // namespace tandem::cli::collision_chip
