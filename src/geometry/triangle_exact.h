// The exact triangle test: do two closed triangles share a point? Every degeneracy is decided:
// touching, coplanar, shared corners and edges, and zero-area triangles as the segments and points
// that they are.
//
// It asks for signs alone, so that it is a template over where they come from: `TriangleSigns`, or
// `ExpansionSigns`. Corners are known by index: 0 to 2 are p's, 3 to 5 are q's.
#pragma once

#include <tandem/triangle.h>

#include <cstdint>

#include "geometry/expansion_signs.h"
#include "geometry/predicates.h"

namespace tandem::detail {

/// The set of points of a triangle: with area, or reduced to a segment or a point.
struct Simplex {
  /// 0: a point. 1: a segment. 2: a triangle with area.
  int dimension;
  /// Of a segment the last two are the same, of a point all three.
  int corner[3];
  /// For a triangle, a projection under which it keeps its area, and the sign of that.
  Projection plane;
  int orientation;
};

/// The triangle whose first corner has index `first`, 0 or 3.
template <class Signs>
TANDEM_HD inline Simplex reduce(Signs& signs, int first) {
  Simplex result{2, {first, first + 1, first + 2}, {}, 0};
  if (signs.find_plane(first, &result.plane, &result.orientation)) return result;
  // Collinear: the ends are the least and the greatest corner along an axis along which they
  // differ. Without branches, as they come in any order.
  const Vec3d* c = &signs.corner(first);
  const auto differ = [&](int axis) {
    return (c[0][axis] != c[1][axis]) | (c[0][axis] != c[2][axis]);
  };
  const int axis = differ(0) ? 0 : differ(1) ? 1 : 2;
  const bool point = !differ(axis);
  const double x[3] = {c[0][axis], c[1][axis], c[2][axis]};
  const int least = x[1] < x[0] ? (x[2] < x[1] ? 2 : 1) : (x[2] < x[0] ? 2 : 0);
  const int greatest = x[1] > x[0] ? (x[2] > x[1] ? 2 : 1) : (x[2] > x[0] ? 2 : 0);
  return {point ? 0 : 1, {first + least, first + greatest, first + greatest}, {}, 0};
}

TANDEM_HD inline bool weakly_one_sign(int a, int b, int c) {
  return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

/// The sign of the volume over corners a and b of one triangle and c and d of the other, up to one
/// sign for both directions of each edge and both orders of the triangles.
template <class Signs>
TANDEM_HD inline int edge_volume(Signs& signs, int a, int b, int c, int d) {
  if (a == b || c == d) return 0;
  if (a >= 3) return edge_volume(signs, c, d, a, b);
  const bool forwards = next_corner(a) == b;
  const bool other_forwards = next_corner(c - 3) == d - 3;
  const int sign = signs.volume(forwards ? a : b, (other_forwards ? c : d) - 3);
  return forwards == other_forwards ? sign : -sign;
}

/// Whether a point on the line through a and b is between them.
TANDEM_HD inline bool between(const Vec3d& point, const Vec3d& a, const Vec3d& b) {
  const bool ordered = lexicographic_less(a, b);
  const Vec3d& low = ordered ? a : b;
  const Vec3d& high = ordered ? b : a;
  return !lexicographic_less(point, low) && !lexicographic_less(high, point);
}

/// Finds a projection that is one to one on the plane of two coplanar segments. False when all four
/// points are collinear.
template <class Exact>
TANDEM_HD inline bool find_projection(const Exact& exact, int a, int b, int c, int d,
                                      Projection* plane) {
  for (int dropped = 2; dropped >= 0; --dropped) {
    plane->dropped = dropped;
    const auto shadow = exact.onto(*plane);
    if (shadow.area(a, b, c) != 0 || shadow.area(a, b, d) != 0 || shadow.area(c, d, a) != 0 ||
        shadow.area(c, d, b) != 0) {
      return true;
    }
  }
  return false;
}

/// Whether segments anywhere in space meet, ab of one triangle and cd of the other; a point is a
/// segment whose ends are equal.
template <class Signs>
TANDEM_HD inline bool segments_meet(Signs& signs, int a, int b, int c, int d) {
  if (edge_volume(signs, a, b, c, d) != 0) return false;
  return signs.ask([&](const auto& exact) {
    Projection plane;
    if (find_projection(exact, a, b, c, d, &plane)) {
      // They are apart exactly when the line of one has the other strictly on one side.
      const auto shadow = exact.onto(plane);
      return shadow.area(a, b, c) * shadow.area(a, b, d) <= 0 &&
             shadow.area(c, d, a) * shadow.area(c, d, b) <= 0;
    }
    const Vec3d& pa = signs.corner(a);
    const Vec3d& pb = signs.corner(b);
    const Vec3d& pc = signs.corner(c);
    const Vec3d& pd = signs.corner(d);
    return between(pc, pa, pb) || between(pd, pa, pb) || between(pa, pc, pd);
  });
}

/// Whether a triangle with area and another one, or a segment or a point, in its plane meet. Being
/// convex, they are apart exactly when the line of an edge has one on its outer side, strictly. A
/// segment has an outer side on both sides, a point on none.
/// Out of line: it is long, and called from three places.
template <class Signs>
[[gnu::noinline]] TANDEM_HD inline bool coplanar_simplices_meet(Signs& signs, const Simplex& t,
                                                                const Simplex& other) {
  return signs.ask([&](const auto& exact) {
    const auto shadow = exact.onto(t.plane);
    // Without branches, as it is rarely clear beforehand which edge it is.
    const auto outside = [&](const Simplex& s, const Simplex& of, int k, int outer) {
      bool result = true;
      for (const int corner : s.corner) {
        result &= shadow.area(of.corner[k], of.corner[next_corner(k)], corner) == outer;
      }
      return result;
    };
    const auto outside_some_edge = [&](const Simplex& s, const Simplex& of, int outer) {
      bool result = false;
      for (int k = 0; k < 3; ++k) result |= outside(s, of, k, outer);
      return result;
    };
    if (outside_some_edge(other, t, -t.orientation)) return false;
    const int* c = other.corner;
    if (other.dimension == 2) {
      return !outside_some_edge(t, other, -shadow.area(c[0], c[1], c[2]));
    }
    return other.dimension == 0 || (!outside(t, other, 0, 1) && !outside(t, other, 0, -1));
  });
}

/// Whether a segment or point anywhere meets a triangle with area; `sides` are those of the corners
/// that the segment is made of.
template <class Signs>
TANDEM_HD inline bool segment_meets_triangle(Signs& signs, const Simplex& segment,
                                             const Sides& sides, const Simplex& t) {
  const int from = segment.corner[0];
  const int to = segment.corner[segment.dimension];
  const int from_side = sides.of[from % 3];
  const int to_side = sides.of[to % 3];
  if (from_side * to_side > 0) return false;
  if (from_side == 0 && to_side == 0) return coplanar_simplices_meet(signs, t, segment);
  return weakly_one_sign(edge_volume(signs, from, to, t.corner[0], t.corner[1]),
                         edge_volume(signs, from, to, t.corner[1], t.corner[2]),
                         edge_volume(signs, from, to, t.corner[2], t.corner[0]));
}

/// The test for triangles of which at least one has no area, or that lie in one plane.
template <class Signs>
TANDEM_HD inline bool special_triangles_intersect(Signs& signs) {
  const Simplex p = reduce(signs, 0);
  const Simplex q = reduce(signs, 3);
  if (p.dimension == 2 && q.dimension == 2) return coplanar_simplices_meet(signs, p, q);
  if (p.dimension == 2) return segment_meets_triangle(signs, q, signs.q_sides(), p);
  if (q.dimension == 2) return segment_meets_triangle(signs, p, signs.p_sides(), q);
  return segments_meet(signs, p.corner[0], p.corner[p.dimension], q.corner[0],
                       q.corner[q.dimension]);
}

/// A triangle seen from the plane of the other, which it meets: one corner, the apex, is on one
/// side of it or in it, and the other two on the other side or in it, not all three in it. So the
/// plane cuts off the two edges that leave the apex.
struct Wedge {
  int apex;
  /// Of the apex, 1 or -1; where the apex is in the plane, opposite to that of the others.
  int side;
};

constexpr Wedge find_wedge(const Sides& sides) {
  for (int k = 0; k < 3; ++k) {
    const int s = sides.of[k];
    if (s != 0 && s * sides.of[(k + 1) % 3] <= 0 && s * sides.of[(k + 2) % 3] <= 0) return {k, s};
  }
  // One corner in the plane, the others on one side of it.
  const int apex = sides.of[0] == 0 ? 0 : sides.of[1] == 0 ? 1 : 2;
  return {apex, -sides.of[(apex + 1) % 3]};
}

/// All wedges: the branches to find one would be taken at random.
struct WedgeTable {
  std::uint64_t apices = 0;  // two bits each
  std::uint32_t above = 0;   // one bit each

  constexpr WedgeTable() {
    for (int index = 0; index < 27; ++index) {
      const Wedge wedge = find_wedge({{index / 9 - 1, index / 3 % 3 - 1, index % 3 - 1}});
      apices |= static_cast<std::uint64_t>(wedge.apex) << 2 * index;
      above |= (wedge.side > 0 ? 1U : 0U) << index;
    }
  }
};

TANDEM_HD inline Wedge wedge_of(const Sides& sides) {
  constexpr WedgeTable k_table;
  const int index = 9 * sides.of[0] + 3 * sides.of[1] + sides.of[2] + 13;
  return {static_cast<int>(k_table.apices >> 2 * index & 3),
          (k_table.above >> index & 1) != 0 ? 1 : -1};
}

/// The test for triangles with area whose planes cross, neither being strictly on one side of the
/// other's plane. Each meets the line in which the planes cross in a segment between the two edges
/// at its apex, and they meet when these segments do (Guigue and Devillers 2003).
///
/// Let D = n_p × n_q be the direction of the line. Where p's apex is above the plane of q, the
/// segment goes from the edge to the corner before the apex to the edge to the corner after it;
/// where it is below, the other way round, and for q again the other way round. Take an edge of p
/// and one of q, both leaving their apices, which are on sides of the same sign. Their volume is
/// positive when, along D, the edge of q crosses the line after that of p. With sides of different
/// signs it is negative then.
template <class Signs>
TANDEM_HD inline bool crossing_triangles_intersect(Signs& signs, const Sides& p_sides,
                                                   const Sides& q_sides) {
  const Wedge p = wedge_of(p_sides);
  const Wedge q = wedge_of(q_sides);
  const int p_before = previous_corner(p.apex);
  const int q_before = previous_corner(q.apex);
  // Edge k leaves corner k; the one to the corner before the apex is that corner's, turned around.
  const bool p_up = p.side > 0;
  const bool q_up = q.side > 0;
  const int same = p.side * q.side;
  const auto order = [&](bool p_next, bool q_next) {
    const int sign = signs.volume(p_next ? p.apex : p_before, q_next ? q.apex : q_before);
    return (p_next == q_next ? sign : -sign) * same;
  };
  // p's first edge is not after q's last one, and q's first edge not after p's last one.
  return order(!p_up, !q_up) >= 0 && order(p_up, q_up) <= 0;
}

/// True when the triangles share a point. Exact for coordinates that are zero or between 1e-60 and
/// 1e60 in magnitude.
template <class Signs>
TANDEM_HD inline bool triangles_intersect_exact(Signs& signs) {
  if (signs.one_surely_flat()) return special_triangles_intersect(signs);
  // Nearly coplanar ones are often seen apart in a projection, whether or not they are coplanar.
  const Verdict projected = signs.filter_nearly_coplanar();
  if (projected == Verdict::disjoint) return false;
  const Sides q_sides = signs.q_sides();
  if (q_sides.strictly_one()) return false;
  // Coplanar, or p has no area: sides of planes do not decide.
  if (q_sides.all_zero()) {
    return projected == Verdict::intersecting || special_triangles_intersect(signs);
  }
  const Sides p_sides = signs.p_sides();
  if (p_sides.strictly_one()) return false;
  // q has no area.
  if (p_sides.all_zero()) return special_triangles_intersect(signs);
  return crossing_triangles_intersect(signs, p_sides, q_sides);
}

}  // namespace tandem::detail
