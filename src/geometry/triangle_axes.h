// The triangle test of the blocked tandem paper: separating axes, in single precision. Both
// normals, the nine cross products of edges, and for coplanar triangles the six edge normals in the
// plane.
//
// It differs from the exact test where rounding decides: it may find or miss triangles that touch
// or nearly touch. Parallel edges or a zero-area triangle give an axis of length zero, which
// separates nothing, so zero-area triangles are often reported although they touch nothing. Kept to
// reproduce the paper.
#pragma once

#include <tandem/triangle.h>

#include <algorithm>

namespace tandem::detail {

TANDEM_HD inline bool triangle_axes_intersect(const Triangle& p, const Triangle& q) {
  // Relative to a corner, so that no digits are lost far from the origin.
  Vec3f a[3];
  Vec3f b[3];
  for (int i = 0; i < 3; ++i) {
    a[i] = Vec3f(p.corner[i] - p.corner[0]);
    b[i] = Vec3f(q.corner[i] - p.corner[0]);
  }
  const auto separates = [&](const Vec3f& axis) {
    const auto [a_low, a_high] = std::minmax({dot(axis, a[0]), dot(axis, a[1]), dot(axis, a[2])});
    const auto [b_low, b_high] = std::minmax({dot(axis, b[0]), dot(axis, b[1]), dot(axis, b[2])});
    return a_high < b_low || b_high < a_low;
  };
  const Vec3f a_edge[3] = {a[1] - a[0], a[2] - a[1], a[0] - a[2]};
  const Vec3f b_edge[3] = {b[1] - b[0], b[2] - b[1], b[0] - b[2]};
  const Vec3f a_normal = cross(a_edge[0], a_edge[1]);
  const Vec3f b_normal = cross(b_edge[0], b_edge[1]);
  if (separates(a_normal) || separates(b_normal)) return false;
  for (const Vec3f& e : a_edge) {
    for (const Vec3f& f : b_edge) {
      if (separates(cross(e, f))) return false;
    }
  }
  for (int i = 0; i < 3; ++i) {
    if (separates(cross(a_normal, a_edge[i])) || separates(cross(b_normal, b_edge[i]))) {
      return false;
    }
  }
  return true;
}

}  // namespace tandem::detail
