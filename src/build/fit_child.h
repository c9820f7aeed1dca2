// Boxes and slabs of the children of wide trees: of one child, or of four in the lanes of a vector.
// `Lanes` is float or Float4.
#pragma once

#include <tandem/host_device.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "tree/wide/tree.h"

namespace tandem::detail {

template <class Lanes>
TANDEM_HD Lanes lesser(Lanes a, Lanes b) {
  return a < b ? a : b;
}
template <class Lanes>
TANDEM_HD Lanes greater(Lanes a, Lanes b) {
  return a > b ? a : b;
}
/// The same number in all lanes.
template <class Lanes>
TANDEM_HD Lanes in_lanes(float number) {
  return Lanes{} + number;
}
template <class Lanes>
TANDEM_HD Lanes root_of(Lanes square) {
  if constexpr (std::is_same_v<Lanes, float>) {
    return std::sqrt(square);
  } else {
    return Lanes{std::sqrt(square[0]), std::sqrt(square[1]), std::sqrt(square[2]),
                 std::sqrt(square[3])};
  }
}

/// Makes a unit vector; where there is no direction, zero.
template <class Lanes>
TANDEM_HD void normalise(Lanes* axis) {
  Lanes largest = in_lanes<Lanes>(0);
  for (int k = 0; k < 3; ++k) largest = greater(largest, greater(axis[k], -axis[k]));
  const Lanes inverse = largest > in_lanes<Lanes>(0x1p-100F) ? 1 / largest : in_lanes<Lanes>(0);
  for (int k = 0; k < 3; ++k) axis[k] *= inverse;
  const Lanes length = root_of<Lanes>(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const Lanes per_length = length > in_lanes<Lanes>(0.5F) ? 1 / length : in_lanes<Lanes>(0);
  for (int k = 0; k < 3; ++k) axis[k] *= per_length;
}

/// A box as `NodeBlock` has it, which is larger than its bounds, and the largest magnitude of a
/// coordinate in it.
template <class Lanes>
struct FittedBox {
  Lanes centre[3];
  Lanes half[3];
  Lanes largest;

  TANDEM_HD FittedBox(const Lanes* lower, const Lanes* upper) {
    // More than all roundings can take away from a half side.
    constexpr float k_more = 1 + 0x1p-22F;
    largest = in_lanes<Lanes>(0);
    for (int k = 0; k < 3; ++k) {
      centre[k] = 0.5F * (lower[k] + upper[k]);
      largest = greater(largest, greater(upper[k], -lower[k]));
    }
    for (int k = 0; k < 3; ++k) {
      const Lanes exact = greater(upper[k] - centre[k], centre[k] - lower[k]);
      half[k] = exact * k_more + largest * 0x1p-18F + 0x1p-140F;
    }
  }
};

/// A slab lower <= normal·x <= upper as `NodeBlock` has it: relative to the centre of the box, and
/// thicker.
template <class Lanes>
struct FittedSlab {
  Lanes offset;
  Lanes thickness;

  TANDEM_HD FittedSlab(const Lanes* normal, Lanes lower, Lanes upper, const FittedBox<Lanes>& box) {
    Lanes along_centre = in_lanes<Lanes>(0);
    for (int k = 0; k < 3; ++k) along_centre += normal[k] * box.centre[k];
    const Lanes from = lower - along_centre;
    const Lanes to = upper - along_centre;
    offset = 0.5F * (from + to);
    thickness = greater(to - offset, offset - from) + box.largest * 0x1p-17F + 0x1p-140F;
  }
};

/// How far a box reaches along a normal.
template <class Lanes>
struct BoxReach {
  Lanes lower;
  Lanes upper;

  TANDEM_HD BoxReach(const Lanes* normal, const Lanes* box_lower, const Lanes* box_upper)
      : lower(in_lanes<Lanes>(0)), upper(in_lanes<Lanes>(0)) {
    for (int k = 0; k < 3; ++k) {
      const Lanes one = normal[k] * box_lower[k];
      const Lanes other = normal[k] * box_upper[k];
      lower += lesser(one, other);
      upper += greater(one, other);
    }
  }
};

/// Nothing overlaps a missing child.
TANDEM_HD inline void clear_child(NodeBlock& block, std::uint32_t lane) {
  for (int k = 0; k < 3; ++k) {
    block.centre[k][lane] = 0;
    block.half[k][lane] = std::numeric_limits<float>::quiet_NaN();
    block.normal[k][lane] = 0;
  }
  block.offset[lane] = 0;
  block.thickness[lane] = 0;
}

}  // namespace tandem::detail
