// The independent oracle: CGAL's kernel with exact predicates. CGAL's triangle test needs triangles
// with area, so zero-area ones are first reduced to segments and points, by CGAL's own predicates.
#pragma once

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>
#include <tandem/triangle.h>

#include <algorithm>
#include <variant>

namespace tandem::test {

using CgalKernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using CgalPoint = CgalKernel::Point_3;
using CgalSimplex = std::variant<CgalPoint, CgalKernel::Segment_3, CgalKernel::Triangle_3>;

inline CgalSimplex cgal_simplex(const Triangle& t) {
  const auto point = [](const Vec3d& v) { return CgalPoint(v.x, v.y, v.z); };
  CgalPoint c[3] = {point(t.corner[0]), point(t.corner[1]), point(t.corner[2])};
  if (!CGAL::collinear(c[0], c[1], c[2])) return CgalKernel::Triangle_3(c[0], c[1], c[2]);
  std::sort(c, c + 3);  // by coordinates: along a line, the ends come first and last
  if (c[0] == c[2]) return c[0];
  return CgalKernel::Segment_3(c[0], c[2]);
}

/// True when the closed triangles share a point, says CGAL.
inline bool cgal_intersects(const CgalSimplex& p, const CgalSimplex& q) {
  return std::visit([](const auto& a, const auto& b) { return CGAL::do_intersect(a, b); }, p, q);
}

inline bool cgal_intersects(const Triangle& p, const Triangle& q) {
  return cgal_intersects(cgal_simplex(p), cgal_simplex(q));
}

}  // namespace tandem::test
