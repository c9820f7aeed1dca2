// Table 1 of the collision chip paper, measured here, and its rows as JSON.
#include "options/named_choices.h"
#include "papers/collision_chip/collision_chip.h"
#include "text/counters.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli::collision_chip {

namespace {

// The counters of the table.
constexpr Counter k_columns[] = {
    {"pairs of nodes", &Statistics::iterations},     {"transforms", &Statistics::node_transforms},
    {"aligned", &Statistics::aligned_visits},        {"tumbled", &Statistics::tumbled_visits},
    {"triangle tests", &Statistics::triangle_tests},
};

// The same in the JSON rows.
constexpr Counter k_json_counters[] = {
    {"iterations", &Statistics::iterations},
    {"transforms", &Statistics::node_transforms},
    {"aligned_visits", &Statistics::aligned_visits},
    {"tumbled_visits", &Statistics::tumbled_visits},
    {"triangle_tests", &Statistics::triangle_tests},
};

// Recursion has no counts of aligned and tumbled visits.
bool is_shown(const Row& row, const Counter& column) {
  return row.traversal != Traversal("recursive") || (column.value != &Statistics::aligned_visits &&
                                                     column.value != &Statistics::tumbled_visits);
}

}  // namespace

std::string table_text(const Measurement& measurement, Summary summary) {
  const bool mean = summary == Summary::mean;
  Table table;
  std::vector<std::string> head = {mean ? "average" : "worst case"};
  for (const Counter& column : k_columns) head.push_back(column.title());
  head.emplace_back("chip");
  if (mean) head.emplace_back("time here");
  table.add_row(std::move(head));
  for (const Row& row : measurement.rows) {
    std::vector<std::string> cells = {name_of(row.traversal)};
    for (const Counter& column : k_columns) {
      const std::string cell =
          mean ? rounded(row.mean(column.value)) : grouped(row.most(column.value));
      cells.push_back(is_shown(row, column) ? cell : "");
    }
    const double us = mean ? row.mean_chip_us() : row.worst_chip_us();
    cells.push_back(row.has_chip_time() ? rounded(us) + " µs" : "");
    if (mean) cells.push_back(duration(row.query_s));
    table.add_row(std::move(cells));
  }
  return table.text("  ");
}

Json to_json(const Measurement& measurement, const Row& row) {
  Json object = measurement.json_head();
  object["steps"] = row.steps.size();
  object["volume"] = "dop24";
  object["traversal"] = name_of(row.traversal);
  for (const Counter& counter : k_json_counters) {
    const std::string key(counter.key);
    object["mean_" + key] = row.mean(counter.value);
    object["worst_" + key] = row.most(counter.value);
  }
  object["mean_chip_us"] = nullptr;
  object["worst_chip_us"] = nullptr;
  if (row.has_chip_time()) {
    object["mean_chip_us"] = row.mean_chip_us();
    object["worst_chip_us"] = row.worst_chip_us();
  }
  object["time_us"] = row.query_s * 1e6;
  return object;
}

}  // namespace tandem::cli::collision_chip
