// The reproduction of the collision chip paper's table 1: node counts of traditional and list
// traversals of 24-DOP trees, of objects in close proximity.
#pragma once

#include <tandem/tandem.h>

#include <span>
#include <string>
#include <vector>

#include "bench/tumble_bench.h"
#include "measure/tumble_protocol.h"
#include "papers/paper.h"

namespace tandem::cli::collision_chip {

/// The smallest distance of the centres, to 1 %, at which the object does not touch its turning copy
/// at any of the steps; by bisection, so of several the one that the halving leads to. 0 when they do
/// not even touch when centred.
double close_distance(const Model& model, int steps, const Progress& progress);

/// A traversal of one object: its counters step by step, and its mean time.
struct Row {
  Algorithm traversal;
  std::vector<Statistics> steps;
  double query_s = 0;

  double mean(std::uint64_t Statistics::*counter) const;
  std::uint64_t most(std::uint64_t Statistics::*counter) const;
};

struct Measurement {
  std::string source;
  std::string name;
  std::size_t triangle_count;
  double distance;
  std::vector<Row> rows;

  const Row& row(Algorithm traversal) const;
};

/// Throws `tandem::Error` when a list traversal transforms a node twice, or when something touches.
Measurement measure(const TumblingObject& object, int steps, const ReproduceOptions& options);

/// Microseconds that the chip takes by equation 5 at 3.76 ns a cycle. Lists of node pairs: as many as
/// pairs of siblings among the tumbled nodes. Their mean length follows from the aligned visits of
/// `list`, which reads each list twice, or of `list_pairs`, which reads it once. Not for others.
double chip_us(Algorithm traversal, double aligned_visits, double tumbled_visits);

/// Sentences about these measurements.
std::vector<std::string> findings(std::span<const Measurement> measurements);

void reproduce(const ReproduceOptions& options);

}  // namespace tandem::cli::collision_chip
