// Boxes of two trees that float32 cannot hold together, in double precision.
#pragma once

#include <tandem/host_device.h>

#include <cmath>

#include "traverse/wide/frame.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// A box of B as a box in A's coordinates. All roundings of double precision, here and in the
/// positions of moved corners, are below 2^-40 of the numbers that are added up.
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
    result.half[i] = half + 0x1p-40 * (magnitude + half) + 2 * frame.position_error;
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

}  // namespace tandem::detail
