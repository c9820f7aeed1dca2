// The register files around the DOTADD unit (figure 5), and the address generators that read and
// write them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "chip/dot_add.h"
#include "chip/memory_image.h"
#include "chip/set_up.h"

namespace tandem::chip {

/// d_0 to d_{k-1}: the numbers that the DOTADD unit reads. Triangles use 18 of them.
class DopFile {
 public:
  static constexpr int k_size = k_most_bounds;

  void write(int index, float value) { values_[static_cast<std::size_t>(index)] = value; }
  float read(int index) const { return values_[static_cast<std::size_t>(index)]; }

 private:
  std::array<float, k_size> values_{};
};

/// d'_0 to d'_{k-1} of one tumbled node. There are two of them, for siblings.
using ResultBank = Bounds;

/// The matrix register file: the lines of C, of the two rigid transforms, and of a leaf's matrix.
class MatrixFile {
 public:
  explicit MatrixFile(const RegisterContents& contents) : contents_(contents) {}

  const MatrixLine& dop_line(std::size_t row) const { return contents_.dop_lines[row]; }
  /// From the frame of object `from` into the other's: 0 for A, 1 for B.
  const MatrixLine& rigid_line(std::size_t from, std::size_t row) const {
    return contents_.rigid_lines[from][row];
  }
  void load_leaf(const TriangleRecord& record) {
    for (std::size_t i = 0; i < 3; ++i) {
      leaf_[i] = {{record.matrix[i][0], record.matrix[i][1], record.matrix[i][2]},
                  record.matrix[i][3]};
    }
  }
  const MatrixLine& leaf_line(std::size_t row) const { return leaf_[row]; }

 private:
  const RegisterContents& contents_;
  std::array<MatrixLine, 3> leaf_{};
};

/// Transforms the volume in the DOP register file row by row, in the order of the rows.
inline void transform_dop(const RegisterContents& contents, const MatrixFile& matrix,
                          const DopFile& dops, ResultBank* results) {
  for (const std::uint8_t row : contents.row_order) {
    const Correspondence& from = contents.correspondences[row];
    (*results)[row] = DotAdd::evaluate(matrix.dop_line(row), dops.read(from[0]), dops.read(from[1]),
                                       dops.read(from[2]));
  }
}

/// Transforms three corners, d_from to d_{from+8}, into d_to to d_{to+8}. `line(i)` gives row i.
template <class Line>
void transform_corners(DopFile* dops, int from, int to, Line line) {
  for (int corner = 0; corner < 3; ++corner) {
    const int at = from + 3 * corner;
    for (int row = 0; row < 3; ++row) {
      dops->write(to + 3 * corner + row,
                  DotAdd::evaluate(line(static_cast<std::size_t>(row)), dops->read(at),
                                   dops->read(at + 1), dops->read(at + 2)));
    }
  }
}

}  // namespace tandem::chip
