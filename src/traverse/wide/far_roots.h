// Whether two whole models are farther apart than a distance.
#pragma once

#include <tandem/host_device.h>
#include <tandem/pose.h>

#include <cmath>

#include "traverse/wide/roots.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// Whether both meshes are seen to be farther apart than `within` along lines that come closer and
/// closer to the gap, by Gilbert's method. Each direction leads from about a point of A to one of
/// B, at first from centre to centre. It is turned towards the line between the points that reach
/// farthest along it, as far as that makes it shorter. Once it is no longer than `within`, there is
/// no such gap.
///
/// Any direction will do. What is computed is as far off as in `for_each_gap`.
TANDEM_HD inline bool apart_across_gap(const WideTreeView& a, const WideTreeView& b,
                                       const Pose& b_in_a, double within) {
  constexpr int k_directions = 8;
  // Where the third one sees no more than this share of the distance, others seldom see enough.
  constexpr double k_poor_gap = 0.4;
  const Vec3d between = BetweenCentres(a.root, b.root, b_in_a).way;
  const Vec3d& move = b_in_a.translation();
  const double margin = 0x1p-40 * (std::fabs(move.x) + std::fabs(move.y) + std::fabs(move.z) +
                                   a.root.farthest + b.root.farthest) +
                        1e-59;
  Vec3d direction = between;
  for (int k = 0; k < k_directions; ++k) {
    const double length_sq = dot(direction, direction);
    if (!(length_sq > within * within)) return false;
    Vec3d back;
    for (int j = 0; j < 3; ++j) {
      back[j] = -(b_in_a.rotation(0, j) * direction.x + b_in_a.rotation(1, j) * direction.y +
                  b_in_a.rotation(2, j) * direction.z);
    }
    const SupportMap::Reach of_a = a.support.reach(direction);
    const SupportMap::Reach of_b = b.support.reach(back);
    const double off =
        margin * (std::fabs(direction.x) + std::fabs(direction.y) + std::fabs(direction.z));
    const double gap = dot(direction, between) - of_a.distance - of_b.distance - off;
    const double wanted = within * std::sqrt(length_sq);
    if (k_sure_gap * gap > wanted) return true;
    if (k == 2 && gap < k_poor_gap * wanted) return false;
    Vec3d step = between - of_a.point - direction;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) step[i] += b_in_a.rotation(i, j) * of_b.point[j];
    }
    const double along = -dot(direction, step);
    const double step_sq = dot(step, step);
    if (!(along > 0 && step_sq > 0)) return false;
    direction += (along < step_sq ? along / step_sq : 1) * step;
  }
  return false;
}

/// True when both meshes are surely farther apart than `within`, which is not 0. More directions
/// are tried where a gap is known that is more than a share of it: a search for what is close takes
/// longer than that.
TANDEM_HD inline bool roots_far_apart(const WideTreeView& a, const WideTreeView& b,
                                      const Pose& b_in_a, double within) {
  constexpr double k_promising_gap = 0.65;
  double largest = 0;
  const auto is_enough = [&](const auto& gap) {
    const double distance = gap();
    largest = distance > largest ? distance : largest;
    return distance * k_sure_gap > within;
  };
  return for_each_gap(a, b, b_in_a, is_enough) ||
         (largest > k_promising_gap * within && apart_across_gap(a, b, b_in_a, within));
}

}  // namespace tandem::detail
