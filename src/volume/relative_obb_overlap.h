// Overlap of oriented boxes whose place relative to each other is passed down
// (tree/relative_obb.h).
#pragma once

#include <tandem/pose.h>

#include <cmath>

#include "volume/box_axes.h"
#include "volume/obb.h"

namespace tandem::detail {

/// Where a box of B stands in a box of A: its axes as columns, and its centre. 249 operations for
/// each pair: 63 for one step down on either side, 9 for |axes|, 6 for their margin, 171 for the
/// separating axes. (The third row or column could be computed from the others with fewer
/// operations, but errors of length would then grow exponentially with the depth.)
template <class Real = double>
struct RelativePlace {
  Real axes[3][3];
  Real centre[3];

  /// The place of B's root in A's root.
  TANDEM_HD RelativePlace(const Pose& b_in_a, const Obb& a_root, const Obb& b_root) {
    RelativePlace meshes;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) meshes.axes[i][j] = b_in_a.rotation(i, j);
      meshes.centre[i] = b_in_a.translation()[i];
    }
    // B first: the centres are then subtracted before anything is rotated, so that models far from
    // the origin lose no digits.
    *this = meshes.down_b(b_root).down_a(a_root);
  }

  /// The place of B's box in a child of A's box; the child's axes are the rows of this step.
  TANDEM_HD RelativePlace down_a(const Obb& child) const {
    RelativePlace result;
    const Real apart[3] = {centre[0] - Real(child.centre.x), centre[1] - Real(child.centre.y),
                           centre[2] - Real(child.centre.z)};
    for (int i = 0; i < 3; ++i) {
      const Real axis[3] = {Real(child.axes[0][i]), Real(child.axes[1][i]), Real(child.axes[2][i])};
      result.centre[i] = axis[0] * apart[0] + axis[1] * apart[1] + axis[2] * apart[2];
      for (int j = 0; j < 3; ++j) {
        result.axes[i][j] = axis[0] * axes[0][j] + axis[1] * axes[1][j] + axis[2] * axes[2][j];
      }
    }
    return result;
  }

  /// The place of a child of B's box in A's box.
  TANDEM_HD RelativePlace down_b(const Obb& child) const {
    RelativePlace result;
    for (int i = 0; i < 3; ++i) {
      result.centre[i] = centre[i] + axes[i][0] * Real(child.centre.x) +
                         axes[i][1] * Real(child.centre.y) + axes[i][2] * Real(child.centre.z);
      for (int j = 0; j < 3; ++j) {
        result.axes[i][j] = axes[i][0] * Real(child.axes[0][j]) +
                            axes[i][1] * Real(child.axes[1][j]) +
                            axes[i][2] * Real(child.axes[2][j]);
      }
    }
    return result;
  }

  /// Whether the boxes may overlap. Only their half sides are used.
  TANDEM_HD bool overlap(const Obb& a, const Obb& b) const {
    using std::abs;
    // Along a cross product with B's axis j, B's extent comes from its other two sides and the
    // entries of its other two columns. Its sides are sorted, longest first. So for each j, a
    // margin in columns 1 and 2 is multiplied by the longer of the two sides.
    Real abs_axes[3][3];
    for (int i = 0; i < 3; ++i) {
      abs_axes[i][0] = abs(axes[i][0]);
      abs_axes[i][1] = abs(axes[i][1]) + Real(k_margin);
      abs_axes[i][2] = abs(axes[i][2]) + Real(k_margin);
    }
    const Real half_a[3] = {Real(a.half.x), Real(a.half.y), Real(a.half.z)};
    const Real half_b[3] = {Real(b.half.x), Real(b.half.y), Real(b.half.z)};
    const BoxAxes<Real> test(axes, abs_axes, centre, half_a, half_b);
    return !test.separated([](const Real& reach) { return reach; });
  }

 private:
  RelativePlace() = default;
  static constexpr double k_margin = 4e-4;
};

}  // namespace tandem::detail
