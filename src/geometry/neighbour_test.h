// Two triangles of one mesh that have corners in common: do they meet in more than that?
//
// What they share are the corners, known by position, that are corners of both, and the edges
// between those. With one corner c in common, everything depends on the cones that the triangles
// span at c: they meet in more than c exactly when their cones do, as both reach beyond c in every
// direction of theirs. With two, the triangles meet in more than their common edge exactly when
// they lie in one plane, on one side of it. With three they are equal, and meet in their area.
#pragma once

#include <tandem/triangle.h>

#include "geometry/degenerate.h"
#include "geometry/triangle_exact.h"
#include "geometry/triangle_signs.h"
#include "geometry/triangle_test.h"
#include "math/transform.h"

namespace tandem::detail {

/// Which corners of two triangles are at the same positions.
struct SharedCorners {
  /// Pairs of a corner of p and one of q.
  int pair_count = 0;
  /// The corners of p, and those of q, that are in such pairs, one bit each.
  int in_p = 0;
  int in_q = 0;
};

TANDEM_HD inline SharedCorners shared_corners(const TriangleF& p, const TriangleF& q) {
  SharedCorners result;
  for (int i = 0; i < 3; ++i) {
    const Vec3f& a = p.corner[i];
    for (int j = 0; j < 3; ++j) {
      // One comparison instead of three: a difference is 0 only when both are equal.
      const Vec3f d = a - q.corner[j];
      const int equal = std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z) == 0 ? 1 : 0;
      result.pair_count += equal;
      result.in_p |= equal << i;
      result.in_q |= equal << j;
    }
  }
  return result;
}

/// A triangle's edge opposite to its first corner, which it shares with `other`: does it meet that?
/// Where the first corner is on this edge, which only a triangle without area has, the ends count.
TANDEM_HD inline bool opposite_edge_meets(const Triangle& t, const Triangle& other) {
  const Vec3d* c = t.corner;
  if (is_degenerate(t) && between(c[0], c[1], c[2])) {
    return test_triangles({{c[1], c[1], c[1]}}, other).intersects ||
           test_triangles({{c[2], c[2], c[2]}}, other).intersects;
  }
  return test_triangles({{c[1], c[2], c[2]}}, other).intersects;
}

/// For triangles of any kind whose first corners, and no others, are the same: whether they meet in
/// more than that. From a point that they share, go straight away from the common corner: where one
/// of them ends, its opposite edge meets the other one.
[[gnu::noinline]] TANDEM_HD inline bool slim_fans_meet(const Triangle& p, const Triangle& q) {
  return opposite_edge_meets(p, q) || opposite_edge_meets(q, p);
}

/// In a projection, by the signs of areas over the common corner: does the cone between x and y,
/// which turn that way, contain z?
template <class Area>
TANDEM_HD inline bool cone_contains(const Area& area, int x, int y, int turn, int z) {
  return area(x, z) * turn >= 0 && area(z, y) * turn >= 0;
}

/// Whether two cones in the plane, between corners 1 and 2 and between 4 and 5, meet in more than
/// their apex: then one contains a side of the other.
template <class Area>
TANDEM_HD inline bool cones_meet(const Area& area, int p_turn, int q_turn) {
  return cone_contains(area, 1, 2, p_turn, 4) || cone_contains(area, 1, 2, p_turn, 5) ||
         cone_contains(area, 4, 5, q_turn, 1) || cone_contains(area, 4, 5, q_turn, 2);
}

