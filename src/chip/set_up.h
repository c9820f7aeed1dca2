// What the driver writes into the chip's registers for a pose (section 4.1): the matrix C and the
// offsets c, the correspondence indices, the order of the rows, and the rigid transforms.
//
// The margin is in c, so culling loses nothing: with any DOP of B below the root, the chip's
// float32 lower bounds are at most, and its upper bounds at least, those that the library computes
// in double, which have margins of their own. So what overlaps there overlaps here.
#pragma once

#include <tandem/pose.h>

#include <array>
#include <cstdint>
#include <vector>

#include "chip/config.h"
#include "chip/memory_image.h"

namespace tandem::chip {

/// d'_i = coefficient · (d_j0, d_j1, d_j2) + offset.
struct MatrixLine {
  std::array<float, 3> coefficient{};
  float offset = 0;
};
using Correspondence = std::array<std::uint8_t, 3>;

struct RegisterContents {
  int k = 0;
  /// Lines 0 to k - 1 are C and c.
  std::vector<MatrixLine> dop_lines;
  std::vector<Correspondence> correspondences;
  /// Lines k to k + 5: A's corners into B's frame, and B's into A's.
  std::array<std::array<MatrixLine, 3>, 2> rigid_lines{};
  /// The rows by earliest availability of what they need, and the cycles from the first number that
  /// is written to the first row, after which rows follow without a pause.
  std::vector<std::uint8_t> row_order;
  int fill_cycles = 0;
};

/// The images must be of the same k, and must not be empty.
RegisterContents set_up(const Config& config, const ObjectImage& a, const ObjectImage& b,
                        const Pose& b_in_a);

}  // namespace tandem::chip
