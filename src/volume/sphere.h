// Spheres.
#pragma once

#include <tandem/pose.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "math/type_list.h"
#include "volume/aabb.h"
#include "volume/bounding_volume.h"
#include "volume/margin.h"
#include "volume/moving_pose.h"

namespace tandem::detail {

/// 16 bytes. The radius includes the margin for poses and rounding.
struct Sphere {
  Vec3f centre;
  float radius;

  static constexpr std::string_view k_name = "sphere";
  static constexpr std::string_view k_description = "sphere";
  static constexpr bool k_merges_tightly = false;

  /// Around the centre of the points' box.
  static Sphere fit(std::span<const Vec3f> points) {
    const Aabb box = Aabb::fit(points);
    Sphere sphere{Vec3f(0.5 * (Vec3d(box.lower) + Vec3d(box.upper))), 0};
    double radius_sq = 0;
    for (const Vec3f& p : points) {
      radius_sq = std::max(radius_sq, length_sq(Vec3d(p) - Vec3d(sphere.centre)));
    }
    sphere.radius = enlarged(sphere.centre, std::sqrt(radius_sq));
    return sphere;
  }

  /// The smallest sphere around both, or the larger one when it contains the other.
  TANDEM_HD static Sphere merge(const Sphere& a, const Sphere& b) {
    const Vec3d apart = Vec3d(b.centre) - Vec3d(a.centre);
    const double distance = length(apart);
    if (distance + b.radius <= a.radius) return a;
    if (distance + a.radius <= b.radius) return b;
    const double radius = 0.5 * (distance + a.radius + b.radius);
    const double share = (radius - a.radius) / distance;
    Sphere sphere{Vec3f(Vec3d(a.centre) + share * apart), 0};
    // The rounded centre decides how far the two really reach.
    const double reach = std::fmax(a.reach_from(sphere.centre), b.reach_from(sphere.centre));
    sphere.radius = enlarged(sphere.centre, reach);
    return sphere;
  }

  TANDEM_HD bool encloses(const Vec3f& p) const {
    return length(Vec3d(p) - Vec3d(centre)) <= radius;
  }

  TANDEM_HD double size() const { return 4.18879020478639 * radius * radius * double{radius}; }

 private:
  /// The largest distance of its points from `point`.
  TANDEM_HD double reach_from(const Vec3f& point) const {
    return length(Vec3d(centre) - Vec3d(point)) + radius;
  }

  TANDEM_HD static float enlarged(const Vec3f& centre, double radius) {
    const double reach = std::fabs(double{centre.x}) + std::fabs(double{centre.y}) +
                         std::fabs(double{centre.z}) + radius;
    return round_up(radius + enlargement(radius, reach));
  }
};

static_assert(BoundingVolume<Sphere>);

/// Compares the distance of the centres with the sum of the radii: 29 operations for each pair, 18
/// of them for B's sphere alone.
template <class Real = double>
class SphereOverlap {
 public:
  struct Tumbled {
    Real centre[3];
    Real radius;
  };
  static constexpr std::string_view k_name = "spheres";
  static constexpr std::string_view k_description = "the distance of the centres";
  static constexpr bool k_tumbles = true;
  static constexpr bool k_tests_leaves = true;

  TANDEM_HD SphereOverlap(const Pose& b_in_a, const Sphere&, const Sphere&) : b_in_a_(b_in_a) {}

  TANDEM_HD Tumbled tumble(const Sphere& b) const {
    const Real centre[3] = {Real(b.centre.x), Real(b.centre.y), Real(b.centre.z)};
    Tumbled result;
    b_in_a_.move(centre, result.centre);
    result.radius = Real(b.radius);
    return result;
  }

  TANDEM_HD bool operator()(const Sphere& a, const Tumbled& b) const {
    const Real x = b.centre[0] - Real(a.centre.x);
    const Real y = b.centre[1] - Real(a.centre.y);
    const Real z = b.centre[2] - Real(a.centre.z);
    const Real reach = Real(a.radius) + b.radius;
    return x * x + y * y + z * z <= reach * reach;
  }

 private:
  MovingPose<Real> b_in_a_;
};

static_assert(OverlapTest<SphereOverlap<>, Sphere>);

template <>
struct OverlapTestsOf<Sphere> {
  using Types = TypeList<SphereOverlap<>>;
};

}  // namespace tandem::detail
