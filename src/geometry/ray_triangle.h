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
#include <cstdint>
#include <limits>

#include "geometry/expansion.h"
#include "geometry/predicates.h"
#include "math/float_steps.h"

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

/// What a number type is worth to the tests below.
template <class Real>
struct RayRounding;
template <>
struct RayRounding<double> {
  static constexpr double k_unit = k_half_ulp;
  /// What is lost where products underflow: nothing, with coordinates in float32.
  static constexpr double k_floor = 0;
  /// By how much of itself an interval is widened. A hit's distance is rounded to float before it
  /// is compared, by up to 2^-24 of it.
  static constexpr double k_widen = 0x1p-22;
  /// On host and device to the same bits.
  TANDEM_HD static Vec3d cross(const Vec3d& a, const Vec3d& b) { return tandem::cross(a, b); }
  TANDEM_HD static double dot(const Vec3d& a, const Vec3d& b) { return tandem::dot(a, b); }
  TANDEM_HD static double most(double a, double b) { return std::max(a, b); }
  TANDEM_HD static double least(double a, double b) { return std::min(a, b); }
};
/// For rays that `make_float_ray` accepts: coordinates are below 2^38 and directions below 2^24.
template <>
struct RayRounding<float> {
  static constexpr float k_unit = 0x1p-24F;
  /// A product that underflows is off by 2^-149, and three of them by less than 2^-107 once they
  /// are multiplied by another side.
  static constexpr float k_floor = 0x1p-105F;
  static constexpr float k_widen = 0x1p-20F;
  /// Fused or not: what is computed here only decides what is left for doubles.
  TANDEM_HD static Vec3f cross(const Vec3f& a, const Vec3f& b) { return quick_cross(a, b); }
  TANDEM_HD static float dot(const Vec3f& a, const Vec3f& b) { return quick_dot(a, b); }
  TANDEM_HD static float most(float a, float b) { return larger(a, b); }
  TANDEM_HD static float least(float a, float b) { return smaller(a, b); }
};

/// Where a ray meets the plane of a triangle, in rounded arithmetic with bounds on its error (after
/// Möller and Trumbore 1997).
///
/// Let A, D, E, F be the largest magnitudes of the corner a (as seen from the ray's origin), of the
/// direction d and of the two edges, and r the unit roundoff. A component of a×d is off by at most
/// 6r·AD, its product with an edge by 42r·ADE, d·n by 42r·DEF, and a·n by 42r·AEF; the third
/// volume is off by the sum of these and its own roundings.
template <class Real>
class RayMeeting {
 public:
  TANDEM_HD RayMeeting(const ValidRay& ray, const TriangleF& triangle)
      : a_(Vec3<Real>(triangle.corner[0]) - Vec3<Real>(ray.origin)) {
    const Vec3<Real> corner(triangle.corner[0]);
    const Vec3<Real> edge1 = Vec3<Real>(triangle.corner[1]) - corner;
    const Vec3<Real> edge2 = Vec3<Real>(triangle.corner[2]) - corner;
    const Vec3<Real> d(ray.direction);
    const Vec3<Real> q = Rounding::cross(a_, d);
    n_ = Rounding::cross(edge1, edge2);
    along_ = Rounding::dot(d, n_);
    u_ = Rounding::dot(edge2, q);
    v_ = -Rounding::dot(edge1, q);
    const Real w = along_ - u_ - v_;
    const Real length1 = largest_magnitude(edge1);
    const Real length2 = largest_magnitude(edge2);
    const Real reach = largest_magnitude(a_);
    const Real unit_area = 64 * Rounding::k_unit * length1 * length2;
    const Real size = largest_magnitude(d);
    error_ = size * (128 * Rounding::k_unit * reach * (length1 + length2) + 2 * unit_area) +
             Rounding::k_floor;
    along_error_ = size * unit_area + Rounding::k_floor;
    above_error_ = reach * unit_area + Rounding::k_floor;
    least_ = Rounding::least(w, Rounding::least(u_, v_));
    most_ = Rounding::most(w, Rounding::most(u_, v_));
  }

  /// Certainly beside the triangle; certainly through it.
  TANDEM_HD bool outside() const { return least_ < -error_ && most_ > error_; }
  TANDEM_HD bool inside() const { return least_ > error_ || most_ < -error_; }

