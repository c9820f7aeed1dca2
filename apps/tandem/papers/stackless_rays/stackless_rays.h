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
  RayTraversalInfo traversal;
  /// Of all rays.
  RayStatistics statistics;
  /// Of a part of them.
  Timing timing;

  double a_ray(std::uint64_t RayStatistics::*counter) const {
    return static_cast<double>(statistics.*counter) / static_cast<double>(statistics.rays);
  }
};

struct Measurement {
  std::string scene;
  std::size_t triangle_count;
  int bounces;
  /// Rays that were timed.
  std::size_t timed_rays;
  std::vector<Row> rows;

  const Row& row(RayTraversal traversal) const;
  /// The paper's: with a stack, both children tested at their parent.
  const Row& reference() const { return row(RayTraversal::stack_distance); }
  /// Per cent more than the reference.
  double more(const Row& row, std::uint64_t RayStatistics::*counter) const;
  double more_rays_per_s(const Row& row) const;
};

/// Paths through each pixel of a square picture. Throws `tandem::Error` when traversals find
/// different hits.
Measurement measure(const Scene& scene, int bounces, int size, const ReproduceOptions& options);

/// Sentences about these measurements.
std::vector<std::string> findings(std::span<const Measurement> measurements);

void reproduce(const ReproduceOptions& options);

}  // namespace tandem::cli::stackless_rays
