// Orientation predicates with exact signs: a rounding error bound decides the easy cases, expansion
// arithmetic the rest.
#pragma once

#include <tandem/vec.h>

#include <cmath>

#include "geometry/expansion.h"

namespace tandem::detail {

inline constexpr double k_half_ulp = 1.1102230246251565e-16;  // 2^-53

TANDEM_HD inline int sign_of(double x) {
  return (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0);
}

/// (p - origin) × (q - origin), exactly.
struct ExactCross {
  Expansion<16> x;
  Expansion<16> y;
  Expansion<16> z;
};
TANDEM_HD inline ExactCross exact_cross(const Vec3d& p, const Vec3d& q, const Vec3d& origin) {
  const Expansion<2> px = difference(p.x, origin.x);
  const Expansion<2> py = difference(p.y, origin.y);
  const Expansion<2> pz = difference(p.z, origin.z);
  const Expansion<2> qx = difference(q.x, origin.x);
  const Expansion<2> qy = difference(q.y, origin.y);
  const Expansion<2> qz = difference(q.z, origin.z);
  return {py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx};
}

/// The volume of the parallelepiped (b-a, c-a, d-a) as an exact number: positive when d is on the
/// side to which the normal (b-a)×(c-a) points.
TANDEM_HD inline Expansion<192> orient3d_exact(const Vec3d& a, const Vec3d& b, const Vec3d& c,
                                               const Vec3d& d) {
  const ExactCross normal = exact_cross(b, c, a);
  return normal.x * difference(d.x, a.x) + normal.y * difference(d.y, a.y) +
         normal.z * difference(d.z, a.z);
}

/// The exact sign of the same volume by expansions alone; out of line, as it is long, needs much of
/// the stack and is rarely called.
[[gnu::noinline]] TANDEM_HD inline int orient3d_expansion_sign(const Vec3d& a, const Vec3d& b,
                                                               const Vec3d& c, const Vec3d& d) {
  return orient3d_exact(a, b, c, d).sign();
}

/// The sign of the same volume from its 24 products of three coordinates. Where coordinates have
/// very different magnitudes, their differences lose the small ones, but one of these products is
/// larger than all others. False when rounding leaves it open.
TANDEM_HD inline bool orient3d_product_sign(const Vec3d& a, const Vec3d& b, const Vec3d& c,
                                            const Vec3d& d, int* sign) {
  double volume = 0;
  double magnitude = 0;
  // x_p (q × r + r × s + s × q)_x, with the sign of the row.
  const auto add_row = [&](double x, const Vec3d& q, const Vec3d& r, const Vec3d& s) {
    const double positive[3] = {q.y * r.z, r.y * s.z, s.y * q.z};
    const double negative[3] = {r.y * q.z, s.y * r.z, q.y * s.z};
    double area = 0;
    double size = 0;
    for (int k = 0; k < 3; ++k) {
      area += positive[k] - negative[k];
      size += std::fabs(positive[k]) + std::fabs(negative[k]);
    }
    volume += x * area;
    magnitude += std::fabs(x) * size;
  };
  add_row(-a.x, b, c, d);
  add_row(b.x, a, c, d);
  add_row(-c.x, a, b, d);
  add_row(d.x, a, b, c);
  *sign = sign_of(volume);
  // Each product is rounded at most 9 times: twice as a product, once in a difference, and in six
  // sums, the first of which are exact.
  return std::fabs(volume) > 16 * k_half_ulp * magnitude;
}

/// The exact sign of the same volume.
TANDEM_HD inline int orient3d_sign(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  const Vec3d u = b - a;
  const Vec3d v = c - a;
  const Vec3d w = d - a;
  const double yz = u.y * v.z;
  const double zy = u.z * v.y;
  const double zx = u.z * v.x;
  const double xz = u.x * v.z;
  const double xy = u.x * v.y;
  const double yx = u.y * v.x;
  const double volume = w.x * (yz - zy) + w.y * (zx - xz) + w.z * (xy - yx);
  // Shewchuk's bound for exactly this expression is (7 + 56u)u times the sum of magnitudes.
  const double magnitude = std::fabs(w.x) * (std::fabs(yz) + std::fabs(zy)) +
                           std::fabs(w.y) * (std::fabs(zx) + std::fabs(xz)) +
                           std::fabs(w.z) * (std::fabs(xy) + std::fabs(yx));
  if (std::fabs(volume) > 8 * k_half_ulp * magnitude) return sign_of(volume);
  int sign = 0;
  if (orient3d_product_sign(a, b, c, d, &sign)) return sign;
  return orient3d_expansion_sign(a, b, c, d);
}

/// The plane that remains when coordinate `dropped` is left out: its two coordinates.
struct Projection {
  int dropped = 2;
  TANDEM_HD int u() const { return dropped == 0 ? 1 : 0; }
  TANDEM_HD int v() const { return dropped == 2 ? 1 : 2; }
};

/// Twice the signed area of the projected triangle, exactly.
TANDEM_HD inline Expansion<16> orient2d_exact(const Vec3d& a, const Vec3d& b, const Vec3d& c,
                                              Projection plane) {
  const int u = plane.u();
  const int v = plane.v();
  return difference(b[u], a[u]) * difference(c[v], a[v]) -
         difference(b[v], a[v]) * difference(c[u], a[u]);
}

/// The exact sign of the same area by expansions alone.
[[gnu::noinline]] TANDEM_HD inline int orient2d_expansion_sign(const Vec3d& a, const Vec3d& b,
                                                               const Vec3d& c, Projection plane) {
  return orient2d_exact(a, b, c, plane).sign();
}

/// The sign of the same area in doubles. False when rounding leaves it open.
TANDEM_HD inline bool orient2d_rounded_sign(const Vec3d& a, const Vec3d& b, const Vec3d& c,
                                            Projection plane, int* sign) {
  const int u = plane.u();
  const int v = plane.v();
  const double left = (b[u] - a[u]) * (c[v] - a[v]);
  const double right = (b[v] - a[v]) * (c[u] - a[u]);
  *sign = sign_of(left - right);
  // Shewchuk's bound is (3 + 16u)u times the sum of magnitudes.
  return std::fabs(left - right) > 4 * k_half_ulp * (std::fabs(left) + std::fabs(right));
}

/// The exact sign of the same area.
TANDEM_HD inline int orient2d_sign(const Vec3d& a, const Vec3d& b, const Vec3d& c,
                                   Projection plane) {
  int sign = 0;
  if (orient2d_rounded_sign(a, b, c, plane, &sign)) return sign;
  return orient2d_expansion_sign(a, b, c, plane);
}

/// Finds a coordinate plane onto which the triangle's plane projects one to one. False when the
/// three points are collinear: there is none.
TANDEM_HD inline bool find_projection(const Vec3d& a, const Vec3d& b, const Vec3d& c,
                                      Projection* plane) {
  for (int dropped = 2; dropped >= 0; --dropped) {
    if (orient2d_sign(a, b, c, Projection{dropped}) != 0) {
      plane->dropped = dropped;
      return true;
    }
  }
  return false;
}

/// Order by x, then y, then z: the points of a line are ordered along it.
TANDEM_HD inline bool lexicographic_less(const Vec3d& a, const Vec3d& b) {
  // Without branches, as points come in any order.
  return (a.x < b.x) | ((a.x == b.x) & ((a.y < b.y) | ((a.y == b.y) & (a.z < b.z))));
}

}  // namespace tandem::detail
