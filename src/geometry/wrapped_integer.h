// Integers of 64, 128, 192 and 256 bits that wrap around: exact modulo 2^64, 2^128 and so on.
#pragma once

#include <tandem/host_device.h>

#include <cstdint>

namespace tandem::detail {

__extension__ using Int128 = __int128;
__extension__ using Wrapped128 = unsigned __int128;

struct Wrapped192 {
  std::uint64_t low;
  Wrapped128 high;

  TANDEM_HD friend Wrapped192 operator+(const Wrapped192& a, const Wrapped192& b) {
    const std::uint64_t low = a.low + b.low;
    return {low, a.high + b.high + (low < a.low ? 1U : 0U)};
  }
};

struct Wrapped256 {
  Wrapped128 low;
  Wrapped128 high;

  TANDEM_HD friend Wrapped256 operator+(const Wrapped256& a, const Wrapped256& b) {
    const Wrapped128 low = a.low + b.low;
    return {low, a.high + b.high + (low < a.low ? 1U : 0U)};
  }
  TANDEM_HD friend Wrapped256 operator-(const Wrapped256& a, const Wrapped256& b) {
    return {a.low - b.low, a.high - b.high - (a.low < b.low ? 1U : 0U)};
  }
};

/// What two numbers differ by, which may both have wrapped around.
TANDEM_HD inline std::int64_t wrapped_difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
TANDEM_HD inline Int128 wrapped_difference(Int128 a, Int128 b) {
  return static_cast<Int128>(static_cast<Wrapped128>(a) - static_cast<Wrapped128>(b));
}

/// All bits of the product of two unsigned numbers.
TANDEM_HD inline Wrapped256 full_product(Wrapped128 a, Wrapped128 b) {
  const auto half = [](Wrapped128 x) { return static_cast<std::uint64_t>(x); };
  const auto times = [](std::uint64_t x, std::uint64_t y) { return Wrapped128{x} * y; };
  const std::uint64_t a_low = half(a);
  const std::uint64_t a_high = half(a >> 64);
  const std::uint64_t b_low = half(b);
  const std::uint64_t b_high = half(b >> 64);
  const Wrapped128 lowest = times(a_low, b_low);
  const Wrapped128 left = times(a_high, b_low) + half(lowest >> 64);
  const Wrapped128 right = times(a_low, b_high) + half(left);
  return {right << 64 | half(lowest), times(a_high, b_high) + half(left >> 64) + half(right >> 64)};
}

/// The product of signed numbers, or of one that has wrapped around and a signed one, in `Wrapped`.
template <class Wrapped, class Number>
TANDEM_HD inline Wrapped product(const Number& a, std::int64_t b) {
  return static_cast<Wrapped>(a) * static_cast<Wrapped>(b);
}
/// The same where the first has not wrapped around: all bits of the product of signed numbers.
template <>
TANDEM_HD inline Wrapped192 product(const Wrapped128& a, std::int64_t b) {
  const auto a_low = static_cast<std::uint64_t>(a);
  const auto a_high = static_cast<std::int64_t>(a >> 64);
  const Wrapped128 low = Wrapped128{a_low} * static_cast<std::uint64_t>(b);
  const auto high = static_cast<Wrapped128>(Int128{a_high} * b);
  // Read as unsigned, a negative b is 2^64 too large. Without a branch, as signs are random.
  const std::uint64_t excess = a_low & static_cast<std::uint64_t>(b >> 63);
  return {static_cast<std::uint64_t>(low), high + (low >> 64) - excess};
}
template <class Wrapped>
TANDEM_HD inline Wrapped product(Int128 a, Int128 b) {
  Wrapped result = full_product(static_cast<Wrapped128>(a), static_cast<Wrapped128>(b));
  // Read as unsigned, a negative number is 2^128 too large.
  result.high -= static_cast<Wrapped128>(b & a >> 127) + static_cast<Wrapped128>(a & b >> 127);
  return result;
}
template <class Wrapped>
TANDEM_HD inline Wrapped product(const Wrapped256& a, Int128 b) {
  Wrapped result = full_product(a.low, static_cast<Wrapped128>(b));
  result.high += a.high * static_cast<Wrapped128>(b);
  result.high -= a.low & static_cast<Wrapped128>(b >> 127);
  return result;
}

// The sign of what fits into the type, read as signed.

TANDEM_HD inline int sign_of(std::uint64_t x) {
  return static_cast<int>(static_cast<std::int64_t>(x) >> 63) | (x != 0 ? 1 : 0);
}
TANDEM_HD inline int sign_of(Wrapped128 x) {
  return static_cast<int>(static_cast<std::int64_t>(x >> 64) >> 63) | (x != 0 ? 1 : 0);
}
TANDEM_HD inline int sign_of(const Wrapped192& x) {
  return static_cast<int>(static_cast<std::int64_t>(x.high >> 64) >> 63) |
         ((x.low | x.high) != 0 ? 1 : 0);
}
TANDEM_HD inline int sign_of(const Wrapped256& x) {
  return static_cast<int>(static_cast<std::int64_t>(x.high >> 64) >> 63) |
         ((x.low | x.high) != 0 ? 1 : 0);
}

}  // namespace tandem::detail