  /// The distance is the quotient of two volumes, and its error is bounded by theirs. Comparisons
  /// are multiplied by the divisor.
  class Distance {
   public:
    TANDEM_HD explicit Distance(const RayMeeting& meeting)
        : inverse_(1 / meeting.along_),
          distance_(Rounding::dot(meeting.a_, meeting.n_) * inverse_),
          scale_(std::fabs(meeting.along_)),
          slack_(2 * (meeting.above_error_ + std::fabs(distance_) * meeting.along_error_)) {}

    /// Certainly not within the interval of the ray, or beyond the limit. The interval is that of
    /// the rounded distance, which may be off by 2^-150 where it is subnormal.
    TANDEM_HD bool beyond(float t_min, float limit) const {
      constexpr Real k_least = static_cast<Real>(0x1p-149);
      return scale_ * (t_min * (1 - Rounding::k_widen) - k_least - distance_) > slack_ ||
             scale_ * (distance_ - limit * (1 + Rounding::k_widen) - k_least) > slack_;
    }
    /// Whether it differs from the exact value by less than 2^-30 of it.
    TANDEM_HD bool precise() const {
      return slack_ < static_cast<Real>(0x1p-30) * scale_ * std::fabs(distance_);
    }
    TANDEM_HD Real value() const { return distance_; }
    /// No farther than this from the value is the exact one, nor that rounded to float.
    TANDEM_HD Real margin() const {
      return slack_ * std::fabs(inverse_) + Rounding::k_widen * std::fabs(distance_);
    }
    TANDEM_HD Real inverse() const { return inverse_; }

   private:
    Real inverse_;
    Real distance_;
    Real scale_;
    Real slack_;
  };

  TANDEM_HD Real u() const { return u_; }
  TANDEM_HD Real v() const { return v_; }

 private:
  using Rounding = RayRounding<Real>;

  TANDEM_HD static Real largest_magnitude(const Vec3<Real>& v) {
    return Rounding::most(std::fabs(v.x), Rounding::most(std::fabs(v.y), std::fabs(v.z)));
  }

  Vec3<Real> a_;
  Vec3<Real> n_;
  Real along_;
  Real u_;
  Real v_;
  Real least_;
  Real most_;
  /// Of the three volumes, of d·n and of a·n.
  Real error_;
  Real along_error_;
  Real above_error_;
};

/// Whether float arithmetic shows that the ray misses the triangle, or hits it outside of its
/// interval or beyond the limit. For rays that `make_float_ray` accepts.
TANDEM_HD inline bool surely_misses(const ValidRay& ray, const TriangleF& triangle, float limit) {
  const RayMeeting<float> meeting(ray, triangle);
  if (meeting.outside()) return true;
  return meeting.inside() && RayMeeting<float>::Distance(meeting).beyond(ray.t_min, limit);
}

enum class RayDecision : std::uint8_t { miss, hit, unsure };

/// Whether the ray hits the triangle within its interval, as far as doubles tell; fills in
/// distance, u and v of a hit. Where the distance exceeds `limit`, the answer may be a miss.
TANDEM_HD inline RayDecision intersect_rounded(const ValidRay& ray, const TriangleF& triangle,
                                               float limit, Hit* hit) {
  const RayMeeting<double> meeting(ray, triangle);
  if (meeting.outside()) return RayDecision::miss;
  if (!meeting.inside()) return RayDecision::unsure;
  const RayMeeting<double>::Distance distance(meeting);
  if (distance.beyond(ray.t_min, limit)) return RayDecision::miss;
  if (!distance.precise()) return RayDecision::unsure;
  hit->distance = distance_in_interval(ray, distance.value());
  hit->u = static_cast<float>(meeting.u() * distance.inverse());
  hit->v = static_cast<float>(meeting.v() * distance.inverse());
  return hit->distance >= ray.t_min ? RayDecision::hit : RayDecision::miss;
}

/// Whether the ray hits the triangle within its interval; fills in distance, u and v when it does.
/// Before it is rounded to float, the distance differs from the exact value by less than 2^-30 of
/// it. When the distance exceeds `limit`, the answer may be false: a search for the closest hit
/// passes the distance of the best one so far.
TANDEM_HD inline bool intersect(const ValidRay& ray, const TriangleF& triangle, float limit,
                                Hit* hit) {
  const RayDecision decision = intersect_rounded(ray, triangle, limit, hit);
  if (decision != RayDecision::unsure) return decision == RayDecision::hit;
  // Works on copies, so that the triangle and the hit can stay in registers on the usual path.
  const TriangleF copy = triangle;
  Hit exact;
  const bool answer = intersect_exactly(ray, copy, &exact);
  *hit = exact;
  return answer;
}

}  // namespace tandem::detail
