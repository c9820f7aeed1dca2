// Four floats in one register, for code that is compiled once and runs on any machine.
#pragma once

#include <cstring>

namespace tandem::detail {

/// The compiler's own vector type: `+`, `-`, `*`, `/` and comparisons work lane by lane.
using Float4 = float __attribute__((vector_size(16)));

inline Float4 float4(float x) {
  return Float4{x, x, x, x};
}
inline Float4 load4(const float* values) {
  Float4 v;
  std::memcpy(&v, values, sizeof v);
  return v;
}
inline void store4(Float4 v, float* values) {
  std::memcpy(values, &v, sizeof v);
}

/// The smaller and the larger value in each lane; where a is NaN, b.
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

/// Four rows become columns.
inline void transpose(Float4* rows) {
  const Float4 ab_low = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
  const Float4 ab_high = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
  const Float4 cd_low = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
  const Float4 cd_high = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
  rows[0] = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  rows[1] = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  rows[2] = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  rows[3] = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

}  // namespace tandem::detail
