// Integers of 128 and 256 bits that wrap around: exact modulo 2^128 and 2^256.
#pragma once

#include <tandem/host_device.h>

#include <cstdint>

namespace tandem::detail {

__extension__ using Int128 = __int128;
__extension__ using Wrapped128 = unsigned __int128;

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

// Products of two numbers in the next wider type, where none is cut off, and of a wide one and a
// narrow one, which wrap around.

TANDEM_HD inline double product(double a, double b) {
  return a * b;
}

TANDEM_HD inline Wrapped128 product(std::int64_t a, std::int64_t b) {
  return static_cast<Wrapped128>(Int128{a} * b);
}
TANDEM_HD inline Wrapped128 product(Wrapped128 a, std::int64_t b) {
  return a * static_cast<Wrapped128>(Int128{b});
}

TANDEM_HD inline Wrapped256 product(Wrapped128 a, Wrapped128 b) {
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
TANDEM_HD inline Wrapped256 product(Int128 a, Int128 b) {
  const auto left = static_cast<Wrapped128>(a);
  const auto right = static_cast<Wrapped128>(b);
  Wrapped256 result = product(left, right);
  // Read as unsigned, a negative number is 2^128 too large.
  if (a < 0) result.high -= right;
  if (b < 0) result.high -= left;
  return result;
}
TANDEM_HD inline Wrapped256 product(const Wrapped256& a, Int128 b) {
  const auto factor = static_cast<Wrapped128>(b);
  Wrapped256 result = product(a.low, factor);
  result.high += a.high * factor;
  if (b < 0) result.high -= a.low;
  return result;
}

// The sign of what fits into the type, read as signed.

TANDEM_HD inline int sign_of(Wrapped128 x) {
  return static_cast<int>(static_cast<std::int64_t>(x >> 64) >> 63) | (x != 0 ? 1 : 0);
}
TANDEM_HD inline int sign_of(const Wrapped256& x) {
  return static_cast<int>(static_cast<std::int64_t>(x.high >> 64) >> 63) |
         ((x.low | x.high) != 0 ? 1 : 0);
}

}  // namespace tandem::detail
