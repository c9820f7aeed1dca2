// Integers of 64, 128 and 192 bits that wrap around: exact modulo 2^64, 2^128 and 2^192.
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

/// What two numbers differ by, which may both have wrapped around.
TANDEM_HD inline std::int64_t wrapped_difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
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

/// a b - c d
template <class Wrapped, class Number>
TANDEM_HD inline Wrapped product_difference(const Number& a, const Number& b, const Number& c,
                                            const Number& d) {
  return product<Wrapped>(a, b) - product<Wrapped>(c, d);
}

/// ax bx + ay by + az bz
template <class Wrapped, class A, class B>
TANDEM_HD inline Wrapped product_sum(const A& ax, const B& bx, const A& ay, const B& by,
                                     const A& az, const B& bz) {
  return product<Wrapped>(ax, bx) + product<Wrapped>(ay, by) + product<Wrapped>(az, bz);
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

}  // namespace tandem::detail
