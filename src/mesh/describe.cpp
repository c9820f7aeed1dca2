#include <tandem/mesh_info.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "geometry/degenerate.h"
#include "mesh/components.h"
#include "mesh/edges.h"

namespace tandem {

namespace {

using detail::Positions;

std::size_t count_unused_vertices(const Mesh& mesh) {
  std::vector<bool> used(mesh.vertex_count());
  for (const TriangleIndices& triangle : mesh.triangles()) {
    for (const std::uint32_t vertex : triangle) used[vertex] = true;
  }
  return static_cast<std::size_t>(std::ranges::count(used, false));
}

/// Counts edges by the number of triangles that use them. An edge between equal positions does not
/// count, and a triangle that folds back onto an edge uses it once.
void count_edges(const Positions& positions, MeshInfo& info) {
  std::vector<std::uint64_t> edges;
  edges.reserve(3 * positions.triangles.size());
  for (const TriangleIndices& t : positions.triangles) {
    const std::size_t first = edges.size();
    for (int corner = 0; corner < 3; ++corner) {
      const std::uint32_t a = t[corner];
      const std::uint32_t b = t[(corner + 1) % 3];
      const std::uint64_t edge = detail::edge_key(a, b);
      const bool seen = std::find(edges.begin() + first, edges.end(), edge) != edges.end();
      if (a != b && !seen) edges.push_back(edge);
    }
  }
  std::ranges::sort(edges);
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    while (end < edges.size() && edges[end] == edges[begin]) ++end;
    info.boundary_edge_count += end - begin == 1 ? 1 : 0;
    info.non_manifold_edge_count += end - begin >= 3 ? 1 : 0;
  }
}

std::size_t count_duplicates(Positions& positions) {
  for (TriangleIndices& triangle : positions.triangles) std::ranges::sort(triangle);
  std::ranges::sort(positions.triangles);
  std::size_t count = 0;
  for (std::size_t i = 1; i < positions.triangles.size(); ++i) {
    count += positions.triangles[i] == positions.triangles[i - 1] ? 1 : 0;
  }
  return count;
}

std::size_t count_degenerate(const Mesh& mesh) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    const TriangleF t = mesh.triangle(i);
    const Triangle exact{{Vec3d(t.corner[0]), Vec3d(t.corner[1]), Vec3d(t.corner[2])}};
    count += detail::is_degenerate(exact) ? 1 : 0;
  }
  return count;
}

}  // namespace

MeshInfo describe(const Mesh& mesh) {
  MeshInfo info;
  info.triangle_count = mesh.triangle_count();
  info.vertex_count = mesh.vertex_count();
  info.unused_vertex_count = count_unused_vertices(mesh);
  info.bounds = mesh.bounds();
  info.degenerate_triangle_count = count_degenerate(mesh);

  Positions positions = detail::find_positions(mesh);
  info.distinct_position_count = positions.count;
  count_edges(positions, info);
  info.component_count = detail::find_components(positions).count;
  info.duplicate_triangle_count = count_duplicates(positions);
  return info;
}

}  // namespace tandem
