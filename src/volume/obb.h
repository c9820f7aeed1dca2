// Oriented boxes, fitted the RAPID way: axes from the covariance of the points.
#pragma once

#include <tandem/pose.h>

#include <cmath>
#include <span>

#include "volume/bounding_volume.h"
#include "volume/box_axes.h"
#include "volume/margin.h"

namespace tandem::detail {

/// 60 bytes. Half the sides include the margin for poses and rounding.
struct Obb {
  /// Columns are the box's axes in the mesh's frame; orthonormal up to float32.
  float axes[3][3];
  Vec3f centre;
  Vec3f half;

  static constexpr bool k_merges_tightly = false;

  static Obb fit(std::span<const Vec3f> points);
  /// Fits the corners of both.
  static Obb merge(const Obb& a, const Obb& b);

  bool encloses(const Vec3f& p) const {
    const Vec3d d = Vec3d(p) - Vec3d(centre);
    for (int j = 0; j < 3; ++j) {
      if (std::fabs(axes[0][j] * d.x + axes[1][j] * d.y + axes[2][j] * d.z) > half[j]) return false;
    }
    return true;
  }

  double size() const { return 8.0 * half.x * half.y * half.z; }
};

static_assert(BoundingVolume<Obb>);

/// All 15 separating axes: 315 operations a pair, 63 of them for B's box alone.
template <class Real = double>
class ObbOverlap {
 public:
  /// B's box in A's mesh frame.
  struct Tumbled {
    Real axes[3][3];
    Real centre[3];
    Real half[3];
  };
  static constexpr bool k_tumbles = true;
  static constexpr bool k_tests_leaves = true;

  ObbOverlap(const Pose& b_in_a, const Obb&, const Obb&) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) rotation_[i][j] = b_in_a.rotation(i, j);
      translation_[i] = b_in_a.translation()[i];
    }
  }

  Tumbled tumble(const Obb& b) const {
    Tumbled result;
    const Real centre[3] = {Real(b.centre.x), Real(b.centre.y), Real(b.centre.z)};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        result.axes[i][j] = rotation_[i][0] * Real(b.axes[0][j]) +
                            rotation_[i][1] * Real(b.axes[1][j]) +
                            rotation_[i][2] * Real(b.axes[2][j]);
      }
      result.centre[i] = rotation_[i][0] * centre[0] + rotation_[i][1] * centre[1] +
                         rotation_[i][2] * centre[2] + translation_[i];
      result.half[i] = Real(b.half[i]);
    }
    return result;
  }

  bool operator()(const Obb& a, const Tumbled& b) const {
    using std::abs;
    const Real apart[3] = {b.centre[0] - Real(a.centre.x), b.centre[1] - Real(a.centre.y),
                           b.centre[2] - Real(a.centre.z)};
    const Real half[3] = {Real(a.half.x), Real(a.half.y), Real(a.half.z)};
    // B's axes and centre along A's axes. The columns are orthonormal up to float32 and the pose:
    // entries of |rotation| are enlarged for the axes that are cross products.
    Real rotation[3][3];
    Real abs_rotation[3][3];
    Real between[3];
    for (int i = 0; i < 3; ++i) {
      const Real axis[3] = {Real(a.axes[0][i]), Real(a.axes[1][i]), Real(a.axes[2][i])};
      for (int j = 0; j < 3; ++j) {
        rotation[i][j] = axis[0] * b.axes[0][j] + axis[1] * b.axes[1][j] + axis[2] * b.axes[2][j];
        abs_rotation[i][j] = abs(rotation[i][j]) + Real(k_axis_error);
      }
      between[i] = axis[0] * apart[0] + axis[1] * apart[1] + axis[2] * apart[2];
    }
    const BoxAxes<Real> axes(rotation, abs_rotation, between, half, b.half);
    return !axes.separated([](const Real& reach) { return reach; });
  }

 private:
  static constexpr double k_axis_error = 1e-5;

  Real rotation_[3][3];
  Real translation_[3];
};

static_assert(OverlapTest<ObbOverlap<>, Obb>);

}  // namespace tandem::detail
