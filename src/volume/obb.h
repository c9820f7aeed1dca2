// Oriented boxes, fitted as RAPID does: their axes come from the covariance of the points.
#pragma once

#include <tandem/pose.h>

#include <cmath>
#include <span>
#include <string_view>

#include "math/type_list.h"
#include "volume/bounding_volume.h"
#include "volume/box_axes.h"
#include "volume/margin.h"
#include "volume/moving_pose.h"

namespace tandem::detail {

/// 60 bytes. The half sides include the margin for poses and rounding.
struct Obb {
  /// Columns are the box's axes in the mesh's frame; orthonormal up to float32.
  float axes[3][3];
  Vec3f centre;
  Vec3f half;

  static constexpr std::string_view k_name = "obb";
  static constexpr std::string_view k_description = "oriented box, axes from the covariance";
  static constexpr bool k_merges_tightly = false;

  static Obb fit(std::span<const Vec3f> points);
  /// Fits the corners of both.
  static Obb merge(const Obb& a, const Obb& b);

  TANDEM_HD bool encloses(const Vec3f& p) const {
    const Vec3d d = Vec3d(p) - Vec3d(centre);
    for (int j = 0; j < 3; ++j) {
      if (std::fabs(axes[0][j] * d.x + axes[1][j] * d.y + axes[2][j] * d.z) > half[j]) return false;
    }
    return true;
  }

  TANDEM_HD double size() const { return 8.0 * half.x * half.y * half.z; }
};

static_assert(BoundingVolume<Obb>);

/// All 15 separating axes: 315 operations for each pair, 63 of them for B's box alone.
template <class Real = double>
class ObbOverlap {
 public:
  /// B's box in A's mesh frame.
  struct Tumbled {
    Real axes[3][3];
    Real centre[3];
    Real half[3];
  };
  static constexpr std::string_view k_name = "fifteen-axes";
  static constexpr std::string_view k_description = "all separating axes of both boxes";
  static constexpr bool k_tumbles = true;
  static constexpr bool k_tests_leaves = true;

  TANDEM_HD ObbOverlap(const Pose& b_in_a, const Obb&, const Obb&) : b_in_a_(b_in_a) {}

  TANDEM_HD Tumbled tumble(const Obb& b) const {
    Tumbled result;
    const Real centre[3] = {Real(b.centre.x), Real(b.centre.y), Real(b.centre.z)};
    b_in_a_.move(centre, result.centre);
    const auto& rotation = b_in_a_.rotation;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        result.axes[i][j] = rotation[i][0] * Real(b.axes[0][j]) +
                            rotation[i][1] * Real(b.axes[1][j]) +
                            rotation[i][2] * Real(b.axes[2][j]);
      }
      result.half[i] = Real(b.half[i]);
    }
    return result;
  }

  TANDEM_HD bool operator()(const Obb& a, const Tumbled& b) const {
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

  MovingPose<Real> b_in_a_;
};

static_assert(OverlapTest<ObbOverlap<>, Obb>);

template <>
struct OverlapTestsOf<Obb> {
  using Types = TypeList<ObbOverlap<>>;
};

}  // namespace tandem::detail
