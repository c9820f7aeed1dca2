// Overlap of axis-aligned boxes under a pose, in double and conservative under every rounding.
#pragma once

#include <tandem/pose.h>

#include <cmath>
#include <string_view>

#include "math/transform.h"
#include "math/type_list.h"
#include "volume/aabb.h"
#include "volume/box_axes.h"
#include "volume/margin.h"
#include "volume/moving_pose.h"

namespace tandem::detail {

/// For poses that only move: B's box stays aligned. Rounding is monotonic, so the moved box
/// encloses the moved vertices exactly and the test needs no margin.
class AlignedAabbOverlap {
 public:
  using Tumbled = const Aabb&;
  static constexpr std::string_view k_name = "aligned";
  static constexpr std::string_view k_description = "plain intervals, for poses that only move";
  static constexpr bool k_tumbles = false;
  static constexpr bool k_tests_leaves = true;

  TANDEM_HD static bool fits(const Pose& b_in_a) { return b_in_a.is_translation(); }

  TANDEM_HD AlignedAabbOverlap(const Pose& b_in_a, const Aabb&, const Aabb&)
      : translation_(b_in_a.translation()) {}

  TANDEM_HD Tumbled tumble(const Aabb& b) const { return b; }

  TANDEM_HD bool operator()(const Aabb& a, const Aabb& b) const {
    return overlap(a.lower.x, a.upper.x, b.lower.x, b.upper.x, translation_.x) &&
           overlap(a.lower.y, a.upper.y, b.lower.y, b.upper.y, translation_.y) &&
           overlap(a.lower.z, a.upper.z, b.lower.z, b.upper.z, translation_.z);
  }

 private:
  TANDEM_HD static bool overlap(float a_lower, float a_upper, float b_lower, float b_upper,
                                double moved) {
    return flush_tiny(double{b_lower} + moved) <= a_upper &&
           flush_tiny(double{b_upper} + moved) >= a_lower;
  }

  Vec3d translation_;
};

/// The box in one frame around a box in the other. Each bound is a sum of three products plus an
/// offset that includes the margin; the sign of a matrix entry decides whether it multiplies the
/// lower or the upper bound. 36 operations for all six bounds.
template <class Real>
struct BoxTransform {
  Real matrix[3][3];
  Real lower_offset[3];
  Real upper_offset[3];
  bool negative[3][3];

  TANDEM_HD void set(int row, int column, double entry) {
    matrix[row][column] = entry;
    negative[row][column] = entry < 0;
  }

  TANDEM_HD Real lower(int row, const Aabb& box) const {
    Real sum = lower_offset[row];
    for (int j = 0; j < 3; ++j) {
      sum = sum + matrix[row][j] * Real(negative[row][j] ? box.upper[j] : box.lower[j]);
    }
    return sum;
  }
  TANDEM_HD Real upper(int row, const Aabb& box) const {
    Real sum = upper_offset[row];
    for (int j = 0; j < 3; ++j) {
      sum = sum + matrix[row][j] * Real(negative[row][j] ? box.lower[j] : box.upper[j]);
    }
    return sum;
  }
};

/// Axis alignment: B's box is replaced by its box along A's axes. 42 operations for each pair, 36
/// of them for B's box alone.
template <class Real = double>
class RealignedAabbOverlap {
 public:
  struct Tumbled {
    Real lower[3];
    Real upper[3];
  };
  static constexpr std::string_view k_name = "realigned";
  static constexpr std::string_view k_description = "B's box is replaced by its box along A's axes";
  static constexpr bool k_tumbles = true;
  static constexpr bool k_tests_leaves = true;

  TANDEM_HD RealignedAabbOverlap(const Pose& b_in_a, const Aabb& a_root, const Aabb& b_root) {
    const QueryMargin margin(b_in_a, a_root, b_root);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) to_a_.set(i, j, b_in_a.rotation(i, j));
      to_a_.lower_offset[i] = b_in_a.translation()[i] - margin.rounding();
      to_a_.upper_offset[i] = b_in_a.translation()[i] + margin.rounding();
    }
  }

  TANDEM_HD Tumbled tumble(const Aabb& b) const {
    Tumbled result;
    for (int i = 0; i < 3; ++i) {
      result.lower[i] = to_a_.lower(i, b);
      result.upper[i] = to_a_.upper(i, b);
    }
    return result;
  }

  TANDEM_HD bool operator()(const Aabb& a, const Tumbled& b) const {
    for (int i = 0; i < 3; ++i) {
      if (b.lower[i] > Real(a.upper[i]) || b.upper[i] < Real(a.lower[i])) return false;
    }
    return true;
  }

 private:
  BoxTransform<Real> to_a_;
};

