// The register files around the DOTADD unit (figure 5), and the address generators that read and
// write them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

/// Where a row of the DOTADD unit reads, and where its result goes: i, k, m and n of the paper. The
/// triangle unit reads the first two.
struct CorrespondenceLine {
  std::uint8_t to = 0;
  Correspondence from{};
};

/// The transforms of a triangle's corners: into the other object's frame, and by a leaf's matrix.
enum class CornerTransform { a_to_b, b_to_a, leaf };

/// The correspondence register file: k lines for volumes, 27 for the three transforms of corners,
/// and 15 for the operands of the triangle unit: 66 of them for 24-DOPs, as in the paper.
class CorrespondenceFile {
 public:
  static constexpr std::size_t k_corner_rows = 9;
  static constexpr std::size_t k_edge_pairs = 5;
  using Lines = std::span<const CorrespondenceLine>;

  explicit CorrespondenceFile(const RegisterContents& contents);

  /// In the order in which they are issued. Results go into a result bank, all others into the DOP
  /// register file.
  Lines dop_rows() const { return Lines(lines_).first(k_); }
  /// Corners stand in d_0 to d_8; moved into the other frame, in d_9 to d_17.
  Lines corner_rows(CornerTransform transform) const {
    return Lines(lines_).subspan(k_ + k_corner_rows * static_cast<std::size_t>(transform),
                                 k_corner_rows);
  }
  /// Of the edge from P to Q: P_z Q_z, then P_x Q_z, Q_x P_z, P_y Q_z and Q_y P_z.
  Lines edge_pairs(std::size_t edge) const {
    return Lines(lines_).subspan(k_ + 3 * k_corner_rows + k_edge_pairs * edge, k_edge_pairs);
  }
  std::size_t size() const { return lines_.size(); }

 private:
  std::size_t k_;
  std::vector<CorrespondenceLine> lines_;
};

/// The matrix register file: the lines of C, of the two rigid transforms, and of a leaf's matrix.
class MatrixFile {
 public:
  explicit MatrixFile(const RegisterContents& contents) : contents_(contents) {}

  const MatrixLine& dop_line(std::size_t row) const { return contents_.dop_lines[row]; }
  const MatrixLine& corner_line(CornerTransform transform, std::size_t row) const {
    if (transform == CornerTransform::leaf) return leaf_[row];
    return contents_.rigid_lines[static_cast<std::size_t>(transform)][row];
  }
  void load_leaf(const TriangleRecord& record);

 private:
  const RegisterContents& contents_;
  std::array<MatrixLine, 3> leaf_{};
};

/// Transforms the volume in the DOP register file.
void transform_dop(const MatrixFile& matrix, const CorrespondenceFile& correspondences,
                   const DopFile& dops, ResultBank* results);

/// Transforms three corners within the DOP register file.
void transform_corners(CornerTransform transform, const MatrixFile& matrix,
                       const CorrespondenceFile& correspondences, DopFile* dops);

}  // namespace tandem::chip
