#include "chip/register_files.h"

namespace tandem::chip {
namespace {

constexpr std::uint8_t k_moved = 9;

}  // namespace

CorrespondenceFile::CorrespondenceFile(const RegisterContents& contents)
    : k_(static_cast<std::size_t>(contents.k)) {
  for (const std::uint8_t row : contents.row_order) {
    lines_.push_back({row, contents.correspondences[row]});
  }
  for (const CornerTransform transform :
       {CornerTransform::a_to_b, CornerTransform::b_to_a, CornerTransform::leaf}) {
    const bool back = transform == CornerTransform::leaf;
    for (std::uint8_t i = 0; i < k_corner_rows; ++i) {
      const auto to = static_cast<std::uint8_t>(back ? i : k_moved + i);
      const auto x = static_cast<std::uint8_t>((back ? k_moved : 0) + i / 3 * 3);
      lines_.push_back(
          {to, {x, static_cast<std::uint8_t>(x + 1), static_cast<std::uint8_t>(x + 2)}});
    }
  }
  for (std::uint8_t edge = 0; edge < 3; ++edge) {
    const auto p = static_cast<std::uint8_t>(3 * edge);
    const auto q = static_cast<std::uint8_t>(3 * ((edge + 1) % 3));
    const auto pair = [&](int one, int other) {
      lines_.push_back({0, {static_cast<std::uint8_t>(one), static_cast<std::uint8_t>(other), 0}});
    };
    pair(p + 2, q + 2);
    pair(p, q + 2);
    pair(q, p + 2);
    pair(p + 1, q + 2);
    pair(q + 1, p + 2);
  }
}

void MatrixFile::load_leaf(const TriangleRecord& record) {
  for (std::size_t i = 0; i < 3; ++i) {
    leaf_[i] = {{record.matrix[i][0], record.matrix[i][1], record.matrix[i][2]},
                record.matrix[i][3]};
  }
}

void transform_dop(const MatrixFile& matrix, const CorrespondenceFile& correspondences,
                   const DopFile& dops, ResultBank* results) {
  for (const CorrespondenceLine& line : correspondences.dop_rows()) {
    (*results)[line.to] = DotAdd::evaluate(matrix.dop_line(line.to), dops.read(line.from[0]),
                                           dops.read(line.from[1]), dops.read(line.from[2]));
  }
}

void transform_corners(CornerTransform transform, const MatrixFile& matrix,
                       const CorrespondenceFile& correspondences, DopFile* dops) {
  std::size_t row = 0;
  for (const CorrespondenceLine& line : correspondences.corner_rows(transform)) {
    dops->write(line.to,
                DotAdd::evaluate(matrix.corner_line(transform, row), dops->read(line.from[0]),
                                 dops->read(line.from[1]), dops->read(line.from[2])));
    row = (row + 1) % 3;
  }
}

}  // namespace tandem::chip
