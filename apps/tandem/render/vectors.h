// What the renderer needs of vectors beside the library's own operators.
#pragma once

#include <tandem/pose.h>
#include <tandem/vec.h>

#include <cmath>

namespace tandem::cli {

inline double length(const Vec3d& v) {
  return std::sqrt(dot(v, v));
}

inline Vec3d normalised(const Vec3d& v) {
  return (1 / length(v)) * v;
}

/// Component by component.
inline Vec3d product(const Vec3d& a, const Vec3d& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

/// A point of a body in the world.
inline Vec3d moved(const Pose& pose, const Vec3d& point) {
  const auto row = [&](int i) {
    return pose.rotation(i, 0) * point.x + pose.rotation(i, 1) * point.y +
           pose.rotation(i, 2) * point.z;
  };
  return Vec3d{row(0), row(1), row(2)} + pose.translation();
}

}  // namespace tandem::cli
