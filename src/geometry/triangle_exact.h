// The exact triangle test: do two closed triangles share a point? Every degeneracy is decided:
// touching, coplanar, shared corners and edges, and zero-area triangles as the segments and points
// that they are.
//
// It is based on one fact: two triangles meet exactly when an edge of one meets the other. That
// holds for coplanar triangles (an edge of the inner one meets the outer) and for zero-area ones
// (their edges cover them).
#pragma once

#include <tandem/triangle.h>

#include "geometry/predicates.h"

namespace tandem::detail {

/// The set of points of a triangle: with area, or reduced to a segment or a point.
struct Simplex {
  /// 0: a point (corner 0). 1: a segment (corners 0 and 1). 2: a triangle with area.
  int dimension;
  Vec3d corner[3];
  /// For a triangle, a projection under which it keeps its area.
  Projection plane;
};

TANDEM_HD inline Simplex reduce(const Triangle& t) {
  Simplex result{2, {t.corner[0], t.corner[1], t.corner[2]}, {}};
  if (find_projection(t.corner[0], t.corner[1], t.corner[2], &result.plane)) return result;
  // Collinear: the ends are the least and the greatest corner.
  for (const Vec3d& c : t.corner) {
    if (lexicographic_less(c, result.corner[0])) result.corner[0] = c;
    if (lexicographic_less(result.corner[1], c)) result.corner[1] = c;
  }
  result.dimension = result.corner[0] == result.corner[1] ? 0 : 1;
  return result;
}

TANDEM_HD inline bool weakly_one_sign(int a, int b, int c) {
  return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

TANDEM_HD inline bool strictly_one_sign(const int* s) {
  return s[0] != 0 && s[0] == s[1] && s[1] == s[2];
}

/// Whether a point in the plane of a triangle with area is in it.
TANDEM_HD inline bool point_in_triangle_2d(const Vec3d& point, const Vec3d* corner,
                                           Projection plane) {
  return weakly_one_sign(orient2d_sign(corner[0], corner[1], point, plane),
                         orient2d_sign(corner[1], corner[2], point, plane),
                         orient2d_sign(corner[2], corner[0], point, plane));
}

/// Whether a point on the line through a and b is between them.
TANDEM_HD inline bool between(const Vec3d& point, const Vec3d& a, const Vec3d& b) {
  const bool ordered = lexicographic_less(a, b);
  const Vec3d& low = ordered ? a : b;
  const Vec3d& high = ordered ? b : a;
  return !lexicographic_less(point, low) && !lexicographic_less(high, point);
}

/// Whether segments in one plane meet; `plane` projects that plane one to one.
TANDEM_HD inline bool segments_meet_2d(const Vec3d& a, const Vec3d& b, const Vec3d& c,
                                       const Vec3d& d, Projection plane) {
  const int abc = orient2d_sign(a, b, c, plane);
  const int abd = orient2d_sign(a, b, d, plane);
  const int cda = orient2d_sign(c, d, a, plane);
  const int cdb = orient2d_sign(c, d, b, plane);
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (abc == 0 && between(c, a, b)) || (abd == 0 && between(d, a, b)) ||
         (cda == 0 && between(a, c, d)) || (cdb == 0 && between(b, c, d));
}

/// Finds a projection that is one to one on the plane of two coplanar segments. False when all four
/// points are collinear.
TANDEM_HD inline bool find_projection(const Vec3d& a, const Vec3d& b, const Vec3d& c,
                                      const Vec3d& d, Projection* plane) {
  return find_projection(a, b, c, plane) || find_projection(a, b, d, plane) ||
         find_projection(c, d, a, plane) || find_projection(c, d, b, plane);
}

/// Whether segments anywhere in space meet; a point is a segment whose ends are equal.
TANDEM_HD inline bool segments_meet(const Vec3d& a, const Vec3d& b, const Vec3d& c,
                                    const Vec3d& d) {
  if (orient3d_sign(a, b, c, d) != 0) return false;
  Projection plane;
  if (find_projection(a, b, c, d, &plane)) return segments_meet_2d(a, b, c, d, plane);
  return between(c, a, b) || between(d, a, b) || between(a, c, d);
}

/// Whether a segment or point in the plane of a triangle with area meets it.
TANDEM_HD inline bool segment_meets_triangle_2d(const Vec3d& from, const Vec3d& to,
                                                const Simplex& t) {
  if (point_in_triangle_2d(from, t.corner, t.plane)) return true;
  for (int i = 0; i < 3; ++i) {
    if (segments_meet_2d(from, to, t.corner[i], t.corner[(i + 1) % 3], t.plane)) return true;
  }
  return false;
}

/// Whether a segment or point anywhere meets a triangle with area.
TANDEM_HD inline bool segment_meets_triangle(const Vec3d& from, const Vec3d& to, const Simplex& t) {
  const Vec3d* c = t.corner;
  const int from_side = orient3d_sign(c[0], c[1], c[2], from);
  const int to_side = orient3d_sign(c[0], c[1], c[2], to);
  if (from_side * to_side > 0) return false;
  if (from_side == 0 && to_side == 0) return segment_meets_triangle_2d(from, to, t);
  return weakly_one_sign(orient3d_sign(from, to, c[0], c[1]), orient3d_sign(from, to, c[1], c[2]),
                         orient3d_sign(from, to, c[2], c[0]));
}

/// Whether two triangles with area in one plane meet.
TANDEM_HD inline bool coplanar_triangles_meet(const Simplex& p, const Simplex& q) {
  for (int i = 0; i < 3; ++i) {
    if (segment_meets_triangle_2d(p.corner[i], p.corner[(i + 1) % 3], q)) return true;
  }
  return point_in_triangle_2d(q.corner[0], p.corner, p.plane);
}

/// The test for triangles of which at least one has no area, or that lie in one plane.
TANDEM_HD inline bool special_triangles_intersect(const Triangle& p, const Triangle& q) {
  const Simplex sp = reduce(p);
  const Simplex sq = reduce(q);
  if (sp.dimension == 2 && sq.dimension == 2) return coplanar_triangles_meet(sp, sq);
  if (sp.dimension == 2) return segment_meets_triangle(sq.corner[0], sq.corner[1], sp);
  if (sq.dimension == 2) return segment_meets_triangle(sp.corner[0], sp.corner[1], sq);
  return segments_meet(sp.corner[0], sp.corner[1], sq.corner[0], sq.corner[1]);
}

/// On which side of each other's plane the corners are: -1, 0 or 1.
struct TriangleSides {
  int p[3];
  int q[3];

  /// All of one triangle's corners lie strictly on one side of the other's plane.
  TANDEM_HD bool separated() const { return strictly_one_sign(p) || strictly_one_sign(q); }
  /// The triangles are coplanar, or one of them has no area: sides of planes do not decide.
  TANDEM_HD bool special() const {
    return (p[0] == 0 && p[1] == 0 && p[2] == 0) || (q[0] == 0 && q[1] == 0 && q[2] == 0);
  }
};

TANDEM_HD inline TriangleSides sides_of(const Triangle& p, const Triangle& q) {
  TriangleSides sides;
  for (int i = 0; i < 3; ++i) {
    sides.p[i] = orient3d_sign(q.corner[0], q.corner[1], q.corner[2], p.corner[i]);
    sides.q[i] = orient3d_sign(p.corner[0], p.corner[1], p.corner[2], q.corner[i]);
  }
  return sides;
}

/// The exact signs of the volumes of p's edges with q's edges, each computed when first needed. The
/// volume of edges i and j is the same for both triangles.
class EdgeVolumes {
 public:
  TANDEM_HD EdgeVolumes(const Triangle& p, const Triangle& q) : p_(p), q_(q) {
    for (auto& row : sign_) row[0] = row[1] = row[2] = k_unknown;
  }

  TANDEM_HD int operator()(int i, int j) {
    if (sign_[i][j] == k_unknown) {
      sign_[i][j] =
          orient3d_sign(p_.corner[i], p_.corner[(i + 1) % 3], q_.corner[j], q_.corner[(j + 1) % 3]);
    }
    return sign_[i][j];
  }

  /// Whether an edge goes through the other triangle. The edge is not in the other's plane and is
  /// not on one side of it.
  TANDEM_HD bool p_edge_inside(int i) {
    return weakly_one_sign((*this)(i, 0), (*this)(i, 1), (*this)(i, 2));
  }
  TANDEM_HD bool q_edge_inside(int j) {
    return weakly_one_sign((*this)(0, j), (*this)(1, j), (*this)(2, j));
  }

 private:
  static constexpr int k_unknown = 2;
  const Triangle& p_;
  const Triangle& q_;
  int sign_[3][3];
};

/// Whether an edge with ends on these sides of a plane crosses it in one point.
TANDEM_HD inline bool crosses_plane(int from_side, int to_side) {
  return from_side != to_side && from_side * to_side <= 0;
}

/// True when the triangles share a point. Exact for coordinates that are zero or between 1e-60 and
/// 1e60 in magnitude.
TANDEM_HD inline bool triangles_intersect_exact(const Triangle& p, const Triangle& q) {
  const TriangleSides sides = sides_of(p, q);
  if (sides.separated()) return false;
  if (sides.special()) return special_triangles_intersect(p, q);
  // Both have area and their planes cross. An edge that lies in the other's plane needs no test of
  // its own: where it meets the other triangle, one of the remaining edges ends there or crosses it
  // too.
  EdgeVolumes volumes(p, q);
  for (int e = 0; e < 3; ++e) {
    const int next = (e + 1) % 3;
    if (crosses_plane(sides.q[e], sides.q[next]) && volumes.q_edge_inside(e)) return true;
    if (crosses_plane(sides.p[e], sides.p[next]) && volumes.p_edge_inside(e)) return true;
  }
  return false;
}

}  // namespace tandem::detail
