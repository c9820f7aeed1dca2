// The bank of comparators: two tumbled volumes against one aligned volume, all slabs at once
// (equation 2). It answers in the cycle in which its operands stand in their registers.
#pragma once

#include <cstddef>

#include "chip/float32.h"
#include "chip/memory_image.h"

namespace tandem::chip {

/// Whether no slab keeps them apart. Touching overlaps, and what is not a number keeps nothing
/// apart.
inline bool volumes_overlap(const Bounds& tumbled, const Bounds& aligned, int k) {
  const auto half = static_cast<std::size_t>(k / 2);
  bool apart = false;
  for (std::size_t i = 0; i < half; ++i) {
    apart |= greater(tumbled[i], aligned[half + i]);
    apart |= greater(aligned[i], tumbled[half + i]);
  }
  return !apart;
}

}  // namespace tandem::chip
