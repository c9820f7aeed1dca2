// How far computed positions can be off: the margins of all overlap tests.
#pragma once

#include <tandem/pose.h>

#include <cfloat>
#include <cmath>

namespace tandem::detail {

/// Rounds a double outward to float32.
TANDEM_HD inline float round_down(double x) {
  const auto nearest = static_cast<float>(x);
  return double{nearest} <= x ? nearest : std::nextafterf(nearest, -INFINITY);
}
TANDEM_HD inline float round_up(double x) {
  const auto nearest = static_cast<float>(x);
  return double{nearest} >= x ? nearest : std::nextafterf(nearest, INFINITY);
}

/// By how much a volume is enlarged when it is made, for volumes whose tests add no margin at query
/// time. `reach` is the largest distance of its points from the origin, `radius` its own half size.
///
/// It covers three things. Poses stretch by at most 2e-6 of the radius. Computing in double is off
/// by less than 2^-44 of reach_a + reach_b + |translation|, and where volumes touch, the
/// translation is at most the sum of the reaches. Moved coordinates below 1e-60 become zero.
TANDEM_HD inline double enlargement(double radius, double reach) {
  return 4e-6 * radius + 0x1p-42 * reach + double{FLT_MIN};
}

/// For tests that add their margin at query time.
class QueryMargin {
 public:
  /// The roots enclose the two models; only their largest coordinates count.
  template <class V>
  TANDEM_HD QueryMargin(const Pose& b_in_a, const V& a_root, const V& b_root)
      : largest_b_(b_root.largest_coordinate()) {
    for (int j = 0; j < 3; ++j) {
      for (int k = j; k < 3; ++k) {
        double product = j == k ? -1 : 0;
        for (int i = 0; i < 3; ++i) product += b_in_a.rotation(i, j) * b_in_a.rotation(i, k);
        deviation_ = std::fmax(deviation_, std::fabs(product));
      }
    }
    double magnitude = a_root.largest_coordinate() + 3 * largest_b_;
    for (int i = 0; i < 3; ++i) magnitude += std::fabs(b_in_a.translation()[i]);
    rounding_ = magnitude * 64 * 0x1p-53 + 1e-59;
  }

  /// Bounds the error of a coordinate, or of a distance along an axis of length at most 2.
  TANDEM_HD double rounding() const { return rounding_; }

  /// The largest entry of |RᵀR - I|.
  TANDEM_HD double deviation() const { return deviation_; }

  /// Bounds the error of distances along B's axes when the rotation is assumed to be rigid.
  TANDEM_HD double along_b() const { return rounding_ + 12 * deviation_ * largest_b_; }

 private:
  double largest_b_;
  double deviation_ = 0;
  double rounding_ = 0;
};

}  // namespace tandem::detail
