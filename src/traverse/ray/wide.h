// Rays through the wide tree: single rays, eight boxes or triangles at a time.
#pragma once

#include <tandem/ray.h>

#include <span>

#include "traverse/ray_query.h"
#include "tree/wide/ray_tree.h"

namespace tandem::detail {

/// A ray made ready for float arithmetic on many boxes or triangles at once.
///
/// With M the largest coordinate of tree and origin, and i the inverse of the direction along an
/// axis, a plane at p is met at p·i - o·i. In float, with or without fused instructions, that is off
/// by at most 7 roundoffs of M·|i|, and the float distance of a hit by at most 2.1 of them from the
/// true one. A margin of 12 on each side therefore never loses a hit.
struct WideRay {
  float inverse[3];
  float near_offset[3];
  float far_offset[3];
  /// Which of a node's bounds the ray meets first and last along each axis.
  int near_bound[3];
  int far_bound[3];
  float t_min;

  /// For triangles (Woop, Benthin and Wald 2013): the ray along z, the axis of its largest
  /// direction, by a shear of the other two.
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
  /// The place of the first ray among all.
  std::size_t first_index = 0;
  RayStatistics* statistics = nullptr;
  /// Traces a ray for which there is no `WideRay`.
  Flow (*trace_in_double)(const void* context, RayQuery& query, RayStatistics* statistics);
  const void* context = nullptr;
};

/// Traces one ray after the other, by the best instructions that the processor has.
Flow trace_wide(const WideRayTree& tree, const WideRequest& request);

}  // namespace tandem::detail
