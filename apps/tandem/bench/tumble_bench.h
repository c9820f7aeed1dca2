// The tumble benchmark: measurements of combinations of structure, overlap test and traversal,
// their tables and their charts. Reproductions of papers use it too.
#pragma once

#include <tandem/tandem.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "measure/measurement_report.h"
#include "measure/timing.h"
#include "measure/tumble_protocol.h"
#include "text/progress_bar.h"

namespace tandem::cli::tumble_bench {

struct Combination {
  Traversal traversal;
  OverlapTest test;
  /// The structure, and how it is built.
  BuildOptions build = {};

  /// "dop24", or "aabb six-axes" where a test was chosen.
  std::string structure_name() const;
  /// "dop24 list-pairs".
  std::string name() const;
};

/// What a combination did in one turn.
struct Row {
  Combination combination;
  std::size_t structure_bytes;
  /// Sums over the steps.
  Statistics statistics;
  std::uint64_t pair_count = 0;
  std::uint64_t hash = 0;
  /// A round is one turn or several; times are of one turn.
  Timing timing;
};

/// All combinations on one object at one distance; they found the same pairs.
struct Measurement : Turn {
  std::vector<Row> rows;

  /// Mean time of a query: the mean over the steps, and of that the median over the rounds.
  double query_s(const Row& row) const { return row.timing.median_s() / steps; }
  /// The row of the same structure and test with the recursive traversal; null when there is none.
  const Row* recursive_twin(const Row& row) const;
  /// The traversals of the rows, each once.
  std::vector<Traversal> traversals() const;
};

struct Plan {
  std::vector<Combination> combinations;
  std::vector<double> distances;
  int steps;
  TimingOptions timing;
  Reporting reporting;
};

/// One measurement for each distance, passed to `done` as soon as it is complete. Throws
/// `tandem::Error` when combinations find different pairs.
void measure(const TumblingObject& object, const Plan& plan,
             const std::function<void(Measurement)>& done);

/// A line for each combination; counts are means of a query.
std::string table_text(const Measurement& measurement);

/// Node transforms and times of each traversal relative to recursion, the geometric mean over the
/// distances; empty when there is nothing to compare.
std::string ratios_text(std::span<const Measurement> measurements);

Json to_json(const Measurement& measurement, const Row& row);

/// Time against distance for each object, one line for each combination. One chart for each
/// traversal where that would be too many lines.
void draw_charts(std::span<const Measurement> measurements, const WriteChart& write);

}  // namespace tandem::cli::tumble_bench
