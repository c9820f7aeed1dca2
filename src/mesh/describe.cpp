#include <tandem/mesh_info.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "geometry/degenerate.h"
#include "mesh/edges.h"

namespace tandem {

namespace {

/// The triangles, with the ids of positions in place of those of vertices.
struct Positions {
  std::vector<TriangleIndices> triangles;
  std::size_t count = 0;
};

/// Bits that are equal exactly when the coordinates are: -0 becomes 0.
std::uint32_t coordinate_bits(float x) {
  return std::bit_cast<std::uint32_t>(x + 0.0f);
}

/// Numbers the distinct positions of the vertices in the order of their bits.
Positions find_positions(const Mesh& mesh) {
  struct Entry {
    std::array<std::uint32_t, 3> bits;
    std::uint32_t vertex;
  };
  std::vector<Entry> entries(mesh.vertex_count());
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    const Vec3f& v = mesh.vertices()[i];
    entries[i] = {{coordinate_bits(v.x), coordinate_bits(v.y), coordinate_bits(v.z)}, i};
  }
  std::ranges::sort(entries, {}, &Entry::bits);

  Positions positions;
  std::vector<std::uint32_t> position_of(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i == 0 || entries[i].bits != entries[i - 1].bits) ++positions.count;
    position_of[entries[i].vertex] = static_cast<std::uint32_t>(positions.count - 1);
  }
  positions.triangles.reserve(mesh.triangle_count());
  for (const TriangleIndices& t : mesh.triangles()) {
    positions.triangles.push_back({position_of[t[0]], position_of[t[1]], position_of[t[2]]});
  }
  return positions;
}

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

/// Union-find over positions, with path halving. The smaller of two roots becomes the root of both.
std::size_t count_components(const Positions& positions) {
  std::vector<std::uint32_t> parent(positions.count);
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t p) {
    while (parent[p] != p) p = parent[p] = parent[parent[p]];
    return p;
  };
  for (const TriangleIndices& t : positions.triangles) {
    for (int corner = 1; corner < 3; ++corner) {
      const std::uint32_t a = root(t[0]);
      const std::uint32_t b = root(t[corner]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  // Positions that no triangle uses are roots too, but belong to no component.
  std::vector<bool> counted(positions.count);
  std::size_t count = 0;
  for (const TriangleIndices& t : positions.triangles) {
    const std::uint32_t a = root(t[0]);
    count += counted[a] ? 0 : 1;
    counted[a] = true;
  }
  return count;
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

  Positions positions = find_positions(mesh);
  info.distinct_position_count = positions.count;
  count_edges(positions, info);
  info.component_count = count_components(positions);
  info.duplicate_triangle_count = count_duplicates(positions);
  return info;
}

}  // namespace tandem
