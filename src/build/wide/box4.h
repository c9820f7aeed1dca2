// Boxes in registers, for builders.
#pragma once

#include <cstdint>
#include <limits>

#include "math/float4.h"
#include "volume/aabb.h"

namespace tandem::detail {

using Int4 = std::int32_t __attribute__((vector_size(16)));

/// A box, empty at first; the last lanes mean nothing.
struct Box4 {
  Float4 lower = float4(std::numeric_limits<float>::infinity());
  Float4 upper = float4(-std::numeric_limits<float>::infinity());

  Box4() = default;
  explicit Box4(const Aabb& box)
      : lower{box.lower.x, box.lower.y, box.lower.z, 0},
        upper{box.upper.x, box.upper.y, box.upper.z, 0} {}

  void add(Float4 other_lower, Float4 other_upper) {
    lower = min4(other_lower, lower);
    upper = max4(other_upper, upper);
  }
  void add(const Box4& other) { add(other.lower, other.upper); }

  /// A quarter of the sum of both bounds, so that nothing overflows, nor does a difference of two.
  Float4 centre() const { return lower * float4(0.25F) + upper * float4(0.25F); }
  Float4 half_sides() const { return upper * float4(0.5F) - lower * float4(0.5F); }
  /// An eighth of the surface. No coordinates are too large or too small for it.
  double area() const {
    const Float4 sides = half_sides();
    const double x = sides[0];
    const double y = sides[1];
    const double z = sides[2];
    return x * y + (x + y) * z;
  }
  Aabb box() const { return {{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}}; }
};

}  // namespace tandem::detail
