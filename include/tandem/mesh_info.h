// What a mesh is like: the facts behind `tandem info`.
#pragma once

#include <tandem/export.h>
#include <tandem/mesh.h>

#include <cstddef>

namespace tandem {

/// Edges and components are found over positions: vertices with bit-identical coordinates (-0
/// equals 0) count as one, so the answer does not depend on how a file shares its vertices.
struct MeshInfo {
  std::size_t triangle_count = 0;
  std::size_t vertex_count = 0;
  /// Over all vertices, used or not.
  std::size_t distinct_position_count = 0;
  /// Vertices that no triangle uses.
  std::size_t unused_vertex_count = 0;
  Bounds bounds;
  /// Edges used by one triangle, and by three or more. Two corners at one position make no edge,
  /// and a triangle that folds back onto an edge uses it once.
  std::size_t boundary_edge_count = 0;
  std::size_t non_manifold_edge_count = 0;
  /// Sets of triangles connected through shared positions.
  std::size_t component_count = 0;
  /// Triangles whose three positions are those of an earlier triangle, in any order.
  std::size_t duplicate_triangle_count = 0;
  /// Triangles of zero area, decided exactly.
  std::size_t degenerate_triangle_count = 0;

  /// Each edge is used by exactly two triangles, and not all triangles are without area: those
  /// that are points have no edges that could be open.
  bool closed() const {
    return triangle_count > degenerate_triangle_count && boundary_edge_count == 0 &&
           non_manifold_edge_count == 0;
  }
};

/// Gathers the facts in O(n log n) time.
TANDEM_API MeshInfo describe(const Mesh& mesh);

}  // namespace tandem
