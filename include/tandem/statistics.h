// Statistics: what a query did, counted when it is asked to.
#pragma once

#include <cstdint>

namespace tandem {

/// The counters of a query between two models. All zero unless the query was asked for them.
struct Statistics {
  /// Pairs of nodes visited.
  std::uint64_t iterations = 0;
  /// Of those, pairs whose volumes overlapped, and pairs of leaves among them.
  std::uint64_t overlaps = 0;
  std::uint64_t leaf_overlaps = 0;
  /// Volumes of B brought into A's frame.
  std::uint64_t node_transforms = 0;
  /// Of the list traversals: nodes of A read from a list, and nodes of B visited, each once.
  std::uint64_t aligned_visits = 0;
  std::uint64_t tumbled_visits = 0;
  /// Pairs of triangles tested, and found to touch.
  std::uint64_t triangle_tests = 0;
  std::uint64_t triangle_overlaps = 0;

  Statistics& operator+=(const Statistics& other) {
    iterations += other.iterations;
    overlaps += other.overlaps;
    leaf_overlaps += other.leaf_overlaps;
    node_transforms += other.node_transforms;
    aligned_visits += other.aligned_visits;
    tumbled_visits += other.tumbled_visits;
    triangle_tests += other.triangle_tests;
    triangle_overlaps += other.triangle_overlaps;
    return *this;
  }
  friend bool operator==(const Statistics&, const Statistics&) = default;
};

/// The counters of rays, summed over all rays of a call. All zero unless it was asked for them.
struct RayStatistics {
  std::uint64_t rays = 0;
  /// Boxes tested against a ray (N_IB in the stackless ray paper); the root's box never is.
  std::uint64_t box_tests = 0;
  /// Visits of nodes; a node that is visited twice counts twice (N_TS).
  std::uint64_t node_visits = 0;
  /// Leaves whose triangles were tested (N_L), and these triangles (N_IT).
  std::uint64_t leaf_visits = 0;
  std::uint64_t triangle_tests = 0;

  RayStatistics& operator+=(const RayStatistics& other) {
    rays += other.rays;
    box_tests += other.box_tests;
    node_visits += other.node_visits;
    leaf_visits += other.leaf_visits;
    triangle_tests += other.triangle_tests;
    return *this;
  }
  friend bool operator==(const RayStatistics&, const RayStatistics&) = default;
};

}  // namespace tandem
