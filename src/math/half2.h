// Two numbers in half precision side by side, which a device computes with at once. On the host the
// same operations give the same bits, by way of double precision.
#pragma once

#include <tandem/host_device.h>

#include <bit>
#include <cmath>
#include <cstdint>

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#endif

namespace tandem::detail {

/// The largest relative error of a rounding to half precision. Magnitudes below 2^-14 are rounded
/// to multiples of 2^-24.
inline constexpr float k_half_roundoff = 0x1p-11F;
inline constexpr float k_largest_half = 65504;

/// The nearest number in half precision, as bits; of two, the even one. Too large magnitudes become
/// infinite.
TANDEM_HD inline std::uint16_t to_half_bits(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const auto sign = static_cast<std::uint16_t>(bits >> 48 & 0x8000);
  if (x != x) return 0x7e00;
  const double size = std::fabs(x);
  if (size >= 65520) return sign | 0x7c00;
  if (size < 0x1p-14) {
    // Multiples of 2^-24: adding 2^28 leaves no more bits than that.
    return sign | static_cast<std::uint16_t>(((size + 0x1p28) - 0x1p28) * 0x1p24);
  }
  // Eleven significant bits are left of 53, and 15 replaces 1023 in the exponent.
  const std::uint64_t size_bits = bits & ~(std::uint64_t{1} << 63);
  const std::uint64_t half_way = (std::uint64_t{1} << 41) - 1 + (size_bits >> 42 & 1);
  const std::uint64_t half = ((size_bits + half_way) >> 42) - (std::uint64_t{1023 - 15} << 10);
  return sign | static_cast<std::uint16_t>(half);
}

TANDEM_HD inline float from_half_bits(std::uint16_t half) {
  const std::uint32_t size = half & 0x7fff;
  const std::uint32_t sign = std::uint32_t{half} << 16 & 0x80000000;
  if (size < 0x400) {
    const float tiny = static_cast<float>(size) * 0x1p-24F;
    return sign != 0 ? -tiny : tiny;
  }
  // 127 replaces 15 in the exponent, and 255 what stands for infinity.
  const std::uint32_t exponent = (size < 0x7c00 ? 127U - 15U : 255U - 31U) << 23;
  return std::bit_cast<float>(sign | ((size << 13) + exponent));
}

/// The first number is in the lower bits.
struct Half2 {
  std::uint32_t bits;

