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
  /// By how much of itself an interval is widened. A hit's distance is rounded to float before it
  /// is compared, by up to 2^-24 of it.
  static constexpr double k_widen = 0x1p-22;
  /// On host and device to the same bits.
  TANDEM_HD static Vec3d cross(const Vec3d& a, const Vec3d& b) { return tandem::cross(a, b); }
  TANDEM_HD static double dot(const Vec3d& a, const Vec3d& b) { return tandem::dot(a, b); }
  TANDEM_HD static double most(double a, double b) { return std::max(a, b); }
  TANDEM_HD static double least(double a, double b) { return std::min(a, b); }
  TANDEM_HD static double inverse(double a) { return 1 / a; }
  TANDEM_HD static double multiply_add(double a, double b, double c) { return a * b + c; }
  /// What is lost where products underflow: nothing, with coordinates in float32.
  TANDEM_HD static double with_floor(double a, double b, double) { return a * b; }
};
/// For rays that `make_float_ray` accepts: coordinates are below 2^38 and directions below 2^24.
template <>
struct RayRounding<float> {
  static constexpr float k_unit = 0x1p-24F;
  static constexpr float k_widen = 0x1p-20F;
  /// Fused or not: what is computed here only decides what is left for doubles.
  TANDEM_HD static Vec3f cross(const Vec3f& a, const Vec3f& b) { return quick_cross(a, b); }
  TANDEM_HD static float dot(const Vec3f& a, const Vec3f& b) { return quick_dot(a, b); }
  TANDEM_HD static float most(float a, float b) { return larger(a, b); }
  TANDEM_HD static float least(float a, float b) { return smaller(a, b); }
  TANDEM_HD static float inverse(float a) { return quick_inverse(a); }
  TANDEM_HD static float multiply_add(float a, float b, float c) {
    return detail::multiply_add(a, b, c);
  }
  /// a·b and so many times what is lost where products underflow. Each is then off by 2^-149, and
  /// three of them by less than 2^-107 once they are multiplied by another side.
  TANDEM_HD static float with_floor(float a, float b, float times) {
    return detail::multiply_add(a, b, times * 0x1p-105F);
  }
};

