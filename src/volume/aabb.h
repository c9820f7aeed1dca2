// Axis-aligned boxes.
#pragma once

#include <tandem/vec.h>

#include <cmath>
#include <span>
#include <string_view>

#include "volume/bounding_volume.h"

namespace tandem::detail {

/// A box along the axes of its mesh, 24 bytes.
struct Aabb {
  Vec3f lower;
  Vec3f upper;

  static constexpr std::string_view k_name = "aabb";
  static constexpr std::string_view k_description = "box along the axes";
  static constexpr bool k_merges_tightly = true;

  static Aabb fit(std::span<const Vec3f> points) {
    Aabb box{points[0], points[0]};
    for (const Vec3f& p : points) box = merge(box, {p, p});
    return box;
  }

  TANDEM_HD static Aabb merge(const Aabb& a, const Aabb& b) {
    return {min(a.lower, b.lower), max(a.upper, b.upper)};
  }

  TANDEM_HD bool encloses(const Vec3f& p) const {
    return lower.x <= p.x && p.x <= upper.x && lower.y <= p.y && p.y <= upper.y && lower.z <= p.z &&
           p.z <= upper.z;
  }

  /// In double, because the size of a box as large as float32 allows overflows float32.
  TANDEM_HD double size() const {
    return (double{upper.x} - lower.x) * (double{upper.y} - lower.y) * (double{upper.z} - lower.z);
  }

  /// The largest magnitude of a coordinate.
  TANDEM_HD double largest_coordinate() const {
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis) {
      largest = std::fmax(
          largest, std::fmax(std::fabs(double{lower[axis]}), std::fabs(double{upper[axis]})));
    }
    return largest;
  }
};

static_assert(BoundingVolume<Aabb>);

/// Half the surface of a box. No coordinates are too large or too small for it.
TANDEM_HD inline double half_area(const Aabb& box) {
  const Vec3d sides = Vec3d(box.upper) - Vec3d(box.lower);
  return sides.x * sides.y + sides.y * sides.z + sides.z * sides.x;
}

}  // namespace tandem::detail
