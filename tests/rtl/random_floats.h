// Operands for arithmetic units: random bits, exponents that are close, and corners.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "math/random.h"

namespace tandem::chip {

/// Zeros, the smallest and largest numbers, what is around them and around one, infinities, NaNs.
inline std::vector<std::uint32_t> corner_floats() {
  std::vector<std::uint32_t> all;
  for (const std::uint32_t around :
       {0U,          1U,          0x00400000U, 0x00800000U, 0x01000000U, 0x1fffffffU, 0x20000000U,
        0x33800000U, 0x34000000U, 0x3f7fffffU, 0x3f800000U, 0x40000000U, 0x4b000000U, 0x4b800000U,
        0x5f000000U, 0x7e7fffffU, 0x7effffffU, 0x7f7fffffU, 0x7f800000U, 0x7fc00000U}) {
    for (int step = -2; step <= 2; ++step) {
      const std::uint32_t bits = (around + static_cast<std::uint32_t>(step)) & 0x7fffffffU;
      all.push_back(bits);
      all.push_back(bits | 0x80000000U);
    }
  }
  return all;
}

/// Two numbers, half of them with exponents that are close for sums, or cancel in products.
inline std::pair<std::uint32_t, std::uint32_t> random_operands(detail::Random* random) {
  constexpr std::uint32_t k_exponent = 0x7f800000;
  const std::uint64_t bits = random->next();
  const auto a = static_cast<std::uint32_t>(bits);
  auto b = static_cast<std::uint32_t>(bits >> 32);
  const std::uint64_t kind = random->below(4);
  const std::uint32_t near = static_cast<std::uint32_t>(random->below(8)) << 23;
  if (kind == 0) b = (b & ~k_exponent) | (((a & k_exponent) + near) & k_exponent);
  if (kind == 1) b = (b & ~k_exponent) | ((0x40000000U - (a & k_exponent) + near) & k_exponent);
  return {a, b};
}

/// Mostly what vertices and matrices are made of, sometimes anything.
inline float random_number(detail::Random* random) {
  if (random->below(50) == 0) {
    const std::vector<std::uint32_t> corners = corner_floats();
    return std::bit_cast<float>(corners[random->below(corners.size())]);
  }
  if (random->below(10) == 0) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(random->next()));
  }
  return static_cast<float>(random->uniform(-2, 2));
}

}  // namespace tandem::chip
