// Affine transforms in double precision, as the nodes of a glTF have them.
#pragma once

#include <tandem/vec.h>

#include <array>

namespace tandem::detail {

/// The upper three rows of an affine transform.
struct GltfTransform {
  std::array<std::array<double, 4>, 3> rows{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

  /// The transform that applies `child` first, then this one.
  GltfTransform operator*(const GltfTransform& child) const {
    GltfTransform product;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 4; ++j) {
        double sum = j == 3 ? rows[i][3] : 0;
        for (int k = 0; k < 3; ++k) sum += rows[i][k] * child.rows[k][j];
        product.rows[i][j] = sum;
      }
    }
    return product;
  }

  /// Rounded once, at the end.
  Vec3f operator*(const std::array<double, 3>& point) const {
    const auto coordinate = [&](const std::array<double, 4>& row) {
      return row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + row[3];
    };
    return Vec3f(Vec3d(coordinate(rows[0]), coordinate(rows[1]), coordinate(rows[2])));
  }
};

/// Scales first, then turns by the quaternion x y z w, which need not be of unit length, then
/// moves.
inline GltfTransform from_parts(const std::array<double, 3>& translation,
                                const std::array<double, 4>& rotation,
                                const std::array<double, 3>& scale) {
  const auto [x, y, z, w] = rotation;
  const double s = 2 / (x * x + y * y + z * z + w * w);
  const double turn[3][3] = {
      {1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)},
      {s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)},
      {s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)},
  };
  GltfTransform result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result.rows[i][j] = turn[i][j] * scale[j];
    result.rows[i][3] = translation[i];
  }
  return result;
}

/// Of the 16 numbers of a matrix, column by column, the upper three rows.
inline GltfTransform from_columns(const std::array<double, 16>& matrix) {
  GltfTransform result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) result.rows[i][j] = matrix[4 * j + i];
  }
  return result;
}

}  // namespace tandem::detail
