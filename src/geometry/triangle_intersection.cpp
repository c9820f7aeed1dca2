// Which edge goes through which triangle, and which points are the same, is decided exactly; only
// the coordinates of the points found are rounded.
#include "geometry/triangle_intersection.h"

#include <algorithm>
#include <cmath>

#include "geometry/triangle_exact.h"

namespace tandem::detail {
namespace {

void add_distinct(TriangleIntersection* result, const Vec3d& point) {
  for (int i = 0; i < result->count; ++i) {
    if (result->points[i] == point) return;
  }
  if (result->count < TriangleIntersection::k_max_points) result->points[result->count++] = point;
}

/// The point between `from` and `to` where a linear function that has these values at the ends is
/// zero.
Vec3d zero_between(const Vec3d& from, const Vec3d& to, double from_value, double to_value) {
  if (from_value == 0) return from;
  if (to_value == 0) return to;
  const double t = from_value / (from_value - to_value);
  const auto mix = [t](double a, double b) {
    // Measured from the nearer end, so that the result stays on the segment.
    const double x = t <= 0.5 ? a + t * (b - a) : b - (1 - t) * (b - a);
    return std::clamp(x, std::min(a, b), std::max(a, b));
  };
  return {mix(from.x, to.x), mix(from.y, to.y), mix(from.z, to.z)};
}

/// Where the segment goes through the plane of `t`; the ends are not both in it.
Vec3d plane_point(const Vec3d& from, const Vec3d& to, const Vec3d* t) {
  return zero_between(from, to, orient3d_exact(t[0], t[1], t[2], from).estimate(),
                      orient3d_exact(t[0], t[1], t[2], to).estimate());
}

/// Triangles with area in crossing planes: they share a point or a segment, whose ends lie on
/// edges.
TriangleIntersection crossing_planes(const Triangle& p, const Triangle& q,
                                     const TriangleSides& sides) {
  TriangleIntersection result;
  EdgeVolumes volumes(p, q);
  bool q_edge_hits[3] = {};
  // Ends on edges of q.
  for (int j = 0; j < 3; ++j) {
    const int next = (j + 1) % 3;
    if (!crosses_plane(sides.q[j], sides.q[next]) || !volumes.q_edge_inside(j)) continue;
    q_edge_hits[j] = true;
    add_distinct(&result, plane_point(q.corner[j], q.corner[next], p.corner));
  }
  // Ends on edges of p, unless an edge of q has its end there: then the volume of the two is zero.
  for (int i = 0; i < 3; ++i) {
    const int next = (i + 1) % 3;
    if (!crosses_plane(sides.p[i], sides.p[next]) || !volumes.p_edge_inside(i)) continue;
    bool found = false;
    for (int j = 0; j < 3; ++j) found = found || (q_edge_hits[j] && volumes(i, j) == 0);
    if (!found) add_distinct(&result, plane_point(p.corner[i], p.corner[next], q.corner));
  }
  return result;
}

bool contains(const Simplex& s, const Vec3d& point) {
  const Vec3d* c = s.corner;
  if (s.dimension == 2) {
    return orient3d_sign(c[0], c[1], c[2], point) == 0 && point_in_triangle_2d(point, c, s.plane);
  }
  return segments_meet(point, point, c[0], c[s.dimension]);
}

int edge_count(const Simplex& s) {
  return s.dimension == 2 ? 3 : s.dimension;
}

/// Puts the corners of a convex polygon in order around it, seen along the dropped axis.
void order_around(TriangleIntersection* polygon, Projection plane) {
  Vec3d centre{0, 0, 0};
  for (int i = 0; i < polygon->count; ++i) {
    centre = centre + (1.0 / polygon->count) * polygon->points[i];
  }
  const auto angle = [&](const Vec3d& point) {
    return std::atan2(point[plane.v()] - centre[plane.v()], point[plane.u()] - centre[plane.u()]);
  };
  std::sort(polygon->points, polygon->points + polygon->count,
            [&](const Vec3d& a, const Vec3d& b) { return angle(a) < angle(b); });
}

/// All other cases: coplanar triangles, and segments or points with each other or with a triangle.
/// The corners of the shared set are corners of one inside the other, or proper crossings of edges.
TriangleIntersection special_intersection(const Simplex& p, const Simplex& q) {
  TriangleIntersection result;
  for (int i = 0; i <= p.dimension; ++i) {
    if (contains(q, p.corner[i])) add_distinct(&result, p.corner[i]);
  }
  for (int j = 0; j <= q.dimension; ++j) {
    if (contains(p, q.corner[j])) add_distinct(&result, q.corner[j]);
  }
  for (int i = 0; i < edge_count(p); ++i) {
    for (int j = 0; j < edge_count(q); ++j) {
      const Vec3d& a = p.corner[i];
      const Vec3d& b = p.corner[(i + 1) % 3];
      const Vec3d& c = q.corner[j];
      const Vec3d& d = q.corner[(j + 1) % 3];
      Projection plane;
      if (orient3d_sign(a, b, c, d) != 0 || !find_projection(a, b, c, d, &plane)) continue;
      const bool proper = orient2d_sign(a, b, c, plane) * orient2d_sign(a, b, d, plane) < 0 &&
                          orient2d_sign(c, d, a, plane) * orient2d_sign(c, d, b, plane) < 0;
      if (!proper) continue;
      add_distinct(&result, zero_between(a, b, orient2d_exact(c, d, a, plane).estimate(),
                                         orient2d_exact(c, d, b, plane).estimate()));
    }
  }
  // A segment can go through the inside of a triangle with both ends outside of its plane.
  if (result.count == 0 && p.dimension != q.dimension && (p.dimension == 2 || q.dimension == 2)) {
    const Simplex& triangle = p.dimension == 2 ? p : q;
    const Simplex& segment = p.dimension == 2 ? q : p;
    if (segment_meets_triangle(segment.corner[0], segment.corner[1], triangle)) {
      add_distinct(&result, plane_point(segment.corner[0], segment.corner[1], triangle.corner));
    }
  }
  if (result.count > 2) order_around(&result, p.plane);
  return result;
}

}  // namespace

TriangleIntersection triangle_intersection(const Triangle& p, const Triangle& q) {
  const TriangleSides sides = sides_of(p, q);
  if (sides.separated()) return {};
  if (sides.special()) return special_intersection(reduce(p), reduce(q));
  return crossing_planes(p, q, sides);
}

}  // namespace tandem::detail
