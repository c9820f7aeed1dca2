// The filters before the exact triangle test, in float and double with bounds on the rounding error
// of each sign. Their answers are never wrong, but they may answer "unsure".
#pragma once

#include <tandem/triangle.h>

#include <cmath>

#include "geometry/predicates.h"

namespace tandem::detail {

TANDEM_HD inline double larger(double a, double b) {
  return a < b ? b : a;
}

TANDEM_HD inline double smaller(double a, double b) {
  return b < a ? b : a;
}

TANDEM_HD inline double largest_component(const Vec3d& v) {
  return larger(std::fabs(v.x), larger(std::fabs(v.y), std::fabs(v.z)));
}

TANDEM_HD inline Vec3d magnitudes(const Vec3d& v) {
  return {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)};
}

TANDEM_HD inline double component_sum(const Vec3d& v) {
  return (v.x + v.y) + v.z;
}

enum class Verdict { disjoint, intersecting, unsure };

/// What is known about a sign: certainly positive, certainly negative, or neither.
struct SureSign {
  bool positive;
  bool negative;
};

/// What the filter needs to know of the numbers that it computes with: the largest relative error
/// of a rounding, and a range in which a cube and its rounding errors neither under- nor overflow.
template <class Real>
struct FilterRange;
template <>
struct FilterRange<float> {
  static constexpr float k_roundoff = 0x1p-24F;
  static constexpr float k_least = 0x1p-30F;
  static constexpr float k_most = 0x1p30F;
};
template <>
struct FilterRange<double> {
  static constexpr double k_roundoff = 0x1p-53;
  static constexpr double k_least = 0x1p-250;
  static constexpr double k_most = 0x1p250;
};

/// All fifteen signs in float or double. Decides from strict ones alone: coplanar, touching and
/// zero-area cases are always "unsure".
template <class Real = float>
TANDEM_HD inline Verdict filter_triangles(const Triangle& p, const Triangle& q) {
  using Vec3r = Vec3<Real>;
  // Relative to p's first corner, subtracted in double: each component then has a relative error
  // of one roundoff, however far from the origin the triangles are.
  const Vec3d& origin = p.corner[0];
  const Vec3r a1(p.corner[1] - origin);
  const Vec3r a2(p.corner[2] - origin);
  const Vec3r b[3] = {Vec3r(q.corner[0] - origin), Vec3r(q.corner[1] - origin),
                      Vec3r(q.corner[2] - origin)};

  // The largest magnitude L bounds every product of three by L³.
  Real largest = 0;
  const auto enlarge = [&largest](const Vec3r& v) {
    const Vec3r size{std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)};
    largest = largest < size.x ? size.x : largest;
    largest = largest < size.y ? size.y : largest;
    largest = largest < size.z ? size.z : largest;
  };
  enlarge(a1);
  enlarge(a2);
  for (const Vec3r& v : b) enlarge(v);
  using Range = FilterRange<Real>;
  if (!(largest > Range::k_least && largest < Range::k_most)) return Verdict::unsure;

  // A determinant is a sum of 6 products of three, each rounded at most 8 times: 3 differences, 2
  // multiplications, 3 additions. Sums of four determinants have 24 products and 3 more additions.
  // 64 > 6·8 and 320 > 24·11 also cover the rounding of the bound itself.
  const Real unit = Range::k_roundoff * largest * largest * largest;
  const Real error = 64 * unit;
  const Real sum_error = 320 * unit;
  const auto sure = [](Real x, Real bound) { return SureSign{x > bound, x < -bound}; };
  const auto same_side = [](const SureSign* s) {
    return (s[0].positive && s[1].positive && s[2].positive) ||
           (s[0].negative && s[1].negative && s[2].negative);
  };

  // Sides of q's corners to the plane of p.
  const Vec3r normal = cross(a1, a2);
  const Real height[3] = {dot(normal, b[0]), dot(normal, b[1]), dot(normal, b[2])};
  const SureSign q_side[3] = {sure(height[0], error), sure(height[1], error),
                              sure(height[2], error)};
  if (same_side(q_side)) return Verdict::disjoint;

  // Volumes of the edges p0p1 and p0p2 with q's edges: s = a1·m, r = a2·m.
  const Vec3r m[3] = {cross(b[0], b[1]), cross(b[1], b[2]), cross(b[2], b[0])};
  const Real s[3] = {dot(a1, m[0]), dot(a1, m[1]), dot(a1, m[2])};
  const Real r[3] = {dot(a2, m[0]), dot(a2, m[1]), dot(a2, m[2])};

  // Sides of p's corners to the plane of q follow from them and det(b0, b1, b2).
  const Real det = dot(b[0], m[1]);
  const SureSign p_side[3] = {sure(-det, error), sure(((s[0] + s[1]) + s[2]) - det, sum_error),
                              sure(((r[0] + r[1]) + r[2]) - det, sum_error)};
  if (same_side(p_side)) return Verdict::disjoint;

  // volume[i][j]: edge i of p with edge j of q.
  SureSign volume[3][3];
  for (int j = 0; j < 3; ++j) {
    const int next = j == 2 ? 0 : j + 1;
    volume[0][j] = sure(s[j], error);
    volume[1][j] = sure((height[next] - height[j]) + (r[j] - s[j]), sum_error);
    volume[2][j] = sure(-r[j], error);
  }

  // An edge certainly pierces the other triangle when its ends are strictly on different sides and
  // its three volumes have the same strict sign; it certainly misses when its ends are strictly on
  // one side or its volumes have both signs. The triangles are disjoint exactly when all six edges
  // miss.
  bool all_miss = true;
  for (int e = 0; e < 3; ++e) {
    const int next = e == 2 ? 0 : e + 1;
    const auto judge = [&](const SureSign& from, const SureSign& to, const SureSign& v0,
                           const SureSign& v1, const SureSign& v2) {
      const bool crosses = (from.positive && to.negative) || (from.negative && to.positive);
      const bool inside = (v0.positive && v1.positive && v2.positive) ||
                          (v0.negative && v1.negative && v2.negative);
      const bool one_side = (from.positive && to.positive) || (from.negative && to.negative);
      const bool mixed = (v0.positive || v1.positive || v2.positive) &&
                         (v0.negative || v1.negative || v2.negative);
      all_miss = all_miss && (one_side || mixed);
      return crosses && inside;
    };
    const bool q_edge_pierces =
        judge(q_side[e], q_side[next], volume[0][e], volume[1][e], volume[2][e]);
    const bool p_edge_pierces =
        judge(p_side[e], p_side[next], volume[e][0], volume[e][1], volume[e][2]);
    if (q_edge_pierces || p_edge_pierces) return Verdict::intersecting;
  }
  return all_miss ? Verdict::disjoint : Verdict::unsure;
}

