// The support function of a mesh, found with the help of its wide tree.
#pragma once

#include <tandem/host_device.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tree/wide/tree.h"

namespace tandem::detail {

/// What a `SupportMap` has for a direction in which the mesh reaches so far: not less, by what
/// stored coordinates may be off, as magnitudes below 2^-149 vanish.
TANDEM_HD inline float support_value(double reach) {
  return std::nextafter(static_cast<float>(reach + 0x1p-140),
                        std::numeric_limits<float>::infinity());
}

/// The values of the tree's `SupportMap`. The tree is complete but for these, and not empty.
std::vector<float> find_support(const WideTree& tree, int threads);

}  // namespace tandem::detail
