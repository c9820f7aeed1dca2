// How far computed positions can be off: what every overlap test allows for.
#pragma once

#include <tandem/pose.h>

#include <cfloat>
#include <cmath>

namespace tandem::detail {

/// Rounds a double outward to float32.
inline float round_down(double x) {
  const auto nearest = static_cast<float>(x);
  return double{nearest} <= x ? nearest : std::nextafterf(nearest, -INFINITY);
}
inline float round_up(double x) {
  const auto nearest = static_cast<float>(x);
  return double{nearest} >= x ? nearest : std::nextafterf(nearest, INFINITY);
}

/// For volumes that cannot take a margin at query time: by how much one is enlarged when it is made.
/// `reach` is the largest distance of its points from the origin, `radius` its own half size.
///
/// It covers three things. Poses stretch by at most 2e-6 of the radius. Computing in double is off
/// by less than 2^-44 of reach_a + reach_b + |translation|, and where volumes touch, the translation
/// is at most the sum of the reaches. Moved coordinates below 1e-60 become zero.
inline double enlargement(double radius, double reach) {
  return 4e-6 * radius + 0x1p-42 * reach + double{FLT_MIN};
}

/// For tests that take their margin at query time, from the pose and the largest coordinates of the
/// two models.
class QueryMargin {
 public:
  QueryMargin(const Pose& b_in_a, double largest_a, double largest_b) : largest_b_(largest_b) {
    for (int j = 0; j < 3; ++j) {
      for (int k = j; k < 3; ++k) {
        double product = j == k ? -1 : 0;
        for (int i = 0; i < 3; ++i) product += b_in_a.rotation(i, j) * b_in_a.rotation(i, k);
        deviation_ = std::fmax(deviation_, std::fabs(product));
      }
    }
    double magnitude = largest_a + 3 * largest_b;
    for (int i = 0; i < 3; ++i) magnitude += std::fabs(b_in_a.translation()[i]);
    rounding_ = magnitude * 64 * 0x1p-53 + 1e-59;
  }

  /// Bounds the error of a coordinate, or of a distance along an axis of length at most 2.
  double rounding() const { return rounding_; }

  /// The largest entry of |RᵀR - I|.
  double deviation() const { return deviation_; }

  /// Bounds the error of distances along B's axes that take the rotation for rigid.
  double along_b() const { return rounding_ + 12 * deviation_ * largest_b_; }

 private:
  double largest_b_;
  double deviation_ = 0;
  double rounding_ = 0;
};

}  // namespace tandem::detail
