// Ray and Hit: a question and its answer.
#pragma once

#include <tandem/vec.h>

#include <cstdint>
#include <limits>

namespace tandem {

/// The points origin + t · direction for t_min <= t <= t_max. The direction may have any length:
/// distances are values of t.
///
/// A ray with a coordinate that is not finite, a zero direction, a NaN bound or t_min > t_max is
/// legal and hits nothing. A negative t_min counts as 0.
struct Ray {
  Vec3f origin;
  Vec3f direction;
  float t_min = 0;
  float t_max = std::numeric_limits<float>::infinity();
};

/// Where a ray meets a triangle: at the point (1 - u - v)·corner 0 + u·corner 1 + v·corner 2.
struct Hit {
  static constexpr std::uint32_t k_none = 0xffffffff;

  /// The triangle's id, or `k_none` when nothing was hit.
  std::uint32_t triangle = k_none;
  /// The value of t; it and the coordinates depend on the ray and the triangle alone.
  float distance = std::numeric_limits<float>::infinity();
  float u = 0;
  float v = 0;

  explicit operator bool() const { return triangle != k_none; }
  friend bool operator==(const Hit&, const Hit&) = default;
};

}  // namespace tandem
