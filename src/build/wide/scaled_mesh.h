// A mesh in the coordinates that wide trees store.
#pragma once

#include <tandem/mesh.h>

#include <cstdint>
#include <span>

#include "build/mesh_frame.h"
#include "math/float4.h"
#include "tree/wide/large_pages.h"

namespace tandem::detail {

/// See `MeshFrame`.
class ScaledMesh {
 public:
  explicit ScaledMesh(const Mesh& mesh, int threads = 1);

  std::uint32_t triangle_count() const { return static_cast<std::uint32_t>(triangles_.size()); }
  /// A triangle's corners; the fourth lane holds 0.
  struct Corners {
    Float4 corner[3];
  };
  Corners triangle(std::uint32_t id) const {
    const TriangleIndices& t = triangles_[id];
    return {{vertices_[t[0]], vertices_[t[1]], vertices_[t[2]]}};
  }

  const MeshFrame& frame() const { return frame_; }

 private:
  std::span<const TriangleIndices> triangles_;
  LargeVector<Float4> vertices_;
  MeshFrame frame_;
};

}  // namespace tandem::detail