/// Whether triangles whose first corners, and no others, are the same meet in more than that.
///
/// Let u1, u2 and v1, v2 be their edges at this corner, and their sides s = det(u1, u2, v) and
/// t = det(v1, v2, u). Where the planes cross, their line has the direction
///
///   D = (u1 × u2) × (v1 × v2) = s2 v1 - s1 v2 = t1 u2 - t2 u1.
///
/// When neither triangle is strictly on one side of the other's plane, each of them reaches into
/// this line on one side of the corner: to D where s1 <= 0 <= s2, or t2 <= 0 <= t1, to -D
/// otherwise.
[[gnu::noinline]] TANDEM_HD inline bool fans_meet_exact(const Triangle& p, const Triangle& q) {
  TriangleSigns signs(p, q);
  const Sides s = signs.q_sides();
  if (s.of[1] * s.of[2] > 0) return false;
  const Sides t = signs.p_sides();
  if (t.of[1] * t.of[2] > 0) return false;
  if (!s.all_zero() && !t.all_zero()) return (s.of[2] > s.of[1]) == (t.of[1] > t.of[2]);
  // In one plane, or one has no area.
  bool slim = true;
  const bool meet = signs.ask([&](const auto& exact) {
    for (int dropped = 2; dropped >= 0; --dropped) {
      const auto shadow = exact.onto(Projection{dropped});
      const int p_turn = shadow.area(0, 1, 2);
      const int q_turn = shadow.area(3, 4, 5);
      if (p_turn == 0 || q_turn == 0) continue;
      slim = false;
      return cones_meet([&](int x, int y) { return shadow.area(0, x, y); }, p_turn, q_turn);
    }
    return false;
  });
  return slim ? slim_fans_meet(p, q) : meet;
}

/// The same with bounds on rounding errors, which tell most neighbours of a mesh apart.
TANDEM_HD inline bool fans_meet(const Triangle& p, const Triangle& q) {
  const Vec3d u1 = p.corner[1] - p.corner[0];
  const Vec3d u2 = p.corner[2] - p.corner[0];
  const Vec3d v1 = q.corner[1] - q.corner[0];
  const Vec3d v2 = q.corner[2] - q.corner[0];
  const double u_size = larger(largest_component(u1), largest_component(u2));
  const double v_size = larger(largest_component(v1), largest_component(v2));
  // As in `TriangleSigns`: 6 products of three, each rounded at most 8 times.
  const double unit = 64 * k_half_ulp * u_size * v_size;
  const double s_error = unit * u_size;
  const double t_error = unit * v_size;
  const Vec3d normal = cross(u1, u2);
  const double s1 = dot(normal, v1);
  const double s2 = dot(normal, v2);
  const Vec3d other_normal = cross(v1, v2);
  const double t1 = dot(other_normal, u1);
  const double t2 = dot(other_normal, u2);
  // Without branches, as there is no telling which of these it is. Signs count where the smaller
  // magnitude of two exceeds their error.
  const bool s_sure = smaller(std::fabs(s1), std::fabs(s2)) > s_error;
  const bool t_sure = smaller(std::fabs(t1), std::fabs(t2)) > t_error;
  const bool s_one_side = (s1 > 0) == (s2 > 0);
  const bool t_one_side = (t1 > 0) == (t2 > 0);
  const bool opposite = (s2 > 0) != (t1 > 0);
  if ((s_sure & s_one_side) | (t_sure & t_one_side) | (s_sure & t_sure & opposite)) return false;
  if (s_sure & t_sure) return true;

  // Along an axis onto which p keeps its area, and so no point of its cone falls onto another: when
  // the cones' projections are apart, so are they, in one plane or not.
  const double x = std::fabs(normal.x);
  const double y = std::fabs(normal.y);
  const double z = std::fabs(normal.z);
  const Projection plane{x > larger(y, z) ? 0 : y > z ? 1 : 2};
  const auto area = [&](const Vec3d& a, const Vec3d& b) {
    return a[plane.u()] * b[plane.v()] - a[plane.v()] * b[plane.u()];
  };
  // 2 products of two, each rounded at most 4 times, with room for the rounding of the bound.
  const auto turn = [](double sign, double error) {
    return sign > error ? 1 : sign < -error ? -1 : 0;
  };
  const double error = 16 * k_half_ulp;
  const int p_turn = turn(area(u1, u2), error * u_size * u_size);
  const int q_turn = turn(area(v1, v2), error * v_size * v_size);
  if (p_turn != 0 && q_turn != 0) {
    // Turns that are not sure count as 0, with which a cone seems to contain what it may not.
    const double mixed = error * u_size * v_size;
    const int turns[2][2] = {{turn(area(u1, v1), mixed), turn(area(u1, v2), mixed)},
                             {turn(area(u2, v1), mixed), turn(area(u2, v2), mixed)}};
    const auto turn_of = [&](int i, int j) {
      return i < j ? turns[i - 1][j - 4] : -turns[j - 1][i - 4];
    };
    if (!cones_meet(turn_of, p_turn, q_turn)) return false;
  }
  return fans_meet_exact(p, q);
}

