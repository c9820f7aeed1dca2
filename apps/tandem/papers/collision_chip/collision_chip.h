// The reproduction of the collision chip paper's table 1: node counts of traditional traversals and
// list traversals of 24-DOP trees, of objects in close proximity.
#pragma once

#include <tandem/tandem.h>

#include <span>
#include <string>
#include <vector>

#include "measure/tumble_protocol.h"
#include "papers/paper.h"
#include "text/chart.h"
#include "text/json.h"

namespace tandem::cli::collision_chip {

/// A traversal of one object: its counters step by step, and its mean time.
struct Row {
  Traversal traversal;
  std::vector<Statistics> steps;
  double query_s = 0;

  double mean(std::uint64_t Statistics::*counter) const;
  std::uint64_t most(std::uint64_t Statistics::*counter) const;

  /// Whether the chip has this traversal, and how long it would take on average and at worst.
  bool has_chip_time() const;
  double mean_chip_us() const;
  double worst_chip_us() const;
};

/// All traversals of one object in close proximity.
struct Measurement : Turn {
  std::vector<Row> rows;

  const Row& row(Traversal traversal) const;
};

/// Throws `tandem::Error` when a list traversal transforms a node twice, or when something touches.
Measurement measure(const TumblingObject& object, int steps, const ReproduceOptions& options);

/// What table 1 shows of each count.
enum class Summary { mean, worst };
std::string table_text(const Measurement& measurement, Summary summary);

Json to_json(const Measurement& measurement, const Row& row);

/// Counts against the angle of the turn.
Chart chart_of(const Measurement& measurement);

/// Sentences about these measurements.
std::vector<std::string> findings(std::span<const Measurement> measurements);

/// What both reproductions of the paper measure: the objects, and in how many steps they turn.
std::vector<TumblingObject> load_objects(const ReproduceOptions& options);
int step_count(const ReproduceOptions& options);

void reproduce(const ReproduceOptions& options);

}  // namespace tandem::cli::collision_chip
