// Axis-aligned boxes.
#pragma once

#include <tandem/vec.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "volume/bounding_volume.h"

namespace tandem::detail {

/// A box along the axes of its mesh, 24 bytes.
struct Aabb {
  Vec3f lower;
  Vec3f upper;

  static constexpr bool k_merges_tightly = true;

  static Aabb fit(std::span<const Vec3f> points) {
    Aabb box{points[0], points[0]};
    for (const Vec3f& p : points) box = merge(box, {p, p});
    return box;
  }

  static Aabb merge(const Aabb& a, const Aabb& b) {
    return {{std::min(a.lower.x, b.lower.x), std::min(a.lower.y, b.lower.y),
             std::min(a.lower.z, b.lower.z)},
            {std::max(a.upper.x, b.upper.x), std::max(a.upper.y, b.upper.y),
             std::max(a.upper.z, b.upper.z)}};
  }

  bool encloses(const Vec3f& p) const {
    return lower.x <= p.x && p.x <= upper.x && lower.y <= p.y && p.y <= upper.y && lower.z <= p.z &&
           p.z <= upper.z;
  }

  /// In double, so that boxes as large as float32 allows have a size too.
  double size() const {
    return (double{upper.x} - lower.x) * (double{upper.y} - lower.y) * (double{upper.z} - lower.z);
  }

  /// The largest magnitude of a coordinate.
  double largest_coordinate() const {
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis) {
      largest = std::fmax(
          largest, std::fmax(std::fabs(double{lower[axis]}), std::fabs(double{upper[axis]})));
    }
    return largest;
  }
};

static_assert(BoundingVolume<Aabb>);

}  // namespace tandem::detail