/// Whether triangles whose first two corners, and no others, are the same meet in more than the
/// edge between these.
[[gnu::noinline]] TANDEM_HD inline bool wings_meet_exact(const Triangle& p, const Triangle& q) {
  TriangleSigns signs(p, q);
  if (signs.q_sides().of[2] != 0) return false;
  bool collinear = true;
  const bool meet = signs.ask([&](const auto& exact) {
    for (int dropped = 2; dropped >= 0; --dropped) {
      const auto shadow = exact.onto(Projection{dropped});
      const int p_side = shadow.area(0, 1, 2);
      const int q_side = shadow.area(3, 4, 5);
      if (p_side == 0 && q_side == 0) continue;
      collinear = false;
      // A segment on the edge's line meets a triangle on this edge in no more than the edge.
      return p_side == q_side;
    }
    return false;
  });
  if (!collinear) return meet;
  // Two segments on one line: they meet beyond the edge when both go on beyond the same end of it.
  const bool ordered = lexicographic_less(p.corner[0], p.corner[1]);
  const Vec3d& low = p.corner[ordered ? 0 : 1];
  const Vec3d& high = p.corner[ordered ? 1 : 0];
  return (lexicographic_less(high, p.corner[2]) && lexicographic_less(high, q.corner[2])) ||
         (lexicographic_less(p.corner[2], low) && lexicographic_less(q.corner[2], low));
}

/// The same with bounds on rounding errors: neighbours that fold, and those that lie flat on
/// different sides of their edge.
TANDEM_HD inline bool wings_meet(const Triangle& p, const Triangle& q) {
  const Vec3d edge = p.corner[1] - p.corner[0];
  const Vec3d to_p = p.corner[2] - p.corner[0];
  const Vec3d to_q = q.corner[2] - q.corner[0];
  const double size = largest_component(edge);
  const double unit = k_half_ulp * size * largest_component(to_p) * largest_component(to_q);
  const Vec3d normal = cross(edge, to_p);
  if (std::fabs(dot(normal, to_q)) > 64 * unit) return false;
  // 12 products of four, each rounded at most 11 times.
  if (dot(normal, cross(edge, to_q)) < -160 * unit * size) return false;
  return wings_meet_exact(p, q);
}

/// Whether two triangles that have corners in common meet in a point that is neither such a corner
/// nor on an edge between two of them. Exact for all float32 coordinates; independent of the order
/// of corners and triangles.
TANDEM_HD inline bool neighbours_meet(const TriangleF& p, const TriangleF& q,
                                      const SharedCorners& shared) {
  constexpr int k_all = 7;
  const auto size = [](int corners) { return (corners & 1) + (corners >> 1 & 1) + (corners >> 2); };
  const auto first_of = [](int corners) {
    return (corners & 1) != 0 ? 0 : (corners & 2) != 0 ? 1 : 2;
  };
  // From a corner on around the triangle.
  const auto from = [](const TriangleF& t, int first) {
    const int next = next_corner(first);
    return widen(TriangleF{{t.corner[first], t.corner[next], t.corner[next_corner(next)]}});
  };
  const int p_count = size(shared.in_p);
  const int q_count = size(shared.in_q);
  if (p_count == 1 && q_count == 1) {
    return fans_meet(from(p, first_of(shared.in_p)), from(q, first_of(shared.in_q)));
  }
  // Corners that are shared once each.
  if (p_count == q_count && p_count == shared.pair_count) {
    if (p_count == 3) return !is_degenerate(widen(p));
    const Triangle in_p = from(p, next_corner(first_of(k_all ^ shared.in_p)));
    const Triangle in_q = from(q, next_corner(first_of(k_all ^ shared.in_q)));
    return wings_meet(in_p, {{in_p.corner[0], in_p.corner[1], in_q.corner[2]}});
  }
  // One of them repeats a corner that is shared. If it has no other one, it is that point, or the
  // edge between two.
  if (shared.in_p == k_all || shared.in_q == k_all) return false;
  const auto slim = [&](const TriangleF& t, int corners) {
    if (size(corners) == 1) return from(t, first_of(corners));
    const Vec3f& other = t.corner[first_of(k_all ^ corners)];
    return widen(TriangleF{{t.corner[first_of(corners)], other, other}});
  };
  return slim_fans_meet(slim(p, shared.in_p), slim(q, shared.in_q));
}

}  // namespace tandem::detail
