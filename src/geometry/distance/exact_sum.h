// A sum of any doubles without rounding.
#pragma once

#include <tandem/host_device.h>

#include <cmath>
#include <cstdint>
#include <cstring>

#include "geometry/expansion.h"

namespace tandem::detail {

/// A fixed-point number as wide as the range of doubles (Kulisch's long accumulator): digits of 32
/// bits, each in 64, so that two thousand million terms can be added before a digit overflows. For
/// sums of more terms than an expansion should hold.
class ExactSum {
 public:
  TANDEM_HD void add(double x) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    const auto exponent = static_cast<int>(bits >> 52 & 0x7ff);
    std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    if (exponent != 0) mantissa |= std::uint64_t{1} << 52;
    const int place = exponent != 0 ? exponent - 1 : 0;
    const int digit = place / 32;
    const int shift = place % 32;
    const std::uint64_t low = mantissa << shift;
    const std::uint64_t high = shift == 0 ? 0 : mantissa >> (64 - shift);
    const std::int64_t sign = (bits >> 63) != 0 ? -1 : 1;
    digits_[digit] += sign * static_cast<std::int64_t>(low & k_mask);
    digits_[digit + 1] += sign * static_cast<std::int64_t>(low >> 32);
    digits_[digit + 2] += sign * static_cast<std::int64_t>(high);
  }

  /// x times y. Exact while no product of two of their bits is below 2^-1074 or overflows.
  TANDEM_HD void add_product(double x, double y) {
    const RoundedPair product = two_product(x, y);
    add(product.value);
    add(product.error);
  }

  /// The sum, off by at most two units of its last place; the sign, and whether it is 0, are right.
  TANDEM_HD double value() const {
    ExactSum sum = *this;
    const bool negative = sum.carry() < 0;
    if (negative) {
      for (std::int64_t& digit : sum.digits_) digit = -digit;
      sum.carry();
    }
    int top = k_digits - 1;
    while (top > 0 && sum.digits_[top] == 0) --top;
    double result = 0;
    for (int i = top; i >= 0 && i > top - 4; --i) {
      result += std::ldexp(static_cast<double>(sum.digits_[i]), 32 * i - 1074);
    }
    return negative ? -result : result;
  }

 private:
  /// Brings all digits but the last into 0 to 2^32 - 1. Returns the last one, which has the sign.
  TANDEM_HD std::int64_t carry() {
    std::int64_t carried = 0;
    for (int i = 0; i < k_digits - 1; ++i) {
      const std::int64_t digit = digits_[i] + carried;
      carried = digit >> 32;
      digits_[i] = digit & static_cast<std::int64_t>(k_mask);
    }
    return digits_[k_digits - 1] += carried;
  }

  static constexpr std::uint64_t k_mask = 0xffffffff;
  /// From 2^-1074 up to 2^1024, and room for carries.
  static constexpr int k_digits = 68;
  std::int64_t digits_[k_digits] = {};
};

}  // namespace tandem::detail
