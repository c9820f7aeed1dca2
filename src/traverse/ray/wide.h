// Rays through the wide ray tree: one ray at a time, eight boxes or triangles at once.
#pragma once

#include <tandem/ray.h>

#include <string_view>

#include "traverse/ray/batch.h"
#include "traverse/ray/query.h"
#include "tree/wide/ray_tree.h"

namespace tandem::detail {

/// A ray made ready for float arithmetic on many boxes or triangles at once.
///
/// Along an axis, let o be the origin, i the inverse of the direction, [l, h] the bounds of what a
/// box encloses, and m the larger magnitude of these. The ray meets a plane at p after the distance
/// p·i - o·i. In float, with or without fused instructions, with i and the product o·i rounded,
/// that is off by at most 3.01 roundoffs of |p·i| and 4.01 of |o·i|, beside what underflows. A hit
/// in the box is at most (m + |o|)·|i| away, so its float distance is off by at most 1.1 roundoffs
/// of that. That makes 4.2 roundoffs of m·|i|, for which the boxes of the tree have 7.9 to spare,
/// and 5.2 of |o·i|, for which the offsets have a margin of 8. Nothing depends on the size of the
/// whole tree.
struct WideRay {
  float inverse[3];
  float near_offset[3];
  float far_offset[3];
  /// Which of a node's bounds the ray meets first and last along each axis.
  int near_bound[3];
  int far_bound[3];
  float t_min;

  /// For triangles (Woop, Benthin and Wald 2013): a shear of x and y makes the ray parallel to z,
  /// the axis along which its direction is largest.
  int x;
  int y;
  int z;
  float origin[3];
  float shear_x;
  float shear_y;
  float inverse_z;
};

/// Traces a ray that float arithmetic cannot handle; counts only where there are statistics.
struct DoubleTracer {
  Flow (*trace)(const void* context, RayQuery& query, RayStatistics* statistics);
  const void* context;
};

/// Traces one ray after another through a tree that is not empty, with the best instruction set of
/// this machine or the one that `UseInstructionSet` asks for. Adds to the statistics when the batch
/// asks for them.
Flow trace_wide(const WideRayTreeView& tree, const RayBatch& batch, const DoubleTracer& in_double,
                RayStatistics& statistics);

struct Lanes {
  static constexpr std::string_view k_name = "lanes";
  static constexpr std::string_view k_description =
      "eight boxes or triangles at a time, closest first";
};

}  // namespace tandem::detail
