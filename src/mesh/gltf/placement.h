// The transform of a node, divided: a part of an assembly has a pose, which is rigid, and what is
// not goes into the vertices of its mesh.
#pragma once

#include <tandem/pose.h>

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "mesh/gltf/transform.h"

namespace tandem::detail {

/// A mesh of the file with a transform that its vertices go through.
struct GltfBakedMesh {
  std::uint32_t mesh;
  GltfTransform baked;
};

/// Which of the baked meshes a node shows, and where.
struct GltfPlacement {
  std::uint32_t baked_mesh;
  Pose pose;
};

/// Divides transforms so that as few meshes as possible are baked:
///
/// - A rotation, as far as poses tolerate, becomes the pose, and the mesh stays as it is.
/// - A rotation times a scale that is the same along all axes: the scale is baked, the rotation
///   becomes the pose. Scales that differ by no more than poses tolerate are one.
/// - Of any other, which mirrors, shears or scales unevenly, only the translation becomes the pose.
class GltfPlacements {
 public:
  /// Throws `tandem::Error` when the transform is not finite or moves too far for a pose. Moves
  /// `scale` times as far as the transform.
  GltfPlacement place(std::uint32_t mesh, const GltfTransform& in_world, double scale);

  const std::vector<GltfBakedMesh>& baked_meshes() const { return baked_meshes_; }

 private:
  using Matrix = std::array<double, 9>;

  /// The scale that is baked when the matrix is a rotation times a scale; 0 when it is not.
  double find_scale(std::uint32_t mesh, const Matrix& linear) const;
  std::uint32_t add(std::uint32_t mesh, const Matrix& linear);

  std::vector<GltfBakedMesh> baked_meshes_;
  std::map<std::pair<std::uint32_t, double>, std::uint32_t> by_scale_;
  std::map<std::pair<std::uint32_t, Matrix>, std::uint32_t> by_matrix_;
};

}  // namespace tandem::detail
