// The chip's float32 arithmetic against its definition in integers, bit by bit.
#include "chip/float32.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "chip/dot_add.h"
#include "math/random.h"

namespace tandem::chip {
namespace {

constexpr std::uint32_t k_sign = 0x80000000;
constexpr std::uint32_t k_infinity = 0x7f800000;
constexpr std::uint32_t k_nan = 0x7fc00000;
constexpr std::uint32_t k_mantissa = 0x007fffff;

bool is_nan(std::uint32_t x) {
  return (x & ~k_sign) > k_infinity;
}
bool is_infinite(std::uint32_t x) {
  return (x & ~k_sign) == k_infinity;
}

/// The definition. A number is (-1)^s · m · 2^(e - 150) with the 24 bits of m; numbers with e = 0
/// are zeros.
struct Parts {
  std::uint32_t sign;
  int exponent;
  std::uint64_t mantissa;

  explicit Parts(std::uint32_t bits)
      : sign(bits & k_sign),
        exponent(static_cast<int>(bits >> 23 & 255)),
        mantissa(exponent == 0 ? 0 : (bits & k_mantissa) | (k_mantissa + 1)) {}
};

/// mantissa · 2^(exponent - 150) to 24 bits, ties to even, then flushed or infinite.
std::uint32_t rounded(std::uint32_t sign, int exponent, std::uint64_t mantissa) {
  if (mantissa == 0) return sign;
  const int shift = 64 - std::countl_zero(mantissa) - 24;
  exponent += shift;
  if (shift <= 0) {
    mantissa <<= -shift;
  } else {
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    const std::uint64_t rest = mantissa & (2 * half - 1);
    mantissa >>= shift;
    if (rest > half || (rest == half && mantissa % 2 == 1)) ++mantissa;
    if (mantissa == 2 * (std::uint64_t{k_mantissa} + 1)) {
      mantissa /= 2;
      ++exponent;
    }
  }
  if (exponent < 1) return sign;
  if (exponent > 254) return sign | k_infinity;
  return sign | static_cast<std::uint32_t>(exponent) << 23 |
         (static_cast<std::uint32_t>(mantissa) & k_mantissa);
}

std::uint32_t defined_product(std::uint32_t a, std::uint32_t b) {
  const Parts p(a);
  const Parts q(b);
  if (is_nan(a) || is_nan(b)) return k_nan;
  if (is_infinite(a) || is_infinite(b)) {
    const bool with_zero = (p.exponent == 0) || (q.exponent == 0);
    return with_zero ? k_nan : (p.sign ^ q.sign) | k_infinity;
  }
  return rounded(p.sign ^ q.sign, p.exponent + q.exponent - 150, p.mantissa * q.mantissa);
}

std::uint32_t defined_sum(std::uint32_t a, std::uint32_t b) {
  if (is_nan(a) || is_nan(b)) return k_nan;
  if (is_infinite(a) && is_infinite(b)) return a == b ? a : k_nan;
  if (is_infinite(a)) return a;
  if (is_infinite(b)) return b;
  Parts large(a);
  Parts small(b);
  if ((a & ~k_sign) < (b & ~k_sign)) std::swap(large, small);
  // Thirty bits below the larger one, the last of which stands for all that is below it.
  constexpr int k_guard = 30;
  const std::uint64_t m = large.mantissa << k_guard;
  const int distance = std::min(63, large.exponent - small.exponent);
  const std::uint64_t shifted = small.mantissa << k_guard;
  std::uint64_t n = shifted >> distance;
  if (n << distance != shifted) n |= 1;
  const bool alike = large.sign == small.sign;
  const std::uint64_t sum = alike ? m + n : m - n;
  if (sum == 0) return alike ? large.sign : 0;
  return rounded(large.sign, large.exponent - k_guard, sum);
}

/// Zeros, the smallest and largest numbers, what is around them and around one, infinities, NaNs.
std::vector<std::uint32_t> corners() {
  std::vector<std::uint32_t> all;
  for (const std::uint32_t around :
       {0U,          1U,          0x00400000U, 0x00800000U, 0x01000000U, 0x1fffffffU, 0x20000000U,
        0x33800000U, 0x34000000U, 0x3f7fffffU, 0x3f800000U, 0x40000000U, 0x4b000000U, 0x4b800000U,
        0x5f000000U, 0x7e7fffffU, 0x7effffffU, 0x7f7fffffU, 0x7f800000U, 0x7fc00000U}) {
    for (int step = -2; step <= 2; ++step) {
      const std::uint32_t bits = (around + static_cast<std::uint32_t>(step)) & ~k_sign;
      all.push_back(bits);
      all.push_back(bits | k_sign);
    }
  }
  return all;
}

void expect_defined(std::uint32_t a, std::uint32_t b, const std::string& where) {
  const auto x = std::bit_cast<float>(a);
  const auto y = std::bit_cast<float>(b);
  ASSERT_EQ(std::bit_cast<std::uint32_t>(multiply(x, y)), defined_product(a, b))
      << where << ": " << a << " * " << b;
  ASSERT_EQ(std::bit_cast<std::uint32_t>(add(x, y)), defined_sum(a, b))
      << where << ": " << a << " + " << b;
  ASSERT_EQ(std::bit_cast<std::uint32_t>(subtract(x, y)), defined_sum(a, b ^ k_sign))
      << where << ": " << a << " - " << b;
}

TEST(ChipFloat32, CornersAreAsDefined) {
  const std::vector<std::uint32_t> all = corners();
  for (const std::uint32_t a : all) {
    for (const std::uint32_t b : all) expect_defined(a, b, "corners");
  }
}

TEST(ChipFloat32, RandomOperandsAreAsDefined) {
  const std::uint64_t seed = 21;
  detail::Random random(seed);
  for (int i = 0; i < 1'000'000; ++i) {
    const std::uint64_t bits = random.next();
    auto a = static_cast<std::uint32_t>(bits);
    auto b = static_cast<std::uint32_t>(bits >> 32);
    // Half of them with exponents that are close for sums, or cancel in products.
    const std::uint64_t kind = random.below(4);
    const std::uint32_t near = static_cast<std::uint32_t>(random.below(8)) << 23;
    if (kind == 0) b = (b & ~k_infinity) | (((a & k_infinity) + near) & k_infinity);
    if (kind == 1) b = (b & ~k_infinity) | ((0x40000000U - (a & k_infinity) + near) & k_infinity);
    expect_defined(a, b, "seed " + std::to_string(seed) + ", " + std::to_string(i));
    if (HasFatalFailure()) return;
  }
}

TEST(ChipFloat32, TinyProductsRoundBeforeTheyAreFlushed) {
  // 2^-126 - 2^-150 is 24 bits below the smallest number, so it is flushed, although float32 with
  // denormals would round it to that number.
  EXPECT_EQ(multiply(0x1.fffffep-64F, 0x1p-63F), 0.0F);
  // The product of these is less than half such a unit below it: it rounds up, and stays.
  const float x = std::ldexp(static_cast<float>(0x800000 + 1000), -23 - 64);
  const float y = std::ldexp(static_cast<float>(0x1000000 - 2000), -23 - 63);
  EXPECT_LT(double{x} * double{y}, 0x1p-126);
  EXPECT_EQ(multiply(x, y), 0x1p-126F);
  EXPECT_TRUE(std::signbit(multiply(-0x1p-100F, 0x1p-100F)));
  EXPECT_EQ(multiply(0x1p-127F, 0x1p+100F), 0.0F) << "a denormal operand is a zero";
  EXPECT_EQ(add(0x1p-127F, 0x1p-127F), 0.0F);
}

TEST(ChipFloat32, ComparisonsFlushAndKnowNoNan) {
  EXPECT_FALSE(greater(0x1p-127F, 0.0F));
  EXPECT_FALSE(greater(0.0F, -0.0F));
  EXPECT_TRUE(at_least(-0x1p-127F, 0.0F));
  EXPECT_FALSE(greater(NAN, 1));
  EXPECT_FALSE(at_least(1, NAN));
  EXPECT_TRUE(greater(INFINITY, 0x1.fffffep+127F));
}

TEST(ChipFloat32, DotAddFollowsItsOrder) {
  const std::uint64_t seed = 5;
  detail::Random random(seed);
  const auto number = [&] {
    return std::bit_cast<float>(static_cast<std::uint32_t>(random.next()) & ~0x40000000U);
  };
  for (int i = 0; i < 100'000; ++i) {
    const MatrixLine line{{number(), number(), number()}, number()};
    const float d[3] = {number(), number(), number()};
    std::uint32_t sum = 0;
    for (std::size_t l = 0; l < 3; ++l) {
      const std::uint32_t product = defined_product(
          std::bit_cast<std::uint32_t>(d[l]), std::bit_cast<std::uint32_t>(line.coefficient[l]));
      sum = l == 0 ? product : defined_sum(sum, product);
    }
    sum = defined_sum(sum, std::bit_cast<std::uint32_t>(line.offset));
    ASSERT_EQ(std::bit_cast<std::uint32_t>(DotAdd::evaluate(line, d[0], d[1], d[2])), sum)
        << "seed " << seed << ", " << i;
  }
}

}  // namespace
}  // namespace tandem::chip
