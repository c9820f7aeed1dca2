// The triangles of a mesh as the collision chip paper's test wants them.
#pragma once

#include <cstddef>
#include <vector>

#include "geometry/unit_triangle.h"
#include "structure/structures.h"

namespace tandem::detail {

struct UnitTriangles {
  std::vector<UnitTriangle> triangles;

  const UnitTriangle* view() const { return triangles.data(); }
  std::size_t bytes() const { return triangles.size() * sizeof(UnitTriangle); }
};

template <>
struct Recipe<UnitTriangles> {
  static UnitTriangles make(const Structures& structures, const Progress&) {
    const Mesh& mesh = structures.mesh();
    UnitTriangles result;
    result.triangles.reserve(mesh.triangle_count());
    for (std::size_t id = 0; id < mesh.triangle_count(); ++id) {
      result.triangles.emplace_back(mesh.triangle(id));
    }
    return result;
  }
};

}  // namespace tandem::detail
