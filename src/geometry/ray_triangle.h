// Where a ray meets a triangle: decided exactly, computed from the ray and the triangle alone.
//
// In coordinates relative to the ray's origin, with its direction d and the corners a, b, c, the ray
// passes inside when the three volumes d·(b×c), d·(c×a), d·(a×b) have one sign. An edge's volume
// is the same number for both triangles that share it, up to its sign, so with exact signs no
// ray passes between them. Doubles with a bound on their rounding error decide nearly always,
// expansions the rest. Coordinates are float32, so nothing under- or overflows.
#pragma once

#include <tandem/ray.h>
#include <tandem/triangle.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/expansion.h"
#include "geometry/predicates.h"

namespace tandem::detail {

/// A ray that can hit something: finite, with a direction and an interval from 0 on.
struct ValidRay {
  Vec3f origin;
  Vec3f direction;
  float t_min;
  float t_max;
};

/// False when the ray hits nothing whatever the mesh (see `Ray`).
inline bool validate_ray(const Ray& ray, ValidRay* valid) {
  // What is not finite minus itself is NaN.
  const auto zero_if_finite = [](const Vec3f& v) {
    return (v.x - v.x) + (v.y - v.y) + (v.z - v.z);
  };
  const float t_min = ray.t_min < 0 ? 0 : ray.t_min;
  *valid = {ray.origin, ray.direction, t_min, ray.t_max};
  return zero_if_finite(ray.origin) + zero_if_finite(ray.direction) == 0 && t_min <= ray.t_max &&
         ray.direction != Vec3f{0, 0, 0};
}

inline double largest_magnitude(const Vec3d& v) {
  return std::max(std::fabs(v.x), std::max(std::fabs(v.y), std::fabs(v.z)));
}

/// d·((p - o) × (q - o)), exactly.
inline Expansion<96> edge_volume_exact(const ValidRay& ray, const Vec3d& p, const Vec3d& q) {
  const Vec3d o(ray.origin);
  const Vec3d d(ray.direction);
  const Expansion<2> px = difference(p.x, o.x);
  const Expansion<2> py = difference(p.y, o.y);
  const Expansion<2> pz = difference(p.z, o.z);
  const Expansion<2> qx = difference(q.x, o.x);
  const Expansion<2> qy = difference(q.y, o.y);
  const Expansion<2> qz = difference(q.z, o.z);
  return (py * qz - pz * qy) * d.x + (pz * qx - px * qz) * d.y + (px * qy - py * qx) * d.z;
}

/// The hit's t as a float, or NaN when it is outside the ray's interval or beyond every float.
inline float distance_in_interval(const ValidRay& ray, double t) {
  const float distance = static_cast<float>(t) + 0.0F;  // never -0
  const bool inside = t >= 0 && ray.t_min <= distance && distance <= ray.t_max &&
                      distance <= std::numeric_limits<float>::max();
  return inside ? distance : std::numeric_limits<float>::quiet_NaN();
}

/// The same decision by expansions alone: for rays that pass close to an edge, nearly along the
/// plane, or begin close to it.
[[gnu::noinline]] inline bool intersect_exactly(const ValidRay& ray, const TriangleF& triangle,
                                                Hit* hit) {
  const Triangle t{
      {Vec3d(triangle.corner[0]), Vec3d(triangle.corner[1]), Vec3d(triangle.corner[2])}};
  const Expansion<96> w = edge_volume_exact(ray, t.corner[1], t.corner[2]);
  const Expansion<96> u = edge_volume_exact(ray, t.corner[2], t.corner[0]);
  const Expansion<96> v = edge_volume_exact(ray, t.corner[0], t.corner[1]);
  const int signs[3] = {w.sign(), u.sign(), v.sign()};
  const int least = std::min({signs[0], signs[1], signs[2]});
  const int most = std::max({signs[0], signs[1], signs[2]});
  // Outside, or all zero: the ray runs in the plane, or the triangle has no area.
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

/// Fills in distance, u and v when the ray hits the triangle within its interval. The distance
/// differs from the exact value by less than 2^-30 of it before it is rounded to float. When the
/// distance would exceed `limit`, the answer may be false: who looks for the closest hit gives the
/// distance of the best one so far.
inline bool intersect(const ValidRay& ray, const TriangleF& triangle, float limit, Hit* hit) {
  const Vec3d corner(triangle.corner[0]);
  const Vec3d edge1 = Vec3d(triangle.corner[1]) - corner;
  const Vec3d edge2 = Vec3d(triangle.corner[2]) - corner;
  const Vec3d a = corner - Vec3d(ray.origin);
  const Vec3d d(ray.direction);
  // Through copies, so that only this way leads through memory.
  const auto exactly = [&] {
    const TriangleF copy = triangle;
    Hit exact;
    const bool answer = intersect_exactly(ray, copy, &exact);
    *hit = exact;
    return answer;
  };

  // Volumes over the edges (after Möller and Trumbore 1997). With the largest magnitudes A, D, E, F
  // of a, d and the edges, roundoff r: a component of a×d is off by at most 6r·AD, its product with
  // an edge by 42r·ADE; d·n by 42r·DEF; the third volume by the sum of these and its own roundings.
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

  // Surely inside. The distance, with a bound on its error from those of the two volumes it is made of;
  // they are compared after multiplication by the second one.
  const double above = dot(a, n);
  const double above_error = 64 * k_half_ulp * reach * length1 * length2;
  const double inverse = 1 / along;
  const double distance = above * inverse;
  const double scale = std::fabs(along);
  const double slack = 2 * (above_error + std::fabs(distance) * error);
  if (scale * (ray.t_min * (1 - 0x1p-22) - distance) > slack) return false;
  if (scale * (distance - limit * (1 + 0x1p-22)) > slack) return false;
  if (!(slack < 0x1p-30 * scale * std::fabs(distance))) return exactly();
  hit->distance = distance_in_interval(ray, distance);
  hit->u = static_cast<float>(u * inverse);
  hit->v = static_cast<float>(v * inverse);
  return hit->distance >= ray.t_min;
}

}  // namespace tandem::detail
