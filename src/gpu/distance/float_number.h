// A float32 number for `nearest_points`, by the quick steps of a device.
#pragma once

#include <tandem/host_device.h>

#include <cmath>

#include "geometry/distance/nearest_points.h"
#include "math/float_steps.h"

namespace tandem::detail {

/// Quotients are off by some roundoffs, which moves the points that `nearest_points` finds and none
/// of the bounds that are made of them. A type of its own, as functions of doubles would take
/// floats too.
struct FloatNumber {
  float value = 0;

  FloatNumber() = default;
  TANDEM_HD explicit FloatNumber(double x) : value(static_cast<float>(x)) {}
  TANDEM_HD static FloatNumber of(float x) {
    FloatNumber result;
    result.value = x;
    return result;
  }

  TANDEM_HD friend FloatNumber operator-(FloatNumber x) { return of(-x.value); }
  TANDEM_HD friend FloatNumber operator+(FloatNumber x, FloatNumber y) {
    return of(x.value + y.value);
  }
  TANDEM_HD friend FloatNumber operator-(FloatNumber x, FloatNumber y) {
    return of(x.value - y.value);
  }
  TANDEM_HD friend FloatNumber operator*(FloatNumber x, FloatNumber y) {
    return of(x.value * y.value);
  }
  TANDEM_HD friend FloatNumber operator/(FloatNumber x, FloatNumber y) {
    return of(x.value * quick_inverse(y.value));
  }
  TANDEM_HD friend bool operator<(FloatNumber x, FloatNumber y) { return x.value < y.value; }
  TANDEM_HD friend FloatNumber choose(bool first, FloatNumber x, FloatNumber y) {
    return first ? x : y;
  }
  TANDEM_HD friend FloatNumber multiply_add(FloatNumber x, FloatNumber y, FloatNumber z) {
    return of(detail::multiply_add(x.value, y.value, z.value));
  }
};

}  // namespace tandem::detail
