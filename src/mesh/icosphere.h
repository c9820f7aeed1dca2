// The icosahedron with divided edges: the pattern of spheres and rocks.
#pragma once

#include <tandem/mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tandem::detail {

/// Faces share the vertices of their edges. Vertices are numbered in this order: corners, then
/// those inside edges, then those inside faces.
class Icosphere {
 public:
  /// Edges are divided into `frequency` parts, from 1 to as many as a mesh can hold.
  explicit Icosphere(int frequency) : f_(static_cast<std::uint32_t>(frequency)) {
    for (auto& row : edge_ids_) row.fill(k_edge_count);
    std::uint32_t next_id = 0;
    for (const auto& face : k_faces) {
      for (int i = 0; i < 3; ++i) {
        std::uint32_t& id = edge_id(face[i], face[(i + 1) % 3]);
        if (id == k_edge_count) id = next_id++;
      }
    }
  }

  /// The mesh whose vertex in each direction (a unit vector) is `place(direction)`. Triangles are
  /// seen counter-clockwise from outside.
  template <class Place>
  Mesh mesh(Place&& place) {
    const std::size_t f = f_;
    std::vector<Vec3f> vertices(10 * f * f + 2);
    std::vector<TriangleIndices> triangles;
    triangles.reserve(20 * f * f);
    for (std::uint32_t face = 0; face < k_faces.size(); ++face) {
      for (std::uint32_t row = 0; row <= f_; ++row) {
        for (std::uint32_t column = 0; column <= row; ++column) {
          vertices[index(face, row, column)] = place(direction(face, row, column));
        }
      }
      for (std::uint32_t row = 0; row < f_; ++row) {
        for (std::uint32_t column = 0; column <= row; ++column) {
          const std::uint32_t here = index(face, row, column);
          const std::uint32_t diagonal = index(face, row + 1, column + 1);
          triangles.push_back({here, index(face, row + 1, column), diagonal});
          if (column < row) triangles.push_back({here, diagonal, index(face, row, column + 1)});
        }
      }
    }
    return Mesh(std::move(vertices), std::move(triangles));
  }

 private:
  static constexpr std::uint32_t k_corner_count = 12;
  static constexpr std::uint32_t k_edge_count = 30;
  static constexpr double k_golden_ratio = 1.61803398874989484820;

  static constexpr std::array<std::array<double, 3>, k_corner_count> k_corners{{
      {-1, k_golden_ratio, 0},
      {1, k_golden_ratio, 0},
      {-1, -k_golden_ratio, 0},
      {1, -k_golden_ratio, 0},
      {0, -1, k_golden_ratio},
      {0, 1, k_golden_ratio},
      {0, -1, -k_golden_ratio},
      {0, 1, -k_golden_ratio},
      {k_golden_ratio, 0, -1},
      {k_golden_ratio, 0, 1},
      {-k_golden_ratio, 0, -1},
      {-k_golden_ratio, 0, 1},
  }};

  static constexpr std::array<std::array<std::uint32_t, 3>, 20> k_faces{{
      {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1},
  }};

  std::uint32_t& edge_id(std::uint32_t a, std::uint32_t b) {
    return edge_ids_[std::min(a, b)][std::max(a, b)];
  }

  /// The vertex at (row, column) of a face: row 0 is its first corner, row f the edge between its
  /// second (column 0) and third (column f).
  std::uint32_t index(std::uint32_t face, std::uint32_t row, std::uint32_t column) {
    const auto& [a, b, c] = k_faces[face];
    if (column == 0) return on_edge(a, b, row);
    if (column == row) return on_edge(a, c, row);
    if (row == f_) return on_edge(b, c, column);
    const std::uint32_t inside_a_face = (f_ - 1) * (f_ - 2) / 2;
    const std::uint32_t inside_rows_before = (row - 1) * (row - 2) / 2;
    return k_corner_count + k_edge_count * (f_ - 1) + face * inside_a_face + inside_rows_before +
           column - 1;
  }

  /// The vertex `step` parts from corner `a` towards corner `b`.
  std::uint32_t on_edge(std::uint32_t a, std::uint32_t b, std::uint32_t step) {
    if (step == 0) return a;
    if (step == f_) return b;
    return k_corner_count + edge_id(a, b) * (f_ - 1) + (a < b ? step : f_ - step) - 1;
  }

  Vec3d direction(std::uint32_t face, std::uint32_t row, std::uint32_t column) const {
    const auto& [a, b, c] = k_faces[face];
    const double weight_a = f_ - row;
    const double weight_b = row - column;
    const double weight_c = column;
    Vec3d point;
    for (int axis = 0; axis < 3; ++axis) {
      point[axis] = weight_a * k_corners[a][axis] + weight_b * k_corners[b][axis] +
                    weight_c * k_corners[c][axis];
    }
    return 1 / std::sqrt(dot(point, point)) * point;
  }

  std::uint32_t f_;
  std::array<std::array<std::uint32_t, k_corner_count>, k_corner_count> edge_ids_{};
};

}  // namespace tandem::detail
