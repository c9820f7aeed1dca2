// A mesh in the memory of a CUDA device. Part of tandem::cuda.
#pragma once

#include <tandem/mesh.h>

#include <cstddef>

namespace tandem::cuda {

/// A mesh in the memory of the current device. Nothing of it is checked there: indices must be
/// those of vertices, and if coordinates are not finite, queries may miss what they should find.
struct DeviceMesh {
  const Vec3f* vertices = nullptr;
  std::size_t vertex_count = 0;
  const TriangleIndices* triangles = nullptr;
  std::size_t triangle_count = 0;
};

}  // namespace tandem::cuda
