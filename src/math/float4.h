// Four floats in one register, for code that runs on any machine without being compiled for each.
#pragma once

#include <cstring>

namespace tandem::detail {

/// A vector of the compiler's own: `+`, `-`, `*`, `/` and comparisons work lane by lane.
using Float4 = float __attribute__((vector_size(16)));

inline Float4 float4(float x) {
  return Float4{x, x, x, x};
}
inline Float4 load4(const float* values) {
  Float4 result;
  std::memcpy(&result, values, sizeof result);
  return result;
}
inline void store4(Float4 v, float* values) {
  std::memcpy(values, &v, sizeof v);
}

/// Where a is NaN, b.
inline Float4 min4(Float4 a, Float4 b) {
  return a < b ? a : b;
}
inline Float4 max4(Float4 a, Float4 b) {
  return a > b ? a : b;
}

/// (y, z, x, w)
inline Float4 turned(Float4 v) {
  return __builtin_shufflevector(v, v, 1, 2, 0, 3);
}

/// Rows become columns.
inline void transpose(Float4& a, Float4& b, Float4& c, Float4& d) {
  const Float4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const Float4 ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Float4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Float4 cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

}  // namespace tandem::detail
