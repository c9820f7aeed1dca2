// The triangle test that queries use: float filter, shared corners, doubles, grid, expansions.
#pragma once

#include "geometry/triangle_exact.h"
#include "geometry/triangle_filter.h"
#include "geometry/triangle_signs.h"

namespace tandem::detail {

struct TriangleAnswer {
  bool intersects;
  TriangleStage stage;
};

/// Whether a corner of one is a corner of the other: so it is with neighbours in a mesh.
TANDEM_HD inline bool share_corner(const Triangle& p, const Triangle& q) {
  for (const Vec3d& a : p.corner) {
    for (const Vec3d& b : q.corner) {
      if (a == b) return true;
    }
  }
  return false;
}

/// Decides a pair that a float filter left undecided.
TANDEM_HD inline TriangleAnswer decide_triangles(const Triangle& p, const Triangle& q) {
  if (share_corner(p, q)) return {true, TriangleStage::shared_corner};
  Projection plane;
  if (find_axis_plane(p, q, &plane)) {
    const Verdict verdict = filter_coplanar_triangles(p, q, plane);
    if (verdict != Verdict::unsure) {
      return {verdict == Verdict::intersecting, TriangleStage::double_filter};
    }
  }
  if (is_beside_axis_plane(p, q) || is_beside_axis_plane(q, p)) {
    return {false, TriangleStage::double_filter};
  }
  TriangleSigns signs(p, q);
  if (signs.surely_separated()) return {false, TriangleStage::double_filter};
  const bool intersects = triangles_intersect_exact(signs);
  return {intersects, signs.stage()};
}

/// Whether the triangles share a point, and which stage decided. Exact for coordinates that are
/// zero or between 1e-60 and 1e60 in magnitude; independent of the order of corners and triangles.
TANDEM_HD inline TriangleAnswer test_triangles(const Triangle& p, const Triangle& q) {
  const Verdict verdict = filter_triangles(p, q);
  if (verdict != Verdict::unsure) {
    return {verdict == Verdict::intersecting, TriangleStage::float_filter};
  }
  return decide_triangles(p, q);
}

}  // namespace tandem::detail
