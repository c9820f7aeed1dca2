// Points inside of triangles and segments that need not have coordinates, and which triangles are
// above them.
//
// The centre of a triangle is rarely a point with double coordinates. But volumes and areas are
// linear in each of their points, so those of a weighted sum of corners are sums of those of the
// corners, and their signs are exact.
#pragma once

#include <tandem/triangle.h>

#include "geometry/predicates.h"

namespace tandem::detail {

struct WeightedPoint {
  Vec3d point[3];
  /// Positive whole numbers; they need not add up to 1.
  double weight[3] = {1, 1, 1};

  /// A point that has coordinates.
  TANDEM_HD static WeightedPoint at(const Vec3d& p) { return {{p, p, p}}; }
  TANDEM_HD static WeightedPoint centre(const Triangle& t) {
    return {{t.corner[0], t.corner[1], t.corner[2]}};
  }
};

/// The sign of a weighted sum: `sign_at` gives the signs at the three points, `value_at` the exact
/// numbers, which are asked for only when the signs do not tell.
template <class SignAt, class ValueAt>
TANDEM_HD inline int weighted_sign(const WeightedPoint& x, SignAt sign_at, ValueAt value_at) {
  const int first = sign_at(x.point[0]);
  const int second = sign_at(x.point[1]);
  const int third = sign_at(x.point[2]);
  if (first >= 0 && second >= 0 && third >= 0) return first + second + third > 0 ? 1 : 0;
  if (first <= 0 && second <= 0 && third <= 0) return -1;
  return (value_at(x.point[0]) * x.weight[0] + value_at(x.point[1]) * x.weight[1] +
          value_at(x.point[2]) * x.weight[2])
      .sign();
}

/// The sign of the volume of a, b, c and the point.
[[gnu::noinline]] TANDEM_HD inline int orient3d_sign(const Vec3d& a, const Vec3d& b, const Vec3d& c,
                                                     const WeightedPoint& x) {
  return weighted_sign(
      x, [&](const Vec3d& d) { return orient3d_sign(a, b, c, d); },
      [&](const Vec3d& d) { return orient3d_exact(a, b, c, d); });
}

/// The sign of the projected area of a, b and the point.
TANDEM_HD inline int orient2d_sign(const Vec3d& a, const Vec3d& b, const WeightedPoint& x,
                                   Projection plane) {
  return weighted_sign(
      x, [&](const Vec3d& c) { return orient2d_sign(a, b, c, plane); },
      [&](const Vec3d& c) { return orient2d_exact(a, b, c, plane); });
}

/// Whether the point is in a triangle with area; in others it never is.
TANDEM_HD inline bool contains(const Triangle& t, const WeightedPoint& x) {
  const Vec3d* c = t.corner;
  Projection plane;
  if (!find_projection(c[0], c[1], c[2], &plane)) return false;
  if (orient3d_sign(c[0], c[1], c[2], x) != 0) return false;
  const int orientation = orient2d_sign(c[0], c[1], c[2], plane);
  for (int k = 0; k < 3; ++k) {
    if (orient2d_sign(c[k], c[(k + 1) % 3], x, plane) == -orientation) return false;
  }
  return true;
}

/// On which side of the projected line from a to b the point is when it is moved by (e, e²), for e
/// as small as it takes: never 0, unless a and b are projected onto one point.
TANDEM_HD inline int shifted_side(const Vec3d& a, const Vec3d& b, const WeightedPoint& x,
                                  Projection plane) {
  const int side = orient2d_sign(a, b, x, plane);
  if (side != 0) return side;
  const double du = b[plane.u()] - a[plane.u()];
  const double dv = b[plane.v()] - a[plane.v()];
  return dv != 0 ? -sign_of(dv) : sign_of(du);
}

/// What a triangle adds to the winding number of its mesh around the point: 1 when a ray from the
/// point along the dropped axis, shifted as above, leaves through it (its front, which is seen
/// counter-clockwise, is on the other side), -1 when it enters, 0 when it misses. A triangle that
/// contains the point counts as missed.
TANDEM_HD inline int winding_share(const Triangle& t, const WeightedPoint& x, Projection plane) {
  const Vec3d* c = t.corner;
  const int turn = shifted_side(c[0], c[1], x, plane);
  if (turn == 0 || shifted_side(c[1], c[2], x, plane) != turn ||
      shifted_side(c[2], c[0], x, plane) != turn) {
    return 0;
  }
  // Without the second coordinate, the two others are not in cyclic order: they turn backwards.
  const int front = plane.dropped == 1 ? -turn : turn;
  return orient3d_sign(c[0], c[1], c[2], x) == -front ? front : 0;
}

}  // namespace tandem::detail
