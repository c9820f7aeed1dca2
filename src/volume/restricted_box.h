// Restricted boxes (restricted boxtree paper, sections 3.1 and 3.2): a child's box is its parent's with
// one side moved inward. What an overlap test knows of a box is kept up to date by that one move
// instead of being worked out anew, and only what moved is compared.
//
// Four tests; operations are those of a pair whose boxes have both moved since it was last tested.
//
//   RestrictedAlignment    B's box along A's axes                              12 operations
//   RestrictedLookup       the same with products from a table                 10
//   RestrictedSatLite      the axes of both boxes                              22
//   RestrictedSat          all fifteen axes                                    70
//
// Every test has, for either side, what it knows of a box (`BoxA`, `BoxB`) and that of the root. Where
// boxes are derived by one cut each, `cut_a` and `cut_b` keep it up to date and `meets` compares what the
// last cut of either box moved, given that their parents met. Where they are derived by several cuts,
// these only move sides, `settle_a` and `settle_b` work the rest out anew once, and `meets_fully` compares
// everything.
//
// Bounds of a box are kept as numbers that grow as it shrinks (lower bounds, and upper bounds negated),
// its ends along foreign axes as numbers that fall (upper ends, and lower ends negated). Whichever side
// moves, a cut then does the same, and two boxes are apart where an end is below a bound.
//
// Extents along foreign axes are sums of products, changed by up to k_max_cuts roundings on the way
// down. Those of the root are enlarged once, by more than all of them: a pair then costs no margin.
#pragma once

#include <tandem/pose.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "volume/aabb.h"
#include "volume/margin.h"

namespace tandem::detail {

/// Conversion, for numbers that stand for double.
inline int to_int(double x) {
  return static_cast<int>(x);
}

/// One side of a box, moved inward.
struct Cut {
  int axis;
  /// 0: the lower side. 1: the upper side.
  int side;
  /// Where it goes: a lower bound, or an upper bound negated.
  double inward;
};

/// The most cuts that a box on the way down can have: those of a hierarchy of k_max_depth levels, and
/// six to trim each box.
inline constexpr int k_max_cuts = 7 * 62;

/// A box along its own axes, and the side that moved last.
template <class Real = double>
struct RestrictedBox {
  /// Lower bounds, and upper bounds negated.
  Real inward[2][3];
  std::uint8_t axis = 0;
  std::uint8_t side = 0;

  RestrictedBox() = default;
  explicit RestrictedBox(const Aabb& box) {
    for (int i = 0; i < 3; ++i) {
      inward[0][i] = double{box.lower[i]};
      inward[1][i] = -double{box.upper[i]};
    }
  }

  Real lower(int i) const { return inward[0][i]; }
  Real upper(int i) const { return Real(0) - inward[1][i]; }
  Real length(int i) const { return Real(0) - (inward[0][i] + inward[1][i]); }
  Real size() const { return length(0) * length(1) * length(2); }

  /// Returns by how much the side moved. One operation.
  Real move(const Cut& cut) {
    axis = static_cast<std::uint8_t>(cut.axis);
    side = static_cast<std::uint8_t>(cut.side);
    Real& moving = inward[cut.side][cut.axis];
    const Real by = Real(cut.inward) - moving;
    moving = cut.inward;
    return by;
  }
};

/// The box's extents along n foreign axes, and which end moved last along each.
template <class Real, int n>
struct Extents {
  /// Lower ends negated, and upper ends.
  Real end[2][n];
  std::uint8_t moved[n] = {};
};

/// How a box reaches along n foreign axes: a point's place there is offset + Σ step·coordinate. Each of
/// the box's sides has an extent along m of them, those that follow it.
template <class Real, int n, int m>
class ForeignAxes {
 public:
  using Followers = std::array<std::array<std::uint8_t, m>, 3>;

  explicit ForeignAxes(const Followers& followers) : followers_(followers) {}

  void set(int own, int foreign, double step) {
    half_step_[own][foreign] = 0.5 * step;
    half_length_[own][foreign] = 0.5 * std::fabs(step);
    length_[own][foreign] = std::fabs(step);
    end_[0][own][foreign] = step > 0 ? 0 : 1;
    end_[1][own][foreign] = step > 0 ? 1 : 0;
  }

  /// Along axis `k`, boxes are `offset` away and enlarged by `margin`.
  void place(int k, double offset, double margin) {
    offset_[k] = offset;
    margin_[k] = margin;
  }