  TANDEM_HD static Half2 from_bits(std::uint16_t first, std::uint16_t second) {
    return {first | std::uint32_t{second} << 16};
  }
  TANDEM_HD std::uint16_t half_bits(int number) const {
    return static_cast<std::uint16_t>(bits >> 16 * number);
  }
  TANDEM_HD void set(int number, std::uint16_t half) {
    bits = (bits & ~(std::uint32_t{0xffff} << 16 * number)) | std::uint32_t{half} << 16 * number;
  }
};
static_assert(sizeof(Half2) == 4);

struct TwoFloats {
  float first;
  float second;
};

#if defined(__CUDA_ARCH__)

__device__ inline __half2 native(Half2 x) {
  return *reinterpret_cast<const __half2*>(&x.bits);
}
__device__ inline Half2 from_native(__half2 x) {
  return {*reinterpret_cast<const std::uint32_t*>(&x)};
}

TANDEM_HD inline TwoFloats widened(Half2 x) {
  const float2 both = __half22float2(native(x));
  return {both.x, both.y};
}
TANDEM_HD inline Half2 rounded(float first, float second) {
  return from_native(__floats2half2_rn(first, second));
}
TANDEM_HD inline Half2 operator+(Half2 x, Half2 y) {
  return from_native(__hadd2(native(x), native(y)));
}
TANDEM_HD inline Half2 operator-(Half2 x, Half2 y) {
  return from_native(__hsub2(native(x), native(y)));
}
TANDEM_HD inline Half2 operator-(Half2 x) {
  return from_native(__hneg2(native(x)));
}
/// x y + z, rounded once.
TANDEM_HD inline Half2 fused(Half2 x, Half2 y, Half2 z) {
  return from_native(__hfma2(native(x), native(y), native(z)));
}
TANDEM_HD inline Half2 magnitude(Half2 x) {
  return from_native(__habs2(native(x)));
}
/// A number rather than NaN.
TANDEM_HD inline Half2 least(Half2 x, Half2 y) {
  return from_native(__hmin2(native(x), native(y)));
}
TANDEM_HD inline Half2 most(Half2 x, Half2 y) {
  return from_native(__hmax2(native(x), native(y)));
}
/// All bits of a half where x <= y there, else none.
TANDEM_HD inline std::uint32_t at_most(Half2 x, Half2 y) {
  return __hle2_mask(native(x), native(y));
}
/// One of the numbers in both places.
TANDEM_HD inline Half2 both(Half2 x, int number) {
  return from_native(number == 0 ? __low2half2(native(x)) : __high2half2(native(x)));
}

#else

/// Calls `of(i)` for both places; it returns a double, which is rounded.
template <class Of>
Half2 each_half(const Of& of) {
  const std::uint16_t first = to_half_bits(of(0));
  return {first | std::uint32_t{to_half_bits(of(1))} << 16};
}
inline double half_at(Half2 x, int number) {
  return from_half_bits(x.half_bits(number));
}

TANDEM_HD inline TwoFloats widened(Half2 x) {
  return {from_half_bits(x.half_bits(0)), from_half_bits(x.half_bits(1))};
}
TANDEM_HD inline Half2 rounded(float first, float second) {
  return each_half([&](int i) { return double{i == 0 ? first : second}; });
}
TANDEM_HD inline Half2 operator+(Half2 x, Half2 y) {
  return each_half([&](int i) { return half_at(x, i) + half_at(y, i); });
}
TANDEM_HD inline Half2 operator-(Half2 x, Half2 y) {
  return each_half([&](int i) { return half_at(x, i) - half_at(y, i); });
}
TANDEM_HD inline Half2 operator-(Half2 x) {
  return {x.bits ^ 0x80008000};
}
TANDEM_HD inline Half2 fused(Half2 x, Half2 y, Half2 z) {
  return each_half([&](int i) {
    // The product of two halves is exact. If the sum is not, its last bit is set, which stands for
    // the digits after it when it is rounded again.
    const double product = half_at(x, i) * half_at(y, i);
    const double addend = half_at(z, i);
    const double sum = product + addend;
    const double back = sum - product;
    const double error = (product - (sum - back)) + (addend - back);
    if (!(std::fabs(error) > 0)) return sum;
    const auto bits = std::bit_cast<std::uint64_t>(sum);
    if ((bits & 1) != 0) return sum;
    return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
  });
}
TANDEM_HD inline Half2 magnitude(Half2 x) {
  return {x.bits & 0x7fff7fff};
}
TANDEM_HD inline Half2 least(Half2 x, Half2 y) {
  return each_half([&](int i) { return std::fmin(half_at(x, i), half_at(y, i)); });
}
TANDEM_HD inline Half2 most(Half2 x, Half2 y) {
  return each_half([&](int i) { return std::fmax(half_at(x, i), half_at(y, i)); });
}
TANDEM_HD inline std::uint32_t at_most(Half2 x, Half2 y) {
  return (half_at(x, 0) <= half_at(y, 0) ? 0xffffU : 0U) |
         (half_at(x, 1) <= half_at(y, 1) ? 0xffff0000U : 0U);
}
TANDEM_HD inline Half2 both(Half2 x, int number) {
  return {x.half_bits(number) * std::uint32_t{0x10001}};
}

#endif

TANDEM_HD inline Half2 both(float x) {
  return rounded(x, x);
}

}  // namespace tandem::detail
