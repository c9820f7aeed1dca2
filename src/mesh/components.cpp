#include "mesh/components.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>

namespace tandem::detail {

namespace {

/// Bits that are equal exactly when the coordinates are: -0 becomes 0.
std::uint32_t coordinate_bits(float x) {
  return std::bit_cast<std::uint32_t>(x + 0.0f);
}

}  // namespace

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

/// Union-find over positions, with path halving. The smaller of two roots becomes the root of both.
Components find_components(const Positions& positions) {
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
  constexpr std::uint32_t k_none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number_of(positions.count, k_none);
  Components components;
  components.of_triangle.reserve(positions.triangles.size());
  for (const TriangleIndices& t : positions.triangles) {
    std::uint32_t& number = number_of[root(t[0])];
    if (number == k_none) number = components.count++;
    components.of_triangle.push_back(number);
  }
  return components;
}

}  // namespace tandem::detail