  /// The extents of a whole box.
  void span(Extents<Real, n>& extents, const RestrictedBox<Real>& box) const {
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

  /// A side moved: one end along each follower moves. Two operations each.
  void move(Extents<Real, n>& extents, const Cut& cut, const Real& by) const {
    for (const std::uint8_t k : followers_[cut.axis]) {
      const int end = end_[cut.side][cut.axis][k];
      extents.end[end][k] = extents.end[end][k] - by * length_[cut.axis][k];
      extents.moved[k] = static_cast<std::uint8_t>(end);
    }
  }

  /// Whether the ends that moved when side `axis` was cut leave no overlap with the other's. Two
  /// operations each.
  bool moved_apart(const Extents<Real, n>& mover, int axis, const Extents<Real, n>& other) const {
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

/// What enlarges the extents of roots, given the margin of a query: each cut rounds a difference, a
/// product and a sum, each by at most a 64th of the margin.
inline double accumulated(double margin) {
  return margin * (1 + 3 * k_max_cuts / 64.0);
}

/// Three axes along which the other model's boxes are their own extents.
template <class Real>
class FaceAxes : public ForeignAxes<Real, 3, 3> {
 public:
  FaceAxes() : ForeignAxes<Real, 3, 3>({{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}}}) {}

  /// Whether what moved last separates a box from extents along its axes. Four operations.
  static bool moved_apart(const RestrictedBox<Real>& box, const Extents<Real, 3>& other) {
    bool result = other.end[1 - box.side][box.axis] < box.inward[box.side][box.axis];
    for (int k = 0; k < 3; ++k) {
      const int end = other.moved[k];
      result |= other.end[end][k] < box.inward[1 - end][k];
    }
    return result;
  }

  static bool apart(const RestrictedBox<Real>& box, const Extents<Real, 3>& other) {
    bool result = false;
    for (int k = 0; k < 3; ++k) {
      result |= other.end[0][k] < box.inward[1][k];
      result |= other.end[1][k] < box.inward[0][k];
    }
    return result;
  }
};

/// The axes of A, as B's boxes see them.
template <class Real>
struct AxesOfA : FaceAxes<Real> {
  AxesOfA(const Pose& b_in_a, const Aabb& a_root, const Aabb& b_root) {
    const QueryMargin margin(b_in_a, a_root.largest_coordinate(), b_root.largest_coordinate());
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) this->set(j, i, b_in_a.rotation(i, j));
      this->place(i, b_in_a.translation()[i], accumulated(margin.rounding()));
    }
  }
};

/// The axes of B, as A's boxes see them: B's boxes are their own extents there up to how far from
/// rigid the pose is.
template <class Real>
struct AxesOfB : FaceAxes<Real> {
  AxesOfB(const Pose& b_in_a, const Aabb& a_root, const Aabb& b_root) {
    const QueryMargin margin(b_in_a, a_root.largest_coordinate(), b_root.largest_coordinate());
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

/// Axis alignment (3.2.1): B's box is replaced by its box along A's axes.
template <class Real = double>
class RestrictedAlignment {
 public:
  using BoxA = RestrictedBox<Real>;
  struct BoxB : RestrictedBox<Real> {
    Extents<Real, 3> along_a;
  };

  RestrictedAlignment(const Pose& b_in_a, const Aabb& a_root, const Aabb& b_root)
      : axes_of_a_(b_in_a, a_root, b_root), root_a_(a_root), root_b_{BoxA(b_root), {}} {
    settle_b(root_b_);
  }

  const BoxA& root_a() const { return root_a_; }
  const BoxB& root_b() const { return root_b_; }
  void cut_a(BoxA& a, const Cut& cut) const { a.move(cut); }
  void cut_b(BoxB& b, const Cut& cut) const { axes_of_a_.move(b.along_a, cut, b.move(cut)); }
  void move_a(BoxA& a, const Cut& cut) const { a.move(cut); }
  void move_b(BoxB& b, const Cut& cut) const { b.move(cut); }
  void settle_a(BoxA&) const {}
  void settle_b(BoxB& b) const { axes_of_a_.span(b.along_a, b); }
  bool meets(const BoxA& a, const BoxB& b) const {
    return !FaceAxes<Real>::moved_apart(a, b.along_a);
  }
  bool meets_fully(const BoxA& a, const BoxB& b) const {
    return !FaceAxes<Real>::apart(a, b.along_a);
  }

 private:
  AxesOfA<Real> axes_of_a_;
  BoxA root_a_;
  BoxB root_b_;
};

/// Lookup tables (3.2.2): axis alignment with the products taken from a table. Sides are rounded
/// outward to a grid over the root, so that a cut moves them by a whole number of cells.
template <class Real = double>
class RestrictedLookup {
 public:
  static constexpr int k_cells = 1000;

  using BoxA = RestrictedBox<Real>;
  struct BoxB : RestrictedBox<Real> {
    /// How many cells each side has moved.
    std::int16_t cell[2][3];
    Extents<Real, 3> along_a;
  };

  RestrictedLookup(const Pose& b_in_a, const Aabb& a_root, const Aabb& b_root)
      : root_a_(a_root), moves_(std::size_t{9} * (k_cells + 1)) {
    const AxesOfA<Real> axes(b_in_a, a_root, b_root);
    root_b_ = {BoxA(b_root), {}, {}};
    axes.span(root_b_.along_a, root_b_);
    for (int j = 0; j < 3; ++j) {
      const double side = double{b_root.upper[j]} - b_root.lower[j];
      cells_[j] = side > 0 ? k_cells / side : 0;
      for (int i = 0; i < 3; ++i) {
        const double step = b_in_a.rotation(i, j);
        end_[0][j][i] = step > 0 ? 0 : 1;
        end_[1][j][i] = step > 0 ? 1 : 0;
        for (int n = 0; n <= k_cells; ++n) {
          moves_[at(j, i, n)] = n * (side / k_cells) * std::fabs(step);
        }
      }
    }
  }

  const BoxA& root_a() const { return root_a_; }
  const BoxB& root_b() const { return root_b_; }
  void cut_a(BoxA& a, const Cut& cut) const { a.move(cut); }
  void move_a(BoxA& a, const Cut& cut) const { a.move(cut); }
  void move_b(BoxB& b, const Cut& cut) const { cut_b(b, cut); }
  void settle_a(BoxA&) const {}
  void settle_b(BoxB&) const {}

  void cut_b(BoxB& b, const Cut& cut) const {
    b.axis = static_cast<std::uint8_t>(cut.axis);
    b.side = static_cast<std::uint8_t>(cut.side);
    b.inward[cut.side][cut.axis] = cut.inward;
    // How many cells the side has moved; one less, against the rounding of its place.
    const Real& start = root_b_.inward[cut.side][cut.axis];
    const int place = to_int((Real(cut.inward) - start) * cells_[cut.axis]) - 1;
    std::int16_t& cell = b.cell[cut.side][cut.axis];
    const int by = std::max(0, place - cell);
    cell = static_cast<std::int16_t>(cell + by);
    for (int i = 0; i < 3; ++i) {
      const int end = end_[cut.side][cut.axis][i];
      b.along_a.end[end][i] = b.along_a.end[end][i] - moves_[at(cut.axis, i, by)];
      b.along_a.moved[i] = static_cast<std::uint8_t>(end);
    }
  }

  bool meets(const BoxA& a, const BoxB& b) const {
    return !FaceAxes<Real>::moved_apart(a, b.along_a);
  }
  bool meets_fully(const BoxA& a, const BoxB& b) const {
    return !FaceAxes<Real>::apart(a, b.along_a);
  }

 private:
  static std::size_t at(int own, int foreign, int cells) {
    const int table = own * 3 + foreign;
    return static_cast<std::size_t>(table) * (k_cells + 1) + static_cast<std::size_t>(cells);
  }

  BoxA root_a_;
  BoxB root_b_;
  /// Cells a length.
  Real cells_[3];
  std::uint8_t end_[2][3][3];
  std::vector<Real> moves_;
};

/// SAT lite (3.2.4): axis alignment both ways.
template <class Real = double>
class RestrictedSatLite {
 public:
  struct BoxA : RestrictedBox<Real> {
    Extents<Real, 3> along_b;
  };
  struct BoxB : RestrictedBox<Real> {
    Extents<Real, 3> along_a;
  };

  RestrictedSatLite(const Pose& b_in_a, const Aabb& a_root, const Aabb& b_root)
      : axes_of_a_(b_in_a, a_root, b_root),
        axes_of_b_(b_in_a, a_root, b_root),
        root_a_{RestrictedBox<Real>(a_root), {}},
        root_b_{RestrictedBox<Real>(b_root), {}} {
    settle_a(root_a_);
    settle_b(root_b_);
  }

  const BoxA& root_a() const { return root_a_; }
  const BoxB& root_b() const { return root_b_; }
  /// Both return by how much the side moved.
  Real cut_a(BoxA& a, const Cut& cut) const {
    const Real by = a.move(cut);
    axes_of_b_.move(a.along_b, cut, by);
    return by;
  }
  Real cut_b(BoxB& b, const Cut& cut) const {
    const Real by = b.move(cut);
    axes_of_a_.move(b.along_a, cut, by);
    return by;
  }
  void move_a(BoxA& a, const Cut& cut) const { a.move(cut); }
  void move_b(BoxB& b, const Cut& cut) const { b.move(cut); }
  void settle_a(BoxA& a) const { axes_of_b_.span(a.along_b, a); }
  void settle_b(BoxB& b) const { axes_of_a_.span(b.along_a, b); }
  bool meets(const BoxA& a, const BoxB& b) const {
    return !FaceAxes<Real>::moved_apart(a, b.along_a) && !FaceAxes<Real>::moved_apart(b, a.along_b);
  }
  bool meets_fully(const BoxA& a, const BoxB& b) const {
    // Both at once: a branch between them would cost more.
    const bool apart_in_a = FaceAxes<Real>::apart(a, b.along_a);
    const bool apart_in_b = FaceAxes<Real>::apart(b, a.along_b);
    return static_cast<int>(apart_in_a) + static_cast<int>(apart_in_b) == 0;
  }

 private:
  AxesOfA<Real> axes_of_a_;
  AxesOfB<Real> axes_of_b_;
  BoxA root_a_;
  BoxB root_b_;
};

/// Separating axes (3.2.3): SAT lite, and the nine cross products of the boxes' edges. Along A's edge i
/// crossed with B's edge j, axis 3i + j, neither A's side i nor B's side j has an extent.
template <class Real = double>
class RestrictedSat {
 public:
  struct BoxA : RestrictedSatLite<Real>::BoxA {
    Extents<Real, 9> crossed;
  };
  struct BoxB : RestrictedSatLite<Real>::BoxB {
    Extents<Real, 9> crossed;
  };

  RestrictedSat(const Pose& b_in_a, const Aabb& a_root, const Aabb& b_root)
      : lite_(b_in_a, a_root, b_root),
        crossed_a_({{{3, 4, 5, 6, 7, 8}, {0, 1, 2, 6, 7, 8}, {0, 1, 2, 3, 4, 5}}}),
        crossed_b_({{{1, 2, 4, 5, 7, 8}, {0, 2, 3, 5, 6, 8}, {0, 1, 3, 4, 6, 7}}}),
        root_a_{lite_.root_a(), {}},
        root_b_{lite_.root_b(), {}} {
    const QueryMargin margin(b_in_a, a_root.largest_coordinate(), b_root.largest_coordinate());
    const Vec3d& t = b_in_a.translation();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        double axis[3] = {0, 0, 0};
        axis[(i + 1) % 3] = -b_in_a.rotation((i + 2) % 3, j);
        axis[(i + 2) % 3] = b_in_a.rotation((i + 1) % 3, j);
        double offset = 0;
        for (int k = 0; k < 3; ++k) {
          double along = 0;
          for (int l = 0; l < 3; ++l) along += axis[l] * b_in_a.rotation(l, k);
          crossed_a_.set(k, 3 * i + j, axis[k]);
          crossed_b_.set(k, 3 * i + j, k == j ? 0 : along);
          offset += axis[k] * t[k];
        }
        // Both boxes' extents are off.
        const double enlarged = 2 * accumulated(margin.rounding());
        crossed_a_.place(3 * i + j, 0, 0);
        crossed_b_.place(3 * i + j, offset, enlarged);
      }
    }
    settle_a(root_a_);
    settle_b(root_b_);
  }

