// The filter before the exact triangle test: all fifteen signs in float, each with a
// bound on its rounding error. Its answers are never wrong, but it may answer "unsure".
#pragma once

#include <tandem/triangle.h>

#include <cmath>

namespace tandem::detail {

enum class Verdict { disjoint, intersecting, unsure };

/// What is known about a sign: certainly positive, certainly negative, or neither.
struct SureSign {
  bool positive;
  bool negative;
};

/// Decides from strict signs alone: coplanar, touching and zero-area cases are always "unsure".
TANDEM_HD inline Verdict filter_triangles(const Triangle& p, const Triangle& q) {
  // Relative to p's first corner, subtracted in double: each component then has a relative error
  // of one roundoff, however far from the origin the triangles are.
  const Vec3d& origin = p.corner[0];
  const Vec3f a1(p.corner[1] - origin);
  const Vec3f a2(p.corner[2] - origin);
  const Vec3f b[3] = {Vec3f(q.corner[0] - origin), Vec3f(q.corner[1] - origin),
                      Vec3f(q.corner[2] - origin)};

  // The largest magnitude L bounds every product of three by L³.
  float largest = 0;
  const auto enlarge = [&largest](const Vec3f& v) {
    for (const float x : {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}) {
      largest = largest < x ? x : largest;
    }
  };
  enlarge(a1);
  enlarge(a2);
  for (const Vec3f& v : b) enlarge(v);
  // In this range L³ and its rounding errors neither under- nor overflow.
  if (!(largest > 0x1p-30F && largest < 0x1p30F)) return Verdict::unsure;

  // A determinant is a sum of 6 products of three, each rounded at most 8 times: 3 differences, 2
  // multiplications, 3 additions. Sums of four determinants have 24 products and 3 more additions.
  // 64 > 6·8 and 320 > 24·11 also cover the rounding of the bound itself.
  const float unit = 0x1p-24F * largest * largest * largest;
  const float error = 64 * unit;
  const float sum_error = 320 * unit;
  const auto sure = [](float x, float bound) { return SureSign{x > bound, x < -bound}; };
  const auto same_side = [](const SureSign* s) {
    return (s[0].positive && s[1].positive && s[2].positive) ||
           (s[0].negative && s[1].negative && s[2].negative);
  };

  // Sides of q's corners to the plane of p.
  const Vec3f normal = cross(a1, a2);
  const float height[3] = {dot(normal, b[0]), dot(normal, b[1]), dot(normal, b[2])};
  const SureSign q_side[3] = {sure(height[0], error), sure(height[1], error),
                              sure(height[2], error)};
  if (same_side(q_side)) return Verdict::disjoint;

  // Volumes of the edges p0p1 and p0p2 with q's edges: s = a1·m, r = a2·m.
  const Vec3f m[3] = {cross(b[0], b[1]), cross(b[1], b[2]), cross(b[2], b[0])};
  const float s[3] = {dot(a1, m[0]), dot(a1, m[1]), dot(a1, m[2])};
  const float r[3] = {dot(a2, m[0]), dot(a2, m[1]), dot(a2, m[2])};

  // Sides of p's corners to the plane of q follow from them and det(b0, b1, b2).
  const float det = dot(b[0], m[1]);
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

}  // namespace tandem::detail
