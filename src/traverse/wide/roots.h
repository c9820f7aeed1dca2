// Whether two whole models are apart: what most queries of a planner need, and no more.
#pragma once

#include <tandem/host_device.h>
#include <tandem/pose.h>

#include <cmath>

#include "tree/wide/tree.h"

namespace tandem::detail {

/// From the centre of A's box to that of B's, in A's coordinates, and the square of that distance.
struct BetweenCentres {
  TANDEM_HD BetweenCentres(const RootBox& a, const RootBox& b, const Pose& b_in_a) {
    const Vec3d& move = b_in_a.translation();
    for (int i = 0; i < 3; ++i) {
      way[i] = (move[i] - a.centre[i]) + b_in_a.rotation(i, 0) * b.centre[0] +
               b_in_a.rotation(i, 1) * b.centre[1] + b_in_a.rotation(i, 2) * b.centre[2];
      distance_sq += way[i] * way[i];
    }
  }
  Vec3d way;
  double distance_sq = 0;
};

/// How far a box reaches from its centre in every direction.
TANDEM_HD inline double least_half(const CentredBox& box) {
  const double least = box.half.x < box.half.y ? box.half.x : box.half.y;
  return least < box.half.z ? least : box.half.z;
}

/// Whether the centres of two boxes are closer than both boxes reach in every direction.
TANDEM_HD inline bool are_close(const BetweenCentres& centres, const RootBox& a, const RootBox& b) {
  const double reach = least_half(a) + least_half(b);
  return centres.distance_sq < reach * reach;
}

/// Calls `use(gap)` for each way in which both meshes are seen to be surely apart: by their
/// spheres, along one of the six axes of their boxes, along the line from one centre to the other,
/// or along the product of an axis of each box. They are at least as far apart as `gap()` says, up
/// to some millionths of it; it is computed when it is called, as many callers need not know it.
/// Ends when `use` returns true, and returns whether it did.
///
/// In double precision sums of products are off by some 2^-50 of the largest coordinates, and so
/// are the corners that queries move; below 1e-60 those become zero. The margin is far larger.
template <class Use>
TANDEM_HD inline bool for_each_gap(const WideTreeView& tree_a, const WideTreeView& tree_b,
                                   const Pose& b_in_a, const Use& use) {
  const RootBox& a = tree_a.root;
  const RootBox& b = tree_b.root;
  const Vec3d& move = b_in_a.translation();
  const BetweenCentres centres(a, b, b_in_a);
  const Vec3d& between = centres.way;
  const double distance_sq = centres.distance_sq;
  const double largest =
      std::fabs(move.x) + std::fabs(move.y) + std::fabs(move.z) + a.farthest + b.farthest;
  const double margin = 0x1p-40 * largest + 1e-59;
  const auto is_enough = [&](double distance, double reach) {
    return distance > reach && use([&] { return distance - reach; });
  };
  // A pose may stretch by some millionths.
  const double radii = a.radius + b.radius * 1.00001 + margin;
  if (distance_sq > radii * radii * (1 + 0x1p-40)) {
    if (use([&] { return std::sqrt(distance_sq) - radii; })) return true;
  }
  // Along A's axes.
  for (int i = 0; i < 3; ++i) {
    double reach = a.half[i] + margin;
    for (int j = 0; j < 3; ++j) reach += std::fabs(b_in_a.rotation(i, j)) * b.half[j];
    if (is_enough(std::fabs(between[i]), reach)) return true;
  }
  // Along B's axes, the columns of the rotation. They are orthogonal only to some millionths, so
  // the other sides of B's box count a little, here and below.
  const double others = 1e-5 * b.radius + 2 * margin;
  Vec3d back;
  for (int j = 0; j < 3; ++j) {
    double distance = 0;
    double reach = b.half[j] + others;
    for (int i = 0; i < 3; ++i) {
      distance += b_in_a.rotation(i, j) * between[i];
      reach += std::fabs(b_in_a.rotation(i, j)) * a.half[i];
    }
    if (is_enough(std::fabs(distance), reach)) return true;
    back[j] = -distance;
  }
  // Then the boxes are apart along no axis. What is in them seldom is apart then either, and a
  // search that finds something has no time to lose.
  if (are_close(centres, a, b)) return false;
  // Along the line between the centres, which is as long as they are apart. As B's turned points
  // R x are multiplied by it, x are by Rᵀ times it, however well R turns.
  const double off = margin * (std::fabs(between.x) + std::fabs(between.y) + std::fabs(between.z));
  const double supports = tree_a.support(between) + tree_b.support(back) + off;
  if (supports < distance_sq) {
    if (use([&] { return (distance_sq - supports) / std::sqrt(distance_sq); })) return true;
  }
  // Along axis i of A times axis j of B, for edges that pass each other. Such a product is at most
  // as long as its factors, so that a gap along it is rather larger.
  for (int i = 0; i < 3; ++i) {
    const int i1 = i == 2 ? 0 : i + 1;
    const int i2 = i == 0 ? 2 : i - 1;
    for (int j = 0; j < 3; ++j) {
      const int j1 = j == 2 ? 0 : j + 1;
      const int j2 = j == 0 ? 2 : j - 1;
      const double distance =
          std::fabs(between[i2] * b_in_a.rotation(i1, j) - between[i1] * b_in_a.rotation(i2, j));
      const double reach_a = a.half[i1] * std::fabs(b_in_a.rotation(i2, j)) +
                             a.half[i2] * std::fabs(b_in_a.rotation(i1, j));
      const double reach_b = b.half[j1] * std::fabs(b_in_a.rotation(i, j2)) +
                             b.half[j2] * std::fabs(b_in_a.rotation(i, j1));
      if (is_enough(distance, reach_a + reach_b + others)) return true;
    }
  }
  return false;
}

/// Of a gap this share is sure.
inline constexpr double k_sure_gap = 0.9999;

/// True when both meshes are surely farther apart than `within`.
TANDEM_HD inline bool roots_apart(const WideTreeView& a, const WideTreeView& b, const Pose& b_in_a,
                                  double within = 0) {
  return for_each_gap(a, b, b_in_a, [within](const auto& gap) {
    return within == 0 || gap() * k_sure_gap > within;
  });
}

/// Both meshes are surely farther apart than this; 0 when it is not sure that they are apart.
TANDEM_HD inline double largest_gap(const WideTreeView& a, const WideTreeView& b,
                                    const Pose& b_in_a) {
  double largest = 0;
  for_each_gap(a, b, b_in_a, [&](const auto& gap) {
    const double distance = gap();
    largest = distance > largest ? distance : largest;
    return false;
  });
  return largest * k_sure_gap;
}

}  // namespace tandem::detail
