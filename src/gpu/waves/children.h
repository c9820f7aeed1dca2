// How threads share the pairs of children of two blocks.
#pragma once

#include <tandem/host_device.h>

#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/warp.h"
#include "gpu/waves/blocks.h"
#include "traverse/wide/pair.h"

namespace tandem::detail {

/// The bits of the pairs that are left when one tree waits at its block: each child of the other
/// one, once, that overlaps any child of it.
TANDEM_HD inline std::uint32_t without_waiting(std::uint32_t mask, Descent descent) {
  if (descent == Descent::b_alone) return (mask | mask >> 4 | mask >> 8 | mask >> 12) & 0xf;
  if (descent == Descent::a_alone) return (mask | mask >> 1 | mask >> 2 | mask >> 3) & 0x1111;
  return mask;
}

/// Of the 4 x 4 pairs of children, those that overlap and that this thread tests, which is number
/// `number` of `k_lanes` (1, 4 or 8) that share them.
template <class Tests, std::uint32_t k_lanes>
TANDEM_KERNEL std::uint32_t test_children(const typename Tests::Frame& frame, const HalfBlock& a,
                                          const HalfBlock& b, std::uint32_t number) {
  const int i = static_cast<int>(number);
  if constexpr (k_lanes == 8) {
    return Tests::template children<1, 1>(frame, a, b, i / 2, i % 2);
  } else if constexpr (k_lanes == 4) {
    return Tests::template children<1, 2>(frame, a, b, i, 0);
  } else {
    return Tests::template children<4, 2>(frame, load_constant(&a), load_constant(&b), 0, 0);
  }
}

/// Of the pairs that the threads of a group have found, those that this one is to go on with.
template <std::uint32_t k_lanes, class Threads>
TANDEM_KERNEL std::uint32_t own_children(const Threads& threads, std::uint32_t mask,
                                         Descent descent) {
  if constexpr (k_lanes == 1) return without_waiting(mask, descent);
  std::uint32_t all = mask;
  for (std::uint32_t step = 1; step < k_lanes; step *= 2) {
    all |= threads.shuffle(all, threads.lane() ^ step);
  }
  // 8 threads have two pairs each, 4 threads a child of A each.
  const std::uint32_t own = k_lanes == 8 ? 3 : 15;
  const std::uint32_t width = k_pairs_of_children / k_lanes;
  return without_waiting(all, descent) & own << width * (threads.lane() % k_lanes);
}

}  // namespace tandem::detail
