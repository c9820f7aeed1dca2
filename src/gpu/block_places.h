// Where ranges of triangles meet in the memory that a block shares.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/kernel.h"

namespace tandem::detail {

/// The triangles that the threads of a block begin with.
struct BlockSpan {
  std::uint32_t first;
  std::uint32_t last;

  template <class Threads>
  TANDEM_KERNEL BlockSpan(const Threads& threads, std::uint32_t triangle_count)
      : first(threads.block() * threads.block_size()),
        last(std::min(first + threads.block_size(), triangle_count) - 1) {}

  /// Whether the block has the triangles at a place and after it, between which ranges may meet.
  TANDEM_KERNEL bool has(std::uint32_t place) const { return place >= first && place < last; }
};

/// Of two ranges that meet at a place, whichever thread comes later joins both. Where both lie in
/// the block, they meet here; what has waited in vain then meets others in the memory of the
/// device.
struct BlockPlaces {
  /// One more than the thread that came first; 0 before.
  std::uint32_t arrived[k_build_block_size];
  /// Whether the range of a thread has been joined by another.
  bool joined[k_build_block_size];

  /// Before the threads of the block meet for the first time.
  template <class Threads>
  TANDEM_KERNEL void clear(const Threads& threads) {
    arrived[threads.thread()] = 0;
    joined[threads.thread()] = false;
  }

  /// One more than the thread whose range waits at a place, which is joined now; 0 if there is
  /// none.
  template <class Threads>
  TANDEM_KERNEL std::uint32_t arrive(const Threads& threads, std::uint32_t place_in_block) {
    const std::uint32_t other =
        threads.arrive_in_block(&arrived[place_in_block], threads.thread() + 1);
    if (other != 0) joined[other - 1] = true;
    return other;
  }
};

}  // namespace tandem::detail
