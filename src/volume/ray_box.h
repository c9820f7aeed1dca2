// Rays against boxes: conservative under rounding, so that no box is skipped in which the ray hits
// a triangle.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "geometry/ray_triangle.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// What a number type is worth to the tests of boxes.
template <class Real>
struct SlabRounding;
template <>
struct SlabRounding<double> {
  /// By how much of itself the end of an interval is raised: distances of hits are rounded to float
  /// before they are compared, by up to 2^-24 of them, or 2^-150 where they are subnormal.
  static constexpr double k_widen = 0x1p-22;
  static constexpr double k_floor = 0x1p-149;
  /// Where the direction is zero, this far before and behind the ray's origin counts as inside.
  static constexpr double k_inside = 1e200;
};
template <>
struct SlabRounding<float> {
  /// Four roundings of each of two distances, and that of the hit's.
  static constexpr float k_widen = 0x1p-20F;
  /// Products that underflow.
  static constexpr float k_floor = 0x1p-140F;
  static constexpr float k_inside = 0x1p44F;
};

/// A ray prepared for slab tests. Box bounds and rays are float32. A distance to a plane is the
/// difference of bound and origin times the inverse of the direction: it is off by three roundings
/// of itself, whatever the size of the coordinates.
template <class Real>
class Slabs {
 public:
  /// Of no ray yet.
  Slabs() = default;

  /// In double nothing under- or overflows. Along an axis on which the direction is zero, the ray
  /// is inside a slab everywhere or nowhere. Differences of bound and origin are 0 or at least
  /// 2^-149: multiplied by 1e300 they exceed what counts as inside, except where the bound goes
  /// through the origin.
  TANDEM_HD explicit Slabs(const ValidRay& ray) requires std::is_same_v<Real, double>
      : Slabs(ray, {inverse_of(ray.direction.x), inverse_of(ray.direction.y),
                    inverse_of(ray.direction.z)}) {}

  /// In float for rays that `make_float_ray` accepts, with its inverses.
  TANDEM_HD Slabs(const ValidRay& ray, const Vec3<Real>& inverse)
      : origin_(ray.origin), inverse_(inverse), t_min_(ray.t_min) {
    for (int axis = 0; axis < 3; ++axis) {
      const float d = ray.direction[axis];
      margin_[axis] = d != 0 ? 0 : Rounding::k_inside;
      if (d < 0) octant_ |= 1U << axis;
    }
  }

  /// The direction's signs: bit i is set when the ray goes towards lower coordinates along axis i.
  TANDEM_HD unsigned octant() const { return octant_; }

  /// The t at which the ray enters the box, at least t_min; infinity when it does not enter the box
  /// before `limit`. Boxes a little before t_min and a little beyond the limit are kept, as far as
  /// the distances of hits may be off.
  TANDEM_HD Real entry(const Aabb& box, float limit) const {
    return entry(Vec3<Real>(box.lower), Vec3<Real>(box.upper), limit);
  }
  TANDEM_HD Real entry(const Vec3<Real>& lower, const Vec3<Real>& upper, float limit) const {
    Real enter = t_min_;
    Real leave = limit;
    for (int axis = 0; axis < 3; ++axis) {
      const Real to_lower = (lower[axis] - origin_[axis]) * inverse_[axis];
      const Real to_upper = (upper[axis] - origin_[axis]) * inverse_[axis];
      const bool backward = inverse_[axis] < 0;
      const Real near = (backward ? to_upper : to_lower) - margin_[axis];
      const Real far = (backward ? to_lower : to_upper) + margin_[axis];
      enter = near > enter ? near : enter;
      leave = far < leave ? far : leave;
    }
    return enter <= leave * (1 + Rounding::k_widen) + Rounding::k_floor
               ? enter
               : std::numeric_limits<Real>::infinity();
  }

  TANDEM_HD bool hits(const Aabb& box, float limit) const {
    return entry(box, limit) < std::numeric_limits<Real>::infinity();
  }

 private:
  using Rounding = SlabRounding<Real>;

  TANDEM_HD static double inverse_of(double d) { return d != 0 ? 1 / d : 1e300; }

  Vec3<Real> origin_;
  Vec3<Real> inverse_;
  Vec3<Real> margin_;
  unsigned octant_ = 0;
  Real t_min_ = 0;
};

/// For every ray.
using RaySlabs = Slabs<double>;

}  // namespace tandem::detail
