// What a mesh is as a surface: whether it is closed, and its parts.
#pragma once

#include <tandem/mesh.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "structure/structures.h"

namespace tandem::detail {

struct Surface {
  /// An edge of a triangle, from this corner to the next.
  struct Edge {
    std::uint32_t triangle;
    int corner;
  };

  /// The first edge, by triangle and corner, that is open: more triangles run along it that way
  /// than the other. Edges are known by the positions of their ends.
  std::optional<Edge> open_edge;
  /// For each triangle the number of its part; triangles are connected that have an edge in common.
  std::vector<std::uint32_t> part_of;
  /// For each part its first triangle.
  std::vector<std::uint32_t> first_of_part;
  Bounds bounds;

  bool closed() const { return !open_edge.has_value(); }
  std::size_t part_count() const { return first_of_part.size(); }
  std::size_t bytes() const {
    return (part_of.size() + first_of_part.size()) * sizeof(std::uint32_t);
  }
};

template <>
struct Recipe<Surface> {
  static Surface make(const Structures& structures, const Progress& progress);
};

}  // namespace tandem::detail
