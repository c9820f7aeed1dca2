#include "mesh/gltf/placement.h"

#include <tandem/error.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tandem::detail {

namespace {

using Matrix = std::array<double, 9>;

Vec3d row_of(const Matrix& m, int i) {
  return {m[3 * i], m[3 * i + 1], m[3 * i + 2]};
}

/// What `Pose::from_rotation` accepts, in the same arithmetic.
bool is_rotation(const Matrix& m) {
  constexpr double k_accepted = 1e-6;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const double wanted = i == j ? 1 : 0;
      if (!(std::fabs(dot(row_of(m, i), row_of(m, j)) - wanted) <= k_accepted)) return false;
    }
  }
  return dot(row_of(m, 0), cross(row_of(m, 1), row_of(m, 2))) > 0;
}

Matrix divided(Matrix m, double divisor) {
  for (double& entry : m) entry /= divisor;
  return m;
}

/// The scale of a matrix that is a rotation times a scale: the root of the mean of its rows'
/// squares. 0 for the zero matrix.
double mean_scale(const Matrix& m) {
  double largest = 0;
  for (const double entry : m) largest = std::max(largest, std::fabs(entry));
  if (largest == 0) return 0;
  double sum = 0;
  for (const double entry : divided(m, largest)) sum += entry * entry;  // from 1 to 9
  return largest * std::sqrt(sum / 3);
}

}  // namespace

GltfPlacement GltfPlacements::place(std::uint32_t mesh, const GltfTransform& in_world,
                                    double scale) {
  Matrix linear{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) linear[3 * i + j] = in_world.rows[i][j] + 0.0;  // -0 becomes 0
  }
  if (!std::ranges::all_of(linear, [](double entry) { return std::isfinite(entry); })) {
    throw Error("its transform has an entry that is not finite");
  }
  const Vec3d translation =
      scale * Vec3d(in_world.rows[0][3], in_world.rows[1][3], in_world.rows[2][3]);

  const double mesh_scale = find_scale(mesh, linear);
  if (mesh_scale == 0) {
    const auto [known, is_new] = by_matrix_.try_emplace({mesh, linear});
    if (is_new) known->second = add(mesh, linear);
    return {known->second, Pose::from_translation(translation)};
  }
  const auto [known, is_new] = by_scale_.try_emplace({mesh, mesh_scale});
  if (is_new) known->second = add(mesh, {mesh_scale, 0, 0, 0, mesh_scale, 0, 0, 0, mesh_scale});
  return {known->second, Pose::from_rotation(divided(linear, mesh_scale), translation)};
}

double GltfPlacements::find_scale(std::uint32_t mesh, const Matrix& linear) const {
  if (is_rotation(linear)) return 1;
  const double scale = mean_scale(linear);
  if (scale == 0 || !is_rotation(divided(linear, scale))) return 0;
  // The nearest scales that this mesh has been baked with.
  const auto above = by_scale_.lower_bound({mesh, scale});
  if (above != by_scale_.end() && above->first.first == mesh &&
      is_rotation(divided(linear, above->first.second))) {
    return above->first.second;
  }
  if (above != by_scale_.begin()) {
    const auto& [key, unused] = *std::prev(above);
    if (key.first == mesh && is_rotation(divided(linear, key.second))) return key.second;
  }
  return scale;
}

std::uint32_t GltfPlacements::add(std::uint32_t mesh, const Matrix& linear) {
  GltfBakedMesh baked{.mesh = mesh, .baked = {}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) baked.baked.rows[i][j] = linear[3 * i + j];
  }
  baked_meshes_.push_back(baked);
  return static_cast<std::uint32_t>(baked_meshes_.size() - 1);
}

}  // namespace tandem::detail
