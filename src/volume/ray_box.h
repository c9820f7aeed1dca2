// Rays against boxes: conservative under rounding, so that no box is skipped in which a triangle is
// hit.
#pragma once

#include <array>
#include <cmath>

#include "geometry/ray_triangle.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// A ray made ready for slab tests in double. Box bounds and rays are float32, so differences,
/// quotients and products are off by a few roundings and nothing under- or overflows.
class RaySlabs {
 public:
  explicit RaySlabs(const ValidRay& ray) : origin_(ray.origin), t_min_(ray.t_min) {
    for (int axis = 0; axis < 3; ++axis) {
      const double d = ray.direction[axis];
      // Across a zero direction a box bounds nothing or everything: differences are 0 or at least
      // 2^-149, so the margin keeps planes through the origin and no others.
      inverse_[axis] = d != 0 ? 1 / d : 1e300;
      margin_[axis] = d != 0 ? 0 : 1e200;
      negative_[axis] = d < 0;
      if (d < 0) octant_ |= 1U << axis;
    }
  }

  /// Which way the ray goes: a bit for each axis along which it goes towards lower coordinates.
  unsigned octant() const { return octant_; }

  /// Where the ray enters the box, at least t_min; infinity when it misses the box up to `limit`. A
  /// hit's distance is rounded to float and may be below the true entry by that much: boxes up to
  /// 2^-22 farther than the limit are kept.
  double entry(const Aabb& box, float limit) const {
    double enter = t_min_;
    double leave = limit;
    for (int axis = 0; axis < 3; ++axis) {
      const double lower = (box.lower[axis] - origin_[axis]) * inverse_[axis];
      const double upper = (box.upper[axis] - origin_[axis]) * inverse_[axis];
      const double near = (negative_[axis] ? upper : lower) - margin_[axis];
      const double far = (negative_[axis] ? lower : upper) + margin_[axis];
      enter = near > enter ? near : enter;
      leave = far < leave ? far : leave;
    }
    return enter <= leave * (1 + 0x1p-22) ? enter : std::numeric_limits<double>::infinity();
  }

  bool hits(const Aabb& box, float limit) const {
    return entry(box, limit) < std::numeric_limits<double>::infinity();
  }

 private:
  Vec3d origin_;
  std::array<double, 3> inverse_{};
  std::array<double, 3> margin_{};
  std::array<bool, 3> negative_{};
  unsigned octant_ = 0;
  double t_min_;
};

}  // namespace tandem::detail
