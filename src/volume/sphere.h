// Spheres.
#pragma once

#include <tandem/pose.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "volume/bounding_volume.h"
#include "volume/margin.h"

namespace tandem::detail {

/// 16 bytes. The radius includes the margin for poses and rounding.
struct Sphere {
  Vec3f centre;
  float radius;

  static constexpr bool k_merges_tightly = false;

  /// Around the centre of the points' box.
  static Sphere fit(std::span<const Vec3f> points) {
    Vec3d lower(points[0]);
    Vec3d upper(points[0]);
    for (const Vec3f& p : points) {
      for (int axis = 0; axis < 3; ++axis) {
        lower[axis] = std::min(lower[axis], double{p[axis]});
        upper[axis] = std::max(upper[axis], double{p[axis]});
      }
    }
    Sphere sphere{Vec3f(0.5 * (lower + upper)), 0};
    double radius_sq = 0;
    for (const Vec3f& p : points) {
      const Vec3d d = Vec3d(p) - Vec3d(sphere.centre);
      radius_sq = std::max(radius_sq, dot(d, d));
    }
    sphere.radius = enlarged(sphere.centre, std::sqrt(radius_sq));
    return sphere;
  }

  /// The smallest sphere around both, or the larger one when it holds the other.
  static Sphere merge(const Sphere& a, const Sphere& b) {
    const Vec3d apart = Vec3d(b.centre) - Vec3d(a.centre);
    const double distance = std::sqrt(dot(apart, apart));
    if (distance + b.radius <= a.radius) return a;
    if (distance + a.radius <= b.radius) return b;
    const double radius = 0.5 * (distance + a.radius + b.radius);
    const double share = (radius - a.radius) / distance;
    Sphere sphere{Vec3f(Vec3d(a.centre) + share * apart), 0};
    // The rounded centre decides how far the two really reach.
    double reach = 0;
    for (const Sphere* s : {&a, &b}) {
      const Vec3d d = Vec3d(s->centre) - Vec3d(sphere.centre);
      reach = std::max(reach, std::sqrt(dot(d, d)) + s->radius);
    }
    sphere.radius = enlarged(sphere.centre, reach);
    return sphere;
  }

  bool encloses(const Vec3f& p) const {
    const Vec3d d = Vec3d(p) - Vec3d(centre);
    return std::sqrt(dot(d, d)) <= radius;
  }

  double size() const { return 4.18879020478639 * radius * radius * double{radius}; }

 private:
  static float enlarged(const Vec3f& centre, double radius) {
    const double reach = std::fabs(double{centre.x}) + std::fabs(double{centre.y}) +
                         std::fabs(double{centre.z}) + radius;
    return round_up(radius + enlargement(radius, reach));
  }
};

static_assert(BoundingVolume<Sphere>);

/// Centre to centre: 29 operations a pair, 18 of them for B's sphere alone.
template <class Real = double>
class SphereOverlap {
 public:
  struct Tumbled {
    Real centre[3];
    Real radius;
  };
  static constexpr bool k_tumbles = true;
  static constexpr bool k_tests_leaves = true;

  SphereOverlap(const Pose& b_in_a, const Sphere&, const Sphere&) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) rotation_[i][j] = b_in_a.rotation(i, j);
      translation_[i] = b_in_a.translation()[i];
    }
  }

  Tumbled tumble(const Sphere& b) const {
    const Real x(b.centre.x);
    const Real y(b.centre.y);
    const Real z(b.centre.z);
    Tumbled result;
    for (int i = 0; i < 3; ++i) {
      result.centre[i] =
          rotation_[i][0] * x + rotation_[i][1] * y + rotation_[i][2] * z + translation_[i];
    }
    result.radius = Real(b.radius);
    return result;
  }

  bool operator()(const Sphere& a, const Tumbled& b) const {
    const Real x = b.centre[0] - Real(a.centre.x);
    const Real y = b.centre[1] - Real(a.centre.y);
    const Real z = b.centre[2] - Real(a.centre.z);
    const Real reach = Real(a.radius) + b.radius;
    return x * x + y * y + z * z <= reach * reach;
  }

 private:
  Real rotation_[3][3];
  Real translation_[3];
};

static_assert(OverlapTest<SphereOverlap<>, Sphere>);

}  // namespace tandem::detail
