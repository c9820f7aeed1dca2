// Where a ray meets a triangle: decided exactly, computed from the ray and the triangle alone.
//
// Let the ray's origin be the origin, d its direction and a, b, c the triangle's corners. The ray
// passes through the triangle when the three volumes d·(b×c), d·(c×a), d·(a×b) have the same sign.
// The volume of an edge is the same number for both triangles that share it, except for its sign:
// with exact signs, no ray passes between them. Doubles with a bound on their rounding error decide
// nearly always, expansions the rest. Coordinates are float32, so nothing under- or overflows.
#pragma once

#include <tandem/ray.h>
#include <tandem/triangle.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/expansion.h"
#include "geometry/predicates.h"

namespace tandem::detail {

/// A ray that can hit something: it is finite, has a direction, and its interval begins at 0 or
/// later.
struct ValidRay {
  Vec3f origin;
  Vec3f direction;
  float t_min;
  float t_max;
};

/// False when the ray hits nothing in any mesh (see `Ray`).
TANDEM_HD inline bool validate_ray(const Ray& ray, ValidRay* valid) {
  // Infinities and NaNs minus themselves are NaN, finite numbers 0.
  const auto zero_if_finite = [](const Vec3f& v) {
    return (v.x - v.x) + (v.y - v.y) + (v.z - v.z);
  };
  const float t_min = ray.t_min < 0 ? 0 : ray.t_min;
  *valid = {ray.origin, ray.direction, t_min, ray.t_max};
  return zero_if_finite(ray.origin) + zero_if_finite(ray.direction) == 0 && t_min <= ray.t_max &&
         ray.direction != Vec3f{0, 0, 0};
}

TANDEM_HD inline double largest_magnitude(const Vec3d& v) {
  return std::max(std::fabs(v.x), std::max(std::fabs(v.y), std::fabs(v.z)));
}

/// d·((p - o) × (q - o)), exactly.
TANDEM_HD inline Expansion<96> edge_volume_exact(const ValidRay& ray, const Vec3d& p,
                                                 const Vec3d& q) {
  const ExactCross normal = exact_cross(p, q, Vec3d(ray.origin));
  const Vec3d d(ray.direction);
  return normal.x * d.x + normal.y * d.y + normal.z * d.z;
}

/// The hit's t as a float, or NaN when it is outside the ray's interval or beyond every float.
TANDEM_HD inline float distance_in_interval(const ValidRay& ray, double t) {
  const float distance = static_cast<float>(t) + 0.0F;  // never -0
  const bool inside = t >= 0 && ray.t_min <= distance && distance <= ray.t_max &&
                      distance <= std::numeric_limits<float>::max();
  return inside ? distance : std::numeric_limits<float>::quiet_NaN();
}

/// The same decision by expansions alone: for rays that pass close to an edge, run nearly along the
/// plane, or begin close to it.
[[gnu::noinline]] TANDEM_HD inline bool intersect_exactly(const ValidRay& ray,
                                                          const TriangleF& triangle, Hit* hit) {
  const Triangle t{
      {Vec3d(triangle.corner[0]), Vec3d(triangle.corner[1]), Vec3d(triangle.corner[2])}};
  const Expansion<96> w = edge_volume_exact(ray, t.corner[1], t.corner[2]);
  const Expansion<96> u = edge_volume_exact(ray, t.corner[2], t.corner[0]);
  const Expansion<96> v = edge_volume_exact(ray, t.corner[0], t.corner[1]);
  const int signs[3] = {w.sign(), u.sign(), v.sign()};
  const int least = std::min({signs[0], signs[1], signs[2]});
  const int most = std::max({signs[0], signs[1], signs[2]});
  // The ray passes outside; or all signs are zero: it runs in the plane, or the triangle has no
  // area.
  if (least * most < 0 || (least == 0 && most == 0)) return false;
  // d·n for the normal n = (b - a) × (c - a) is the sum of the volumes; n·(a - o) is the volume of
  // the tetrahedron over the origin.
  const double along = (w + (u + v)).estimate();
  const double above =
      -orient3d_exact(t.corner[0], t.corner[1], t.corner[2], Vec3d(ray.origin)).estimate();
  hit->distance = distance_in_interval(ray, above / along);
  hit->u = static_cast<float>(u.estimate() / along);
  hit->v = static_cast<float>(v.estimate() / along);
  return hit->distance >= ray.t_min;
}

/// Whether the ray hits the triangle within its interval; fills in distance, u and v when it does.
/// Before it is rounded to float, the distance differs from the exact value by less than 2^-30 of
/// it. When the distance exceeds `limit`, the answer may be false: a search for the closest hit
/// passes the distance of the best one so far.
TANDEM_HD inline bool intersect(const ValidRay& ray, const TriangleF& triangle, float limit,
                                Hit* hit) {
  const Vec3d corner(triangle.corner[0]);
  const Vec3d edge1 = Vec3d(triangle.corner[1]) - corner;
  const Vec3d edge2 = Vec3d(triangle.corner[2]) - corner;
  const Vec3d a = corner - Vec3d(ray.origin);
  const Vec3d d(ray.direction);
  // Works on copies, so that the triangle and the hit can stay in registers on the usual path.
  const auto exactly = [&] {
    const TriangleF copy = triangle;
    Hit exact;
    const bool answer = intersect_exactly(ray, copy, &exact);
    *hit = exact;
    return answer;
  };

  // Volumes over the edges (after Möller and Trumbore 1997). Let A, D, E, F be the largest
  // magnitudes of a, d and the two edges, and r the unit roundoff. A component of a×d is off by at
  // most 6r·AD, its product with an edge by 42r·ADE, and d·n by 42r·DEF; the third volume is off by
  // the sum of these and its own roundings.
  const Vec3d q = cross(a, d);
  const Vec3d n = cross(edge1, edge2);
  const double along = dot(d, n);
  const double u = dot(edge2, q);
  const double v = -dot(edge1, q);
  const double w = along - u - v;
  const double length1 = largest_magnitude(edge1);
  const double length2 = largest_magnitude(edge2);
  const double reach = largest_magnitude(a);
  const double error =
      128 * k_half_ulp * largest_magnitude(d) * (reach * (length1 + length2) + length1 * length2);
  const double least = std::min(w, std::min(u, v));
  const double most = std::max(w, std::max(u, v));
  if (least < -error && most > error) return false;
  if (!(least > error || most < -error)) return exactly();

  // Certainly inside. The distance is the quotient of two volumes, and its error is bounded by
  // theirs. Comparisons are multiplied by the divisor.
  const double above = dot(a, n);
  const double above_error = 64 * k_half_ulp * reach * length1 * length2;
  const double inverse = 1 / along;
  const double distance = above * inverse;
  const double scale = std::fabs(along);
  const double slack = 2 * (above_error + std::fabs(distance) * error);
  // The interval is that of the rounded distance, which may be off by 2^-24 of it, or by 2^-150
  // where it is subnormal.
  if (scale * (ray.t_min * (1 - 0x1p-22) - 0x1p-149 - distance) > slack) return false;
  if (scale * (distance - limit * (1 + 0x1p-22) - 0x1p-149) > slack) return false;
  if (!(slack < 0x1p-30 * scale * std::fabs(distance))) return exactly();
  hit->distance = distance_in_interval(ray, distance);
  hit->u = static_cast<float>(u * inverse);
  hit->v = static_cast<float>(v * inverse);
  return hit->distance >= ray.t_min;
}

}  // namespace tandem::detail
