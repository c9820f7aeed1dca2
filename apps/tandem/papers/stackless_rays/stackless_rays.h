// The reproduction of the stackless ray paper's tables 1 and 2: counters of a path tracer's rays.
#pragma once

#include <tandem/ray.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "measure/timing.h"
#include "papers/paper.h"
#include "render/scene.h"

namespace tandem::cli::stackless_rays {

/// A traversal on the rays of one scene and number of bounces.
struct Row {
  RayTraversal traversal;
  /// Of all rays.
  RayStatistics statistics;
  /// Of those that were timed.
  Timing timing;

  /// The mean of a counter.
  double per_ray(std::uint64_t RayStatistics::*counter) const {
    return static_cast<double>(statistics.*counter) / static_cast<double>(statistics.rays);
  }
};

/// All traversals on the rays of one scene and number of bounces.
struct Measurement {
  std::string scene;
  std::size_t triangle_count;
  int bounces;
  /// Rays that were timed.
  std::size_t timed_rays;
  std::vector<Row> rows;

  const Row& row(RayTraversal traversal) const;
  /// The paper's reference: with a stack, and both children are tested at their parent.
  const Row& reference() const { return row("stack-distance"); }
  /// How many per cent more than the reference.
  double more(const Row& row, std::uint64_t RayStatistics::*counter) const;
  double more_rays_per_s(const Row& row) const;
  /// Millions of rays per second.
  double mrays_per_s(const Row& row) const;
};

/// On the paths through each pixel of a square picture of `size` pixels along each side. Throws
/// `tandem::Error` when traversals find different hits.
Measurement measure(const Scene& scene, int bounces, int size, const ReproduceOptions& options);

/// Table 1: what the reference does.
std::string reference_table(std::span<const Measurement> measurements);
/// Table 2: the other traversals relative to the reference.
std::string comparison_table(const Measurement& measurement);

Json to_json(const Measurement& measurement, const Row& row);

/// Sentences about these measurements.
std::vector<std::string> findings(std::span<const Measurement> measurements);

void reproduce(const ReproduceOptions& options);

}  // namespace tandem::cli::stackless_rays
