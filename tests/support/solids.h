// Small closed meshes, and what is made of them.
#pragma once

#include <tandem/mesh.h>

#include <utility>
#include <vector>

namespace tandem::test {

/// The corners of a box, x first, then y, then z; seen counter-clockwise from outside. `diagonals`
/// has a bit for each face that says which way it is divided.
inline Mesh box(const Vec3f& lower, const Vec3f& upper, unsigned diagonals = 0) {
  std::vector<Vec3f> corners;
  for (int i = 0; i < 8; ++i) {
    corners.emplace_back((i & 1) != 0 ? upper.x : lower.x, (i & 2) != 0 ? upper.y : lower.y,
                         (i & 4) != 0 ? upper.z : lower.z);
  }
  static constexpr std::uint32_t k_faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                  {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  std::vector<TriangleIndices> triangles;
  for (int f = 0; f < 6; ++f) {
    const auto& [p, q, r, s] = k_faces[f];
    if ((diagonals >> f & 1) != 0) {
      triangles.push_back({p, q, r});
      triangles.push_back({p, r, s});
    } else {
      triangles.push_back({p, q, s});
      triangles.push_back({q, r, s});
    }
  }
  return {std::move(corners), std::move(triangles)};
}

/// A box around the origin.
inline Mesh cube(float side) {
  const float half = side / 2;
  return box({-half, -half, -half}, {half, half, half});
}

/// One mesh with the triangles of both.
inline Mesh together(const Mesh& first, const Mesh& second) {
  std::vector<Vec3f> vertices(first.vertices().begin(), first.vertices().end());
  vertices.insert(vertices.end(), second.vertices().begin(), second.vertices().end());
  std::vector<TriangleIndices> triangles(first.triangles().begin(), first.triangles().end());
  const auto offset = static_cast<std::uint32_t>(first.vertex_count());
  for (const TriangleIndices& t : second.triangles()) {
    triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  }
  return {std::move(vertices), std::move(triangles)};
}

/// The same triangles, seen from the other side.
inline Mesh inside_out(const Mesh& mesh) {
  std::vector<TriangleIndices> triangles;
  for (const TriangleIndices& t : mesh.triangles()) triangles.push_back({t[0], t[2], t[1]});
  return {{mesh.vertices().begin(), mesh.vertices().end()}, std::move(triangles)};
}

/// A cube with a cavity in it.
inline Mesh hollow_cube(float side, float cavity) {
  return together(cube(side), inside_out(cube(cavity)));
}

/// The same surface with a vertex in the middle of some edges, on one side of them alone: a
/// triangle without area closes each gap. `choose_edge` gives the edge of a triangle, 0 to 2, or
/// any other number for none.
template <class ChooseEdge>
Mesh with_needles(const Mesh& mesh, ChooseEdge choose_edge) {
  std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
  std::vector<TriangleIndices> triangles;
  for (const TriangleIndices& t : mesh.triangles()) {
    const int k = choose_edge(t);
    if (k < 0 || k > 2) {
      triangles.push_back(t);
      continue;
    }
    const std::uint32_t a = t[k];
    const std::uint32_t b = t[(k + 1) % 3];
    const std::uint32_t c = t[(k + 2) % 3];
    const auto middle = static_cast<std::uint32_t>(vertices.size());
    vertices.push_back(0.5F * (vertices[a] + vertices[b]));
    triangles.push_back({a, middle, c});
    triangles.push_back({middle, b, c});
    triangles.push_back({a, b, middle});
  }
  return {std::move(vertices), std::move(triangles)};
}

}  // namespace tandem::test
