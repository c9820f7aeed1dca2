// Whether two whole models are apart: what most queries of a planner need, and no more.
#pragma once

#include <tandem/host_device.h>
#include <tandem/pose.h>

#include <cmath>

#include "tree/wide/tree.h"

namespace tandem::detail {

/// True when the boxes of both meshes are apart along one of their six axes. Then nothing touches.
///
/// In double precision a sum of products is off by some 2^-51 of the sum of their magnitudes, and
/// so are the corners that queries move; below 1e-60 those become zero. Margins are far larger.
TANDEM_HD inline bool roots_apart(const WideTreeView& a, const WideTreeView& b,
                                  const Pose& b_in_a) {
  const CentredBox& box_a = a.box;
  const CentredBox& box_b = b.box;
  // Along A's axes.
  double between[3];
  double margin = 0;
  for (int i = 0; i < 3; ++i) {
    between[i] = b_in_a.translation()[i] - box_a.centre[i];
    double magnitude = std::fabs(b_in_a.translation()[i]) + std::fabs(box_a.centre[i]);
    double reach = box_a.half[i];
    for (int j = 0; j < 3; ++j) {
      const double product = b_in_a.rotation(i, j) * box_b.centre[j];
      between[i] += product;
      magnitude += std::fabs(product);
      reach += std::fabs(b_in_a.rotation(i, j)) * box_b.half[j];
    }
    const double along = (magnitude + reach) * 0x1p-40 + 1e-59;
    if (std::fabs(between[i]) > reach + along) return true;
    margin = margin < along ? along : margin;
  }
  // Along B's axes, the columns of the rotation. They are orthogonal only to some millionths, so
  // the other sides of B's box count a little.
  const double others = 4e-6 * (box_b.half[0] + box_b.half[1] + box_b.half[2]) + 4 * margin;
  for (int j = 0; j < 3; ++j) {
    double distance = 0;
    double reach = box_b.half[j] + others;
    for (int i = 0; i < 3; ++i) {
      distance += b_in_a.rotation(i, j) * between[i];
      reach += std::fabs(b_in_a.rotation(i, j)) * box_a.half[i];
    }
    if (std::fabs(distance) > reach) return true;
  }
  return false;
}

}  // namespace tandem::detail
