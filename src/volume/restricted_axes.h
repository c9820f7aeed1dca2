// How far restricted boxes extend along axes that are not their own.
//
// The ends of an extent are stored so that they decrease when the box shrinks: upper ends as they
// are, lower ends negated. Bounds increase instead (volume/restricted_box.h), so two boxes are
// apart where an end of one is below a bound of the other.
//
// Extents are sums of products. Each cut on the way down changes them and adds a few roundings, for
// up to k_max_cuts cuts. Those of the root are enlarged once by more than all these roundings
// together, so that no pair needs a margin.
#pragma once

#include <tandem/pose.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "volume/aabb.h"
#include "volume/margin.h"
#include "volume/restricted_box.h"

namespace tandem::detail {

/// A box's extents along n foreign axes, and which end moved last along each.
template <class Real, int n>
struct Extents {
  /// Lower ends negated, and upper ends.
  Real end[2][n];
  std::uint8_t moved[n] = {};
};

/// Computes the extents of boxes along n foreign axes. Along an axis, a point is at offset plus the
/// sum of step·coordinate. When a side of the box moves, its extents along m of the axes change:
/// these axes follow that side.
template <class Real, int n, int m>
class ForeignAxes {
 public:
  using Followers = std::array<std::array<std::uint8_t, m>, 3>;

  TANDEM_HD explicit ForeignAxes(const Followers& followers) : followers_(followers) {}

  TANDEM_HD void set(int own, int foreign, double step) {
    half_step_[own][foreign] = 0.5 * step;
    half_length_[own][foreign] = 0.5 * std::fabs(step);
    length_[own][foreign] = std::fabs(step);
    end_[0][own][foreign] = step > 0 ? 0 : 1;
    end_[1][own][foreign] = step > 0 ? 1 : 0;
  }

  /// Along axis `k`, boxes are moved by `offset` and enlarged by `margin`.
  TANDEM_HD void place(int k, double offset, double margin) {
    offset_[k] = offset;
    margin_[k] = margin;
  }

  /// The extents of a whole box.
  TANDEM_HD void span(Extents<Real, n>& extents, const RestrictedBox<Real>& box) const {
    Real centre[3];
    Real length[3];
    for (int i = 0; i < 3; ++i) {
      centre[i] = box.inward[0][i] - box.inward[1][i];
      length[i] = box.length(i);
    }
    for (int k = 0; k < n; ++k) {
      const Real middle = offset_[k] + half_step_[0][k] * centre[0] + half_step_[1][k] * centre[1] +
                          half_step_[2][k] * centre[2];
      const Real reach = margin_[k] + half_length_[0][k] * length[0] +
                         half_length_[1][k] * length[1] + half_length_[2][k] * length[2];
      extents.end[0][k] = reach - middle;
      extents.end[1][k] = reach + middle;
    }
  }

  /// Updates the extents after a side moved: one end moves along each axis that follows it. Two
  /// operations each.
  TANDEM_HD void move(Extents<Real, n>& extents, const Cut& cut, const Real& by) const {
    for (const std::uint8_t k : followers_[cut.axis]) {
      const int end = end_[cut.side][cut.axis][k];
      extents.end[end][k] = extents.end[end][k] - by * length_[cut.axis][k];
      extents.moved[k] = static_cast<std::uint8_t>(end);
    }
  }

  /// Whether the ends that moved when a side along `axis` was cut are now apart from the other's.
  /// Two operations each.
  TANDEM_HD bool moved_apart(const Extents<Real, n>& mover, int axis,
                             const Extents<Real, n>& other) const {
    bool result = false;
    for (const std::uint8_t k : followers_[axis]) {
      const int end = mover.moved[k];
      result |= mover.end[end][k] + other.end[1 - end][k] < Real(0);
    }
    return result;
  }

 private:
  Followers followers_;
  Real offset_[n];
  Real margin_[n];
  Real half_step_[3][n];
  Real half_length_[3][n];
  Real length_[3][n];
  /// Which end follows the lower and the upper side.
  std::uint8_t end_[2][3][n];
};

/// By how much the extents of roots are enlarged, given the margin of a query: each cut rounds a
/// difference, a product and a sum, each by at most a 64th of the margin.
TANDEM_HD inline double accumulated(double margin) {
  return margin * (1 + 3 * k_max_cuts / 64.0);
}

/// The three axes of the other model. The extents of its own boxes along them are their bounds.
template <class Real>
class FaceAxes : public ForeignAxes<Real, 3, 3> {
 public:
  TANDEM_HD FaceAxes() : ForeignAxes<Real, 3, 3>({{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}}}) {}

  /// Whether a box is apart from extents along its axes, looking only at what moved last. Four
  /// operations.
  TANDEM_HD static bool moved_apart(const RestrictedBox<Real>& box, const Extents<Real, 3>& other) {
    bool result = other.end[1 - box.side][box.axis] < box.inward[box.side][box.axis];
    for (int k = 0; k < 3; ++k) {
      const int end = other.moved[k];
      result |= other.end[end][k] < box.inward[1 - end][k];
    }
    return result;
  }

  /// The same, looking at all sides. Six operations.
  TANDEM_HD static bool apart(const RestrictedBox<Real>& box, const Extents<Real, 3>& other) {
    bool result = false;
    for (int k = 0; k < 3; ++k) {
      result |= other.end[0][k] < box.inward[1][k];
      result |= other.end[1][k] < box.inward[0][k];
    }
    return result;
  }
};

/// The axes of A, for the extents of B's boxes.
template <class Real>
struct AxesOfA : FaceAxes<Real> {
  TANDEM_HD AxesOfA(const Pose& b_in_a, const Aabb& a_root, const Aabb& b_root) {
    const QueryMargin margin(b_in_a, a_root, b_root);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) this->set(j, i, b_in_a.rotation(i, j));
      this->place(i, b_in_a.translation()[i], accumulated(margin.rounding()));
    }
  }
};

/// The axes of B, for the extents of A's boxes. The margin covers how far from rigid the pose is.
template <class Real>
struct AxesOfB : FaceAxes<Real> {
  TANDEM_HD AxesOfB(const Pose& b_in_a, const Aabb& a_root, const Aabb& b_root) {
    const QueryMargin margin(b_in_a, a_root, b_root);
    for (int j = 0; j < 3; ++j) {
      double offset = 0;
      for (int i = 0; i < 3; ++i) {
        this->set(i, j, b_in_a.rotation(i, j));
        offset -= b_in_a.rotation(i, j) * b_in_a.translation()[i];
      }
      this->place(j, offset, accumulated(2 * margin.along_b()));
    }
  }
};

}  // namespace tandem::detail
