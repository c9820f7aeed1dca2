// The box of a wide tree in the world, wherever its mesh stands.
#pragma once

#include <tandem/host_device.h>
#include <tandem/pose.h>
#include <tandem/vec.h>

#include <cmath>
#include <limits>

#include "math/rigid.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// Empty, and apart from all others, where a lower bound exceeds its upper one.
struct WorldBox {
  Vec3d lower;
  Vec3d upper;

  TANDEM_HD bool overlaps(const WorldBox& other) const {
    bool result = true;
    for (int k = 0; k < 3; ++k) {
      result &= lower[k] <= other.upper[k] && other.lower[k] <= upper[k];
    }
    return result;
  }

  /// Whether along each axis there is at most `reach` between the two.
  TANDEM_HD bool overlaps(const WorldBox& other, double reach) const {
    bool result = true;
    for (int k = 0; k < 3; ++k) {
      result &= lower[k] - reach <= other.upper[k] && other.lower[k] - reach <= upper[k];
    }
    return result;
  }
};

/// Encloses all points that queries see of the mesh, however they round: if two meshes touch by
/// `relative_pose` of their poses, their boxes overlap. It has room for what rays are off because
/// they are rounded to float32 in the mesh's frame (scene.cpp). Empty for an empty mesh.
TANDEM_HD inline WorldBox world_box(const WideTreeView& tree, const Pose& in_world) {
  WorldBox box;
  if (tree.empty()) {
    constexpr double k_infinity = std::numeric_limits<double>::infinity();
    return {{k_infinity, k_infinity, k_infinity}, {-k_infinity, -k_infinity, -k_infinity}};
  }
  const RootBox& root = tree.root;
  const Vec3d& move = in_world.translation();
  // Sums are off by some 2^-50 of the largest coordinates, here and where queries move corners,
  // which become zero below 1e-60. No row of a matrix with entries of at most e sums up to more
  // than 3 e; by how far R Rᵀ is from the identity points are off that go into the mesh's frame by
  // the transpose and back. The last part is for rays.
  RotationRows turn;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) turn.rows[i][j] = in_world.rotation(i, j);
  }
  const double largest =
      std::fabs(move.x) + std::fabs(move.y) + std::fabs(move.z) + 2 * root.farthest;
  const double margin =
      0x1p-40 * largest + 1e-59 + (4 * turn.deviation() + 0x1p-21) * root.farthest;
  for (int i = 0; i < 3; ++i) {
    const Vec3d row{turn.rows[i][0], turn.rows[i][1], turn.rows[i][2]};
    const double centre = move[i] + dot(row, root.centre);
    // The box and the support function each know something that the other does not.
    double reach = 0;
    for (int k = 0; k < 3; ++k) reach += std::fabs(row[k]) * root.half[k];
    box.lower[i] = centre - std::fmin(reach, tree.support(-1.0 * row)) - margin;
    box.upper[i] = centre + std::fmin(reach, tree.support(row)) + margin;
  }
  return box;
}

}  // namespace tandem::detail
