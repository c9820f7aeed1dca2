// Which side of a box to move inward.
#pragma once

#include "volume/aabb.h"
#include "volume/restricted_box.h"

namespace tandem::detail {

/// A cut and the share of the box that it removes.
struct ChosenCut {
  Cut cut;
  double share;
};

/// The larger of the two cuts along one axis that leave `inside` uncut. `inside` lies in the box.
TANDEM_HD inline ChosenCut best_cut_along(int axis, const RestrictedBox<>& box,
                                          const Aabb& inside) {
  const RestrictedBox<> tight(inside);
  const double below = tight.inward[0][axis] - box.inward[0][axis];
  const double above = tight.inward[1][axis] - box.inward[1][axis];
  const int side = above > below ? 1 : 0;
  const double by = side == 1 ? above : below;
  return {{axis, side, tight.inward[side][axis]}, by > 0 ? by / box.length(axis) : 0};
}

/// The largest such cut along any axis.
TANDEM_HD inline ChosenCut best_cut(const RestrictedBox<>& box, const Aabb& inside) {
  ChosenCut best = best_cut_along(0, box, inside);
  for (int axis = 1; axis < 3; ++axis) {
    const ChosenCut cut = best_cut_along(axis, box, inside);
    if (cut.share > best.share) best = cut;
  }
  return best;
}

}  // namespace tandem::detail
