// Restricted boxes (restricted boxtree paper, section 3.1): a child's box is its parent's with one
// side moved inward.
//
// The bounds of a box are stored so that they increase when it shrinks: lower bounds as they are,
// upper bounds negated. A cut then does the same whichever side it moves.
#pragma once

#include <cstdint>

#include "volume/aabb.h"

namespace tandem::detail {

/// One side of a box, moved inward.
struct Cut {
  int axis;
  /// 0: the lower side. 1: the upper side.
  int side;
  /// Where it goes: a lower bound, or an upper bound negated.
  double inward;
};

/// The most cuts that can lead from the root's box to another box: at each of the 62 levels of the
/// deepest hierarchy one, and six more to trim the box there.
inline constexpr int k_max_cuts = 7 * 62;

/// A box along its own axes, and the side that moved last.
template <class Real = double>
struct RestrictedBox {
  /// Lower bounds, and upper bounds negated.
  Real inward[2][3];
  std::uint8_t axis = 0;
  std::uint8_t side = 0;

  RestrictedBox() = default;
  TANDEM_HD explicit RestrictedBox(const Aabb& box) {
    for (int i = 0; i < 3; ++i) {
      inward[0][i] = double{box.lower[i]};
      inward[1][i] = -double{box.upper[i]};
    }
  }

  TANDEM_HD Real lower(int i) const { return inward[0][i]; }
  TANDEM_HD Real upper(int i) const { return Real(0) - inward[1][i]; }
  TANDEM_HD Real length(int i) const { return Real(0) - (inward[0][i] + inward[1][i]); }
  TANDEM_HD Real size() const { return length(0) * length(1) * length(2); }

  /// Returns by how much the side moved. One operation.
  TANDEM_HD Real move(const Cut& cut) {
    axis = static_cast<std::uint8_t>(cut.axis);
    side = static_cast<std::uint8_t>(cut.side);
    Real& moving = inward[cut.side][cut.axis];
    const Real by = Real(cut.inward) - moving;
    moving = cut.inward;
    return by;
  }
};

}  // namespace tandem::detail
