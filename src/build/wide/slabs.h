// The slabs of a wide tree: thin sheets between two parallel planes, one per child.
#pragma once

#include <cstddef>

#include "build/wide/summary.h"
#include "math/float4.h"

namespace tandem::detail {

/// Along which direction a slab is laid: the mean normal, or the thinner of that one and the one
/// along the direction in which the corners vary least.
enum class SlabChoice { mean_normal, thinner_of_two };

/// The slabs of four children in lanes: lower <= normal·x <= upper, up to rounding. Coordinates are
/// at most 1, and sums of three products are off by less than 2^-21.
struct Slabs {
  Float4 normal[3];
  Float4 lower;
  Float4 upper;
};

/// `children` are those of four, of which some may be missing: any summary will do for these. Child
/// i has the leaves from bounds[i] to bounds[i + 1]. Threads share the leaves.
Slabs find_slabs(const Summary* children, const LeafCorners* leaves, const std::size_t* bounds,
                 SlabChoice choice, int threads);

/// The same along mean normals, as thick as the children's boxes: without looking at the leaves.
Slabs slabs_of_boxes(const Summary* children);

}  // namespace tandem::detail
