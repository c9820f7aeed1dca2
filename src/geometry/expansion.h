// Expansion arithmetic: exact sums, differences and products of doubles.
//
// The geometry room holds the exact predicates and the triangle tests made of them. It uses the
// math room; everything that decides something runs on host and device.
//
// After Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
// predicates" (1997). An expansion is a sum of doubles that do not overlap, smallest first, without
// zeros, so its sign is that of its last term. Exact while nothing under- or overflows, which the
// range of coordinates ensures (math/transform.h), and only without contraction of floating-point
// expressions.
#pragma once

#include <tandem/host_device.h>

#include <cmath>

namespace tandem::detail {

/// A rounded result and its rounding error: `value + error` is exact.
struct RoundedPair {
  double value;
  double error;
};

TANDEM_HD inline RoundedPair two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

/// Needs |a| >= |b| or a == 0.
TANDEM_HD inline RoundedPair fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

TANDEM_HD inline RoundedPair two_product(double a, double b) {
  const double product = a * b;
#if defined(__FMA__) || defined(__CUDA_ARCH__) || defined(__ARM_FEATURE_FMA)
  return {product, std::fma(a, b, -product)};
#else
  // Dekker: split each factor into two halves of 26 bits, whose products are exact.
  const double splitter = 134217729.0;  // 2^27 + 1
  const double a_big = splitter * a;
  const double b_big = splitter * b;
  const double a_high = a_big - (a_big - a);
  const double b_high = b_big - (b_big - b);
  const double a_low = a - a_high;
  const double b_low = b - b_high;
  const double rest = ((product - a_high * b_high) - a_low * b_high) - a_high * b_low;
  return {product, a_low * b_low - rest};
#endif
}

template <int Capacity>
struct Expansion {
  int count = 0;
  double term[Capacity];

  TANDEM_HD void append(double x) {
    if (x != 0) term[count++] = x;
  }

  TANDEM_HD int sign() const {
    if (count == 0) return 0;
    return term[count - 1] > 0 ? 1 : -1;
  }

  /// The nearest double up to an error in its last place.
  TANDEM_HD double estimate() const {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += term[i];
    return sum;
  }
};

/// a - b, exactly.
TANDEM_HD inline Expansion<2> difference(double a, double b) {
  const RoundedPair d = two_sum(a, -b);
  Expansion<2> result;
  result.append(d.error);
  result.append(d.value);
  return result;
}

/// Sum: merge the terms by magnitude and carry the roundings along (fast expansion sum).
template <int N, int M>
TANDEM_HD inline Expansion<N + M> operator+(const Expansion<N>& e, const Expansion<M>& f) {
  Expansion<N + M> result;
  double carry = 0;
  int i = 0;
  int j = 0;
  while (i < e.count || j < f.count) {
    const bool take_e =
        j == f.count || (i < e.count && std::fabs(e.term[i]) < std::fabs(f.term[j]));
    const RoundedPair sum = two_sum(carry, take_e ? e.term[i++] : f.term[j++]);
    result.append(sum.error);
    carry = sum.value;
  }
  result.append(carry);
  return result;
}

template <int N>
TANDEM_HD inline Expansion<N> operator-(Expansion<N> e) {
  for (int i = 0; i < e.count; ++i) e.term[i] = -e.term[i];
  return e;
}

template <int N, int M>
TANDEM_HD inline Expansion<N + M> operator-(const Expansion<N>& e, const Expansion<M>& f) {
  return e + (-f);
}

/// Product with one double (scale expansion).
template <int N>
TANDEM_HD inline Expansion<2 * N> operator*(const Expansion<N>& e, double factor) {
  Expansion<2 * N> result;
  if (e.count == 0) return result;
  RoundedPair carry = two_product(e.term[0], factor);
  result.append(carry.error);
  for (int i = 1; i < e.count; ++i) {
    const RoundedPair product = two_product(e.term[i], factor);
    const RoundedPair low = two_sum(carry.value, product.error);
    result.append(low.error);
    carry = fast_two_sum(product.value, low.value);
    result.append(carry.error);
  }
  result.append(carry.value);
  return result;
}

/// Product with a difference.
template <int N>
TANDEM_HD inline Expansion<4 * N> operator*(const Expansion<N>& e, const Expansion<2>& d) {
  const Expansion<2 * N> low = d.count > 0 ? e * d.term[0] : Expansion<2 * N>{};
  const Expansion<2 * N> high = d.count > 1 ? e * d.term[1] : Expansion<2 * N>{};
  return low + high;
}

}  // namespace tandem::detail
