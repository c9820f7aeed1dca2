// Sines and cosines that are the same to the bit under every compiler and C library.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

namespace tandem::detail {

struct CirclePoint {
  double cosine;
  double sine;
};

/// The point at the angle 2π·i/n on the unit circle; n is at least 1. Computed by additions,
/// multiplications and one division only, so IEEE arithmetic determines the result. Off by at most
/// 3 units in the last place; the points at multiples of a quarter turn are exact.
inline CirclePoint circle_point(std::uint64_t i, std::uint64_t n) {
  // Which eighth of the circle it is in, and how far from the nearest axis, in whole steps:
  // 8·i = 8·n·turns is exact for n below 2^60.
  i %= n;
  const std::uint64_t eighth = 8 * i / n;
  const std::uint64_t quarter = (eighth + 1) / 2;
  const double steps = static_cast<double>(static_cast<std::int64_t>(4 * i - quarter * n));
  const double angle = steps / static_cast<double>(n) * 1.57079632679489661923;

  // Taylor series on [-π/4, π/4]: the first term omitted is below 1e-18.
  const double t = angle * angle;
  double sine = 0;
  double cosine = 0;
  for (int k = 17; k >= 1; k -= 2) sine = 1 - t / static_cast<double>((k + 1) * (k + 2)) * sine;
  sine *= angle;
  for (int k = 18; k >= 0; k -= 2) cosine = 1 - t / static_cast<double>((k + 1) * (k + 2)) * cosine;

  // Rotate back by the quarter turns that were subtracted.
  switch (quarter % 4) {
    case 0:
      return {cosine, sine};
    case 1:
      return {-sine, cosine};
    case 2:
      return {-cosine, -sine};
    default:
      return {sine, -cosine};
  }
}

}  // namespace tandem::detail
