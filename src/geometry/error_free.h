// Triangles that are flush: doubles that notice when they are rounded decide them exactly.
//
// Where bodies stand face to face, and are turned by quarters at most, corners of one lie in planes
// and on edges of the other. No bound on rounding errors tells zero from almost zero then. But the
// coordinates are short enough that most differences, products and sums are not rounded at all, and
// what has not been rounded is right, zero included. Noticing costs two or three operations each.
#pragma once

#include <tandem/triangle.h>

#include <cmath>

#include "geometry/expansion_signs.h"
#include "geometry/predicates.h"
#include "geometry/triangle_exact.h"
#include "geometry/triangle_filter.h"

namespace tandem::detail {

/// Computes with doubles and remembers whether any result so far has been rounded. Copies go on by
/// themselves. Nothing may overflow or underflow.
class RoundingWatch {
 public:
  TANDEM_HD bool exact() const { return exact_; }

  TANDEM_HD double subtract(double x, double y) {
    const double difference = x - y;
    // Dekker: what is left of the number with the larger magnitude, without the result, is not
    // rounded. So the result is exact when that is the other number. Whichever is larger, both
    // comparisons hold for an exact result.
    exact_ = exact_ & (difference + y == x) & (x - difference == y);
    return difference;
  }
  TANDEM_HD double add(double x, double y) { return subtract(x, -y); }
  TANDEM_HD double multiply(double x, double y) {
    const double product = x * y;
    exact_ = exact_ & (std::fma(x, y, -product) == 0);
    return product;
  }

  TANDEM_HD Vec3d subtract(const Vec3d& a, const Vec3d& b) {
    return {subtract(a.x, b.x), subtract(a.y, b.y), subtract(a.z, b.z)};
  }
  /// a b - c d
  TANDEM_HD double minor(double a, double b, double c, double d) {
    return subtract(multiply(a, b), multiply(c, d));
  }
  TANDEM_HD Vec3d cross(const Vec3d& a, const Vec3d& b) {
    return {minor(a.y, b.z, a.z, b.y), minor(a.z, b.x, a.x, b.z), minor(a.x, b.y, a.y, b.x)};
  }
  TANDEM_HD double dot(const Vec3d& a, const Vec3d& b) {
    return add(add(multiply(a.x, b.x), multiply(a.y, b.y)), multiply(a.z, b.z));
  }

 private:
  bool exact_ = true;
};

/// One of three, without an address: so they stay in registers.
TANDEM_HD inline const Vec3d& chosen(const Vec3d* of, int k) {
  return k == 0 ? of[0] : k == 1 ? of[1] : of[2];
}

/// The signs that `crossing_triangles_intersect` asks for: certain where rounding errors are too
/// small to matter, or where nothing has been rounded. Once a sign was neither, `sure` is false.
class ErrorFreeSigns {
 public:
  TANDEM_HD ErrorFreeSigns(const Triangle& p, const Triangle& q) : p_(p), q_(q) {
    RoundingWatch watch;
    const Vec3d a[2] = {watch.subtract(p.corner[1], p.corner[0]),
                        watch.subtract(p.corner[2], p.corner[0])};
    double largest = larger(size(a[0]), size(a[1]));
    Vec3d b[3];
    for (int k = 0; k < 3; ++k) {
      b[k] = watch.subtract(q.corner[k], p.corner[0]);
      largest = larger(largest, size(b[k]));
    }
    // A determinant is a sum of 6 products of three, each rounded at most 8 times: 3 differences, 2
    // multiplications, 3 additions. Differences are at most L, or 2 L where neither end is p's
    // first corner: 64 > 6·8, and 512 > 8·6·8, also cover the rounding of the bound itself.
    const double unit = k_half_ulp * (largest * largest * largest);
    error_ = 512 * unit;
    const Vec3d normal = watch.cross(a[0], a[1]);
    for (int k = 0; k < 3; ++k) {
      RoundingWatch own = watch;
      const double height = own.dot(normal, b[k]);
      q_sides_.of[k] = judge(height, 64 * unit, own, &q_sure_);
    }
  }

  TANDEM_HD bool sure() const { return sure_; }

  /// Whether p's and q's sides are known. Those that are not are 0.
  TANDEM_HD bool find_q_sides(Sides* sides) const {
    *sides = q_sides_;
    return q_sure_;
  }
  TANDEM_HD bool find_p_sides(Sides* sides) const {
    RoundingWatch watch;
    const Vec3d& origin = q_.corner[0];
    const Vec3d normal =
        watch.cross(watch.subtract(q_.corner[1], origin), watch.subtract(q_.corner[2], origin));
    bool all_sure = true;
    for (int k = 0; k < 3; ++k) {
      RoundingWatch own = watch;
      const double height = own.dot(normal, own.subtract(p_.corner[k], origin));
      sides->of[k] = judge(height, error_, own, &all_sure);
    }
    return all_sure;
  }

