// The volumes over a triangle as numbers, for those who need more than their signs.
#pragma once

#include <tandem/vec.h>

#include <cmath>

#include "geometry/distance/double_double.h"
#include "geometry/predicates.h"

namespace tandem::detail {

/// The volumes of the parallelepipeds (b-a, c-a, d-a) over three corners, for any d: each is the
/// nearest double up to an error in its last place, as `orient3d_exact(a, b, c, d).estimate()` is,
/// at a sixth of its cost. Zero exactly where all four are in one plane.
///
/// Nearly always numbers of twice the digits of a double are enough. With u = 2^-53, differences of
/// coordinates are exact in them, products are off by 5 u² and sums by 3 u² at most, relative to
/// their results. Let P be the sum of the magnitudes of the 6 products that the volume consists of.
/// A component of the normal is off by 5 u² of its two products and 3 u² of their difference, 8 u²
/// of its share of P; its product with a difference by 5 u² more, and the two sums by 3 u² of P
/// each. So the volume is off by 19 u² P, which 64 u² P covers, with room for terms in u³ and for
/// the rounding of P. Where the volume is at least 2^13 u P, that is 2^-7 u of it, so that the
/// nearest double to what was computed is off by 0.51 units in the last place at most.
class VolumesOver {
 public:
  VolumesOver(const Vec3d& a, const Vec3d& b, const Vec3d& c) : a_(a), b_(b), c_(c) {
    const Differences p(b, a);
    const Differences q(c, a);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const int k = (i + 2) % 3;
      normal_[i] = p.of[j] * q.of[k] - p.of[k] * q.of[j];
      products_[i] =
          std::fabs(p.of[j].high * q.of[k].high) + std::fabs(p.of[k].high * q.of[j].high);
    }
  }

  double operator()(const Vec3d& d) const {
    const Differences from_a(d, a_);
    const DoubleDouble volume =
        normal_[0] * from_a.of[0] + normal_[1] * from_a.of[1] + normal_[2] * from_a.of[2];
    double products = 0;
    for (int i = 0; i < 3; ++i) products += products_[i] * std::fabs(from_a.of[i].high);
    if (std::fabs(volume.high) > k_least_share * products) return volume.high;
    return exact(d);
  }

 private:
  static constexpr double k_least_share = 0x1p13 * k_half_ulp;

  /// Of a point's coordinates from another's, exactly.
  struct Differences {
    DoubleDouble of[3];

    Differences(const Vec3d& to, const Vec3d& from) {
      for (int i = 0; i < 3; ++i) of[i] = DoubleDouble(two_sum(to[i], -from[i]));
    }
  };

  // Out of line: it is long, needs much of the stack and is rarely called.
  [[gnu::noinline]] double exact(const Vec3d& d) const {
    return orient3d_exact(a_, b_, c_, d).estimate();
  }

  Vec3d a_;
  Vec3d b_;
  Vec3d c_;
  DoubleDouble normal_[3];
  /// For each component of the normal, the magnitudes of the two products that it consists of.
  double products_[3];
};

}  // namespace tandem::detail
