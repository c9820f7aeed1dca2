// The arithmetic of the chip: float32, rounded to nearest with ties to even, without denormal
// numbers.
//
// The chip room models the collision chip (collision chip paper, sections 4 and 5): a class for
// each of its units, with the unit's arithmetic to the bit and its latencies, and a master
// controller that runs a query with them on trees of the library. It is the library tandem::chip,
// which the program and the tests use. It uses the trees of a model and the volumes; nothing uses
// it.
//
// In this file: what an adder and a multiplier compute. Each operand is flushed first: a magnitude
// below 2^-126 becomes a zero of its sign. The result is rounded to 24 bits as if exponents had no
// lower limit, and flushed if its magnitude is then below 2^-126. Overflow gives infinity. What has
// no value is the one NaN 0x7fc00000, and comparisons with it are false.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace tandem::chip {

inline float flushed(float x) {
  return std::fabs(x) < 0x1p-126F ? std::copysign(0.0F, x) : x;
}

inline float with_one_nan(float x) {
  return std::isnan(x) ? std::bit_cast<float>(std::uint32_t{0x7fc00000}) : x;
}

/// Sums below 2^-126 are exact, so flushing what the host rounded is the same.
inline float add(float a, float b) {
  return with_one_nan(flushed(flushed(a) + flushed(b)));
}

inline float subtract(float a, float b) {
  return add(a, -b);
}

inline float multiply(float a, float b) {
  // 48 bits fit into a double: the product is exact.
  const double product = double{flushed(a)} * double{flushed(b)};
  // Below half a unit of 24 bits under 2^-126 it does not round up to that. The half itself does.
  if (std::fabs(product) < 0x1p-126 - 0x1p-151) {
    return std::signbit(product) ? -0.0F : 0.0F;
  }
  return with_one_nan(static_cast<float>(product));
}

inline bool greater(float a, float b) {
  return flushed(a) > flushed(b);
}
inline bool at_least(float a, float b) {
  return flushed(a) >= flushed(b);
}

}  // namespace tandem::chip