  const BoxA& root_a() const { return root_a_; }
  const BoxB& root_b() const { return root_b_; }
  void cut_a(BoxA& a, const Cut& cut) const {
    crossed_a_.move(a.crossed, cut, lite_.cut_a(a, cut));
  }
  void cut_b(BoxB& b, const Cut& cut) const {
    crossed_b_.move(b.crossed, cut, lite_.cut_b(b, cut));
  }
  void move_a(BoxA& a, const Cut& cut) const { a.move(cut); }
  void move_b(BoxB& b, const Cut& cut) const { b.move(cut); }
  void settle_a(BoxA& a) const {
    lite_.settle_a(a);
    crossed_a_.span(a.crossed, a);
  }
  void settle_b(BoxB& b) const {
    lite_.settle_b(b);
    crossed_b_.span(b.crossed, b);
  }
  bool meets(const BoxA& a, const BoxB& b) const {
    return lite_.meets(a, b) && !crossed_a_.moved_apart(a.crossed, a.axis, b.crossed) &&
           !crossed_b_.moved_apart(b.crossed, b.axis, a.crossed);
  }
  bool meets_fully(const BoxA& a, const BoxB& b) const {
    if (!lite_.meets_fully(a, b)) return false;
    bool apart = false;
    for (int k = 0; k < 9; ++k) {
      apart |= a.crossed.end[1][k] + b.crossed.end[0][k] < Real(0);
      apart |= b.crossed.end[1][k] + a.crossed.end[0][k] < Real(0);
    }
    return !apart;
  }

 private:
  using CrossedAxes = ForeignAxes<Real, 9, 6>;

  RestrictedSatLite<Real> lite_;
  CrossedAxes crossed_a_;
  CrossedAxes crossed_b_;
  BoxA root_a_;
  BoxB root_b_;
};

}  // namespace tandem::detail
