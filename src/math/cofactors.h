// Cofactors of a 3×3 matrix: what its inverse and its determinant are made of.
#pragma once

#include <tandem/vec.h>

namespace tandem::detail {

/// The cofactors of a matrix, row by row. The inverse is their transpose divided by the
/// determinant.
struct Cofactors {
  Vec3d row[3];

  /// Of the matrix with these rows.
  TANDEM_HD Cofactors(const Vec3d& row0, const Vec3d& row1, const Vec3d& row2)
      : row{cross(row1, row2), cross(row2, row0), cross(row0, row1)} {}

  /// The determinant of the matrix, given its first row.
  TANDEM_HD double determinant(const Vec3d& row0) const { return dot(row0, row[0]); }
};

}  // namespace tandem::detail
