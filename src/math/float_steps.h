// Steps of float32 arithmetic that take one instruction on a device.
#pragma once

#include <tandem/host_device.h>
#include <tandem/vec.h>

#include <cmath>

namespace tandem::detail {

/// Whether `multiply_add` has one rounding.
#if defined(__CUDA_ARCH__)
inline constexpr bool k_fused = true;
#else
inline constexpr bool k_fused = false;
#endif

/// a·b + c, with one rounding on a device and two on the host. Where it is used, either will do.
TANDEM_HD inline float multiply_add(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return a * b + c;
#endif
}

/// The larger and the smaller of two numbers, none of which is NaN: one instruction on either.
TANDEM_HD inline float larger(float a, float b) {
#if defined(__CUDA_ARCH__)
  return fmaxf(a, b);
#else
  return a > b ? a : b;
#endif
}
TANDEM_HD inline float smaller(float a, float b) {
#if defined(__CUDA_ARCH__)
  return fminf(a, b);
#else
  return a < b ? a : b;
#endif
}

/// The largest of four numbers, the last of which is not negative: numbers from 0 on compare as
/// their bits do, and devices compare three integers at once.
TANDEM_HD inline float largest_of(float a, float b, float c, float not_negative) {
#if defined(__CUDA_ARCH__)
  return __int_as_float(::max(__vimax3_s32(__float_as_int(a), __float_as_int(b), __float_as_int(c)),
                              __float_as_int(not_negative)));
#else
  return larger(larger(a, b), larger(c, not_negative));
#endif
}
/// The smallest of four numbers, the last of which is not negative. Where it is below zero, the
/// result is any number below zero, or -0 if one of them is that.
TANDEM_HD inline float smallest_of(float a, float b, float c, float not_negative) {
#if defined(__CUDA_ARCH__)
  return __int_as_float(::min(__vimin3_s32(__float_as_int(a), __float_as_int(b), __float_as_int(c)),
                              __float_as_int(not_negative)));
#else
  return smaller(smaller(a, b), smaller(c, not_negative));
#endif
}

/// 1/a for numbers far from the ends of the range, off by at most two roundoffs. Infinite on a
/// device where `a` is subnormal.
TANDEM_HD inline float quick_inverse(float a) {
#if defined(__CUDA_ARCH__)
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(a));
  return result;
#else
  return 1 / a;
#endif
}

/// The cross and the dot product by such steps.
TANDEM_HD inline Vec3f quick_cross(const Vec3f& a, const Vec3f& b) {
  return {multiply_add(a.y, b.z, -(a.z * b.y)), multiply_add(a.z, b.x, -(a.x * b.z)),
          multiply_add(a.x, b.y, -(a.y * b.x))};
}
TANDEM_HD inline float quick_dot(const Vec3f& a, const Vec3f& b) {
  return multiply_add(a.x, b.x, multiply_add(a.y, b.y, a.z * b.z));
}

}  // namespace tandem::detail
