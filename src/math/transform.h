// Bringing B's vertices into A's frame: the one sequence of operations that every build and device
// uses, so that all of them see the same bits.
//
// The math room holds vectors, rigid poses and random numbers. It uses nothing but the public
// vector types, and most of it runs on host and device.
#pragma once

#include <tandem/pose.h>
#include <tandem/triangle.h>

#include <cmath>

namespace tandem::detail {

/// Coordinates in predicates are zero or between these in magnitude, so that no product of three
/// under- or overflows and expansion arithmetic is exact.
inline constexpr double k_smallest_coordinate = 1e-60;
inline constexpr double k_largest_coordinate = 1e60;

/// Magnitudes below the smallest coordinate become 0.
TANDEM_HD inline double flush_tiny(double x) {
  return std::fabs(x) < k_smallest_coordinate ? 0.0 : x;
}

TANDEM_HD inline Vec3d flush_tiny(const Vec3d& v) {
  return {flush_tiny(v.x), flush_tiny(v.y), flush_tiny(v.z)};
}

/// rotation · point + translation, row by row, in the fused sequence that docs/conventions.md
/// promises; float32 coordinates widen exactly.
template <class T>
TANDEM_HD Vec3d transform_point(const Pose& pose, const Vec3<T>& point) {
  const double x = point.x;
  const double y = point.y;
  const double z = point.z;
  const Vec3d& t = pose.translation();
  const auto row = [&](int i, double offset) {
    return flush_tiny(
        std::fma(pose.rotation(i, 0), x,
                 std::fma(pose.rotation(i, 1), y, std::fma(pose.rotation(i, 2), z, offset))));
  };
  return {row(0, t.x), row(1, t.y), row(2, t.z)};
}

/// All three corners by `transform_point`; uses the processor's fused instruction when it has one.
Triangle transform_triangle(const Pose& pose, const TriangleF& triangle);

/// A's corners are float32 already and widen exactly.
TANDEM_HD inline Triangle widen(const TriangleF& t) {
  return {{Vec3d(t.corner[0]), Vec3d(t.corner[1]), Vec3d(t.corner[2])}};
}

}  // namespace tandem::detail
