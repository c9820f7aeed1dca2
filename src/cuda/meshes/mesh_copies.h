// Copies of meshes in the memory of a device.
#pragma once

#include <tandem/cuda/device_mesh.h>

#include <cstddef>
#include <span>
#include <vector>

#include "cuda/device_array.h"

namespace tandem::cuda {

/// Copies of meshes of the host, behind each other, so that one copy has the vertices of all and
/// one the triangles. What is empty has no part in it.
class MeshCopies {
 public:
  MeshCopies(std::span<const Mesh> meshes, const Place& place)
      : vertices_(sum_of(meshes, &Mesh::vertex_count), place),
        triangles_(sum_of(meshes, &Mesh::triangle_count), place) {
    std::vector<Vec3f> vertices;
    std::vector<TriangleIndices> triangles;
    vertices.reserve(vertices_.bytes() / sizeof(Vec3f));
    triangles.reserve(triangles_.bytes() / sizeof(TriangleIndices));
    for (const Mesh& mesh : meshes) {
      views_.push_back({vertices_.data() + vertices.size(), mesh.vertex_count(),
                        triangles_.data() + triangles.size(), mesh.triangle_count()});
      if (mesh.empty()) continue;
      vertices.insert(vertices.end(), mesh.vertices().begin(), mesh.vertices().end());
      triangles.insert(triangles.end(), mesh.triangles().begin(), mesh.triangles().end());
    }
    // The runtime has taken all of pageable memory when these return.
    vertices_.copy_from(vertices.data());
    triangles_.copy_from(triangles.data());
  }

  std::span<const DeviceMesh> views() const { return views_; }

 private:
  static std::size_t sum_of(std::span<const Mesh> meshes, std::size_t (Mesh::*count)() const) {
    std::size_t sum = 0;
    for (const Mesh& mesh : meshes) sum += mesh.empty() ? 0 : (mesh.*count)();
    return sum;
  }

  DeviceArray<Vec3f> vertices_;
  DeviceArray<TriangleIndices> triangles_;
  std::vector<DeviceMesh> views_;
};

}  // namespace tandem::cuda