/// Where a ray meets the plane of a triangle, in rounded arithmetic with bounds on its error (after
/// Möller and Trumbore 1997).
///
/// Let A, D, E, F be the largest magnitudes of the corner a (as seen from the ray's origin), of the
/// direction d and of the two edges, and r the unit roundoff. A component of a×d is off by at most
/// 6r·AD, its product with an edge by 42r·ADE, d·n by 42r·DEF, and a·n by 48r·AEF. The third
/// volume is off by the sum of the first three and its own roundings: 55r·D(A(E + F) + EF), in
/// which EF is at most a quarter of the square of E + F.
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
    length1_ = largest_magnitude(edge1);
    length2_ = largest_magnitude(edge2);
    reach_ = largest_magnitude(a_);
    size_ = largest_magnitude(d);
    const Real sides = length1_ + length2_;
    error_ = Rounding::with_floor(
        size_ * sides,
        Rounding::multiply_add(reach_, 56 * Rounding::k_unit, sides * (14 * Rounding::k_unit)), 1);
    least_ = Rounding::least(w, Rounding::least(u_, v_));
    most_ = Rounding::most(w, Rounding::most(u_, v_));
  }

  /// Certainly beside the triangle; certainly through it.
  TANDEM_HD bool outside() const { return least_ < -error_ && most_ > error_; }
  TANDEM_HD bool inside() const { return least_ > error_ || most_ < -error_; }

  /// The volumes again, for where they are neither: as seen from where the ray meets the plane,
  /// from which the corner is not farther than an edge is long. Moving the origin by t along the
  /// ray changes none of them, whatever t is.
  ///
  /// Let B be the largest magnitude of the corner as seen from there. It is off by r(A + B), and by
  /// r·tD more where a product is rounded before it is added; so the volumes are off by at most
  /// r·D((E + F)(6A + 6tD + 52B) + 54EF).
  TANDEM_HD void look_closer(const ValidRay& ray, const TriangleF& triangle) {
    const Real t = Rounding::dot(a_, n_) * Rounding::inverse(along_);
    // Without a direction through the plane there is no such point.
    if (!(std::fabs(t) * size_ <= 4 * reach_)) return;
    const Vec3<Real> d(ray.direction);
    const Vec3<Real> corner(triangle.corner[0]);
    const Vec3<Real> edge1 = Vec3<Real>(triangle.corner[1]) - corner;
    const Vec3<Real> edge2 = Vec3<Real>(triangle.corner[2]) - corner;
    const Vec3<Real> b{Rounding::multiply_add(-t, d.x, a_.x), Rounding::multiply_add(-t, d.y, a_.y),
                       Rounding::multiply_add(-t, d.z, a_.z)};
    const Vec3<Real> q = Rounding::cross(b, d);
    u_ = Rounding::dot(edge2, q);
    v_ = -Rounding::dot(edge1, q);
    const Real w = along_ - u_ - v_;
    const Real sides = length1_ + length2_;
    // What underflows in the corner is multiplied by the direction and an edge. With tD at most 4A.
    constexpr Real k_floors = 0x1p23F;
    constexpr Real k_reach = (k_fused ? 7 : 32) * Rounding::k_unit;
    const Real near = Rounding::multiply_add(largest_magnitude(b), 54 * Rounding::k_unit,
                                             sides * (14 * Rounding::k_unit));
    error_ = Rounding::with_floor(size_ * sides, Rounding::multiply_add(reach_, k_reach, near),
                                  k_floors);
    least_ = Rounding::least(w, Rounding::least(u_, v_));
    most_ = Rounding::most(w, Rounding::most(u_, v_));
  }

  /// The distance is the quotient of two volumes, and its error is bounded by theirs.
  class Distance {
   public:
    TANDEM_HD explicit Distance(const RayMeeting& meeting)
        : inverse_(Rounding::inverse(meeting.along_)),
          distance_(Rounding::dot(meeting.a_, meeting.n_) * inverse_) {
      // Twice the errors of both, 64r·EF times A and D, for the distances at their bounds.
      const Real area = 128 * Rounding::k_unit * meeting.length1_ * meeting.length2_;
      const Real reach =
          Rounding::multiply_add(std::fabs(distance_), meeting.size_, meeting.reach_);
      slack_ =
          Rounding::with_floor(area, reach, 2 + 2 * std::fabs(distance_)) * std::fabs(inverse_);
      // The rounded distance may be off by 2^-150 where it is subnormal.
      const Real margin = Rounding::multiply_add(Rounding::k_widen, std::fabs(distance_),
                                                 slack_ + static_cast<Real>(0x1p-149));
      least_ = distance_ - margin;
      most_ = distance_ + margin;
    }

    /// Certainly not within the interval of the ray, or beyond the limit.
    TANDEM_HD bool beyond(float t_min, float limit) const {
      return most_ < t_min || least_ > limit;
    }
    /// Whether it differs from the exact value by less than 2^-30 of it.
    TANDEM_HD bool precise() const {
      return slack_ < static_cast<Real>(0x1p-30) * std::fabs(distance_);
    }
    TANDEM_HD Real value() const { return distance_; }
    TANDEM_HD Real inverse() const { return inverse_; }
    /// The exact distance is between these, and so is that rounded to float.
    TANDEM_HD Real least() const { return least_; }
    TANDEM_HD Real most() const { return most_; }

   private:
    Real inverse_;
    Real distance_;
    Real slack_;
    Real least_;
    Real most_;
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
  /// Of the three volumes.
  Real error_;
  /// The largest magnitudes of the edges, of the corner and of the direction.
  Real length1_;
  Real length2_;
  Real reach_;
  Real size_;
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
