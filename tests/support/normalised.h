// Meshes of any size and position, brought to the same size and place.
#pragma once

#include <tandem/mesh.h>

#include <algorithm>
#include <vector>

namespace tandem::test {

/// The mesh scaled to a longest side of 2 around the origin, so that any two meshes are close. Not
/// for empty meshes.
inline Mesh normalised(const Mesh& mesh) {
  const Bounds bounds = mesh.bounds();
  double longest = 0;
  Vec3d centre;
  for (int axis = 0; axis < 3; ++axis) {
    longest = std::max(longest, double{bounds.upper[axis]} - bounds.lower[axis]);
    centre[axis] = 0.5 * (double{bounds.upper[axis]} + bounds.lower[axis]);
  }
  std::vector<Vec3f> vertices;
  for (const Vec3f& v : mesh.vertices()) vertices.emplace_back((2 / longest) * (Vec3d(v) - centre));
  return {std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()}};
}

}  // namespace tandem::test
