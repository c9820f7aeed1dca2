// What the nodes and blocks of a wide ray tree hold of boxes and triangles.
#pragma once

#include <tandem/triangle.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tree/wide/ray_tree.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// Makes bounds along an axis wider, as `WideRayNode` asks for. The product is at least 8.9
/// roundoffs of the larger magnitude, and the differences lose 1.0 of it. Where the product
/// underflows, the constant is more; differences of such numbers are not rounded.
inline void widen(float* lower, float* upper) {
  const float margin = 9 * 0x1p-24F * std::max(std::fabs(*lower), std::fabs(*upper)) + 0x1p-140F;
  *lower -= margin;
  *upper += margin;
}

/// The box of child number `child`, widened.
inline void store_bounds(const Aabb& box, std::uint32_t child, WideRayNode* node) {
  for (int axis = 0; axis < 3; ++axis) {
    node->bound[axis][child] = box.lower[axis];
    node->bound[3 + axis][child] = box.upper[axis];
    widen(&node->bound[axis][child], &node->bound[3 + axis][child]);
  }
}

inline void store_corners(const TriangleF& triangle, std::uint32_t lane, WideRayBlock* block) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int k = 0; k < 3; ++k) block->corner[axis][k][lane] = triangle.corner[k][axis];
  }
}

}  // namespace tandem::detail