/// The axes of both boxes (SAT lite): axis alignment one way, then the other. 84 operations for
/// each pair, 36 of them for B's box alone.
template <class Real = double>
class SixAxisAabbOverlap {
 public:
  struct Tumbled {
    typename RealignedAabbOverlap<Real>::Tumbled in_a;
    const Aabb* in_b;
  };
  static constexpr std::string_view k_name = "six-axes";
  static constexpr std::string_view k_description = "the axes of both boxes";
  static constexpr bool k_tumbles = true;
  static constexpr bool k_tests_leaves = true;

  TANDEM_HD SixAxisAabbOverlap(const Pose& b_in_a, const Aabb& a_root, const Aabb& b_root)
      : along_a_(b_in_a, a_root, b_root) {
    // B's axis j is column j of the rotation. Along it, B's box is its own interval; the margin
    // covers how far from rigid the pose is.
    const QueryMargin margin(b_in_a, a_root, b_root);
    for (int j = 0; j < 3; ++j) {
      double moved = 0;
      for (int i = 0; i < 3; ++i) {
        to_b_.set(j, i, b_in_a.rotation(i, j));
        moved += b_in_a.rotation(i, j) * b_in_a.translation()[i];
      }
      to_b_.lower_offset[j] = -moved - 2 * margin.along_b();
      to_b_.upper_offset[j] = -moved + 2 * margin.along_b();
    }
  }

  TANDEM_HD Tumbled tumble(const Aabb& b) const { return {along_a_.tumble(b), &b}; }

  TANDEM_HD bool operator()(const Aabb& a, const Tumbled& b) const {
    if (!along_a_(a, b.in_a)) return false;
    for (int j = 0; j < 3; ++j) {
      if (to_b_.lower(j, a) > Real(b.in_b->upper[j]) ||
          to_b_.upper(j, a) < Real(b.in_b->lower[j])) {
        return false;
      }
    }
    return true;
  }

 private:
  RealignedAabbOverlap<Real> along_a_;
  BoxTransform<Real> to_b_;
};

/// All 15 separating axes of the two boxes.
template <class Real = double>
class FifteenAxisAabbOverlap {
 public:
  /// B's box in A's frame: its centre there, and half its sides along its own axes.
  struct Tumbled {
    Real centre[3];
    Real half[3];
  };
  static constexpr std::string_view k_name = "fifteen-axes";
  static constexpr std::string_view k_description = "all separating axes of both boxes";
  static constexpr bool k_tumbles = true;
  static constexpr bool k_tests_leaves = true;

  TANDEM_HD FifteenAxisAabbOverlap(const Pose& b_in_a, const Aabb& a_root, const Aabb& b_root)
      : b_in_a_(b_in_a) {
    const QueryMargin margin(b_in_a, a_root, b_root);
    // Projections assume orthonormal columns: they are off by at most three times the deviation.
    const double enlarged = 4 * margin.deviation() + 1e-14;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) abs_[i][j] = std::fabs(b_in_a.rotation(i, j)) + enlarged;
    }
    slack_ = margin.along_b();
  }

  TANDEM_HD Tumbled tumble(const Aabb& b) const {
    Real centre[3];
    Tumbled result;
    split(b, centre, result.half);
    b_in_a_.move(centre, result.centre);
    return result;
  }

  TANDEM_HD bool operator()(const Aabb& a, const Tumbled& b) const {
    Real between[3];
    Real half[3];
    split(a, between, half);
    for (int i = 0; i < 3; ++i) between[i] = b.centre[i] - between[i];
    const BoxAxes<Real> axes(b_in_a_.rotation, abs_, between, half, b.half);
    return !axes.separated([this](const Real& reach) { return reach + slack_; });
  }

 private:
  /// Centre and half sides.
  TANDEM_HD static void split(const Aabb& box, Real (&centre)[3], Real (&half)[3]) {
    for (int i = 0; i < 3; ++i) {
      centre[i] = Real(0.5) * (Real(box.lower[i]) + Real(box.upper[i]));
      half[i] = Real(0.5) * (Real(box.upper[i]) - Real(box.lower[i]));
    }
  }

  MovingPose<Real> b_in_a_;
  /// |rotation|, enlarged by how far from rigid it is.
  Real abs_[3][3];
  Real slack_;
};

static_assert(OverlapTest<AlignedAabbOverlap, Aabb>);
static_assert(OverlapTest<FifteenAxisAabbOverlap<>, Aabb>);
static_assert(OverlapTest<SixAxisAabbOverlap<>, Aabb>);
static_assert(OverlapTest<RealignedAabbOverlap<>, Aabb>);

template <>
struct OverlapTestsOf<Aabb> {
  using Types = TypeList<AlignedAabbOverlap, FifteenAxisAabbOverlap<>, SixAxisAabbOverlap<>,
                         RealignedAabbOverlap<>>;
};

}  // namespace tandem::detail
