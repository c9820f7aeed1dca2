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
  /// What the thread that came first has brought, which is not 0; 0 before.
  std::uint32_t arrived[k_build_block_size];
  /// Whether ranges have been joined there.
  bool joined[k_build_block_size];

  /// Before the threads of the block meet for the first time.
  template <class Threads>
  TANDEM_KERNEL void clear(const Threads& threads) {
    arrived[threads.thread()] = 0;
    joined[threads.thread()] = false;
  }

  /// Brings a number other than 0 to a place, and returns what is there: 0 if nobody has come.
  template <class Threads>
  TANDEM_KERNEL std::uint32_t arrive(const Threads& threads, std::uint32_t place_in_block,
                                     std::uint32_t brought) {
    const std::uint32_t other = threads.arrive_in_block(&arrived[place_in_block], brought);
    if (other != 0) joined[place_in_block] = true;
    return other;
  }
};

}  // namespace tandem::detail
