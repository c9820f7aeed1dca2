// Axis alignment of restricted boxes by lookup tables (restricted boxtree paper, section 3.2.2).
#pragma once

#include <tandem/pose.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "volume/restricted_axes.h"
#include "volume/restricted_box.h"

namespace tandem::detail {

/// Truncation, which types that stand for double overload.
inline int to_int(double x) {
  return static_cast<int>(x);
}

/// Axis alignment with the products taken from a table. Sides are rounded outward to a grid over
/// the root, so that a cut moves them by a whole number of cells. 10 operations. The table makes it
/// a test for the host alone.
template <class Real = double>
class RestrictedLookup {
 public:
  static constexpr std::string_view k_name = "lookup";
  static constexpr std::string_view k_description =
      "realigned, with products from a table (boxtrees)";

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
    // How many cells the side has moved; one less, because its place is rounded.
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
  /// Cells per unit of length.
  Real cells_[3];
  std::uint8_t end_[2][3][3];
  std::vector<Real> moves_;
};

}  // namespace tandem::detail
