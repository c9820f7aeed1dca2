// Overlap of axis-aligned boxes under a pose, in double and on the safe side of every rounding.
#pragma once

#include <tandem/pose.h>

#include <cmath>

#include "math/transform.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// For poses that only move: B's box stays aligned. Rounding is monotonic, so the moved box
/// encloses the moved vertices exactly and there is no margin.
class AlignedAabbOverlap {
 public:
  explicit AlignedAabbOverlap(const Pose& b_in_a) : translation_(b_in_a.translation()) {}

  bool operator()(const Aabb& a, const Aabb& b) const {
    return overlap(a.lower.x, a.upper.x, b.lower.x, b.upper.x, translation_.x) &&
           overlap(a.lower.y, a.upper.y, b.lower.y, b.upper.y, translation_.y) &&
           overlap(a.lower.z, a.upper.z, b.lower.z, b.upper.z, translation_.z);
  }

 private:
  static bool overlap(float a_lower, float a_upper, float b_lower, float b_upper, double moved) {
    return flush_tiny(double{b_lower} + moved) <= a_upper &&
           flush_tiny(double{b_upper} + moved) >= a_lower;
  }

  Vec3d translation_;
};

/// For any pose: the 15 separating axes of two oriented boxes (Gottschalk, Lin, Manocha 1996).
class OrientedAabbOverlap {
 public:
  /// `a_root` and `b_root` enclose every box that will be asked about.
  OrientedAabbOverlap(const Pose& b_in_a, const Aabb& a_root, const Aabb& b_root);

  bool operator()(const Aabb& a, const Aabb& b) const {
    const Vec3d a_half = half_sides(a);
    const Vec3d b_half = half_sides(b);
    const Vec3d a_centre = centre(a);
    const Vec3d b_centre = centre(b);

    // A's three axes; `between` joins the centres in A's frame.
    double between[3] = {};
    for (int i = 0; i < 3; ++i) {
      between[i] = rotation_[i][0] * b_centre.x + rotation_[i][1] * b_centre.y +
                   rotation_[i][2] * b_centre.z + translation_[i] - a_centre[i];
      const double reach = a_half[i] + abs_[i][0] * b_half.x + abs_[i][1] * b_half.y +
                           abs_[i][2] * b_half.z + slack_;
      if (std::fabs(between[i]) > reach) return false;
    }
    // B's three axes.
    for (int j = 0; j < 3; ++j) {
      const double distance = between[0] * rotation_[0][j] + between[1] * rotation_[1][j] +
                              between[2] * rotation_[2][j];
      const double reach = abs_[0][j] * a_half.x + abs_[1][j] * a_half.y + abs_[2][j] * a_half.z +
                           b_half[j] + slack_;
      if (std::fabs(distance) > reach) return false;
    }
    // Axis i of A times axis j of B.
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3;
      const int i2 = (i + 2) % 3;
      for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3;
        const int j2 = (j + 2) % 3;
        const double distance = between[i2] * rotation_[i1][j] - between[i1] * rotation_[i2][j];
        const double reach = a_half[i1] * abs_[i2][j] + a_half[i2] * abs_[i1][j] +
                             b_half[j1] * abs_[i][j2] + b_half[j2] * abs_[i][j1] + slack_;
        if (std::fabs(distance) > reach) return false;
      }
    }
    return true;
  }

 private:
  static Vec3d centre(const Aabb& box) {
    return {0.5 * (double{box.lower.x} + box.upper.x), 0.5 * (double{box.lower.y} + box.upper.y),
            0.5 * (double{box.lower.z} + box.upper.z)};
  }
  static Vec3d half_sides(const Aabb& box) {
    return {0.5 * (double{box.upper.x} - box.lower.x), 0.5 * (double{box.upper.y} - box.lower.y),
            0.5 * (double{box.upper.z} - box.lower.z)};
  }

  double rotation_[3][3];
  /// |rotation|, enlarged by how far from rigid it is.
  double abs_[3][3];
  double translation_[3];
  /// Bounds the rounding errors of every centre and distance.
  double slack_;
};

static_assert(OverlapTest<AlignedAabbOverlap, Aabb>);
static_assert(OverlapTest<OrientedAabbOverlap, Aabb>);

}  // namespace tandem::detail
