// Rays against boxes: conservative under rounding, so that no box is skipped in which the ray hits
// a triangle.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "geometry/ray_triangle.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// A ray prepared for slab tests in double. Box bounds and rays are float32, so differences,
/// quotients and products are off by a few roundings, and nothing under- or overflows.
class RaySlabs {
 public:
  TANDEM_HD explicit RaySlabs(const ValidRay& ray) : origin_(ray.origin), t_min_(ray.t_min) {
    for (int axis = 0; axis < 3; ++axis) {
      const double d = ray.direction[axis];
      // Along an axis on which the direction is zero, the ray is inside a slab everywhere or
      // nowhere. Differences of bound and origin are 0 or at least 2^-149: multiplied by 1e300 they
      // exceed the margin of 1e200 except where the bound goes through the origin.
      inverse_[axis] = d != 0 ? 1 / d : 1e300;
      margin_[axis] = d != 0 ? 0 : 1e200;
      negative_[axis] = d < 0;
      if (d < 0) octant_ |= 1U << axis;
    }
  }

  /// The direction's signs: bit i is set when the ray goes towards lower coordinates along axis i.
  TANDEM_HD unsigned octant() const { return octant_; }

  /// The t at which the ray enters the box, at least t_min; infinity when it does not enter the box
  /// before `limit`. Distances of hits are rounded to float before they are compared with t_min and
  /// the limit, by up to 2^-24 of them, or 2^-150 where they are subnormal. So boxes a little
  /// before t_min and a little beyond the limit are kept.
  TANDEM_HD double entry(const Aabb& box, float limit) const {
    return entry(Vec3d(box.lower), Vec3d(box.upper), limit);
  }
  TANDEM_HD double entry(const Vec3d& lower, const Vec3d& upper, float limit) const {
    double enter = t_min_;
    double leave = limit;
    for (int axis = 0; axis < 3; ++axis) {
      const double to_lower = (lower[axis] - origin_[axis]) * inverse_[axis];
      const double to_upper = (upper[axis] - origin_[axis]) * inverse_[axis];
      const double near = (negative_[axis] ? to_upper : to_lower) - margin_[axis];
      const double far = (negative_[axis] ? to_lower : to_upper) + margin_[axis];
      enter = near > enter ? near : enter;
      leave = far < leave ? far : leave;
    }
    return enter <= leave * (1 + 0x1p-22) + 0x1p-149 ? enter
                                                     : std::numeric_limits<double>::infinity();
  }

  TANDEM_HD bool hits(const Aabb& box, float limit) const {
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
