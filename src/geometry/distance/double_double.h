// Numbers with twice the digits of a double: about 106 bits.
//
// After Joldes, Muller and Popescu, "Tight and rigorous error bounds for basic building blocks of
// double-word arithmetic" (2017), algorithms 6 and 11: a sum is off by at most 3 u², a product by
// at most 5 u², relative to the result, with u = 2^-53. The bound of `k_relative_error` is larger.
#pragma once

#include <tandem/host_device.h>

#include "geometry/expansion.h"

namespace tandem::detail {

/// high + low, where low is at most half a unit of the last place of high.
struct DoubleDouble {
  double high = 0;
  double low = 0;

  DoubleDouble() = default;
  TANDEM_HD explicit constexpr DoubleDouble(double x) : high(x) {}
  TANDEM_HD constexpr DoubleDouble(double high_, double low_) : high(high_), low(low_) {}
  TANDEM_HD explicit DoubleDouble(const RoundedPair& pair) : high(pair.value), low(pair.error) {}

  static constexpr double k_relative_error = 0x1p-100;

  TANDEM_HD explicit operator double() const { return high + low; }

  TANDEM_HD friend DoubleDouble operator-(const DoubleDouble& x) { return {-x.high, -x.low}; }
  TANDEM_HD friend DoubleDouble operator+(const DoubleDouble& x, const DoubleDouble& y) {
    const RoundedPair high = two_sum(x.high, y.high);
    const RoundedPair low = two_sum(x.low, y.low);
    const RoundedPair sum = fast_two_sum(high.value, high.error + low.value);
    return DoubleDouble(fast_two_sum(sum.value, sum.error + low.error));
  }
  TANDEM_HD friend DoubleDouble operator-(const DoubleDouble& x, const DoubleDouble& y) {
    return x + -y;
  }
  TANDEM_HD friend DoubleDouble operator*(const DoubleDouble& x, const DoubleDouble& y) {
    const RoundedPair product = two_product(x.high, y.high);
    const double rest = product.error + (x.high * y.low + x.low * y.high);
    return DoubleDouble(fast_two_sum(product.value, rest));
  }
  /// Long division: two digits of 53 bits. Not needed to the last bit.
  TANDEM_HD friend DoubleDouble operator/(const DoubleDouble& x, const DoubleDouble& y) {
    const double first = x.high / y.high;
    const DoubleDouble rest = x - y * DoubleDouble(first);
    return DoubleDouble(fast_two_sum(first, rest.high / y.high));
  }
  TANDEM_HD friend bool operator<(const DoubleDouble& x, const DoubleDouble& y) {
    return x.high < y.high || (x.high == y.high && x.low < y.low);
  }
};

}  // namespace tandem::detail
