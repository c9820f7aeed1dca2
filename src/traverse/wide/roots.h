// Whether two whole models are apart: what most queries of a planner need, and no more.
#pragma once

#include <tandem/host_device.h>
#include <tandem/pose.h>

#include <cmath>

#include "tree/wide/tree.h"

namespace tandem::detail {

/// True when the boxes of both meshes are apart: their spheres, or along one of their six axes.
/// Then nothing touches.
///
/// In double precision sums of products are off by some 2^-50 of the largest coordinates, and so
/// are the corners that queries move; below 1e-60 those become zero. The margin is far larger.
TANDEM_HD inline bool roots_apart(const RootBox& a, const RootBox& b, const Pose& b_in_a) {
  const Vec3d& move = b_in_a.translation();
  double between[3];
  double distance_sq = 0;
  for (int i = 0; i < 3; ++i) {
    between[i] = (move[i] - a.centre[i]) + b_in_a.rotation(i, 0) * b.centre[0] +
                 b_in_a.rotation(i, 1) * b.centre[1] + b_in_a.rotation(i, 2) * b.centre[2];
    distance_sq += between[i] * between[i];
  }
  const double largest =
      std::fabs(move.x) + std::fabs(move.y) + std::fabs(move.z) + a.farthest + b.farthest;
  const double margin = 0x1p-40 * largest + 1e-59;
  // A pose may stretch by some millionths.
  const double radii = a.radius + b.radius * 1.00001 + margin;
  if (distance_sq > radii * radii * (1 + 0x1p-40)) return true;
  // Along A's axes.
  for (int i = 0; i < 3; ++i) {
    double reach = a.half[i] + margin;
    for (int j = 0; j < 3; ++j) reach += std::fabs(b_in_a.rotation(i, j)) * b.half[j];
    if (std::fabs(between[i]) > reach) return true;
  }
  // Along B's axes, the columns of the rotation. They are orthogonal only to some millionths, so
  // the other sides of B's box count a little.
  const double others = 1e-5 * b.radius + 2 * margin;
  for (int j = 0; j < 3; ++j) {
    double distance = 0;
    double reach = b.half[j] + others;
    for (int i = 0; i < 3; ++i) {
      distance += b_in_a.rotation(i, j) * between[i];
      reach += std::fabs(b_in_a.rotation(i, j)) * a.half[i];
    }
    if (std::fabs(distance) > reach) return true;
  }
  return false;
}

}  // namespace tandem::detail
