// Rays through the wide ray tree: one ray at a time, eight boxes or triangles at once.
#pragma once

#include <tandem/ray.h>

#include <span>

#include "traverse/ray_query.h"
#include "tree/wide/ray_tree.h"

namespace tandem::detail {

/// A ray made ready for float arithmetic on many boxes or triangles at once.
///
/// Let M be the largest coordinate of tree and origin, o the origin and i the inverse of the
/// direction along an axis. The ray meets a plane at p after the distance p·i - o·i. In float, with
/// or without fused instructions, that is off by at most 7 roundoffs of M·|i|; and the float
/// distance of a hit is off by at most 2.1 of them. So a margin of 12 on each side never loses a
/// hit.
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

/// Rays and where their answers go.
struct WideRequest {
  std::span<const Ray> rays;
  Wanted wanted;
  /// For each ray: its closest hit, or whether it hits anything; or all hits into the sink.
  Hit* hits = nullptr;
  std::uint8_t* any = nullptr;
  const HitSink* sink = nullptr;
  /// The index of the first ray among all rays of the query.
  std::size_t first_index = 0;
  RayStatistics* statistics = nullptr;
  /// Traces a ray that float arithmetic cannot handle.
  Flow (*trace_in_double)(const void* context, RayQuery& query, RayStatistics* statistics);
  const void* context = nullptr;
};

/// Traces one ray after another, with the best instruction set of this machine or the one that
/// `UseInstructionSet` asks for.
Flow trace_wide(const WideRayTreeView& tree, const WideRequest& request);

}  // namespace tandem::detail
