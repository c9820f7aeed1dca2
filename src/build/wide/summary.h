// What the fitting of a wide tree knows of the triangles below a child.
#pragma once

#include <limits>
#include <span>

#include "math/float4.h"

namespace tandem::detail {

/// The corners of a leaf's four triangles in lanes: corner, axis. A missing triangle is replaced by
/// the first one.
struct LeafCorners {
  Float4 value[3][3];
};

/// Of the vectors, only the first three lanes count.
struct Summary {
  Float4 lower = float4(std::numeric_limits<float>::infinity());
  Float4 upper = float4(-std::numeric_limits<float>::infinity());
  /// The sum of the cross products of edges.
  Float4 normal = float4(0);
  /// Of the corners: how many they are, their mean, and the sums of (xx, yy, zz) and (xy, yz, zx)
  /// of their differences from it. Plain sums of squares would lose the differences of small
  /// triangles. All 0 where no one needs to know.
  float count = 0;
  Float4 mean = float4(0);
  Float4 squares = float4(0);
  Float4 products = float4(0);

  /// The box and the normal of one triangle.
  static Summary of_triangle(const Float4* corner) {
    Summary result;
    result.lower = min4(min4(corner[0], corner[1]), corner[2]);
    result.upper = max4(max4(corner[0], corner[1]), corner[2]);
    const Float4 a = corner[1] - corner[0];
    const Float4 b = corner[2] - corner[0];
    result.normal = turned(a * turned(b) - turned(a) * b);
    return result;
  }

  /// The summary of a whole from those of its parts.
  static Summary of(std::span<const Summary> parts) {
    Summary whole;
    for (const Summary& part : parts) {
      whole.lower = min4(whole.lower, part.lower);
      whole.upper = max4(whole.upper, part.upper);
      whole.normal += part.normal;
      whole.count += part.count;
      whole.mean += float4(part.count) * part.mean;
    }
    if (whole.count == 0) return whole;
    whole.mean /= float4(whole.count);
    for (const Summary& part : parts) {
      const Float4 difference = part.mean - whole.mean;
      const Float4 weighted = float4(part.count) * difference;
      whole.squares += part.squares + weighted * difference;
      whole.products += part.products + weighted * turned(difference);
    }
    return whole;
  }
};

}  // namespace tandem::detail