  TANDEM_HD int volume(int i, int j) {
    RoundingWatch watch;
    const Vec3d& from_p = chosen(p_.corner, i);
    const Vec3d& from_q = chosen(q_.corner, j);
    const Vec3d p_edge = watch.subtract(chosen(p_.corner, next_corner(i)), from_p);
    const Vec3d q_edge = watch.subtract(chosen(q_.corner, next_corner(j)), from_q);
    const Vec3d between = watch.subtract(from_q, from_p);
    const double volume = watch.dot(watch.cross(q_edge, p_edge), between);
    return judge(volume, error_, watch, &sure_);
  }

 private:
  TANDEM_HD static double larger(double a, double b) { return a < b ? b : a; }
  TANDEM_HD static double size(const Vec3d& v) {
    return larger(std::fabs(v.x), larger(std::fabs(v.y), std::fabs(v.z)));
  }
  TANDEM_HD static int judge(double value, double error, const RoundingWatch& watch, bool* sure) {
    const bool known = watch.exact() | (std::fabs(value) > error);
    *sure &= known;
    return known ? sign_of(value) : 0;
  }

  const Triangle& p_;
  const Triangle& q_;
  double error_;
  Sides q_sides_;
  bool q_sure_ = true;
  bool sure_ = true;
};

/// Decides triangles that may be flush. `in_one_plane` is set where all of q is in the plane of p,
/// and the answer is "unsure" then: `judge_in_one_plane` is for those.
TANDEM_HD inline Verdict judge_flush(const Triangle& p, const Triangle& q, bool* in_one_plane) {
  Projection plane;
  *in_one_plane = find_axis_plane(p, q, &plane);
  if (*in_one_plane) return Verdict::unsure;
  ErrorFreeSigns signs(p, q);
  Sides q_sides;
  const bool q_sure = signs.find_q_sides(&q_sides);
  if (q_sides.strictly_one()) return Verdict::disjoint;
  *in_one_plane = q_sure & q_sides.all_zero();
  if (*in_one_plane) return Verdict::unsure;
  Sides p_sides;
  const bool p_sure = signs.find_p_sides(&p_sides);
  if (p_sides.strictly_one()) return Verdict::disjoint;
  // All of p in the plane of q, but not the other way round: q has no area.
  if (!q_sure || !p_sure || p_sides.all_zero()) return Verdict::unsure;
  const bool meet = crossing_triangles_intersect(signs, p_sides, q_sides);
  return !signs.sure() ? Verdict::unsure : meet ? Verdict::intersecting : Verdict::disjoint;
}

/// Decides triangles of which all of q is in the plane of p, projected along an axis: being convex,
/// they are apart exactly when the line of an edge has the other one on its outer side, strictly.
/// "Unsure" where rounding leaves that open, and where one has no area.
TANDEM_HD inline Verdict judge_in_one_plane(const Triangle& p, const Triangle& q) {
  const Vec3d normal = cross(p.corner[1] - p.corner[0], p.corner[2] - p.corner[0]);
  const double x = std::fabs(normal.x);
  const double y = std::fabs(normal.y);
  const double z = std::fabs(normal.z);
  const int dropped = x > y && x > z ? 0 : y > z ? 1 : 2;
  double u[6];
  double v[6];
  double largest = 0;
  for (int k = 0; k < 6; ++k) {
    const Vec3d& corner = k < 3 ? p.corner[k] : q.corner[k - 3];
    u[k] = dropped == 0 ? corner.y : corner.x;
    v[k] = dropped == 2 ? corner.y : corner.z;
    const double du = std::fabs(u[k] - u[0]);
    const double dv = std::fabs(v[k] - v[0]);
    largest = largest < du ? du : largest;
    largest = largest < dv ? dv : largest;
  }
  // As in `filter_coplanar_triangles`.
  const double error = 64 * k_half_ulp * (largest * largest);
  struct Sign {
    bool known;
    double value;
  };
  const auto area = [&](int a, int b, int c) {
    RoundingWatch watch;
    const double du = watch.subtract(u[b], u[a]);
    const double dv = watch.subtract(v[b], v[a]);
    const double value =
        watch.minor(du, watch.subtract(v[c], v[a]), dv, watch.subtract(u[c], u[a]));
    return Sign{watch.exact() || std::fabs(value) > error, value};
  };
  const Sign p_area = area(0, 1, 2);
  const Sign q_area = area(3, 4, 5);
  if (!p_area.known || !q_area.known || p_area.value == 0 || q_area.value == 0) {
    return Verdict::unsure;
  }
  bool disjoint = false;
  bool intersecting = true;
  const auto judge = [&](int a, int b, int other, double orientation) {
    bool all_outside = true;
    bool some_not = false;
    for (int k = 0; k < 3; ++k) {
      const Sign side = area(a, b, other + k);
      const bool outside = orientation * side.value < 0;
      all_outside &= side.known & outside;
      some_not |= side.known & !outside;
    }
    disjoint |= all_outside;
    intersecting &= some_not;
  };
  const double p_orientation = p_area.value > 0 ? 1 : -1;
  const double q_orientation = q_area.value > 0 ? 1 : -1;
  for (int k = 0; k < 3; ++k) {
    const int next = k == 2 ? 0 : k + 1;
    judge(k, next, 3, p_orientation);
    judge(3 + k, 3 + next, 0, q_orientation);
  }
  return disjoint ? Verdict::disjoint : intersecting ? Verdict::intersecting : Verdict::unsure;
}

}  // namespace tandem::detail
