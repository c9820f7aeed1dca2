// Where the coordinates that a wide tree stores lie in those of its mesh.
#pragma once

#include <tandem/host_device.h>
#include <tandem/vec.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "math/power_of_two.h"
#include "tree/wide/tree.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// The stored coordinates are `(x - origin) / 2^exponent`, exactly. On an axis on which the mesh is
/// far from zero, the origin is the middle of the mesh: all coordinates are then within a factor of
/// two of it, so the differences are exact (Sterbenz). On the other axes the origin is zero. The
/// largest magnitude is between 1/2 and 1, or up to 2^k_largest_exponent where much of the mesh is
/// smaller than that. See `WideTree` for the members.
struct MeshFrame {
  static constexpr int k_largest_exponent = 36;

  Vec3d origin{0, 0, 0};
  Vec3d extent{0, 0, 0};
  RootBox root;
  int exponent = 0;
  bool spread = false;
  /// No stored coordinate is rounded. Float32 has all multiples of 2^-149, so it has those of
  /// smaller units; those of large ones have to be looked at.
  bool exact = true;

  /// On one axis, on which the mesh has these bounds.
  TANDEM_HD static double origin_of(double lower, double upper) {
    const double middle = static_cast<float>(0.5 * (lower + upper));
    return std::fabs(middle) > upper - lower ? middle : 0;
  }

  /// Of a mesh with these bounds; `small` is the `SizeSample` of its triangles. No point of the box
  /// is outside of the root's radius, which may be made smaller then.
  TANDEM_HD static MeshFrame of(const Aabb& bounds, double small) {
    MeshFrame frame;
    double largest = 0;
    for (int k = 0; k < 3; ++k) {
      const double lower = bounds.lower[k];
      const double upper = bounds.upper[k];
      frame.origin[k] = origin_of(lower, upper);
      frame.extent[k] =
          std::fmax(std::fabs(upper - frame.origin[k]), std::fabs(lower - frame.origin[k]));
      largest = std::fmax(largest, frame.extent[k]);
      // More than all roundings can take away.
      constexpr double k_more = 1 + 0x1p-50;
      const double centre = 0.5 * (lower + upper);
      frame.root.centre[k] = centre;
      frame.root.half[k] = std::fmax(upper - centre, centre - lower) * k_more;
    }
    const Vec3d& half = frame.root.half;
    const Vec3d& centre = frame.root.centre;
    frame.root.radius = std::sqrt(dot(half, half)) * (1 + 0x1p-48);
    frame.root.farthest = std::sqrt(dot(centre, centre)) * (1 + 0x1p-48) + frame.root.radius;
    frame.exponent = exponent_for(largest);
    frame.spread = small < k_spread * largest;
    if (frame.spread) {
      const int least = frame.exponent - k_largest_exponent;
      frame.exponent = exponent_for(small) > least ? exponent_for(small) : least;
    }
    frame.exact = frame.exponent <= 0;
    // Magnitudes that are too small for float32 are rounded, by at most this.
    frame.extent =
        power_of_two(-frame.exponent) * frame.extent + Vec3d{0x1p-149, 0x1p-149, 0x1p-149};
    return frame;
  }

  /// No vertex is farther from the centre than the root of this.
  TANDEM_HD void limit_radius(double farthest_sq) {
    root.radius = std::fmin(std::sqrt(farthest_sq) * (1 + 0x1p-48), root.radius);
  }

  /// Works for `WideTree` and `WideTreeView`.
  template <class Tree>
  void put_into(Tree& tree) const {
    tree.origin = origin;
    tree.exponent = exponent;
    tree.extent = extent;
    tree.root = root;
    tree.spread = spread;
    tree.exact = exact;
  }

  TANDEM_HD Vec3f stored(const Vec3f& vertex) const {
    return Vec3f(power_of_two(-exponent) * (Vec3d(vertex) - origin));
  }
  /// The vertex, where nothing was rounded.
  TANDEM_HD Vec3d restored(const Vec3f& stored) const {
    return origin + power_of_two(exponent) * Vec3d(stored);
  }

 private:
  /// A mesh is spread when a sixteenth of its triangles is this much smaller than the whole.
  static constexpr double k_spread = 0x1p-5;

  /// The least number whose power of two is larger.
  TANDEM_HD static int exponent_for(double size) { return size > 0 ? exponent_of(size) + 1 : -149; }
};

/// The triangles by which a mesh is judged: how large their coordinates are, relative to the
/// origin. Of all, a sixteenth is smaller than the one that counts.
struct SizeSample {
  std::uint32_t stride;
  std::uint32_t count;

  TANDEM_HD explicit SizeSample(std::uint32_t triangle_count)
      : stride((triangle_count + k_most - 1) / k_most),
        count((triangle_count + stride - 1) / stride) {}

  /// The place of the one that counts in the order of sizes.
  TANDEM_HD std::uint32_t chosen() const { return count / 16; }

  TANDEM_HD static double size_of(const TriangleF& triangle, const Vec3d& origin) {
    double largest = 0;
    for (const Vec3f& corner : triangle.corner) {
      for (int k = 0; k < 3; ++k) {
        largest = std::fmax(largest, std::fabs(double{corner[k]} - origin[k]));
      }
    }
    return largest;
  }

  static constexpr std::uint32_t k_most = 4096;
};

}  // namespace tandem::detail
