// Boxes of two trees that float32 cannot hold together, in double precision.
#pragma once

#include <tandem/host_device.h>

#include <cmath>
#include <cstdint>

#include "traverse/wide/frame.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// The box of a child. The half sides of a missing one are NaN.
TANDEM_HD inline CentredBox child_box(const NodeBlock& block, std::uint32_t child) {
  CentredBox box;
  for (int k = 0; k < 3; ++k) {
    box.centre[k] = block.centre[k][child];
    box.half[k] = block.half[k][child];
  }
  return box;
}

/// The box of a triangle in a leaf that is there.
TANDEM_HD inline CentredBox triangle_box(const BoxBlock& boxes, std::uint32_t lane) {
  CentredBox box;
  for (int k = 0; k < 3; ++k) {
    const double lower = boxes.lower[k][lane];
    const double upper = boxes.upper[k][lane];
    box.centre[k] = 0.5 * (lower + upper);
    box.half[k] = 0.5 * (upper - lower) + 0x1p-40 * (std::fabs(lower) + std::fabs(upper));
  }
  return box;
}

/// A box of B as a box in A's coordinates, wider by the frame's `within`. All roundings of double
/// precision, here and in moved corners, are below 2^-40 of the numbers that are added up.
TANDEM_HD inline CentredBox moved_box(const FrameInDouble& frame, const CentredBox& box) {
  CentredBox result;
  for (int i = 0; i < 3; ++i) {
    double centre = frame.exact_translation[i];
    double half = 0;
    double magnitude = std::fabs(centre);
    for (int j = 0; j < 3; ++j) {
      const double product = frame.exact_matrix[i][j] * box.centre[j];
      centre += product;
      magnitude += std::fabs(product);
      half += std::fabs(frame.exact_matrix[i][j]) * box.half[j];
    }
    result.centre[i] = centre;
    result.half[i] = half + 0x1p-40 * (magnitude + half) + 2 * frame.position_error + frame.within;
  }
  return result;
}

/// Whether they do, both in A's coordinates. A missing child overlaps nothing: its half sides are
/// NaN.
TANDEM_HD inline bool boxes_overlap(const CentredBox& a, const CentredBox& b) {
  bool result = true;
  for (int k = 0; k < 3; ++k) {
    const double reach = (a.half[k] + b.half[k]) * (1 + 0x1p-40);
    result = result && std::fabs(b.centre[k] - a.centre[k]) <= reach;
  }
  return result;
}

/// They are at least so far apart, both in A's coordinates; NaN where a child is missing.
TANDEM_HD inline double box_gap(const CentredBox& a, const CentredBox& b) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double reach = (a.half[k] + b.half[k]) * (1 + 0x1p-40);
    const double gap = std::fabs(b.centre[k] - a.centre[k]) - reach;
    sum += gap < 0 ? 0 : gap * gap;
  }
  return std::sqrt(sum) * (1 - 0x1p-40);
}

}  // namespace tandem::detail
