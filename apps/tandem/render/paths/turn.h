// Sine and cosine with the same bits on every machine: those of C libraries and of devices differ.
#pragma once

#include <tandem/host_device.h>

#include <cmath>
#include <numbers>

namespace tandem::cli {

struct SineCosine {
  double sine;
  double cosine;
};

/// Of an angle from 0 to 1, where 1 stands for a whole turn. Both are wrong by less than 2 units in
/// the last place.
TANDEM_HD inline SineCosine of_turn(double fraction) {
  // The nearest quarter turn, and what is left: at most an eighth, without rounding.
  const double quarter = std::floor(4 * fraction + 0.5);
  const double x = 2 * std::numbers::pi * (fraction - 0.25 * quarter);
  // The Taylor series: what is cut off is less than 2^-60.
  const double y = x * x;
  constexpr double k_3 = -1.0 / 6;
  constexpr double k_5 = -k_3 / 20;
  constexpr double k_7 = -k_5 / 42;
  constexpr double k_9 = -k_7 / 72;
  constexpr double k_11 = -k_9 / 110;
  constexpr double k_13 = -k_11 / 156;
  constexpr double k_15 = -k_13 / 210;
  constexpr double k_17 = -k_15 / 272;
  const double odd =
      k_3 + y * (k_5 + y * (k_7 + y * (k_9 + y * (k_11 + y * (k_13 + y * (k_15 + y * k_17))))));
  const double sine = x + x * (y * odd);
  constexpr double k_4 = 1.0 / 24;
  constexpr double k_6 = -k_4 / 30;
  constexpr double k_8 = -k_6 / 56;
  constexpr double k_10 = -k_8 / 90;
  constexpr double k_12 = -k_10 / 132;
  constexpr double k_14 = -k_12 / 182;
  constexpr double k_16 = -k_14 / 240;
  const double even = k_4 + y * (k_6 + y * (k_8 + y * (k_10 + y * (k_12 + y * (k_14 + y * k_16)))));
  const double cosine = 1 - y * (0.5 - y * even);
  // Each quarter turn takes cosine to sine, and sine to minus cosine.
  switch (static_cast<int>(quarter)) {
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    case 3:
      return {-cosine, sine};
    default:
      return {sine, cosine};
  }
}

}  // namespace tandem::cli
