// Integers of any length in digits that are shorter than words: products of digits are added up
// without carries, and the signs of digits are those of numbers.
#pragma once

#include <tandem/host_device.h>

#include <cstdint>

#include "geometry/wrapped_integer.h"

namespace tandem::detail {

/// The sum of digit[k] 2^(61 k). Digits have signs of their own and are at most 2^62 in magnitude.
template <int digits>
struct LongInteger {
  static constexpr int k_bits = 61;

  std::int64_t digit[digits];
};

/// What two numbers differ by; digits may wrap around where those of the difference do not.
template <int digits>
TANDEM_HD inline LongInteger<digits> wrapped_difference(const LongInteger<digits>& a,
                                                        const LongInteger<digits>& b) {
  LongInteger<digits> result;
  for (int k = 0; k < digits; ++k) result.digit[k] = wrapped_difference(a.digit[k], b.digit[k]);
  return result;
}

/// A sum of products of long integers, with a column for each digit that it has without carries.
/// A column has room for ten products of a digit up to 2^62 and one up to 2^61 + 1 in magnitude.
template <int columns>
class LongSum {
 public:
  template <int a_digits, int b_digits>
  TANDEM_HD void add(const LongInteger<a_digits>& a, const LongInteger<b_digits>& b) {
    static_assert(a_digits + b_digits - 1 == columns);
    for (int i = 0; i < a_digits; ++i) {
      for (int j = 0; j < b_digits; ++j) column_[i + j] += Int128{a.digit[i]} * b.digit[j];
    }
  }
  template <int a_digits, int b_digits>
  TANDEM_HD void subtract(const LongInteger<a_digits>& a, const LongInteger<b_digits>& b) {
    static_assert(a_digits + b_digits - 1 == columns);
    for (int i = 0; i < a_digits; ++i) {
      for (int j = 0; j < b_digits; ++j) column_[i + j] -= Int128{a.digit[i]} * b.digit[j];
    }
  }

  /// All digits but the highest are from 0 to 2^61 - 1; the highest one must fit.
  TANDEM_HD explicit operator LongInteger<columns + 1>() const {
    LongInteger<columns + 1> result;
    Int128 carry = 0;
    for (int k = 0; k < columns; ++k) {
      carry += column_[k];
      result.digit[k] = static_cast<std::int64_t>(carry) & k_mask;
      carry >>= LongInteger<1>::k_bits;
    }
    result.digit[columns] = static_cast<std::int64_t>(carry);
    return result;
  }

  TANDEM_HD int sign() const {
    Int128 carry = 0;
    std::int64_t below = 0;
    for (int k = 0; k < columns; ++k) {
      below |= static_cast<std::int64_t>(carry) & k_mask;
      carry = column_[k] + (carry >> LongInteger<1>::k_bits);
    }
    return carry < 0                                                                ? -1
           : (static_cast<Wrapped128>(carry) | static_cast<Wrapped128>(below)) != 0 ? 1
                                                                                    : 0;
  }

 private:
  static constexpr std::int64_t k_mask = (std::int64_t{1} << LongInteger<1>::k_bits) - 1;

  Int128 column_[columns] = {};
};

template <int columns>
TANDEM_HD inline int sign_of(const LongSum<columns>& sum) {
  return sum.sign();
}

/// Of numbers as sums give them, all of whose digits but the highest are positive or zero.
template <int digits>
TANDEM_HD inline int sign_of(const LongInteger<digits>& x) {
  std::int64_t any = 0;
  for (const std::int64_t digit : x.digit) any |= digit;
  return x.digit[digits - 1] < 0 ? -1 : any != 0 ? 1 : 0;
}

/// a b - c d
template <class Result, int digits>
TANDEM_HD inline Result product_difference(const LongInteger<digits>& a,
                                           const LongInteger<digits>& b,
                                           const LongInteger<digits>& c,
                                           const LongInteger<digits>& d) {
  LongSum<2 * digits - 1> sum;
  sum.add(a, b);
  sum.subtract(c, d);
  return static_cast<Result>(sum);
}

/// ax bx + ay by + az bz
template <class Result, int a_digits, int b_digits>
TANDEM_HD inline Result product_sum(const LongInteger<a_digits>& ax,
                                    const LongInteger<b_digits>& bx,
                                    const LongInteger<a_digits>& ay,
                                    const LongInteger<b_digits>& by,
                                    const LongInteger<a_digits>& az,
                                    const LongInteger<b_digits>& bz) {
  Result sum;
  sum.add(ax, bx);
  sum.add(ay, by);
  sum.add(az, bz);
  return sum;
}

}  // namespace tandem::detail
