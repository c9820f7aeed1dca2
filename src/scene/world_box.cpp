#include "scene/world_box.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "query/model_access.h"
#include "structure/wide.h"

namespace tandem::detail {
namespace {

/// How far R Rᵀ is from the identity: by how much points are off that go into the object's frame by
/// the transpose and back.
double distance_from_rigid(const Pose& pose) {
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      double sum = i == j ? -1 : 0;
      for (int k = 0; k < 3; ++k) sum += pose.rotation(i, k) * pose.rotation(j, k);
      largest = std::max(largest, std::fabs(sum));
    }
  }
  return largest;
}

}  // namespace

WorldBox world_box(const Model& model, const Pose& in_world) {
  WorldBox box;
  if (model.mesh().empty()) {
    constexpr double k_infinity = std::numeric_limits<double>::infinity();
    return {{k_infinity, k_infinity, k_infinity}, {-k_infinity, -k_infinity, -k_infinity}};
  }
  const WideTreeView& tree = structures_of(model).get<WideStructure>().view();
  const RootBox& root = tree.root;
  const Vec3d& move = in_world.translation();
  // Sums are off by some 2^-50 of the largest coordinates, here and where queries move corners,
  // which become zero below 1e-60. No row of a matrix with entries of at most e sums up to more
  // than 3 e. The last part is for rays.
  const double largest =
      std::fabs(move.x) + std::fabs(move.y) + std::fabs(move.z) + 2 * root.farthest;
  const double margin =
      0x1p-40 * largest + 1e-59 + (4 * distance_from_rigid(in_world) + 0x1p-21) * root.farthest;
  for (int i = 0; i < 3; ++i) {
    const Vec3d row{in_world.rotation(i, 0), in_world.rotation(i, 1), in_world.rotation(i, 2)};
    const double centre = move[i] + dot(row, root.centre);
    // The box and the support function each know something that the other does not.
    double reach = 0;
    for (int k = 0; k < 3; ++k) reach += std::fabs(row[k]) * root.half[k];
    box.lower[i] = centre - std::min(reach, tree.support(-1.0 * row)) - margin;
    box.upper[i] = centre + std::min(reach, tree.support(row)) + margin;
  }
  return box;
}

}  // namespace tandem::detail
