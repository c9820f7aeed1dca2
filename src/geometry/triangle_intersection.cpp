// Which edge goes through which triangle, and which points are the same, is decided exactly; only
// the coordinates of the points found are rounded.
#include "geometry/triangle_intersection.h"

#include <algorithm>
#include <cmath>

#include "geometry/triangle_exact.h"
#include "geometry/triangle_signs.h"
#include "geometry/volumes_over.h"

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
  const VolumesOver volume(t[0], t[1], t[2]);
  return zero_between(from, to, volume(from), volume(to));
}

/// Whether an edge with ends on these sides of a plane crosses it in one point.
bool crosses_plane(int from_side, int to_side) {
  return from_side != to_side && from_side * to_side <= 0;
}

/// Triangles with area in crossing planes: they share a point or a segment, whose ends lie on
/// edges.
TriangleIntersection crossing_planes(const Triangle& p, const Triangle& q, TriangleSigns& signs,
                                     const Sides& p_sides, const Sides& q_sides) {
  TriangleIntersection result;
  int volume[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) volume[i][j] = signs.volume(i, j);
  }
  bool q_edge_hits[3] = {};
  // Ends on edges of q.
  for (int j = 0; j < 3; ++j) {
    const int next = next_corner(j);
    if (!crosses_plane(q_sides.of[j], q_sides.of[next]) ||
        !weakly_one_sign(volume[0][j], volume[1][j], volume[2][j])) {
      continue;
    }
    q_edge_hits[j] = true;
    add_distinct(&result, plane_point(q.corner[j], q.corner[next], p.corner));
  }
  // Ends on edges of p, unless an edge of q has its end there: then the volume of the two is zero.
  for (int i = 0; i < 3; ++i) {
    const int next = next_corner(i);
    if (!crosses_plane(p_sides.of[i], p_sides.of[next]) ||
        !weakly_one_sign(volume[i][0], volume[i][1], volume[i][2])) {
      continue;
    }
    bool found = false;
    for (int j = 0; j < 3; ++j) found = found || (q_edge_hits[j] && volume[i][j] == 0);
    if (!found) add_distinct(&result, plane_point(p.corner[i], p.corner[next], q.corner));
  }
  return result;
}

/// Whether a corner of the other triangle is in it.
bool contains(TriangleSigns& signs, const Simplex& s, int point) {
  if (s.dimension < 2) return segments_meet(signs, point, point, s.corner[0], s.corner[1]);
  const Sides sides = point < 3 ? signs.p_sides() : signs.q_sides();
  return sides.of[point % 3] == 0 &&
         coplanar_simplices_meet(signs, s, {0, {point, point, point}, {}, 0});
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

/// Finds a projection under which the edges ab and cd cross in one point inside both.
bool cross_properly(TriangleSigns& signs, int a, int b, int c, int d, Projection* plane) {
  if (edge_volume(signs, a, b, c, d) != 0) return false;
  return signs.ask([&](const auto& exact) {
    if (!find_projection(exact, a, b, c, d, plane)) return false;
    const auto shadow = exact.onto(*plane);
    return shadow.area(a, b, c) * shadow.area(a, b, d) < 0 &&
           shadow.area(c, d, a) * shadow.area(c, d, b) < 0;
  });
}

/// All other cases: coplanar triangles, and segments or points with each other or with a triangle.
/// The corners of the shared set are corners of one inside the other, or proper crossings of edges.
TriangleIntersection special_intersection(TriangleSigns& signs) {
  const Simplex p = reduce(signs, 0);
  const Simplex q = reduce(signs, 3);
  TriangleIntersection result;
  for (int i = 0; i <= p.dimension; ++i) {
    if (contains(signs, q, p.corner[i])) add_distinct(&result, signs.corner(p.corner[i]));
  }
  for (int j = 0; j <= q.dimension; ++j) {
    if (contains(signs, p, q.corner[j])) add_distinct(&result, signs.corner(q.corner[j]));
  }
  for (int i = 0; i < edge_count(p); ++i) {
    for (int j = 0; j < edge_count(q); ++j) {
      const int a = p.corner[i];
      const int b = p.corner[next_corner(i)];
      const int c = q.corner[j];
      const int d = q.corner[next_corner(j)];
      Projection plane;
      if (!cross_properly(signs, a, b, c, d, &plane)) continue;
      const Vec3d& from = signs.corner(a);
      const Vec3d& to = signs.corner(b);
      const auto area = [&](const Vec3d& point) {
        return orient2d_exact(signs.corner(c), signs.corner(d), point, plane).estimate();
      };
      add_distinct(&result, zero_between(from, to, area(from), area(to)));
    }
  }
  // A segment can go through the inside of a triangle with both ends outside of its plane.
  if (result.count == 0 && p.dimension != q.dimension && (p.dimension == 2 || q.dimension == 2)) {
    const Simplex& triangle = p.dimension == 2 ? p : q;
    const Simplex& segment = p.dimension == 2 ? q : p;
    const Sides sides = p.dimension == 2 ? signs.q_sides() : signs.p_sides();
    if (segment_meets_triangle(signs, segment, sides, triangle)) {
      const Vec3d corners[3] = {signs.corner(triangle.corner[0]), signs.corner(triangle.corner[1]),
                                signs.corner(triangle.corner[2])};
      add_distinct(&result, plane_point(signs.corner(segment.corner[0]),
                                        signs.corner(segment.corner[1]), corners));
    }
  }
  if (result.count > 2) order_around(&result, p.plane);
  return result;
}

}  // namespace

TriangleIntersection triangle_intersection(const Triangle& p, const Triangle& q) {
  TriangleSigns signs(p, q);
  const Sides p_sides = signs.p_sides();
  const Sides q_sides = signs.q_sides();
  if (p_sides.strictly_one() || q_sides.strictly_one()) return {};
  if (p_sides.all_zero() || q_sides.all_zero()) return special_intersection(signs);
  return crossing_planes(p, q, signs, p_sides, q_sides);
}

}  // namespace tandem::detail
