// Distinct positions of a mesh's vertices, and which triangles they connect.
#pragma once

#include <tandem/mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tandem::detail {

/// The triangles, with the ids of positions in place of those of vertices. Positions are equal when
/// their coordinates are: -0 is 0.
struct Positions {
  std::vector<TriangleIndices> triangles;
  std::size_t count = 0;
};

/// Numbers the distinct positions of the vertices in the order of their bits.
Positions find_positions(const Mesh& mesh);

/// For each triangle the number of its component; components are numbered in the order of their
/// first triangles.
struct Components {
  std::vector<std::uint32_t> of_triangle;
  std::uint32_t count = 0;
};

/// Triangles are connected that have a position in common.
Components find_components(const Positions& positions);

}  // namespace tandem::detail