/// The same for triangles that lie in one plane, in double and projected along one axis. Being
/// convex, they are disjoint exactly when the line of an edge has the other triangle on its outer
/// side, strictly. So they intersect when each edge has a corner of the other on its inner side.
/// "Unsure" when they just touch, and when one has too little area. Triangles that do not lie in
/// one plane are disjoint where their projections are.
TANDEM_HD inline Verdict filter_coplanar_triangles(const Triangle& p, const Triangle& q,
                                                   Projection plane) {
  // Relative to p's first corner.
  double u[6];
  double v[6];
  double u_size = 0;
  double v_size = 0;
  for (int k = 0; k < 6; ++k) {
    const Vec3d& origin = p.corner[0];
    const Vec3d& corner = k < 3 ? p.corner[k] : q.corner[k - 3];
    u[k] = plane.dropped == 0 ? corner.y - origin.y : corner.x - origin.x;
    v[k] = plane.dropped == 2 ? corner.y - origin.y : corner.z - origin.z;
    u_size = larger(u_size, std::fabs(u[k]));
    v_size = larger(v_size, std::fabs(v[k]));
  }
  // The area over an edge d from a to b and a corner c is f(c) - f(a) with f(x) = d × x. Let L be
  // the product of the sizes and r a roundoff. A difference of corners is off by r, so that d is
  // off by 4r of a size and at most 2 of it. A product of f is off by 8r L then, f by 20r L, and
  // the area by 48r L. 64 also covers the rounding of the bound itself.
  const double error = 64 * 0x1p-53 * u_size * v_size;
  const auto edge_area = [&](double du, double dv, int x) { return du * v[x] - dv * u[x]; };
  const double p_area = edge_area(u[1], v[1], 2);
  const double q_area =
      edge_area(u[4] - u[3], v[4] - v[3], 5) - edge_area(u[4] - u[3], v[4] - v[3], 3);
  if (!(std::fabs(p_area) > error && std::fabs(q_area) > error)) return Verdict::unsure;
  bool disjoint = false;
  bool intersecting = true;
  const auto judge = [&](int a, int b, int other, double orientation) {
    const double du = orientation * (u[b] - u[a]);
    const double dv = orientation * (v[b] - v[a]);
    // Of the corner that is innermost.
    const double inner = larger(edge_area(du, dv, other), larger(edge_area(du, dv, other + 1),
                                                                 edge_area(du, dv, other + 2))) -
                         edge_area(du, dv, a);
    disjoint |= inner < -error;
    intersecting &= inner > error;
  };
  const double p_orientation = p_area > 0 ? 1 : -1;
  const double q_orientation = q_area > 0 ? 1 : -1;
  for (int k = 0; k < 3; ++k) {
    const int next = k == 2 ? 0 : k + 1;
    judge(k, next, 3, p_orientation);
    judge(3 + k, 3 + next, 0, q_orientation);
  }
  return disjoint ? Verdict::disjoint : intersecting ? Verdict::intersecting : Verdict::unsure;
}

/// Finds the axis along which all corners have the same coordinate.
TANDEM_HD inline bool find_axis_plane(const Triangle& p, const Triangle& q, Projection* plane) {
  const Vec3d* a = p.corner;
  const Vec3d* b = q.corner;
  for (int axis = 0; axis < 3; ++axis) {
    const double x = a[0][axis];
    if (x == a[1][axis] && x == a[2][axis] && x == b[0][axis] && x == b[1][axis] &&
        x == b[2][axis]) {
      plane->dropped = axis;
      return true;
    }
  }
  return false;
}

/// Whether `flat` lies in an axis plane and `other` strictly on one side of it, as faces do that
/// would be flush but for a rounding.
TANDEM_HD inline bool is_beside_axis_plane(const Triangle& flat, const Triangle& other) {
  const Vec3d* a = flat.corner;
  const Vec3d* b = other.corner;
  for (int axis = 0; axis < 3; ++axis) {
    const double x = a[0][axis];
    if (x != a[1][axis] || x != a[2][axis]) continue;
    const bool above = (b[0][axis] > x) & (b[1][axis] > x) & (b[2][axis] > x);
    const bool below = (b[0][axis] < x) & (b[1][axis] < x) & (b[2][axis] < x);
    if (above | below) return true;
  }
  return false;
}

}  // namespace tandem::detail
