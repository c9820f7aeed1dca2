// Meshes in the memory of a device, one or many behind each other, of which trees are built.
#pragma once

#include <tandem/mesh.h>

#include <cstdint>

#include "build/ray_pair_parts.h"
#include "gpu/kernel.h"
#include "gpu/warp.h"

namespace tandem::detail {

/// Where the triangles and vertices of a mesh begin among those of all.
struct MeshStart {
  std::uint32_t triangle;
  std::uint32_t vertex;
};

/// One of the meshes: its number, and its triangles among those of all.
struct MeshPart {
  std::uint32_t number;
  std::uint32_t first;
  std::uint32_t end;

  TANDEM_HD std::uint32_t count() const { return end - first; }
};

/// The triangle that has these corners.
TANDEM_HD inline TriangleF triangle_at(const TriangleIndices& corners, const Vec3f* vertices) {
  return {{load_three_words(vertices + corners[0]), load_three_words(vertices + corners[1]),
           load_three_words(vertices + corners[2])}};
}

/// Triangles refer to the vertices of their own mesh. Sorted by meshes, as builders sort them,
/// triangles are at places of their own mesh too.
struct DeviceMeshes {
  const Vec3f* vertices;
  const TriangleIndices* triangles;
  std::uint32_t triangle_count;
  /// Of every mesh, and one more for the end; null for one mesh.
  const MeshStart* starts = nullptr;
  std::uint32_t mesh_count = 1;

  /// The mesh that has the triangle at a place.
  TANDEM_HD MeshPart part_of(std::uint32_t place) const {
    if (starts == nullptr) return {0, 0, triangle_count};
    std::uint32_t number = 0;
    for (std::uint32_t end = mesh_count; end - number > 1;) {
      const std::uint32_t middle = number + (end - number) / 2;
      (starts[middle].triangle <= place ? number : end) = middle;
    }
    return part(number);
  }
  TANDEM_HD MeshPart part(std::uint32_t number) const {
    if (starts == nullptr) return {0, 0, triangle_count};
    return {number, starts[number].triangle, starts[number + 1].triangle};
  }

  TANDEM_HD TriangleF triangle(std::uint32_t id, const MeshPart& part) const {
    return triangle(corners(id), part);
  }
  TANDEM_HD TriangleF triangle(const TriangleIndices& corners, const MeshPart& part) const {
    const Vec3f* const own = starts == nullptr ? vertices : vertices + starts[part.number].vertex;
    return triangle_at(corners, own);
  }
  TANDEM_HD TriangleIndices corners(std::uint32_t id) const {
    return load_three_words(triangles + id);
  }
};

TANDEM_HD inline Aabb box_of(const TriangleF& triangle) {
  const auto& corner = triangle.corner;
  return {min(corner[0], min(corner[1], corner[2])), max(corner[0], max(corner[1], corner[2]))};
}

/// Where trees go: room for as many nodes as there are triangles, some of which stay unused, and
/// for all triangles. The tree of a mesh is where its triangles are, with links that count from
/// there.
struct DeviceTrees {
  RayPairNode* nodes;
  RayPairTriangle* triangles;
  /// The vertices of each of these triangles, for refits.
  TriangleIndices* corners;

  /// The ids of triangles are numbers within their mesh.
  TANDEM_HD void put(const DeviceMeshes& meshes, const MeshPart& part, std::uint32_t place,
                     std::uint32_t id, const TriangleF& triangle) const {
    triangles[place] = {triangle, id - part.first, 0, 0};
    corners[place] = meshes.triangles[id];
  }
};

}  // namespace tandem::detail
