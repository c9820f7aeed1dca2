// The pairs of triangles that a warp leaves to kernels that compute their distances.
#pragma once

#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/warp.h"
#include "gpu/waves/queue.h"
#include "math/bits.h"

namespace tandem::detail {

/// Two blocks or leaves with so many steps left, or slots of triangles, and how far apart they are
/// at least.
struct alignas(16) BoundedPair {
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t steps;
  float bound;
};

/// Kept until there are many, as most of them turn out to be farther apart than others. All members
/// are the same in all threads of the warp, which call all functions together.
class LeftPairs {
 public:
  static constexpr std::uint32_t k_room = 2 * k_warp_size;
  struct Memory {
    BoundedPair pairs[k_room];
  };

  TANDEM_KERNEL LeftPairs(Memory& memory, const PairQueue& candidates, std::uint32_t query)
      : memory_(memory), candidates_(candidates), query_(query) {}

  /// Keeps the pairs of threads that have one. `nearest` is how far apart the models are at most.
  template <class Threads, class Number>
  TANDEM_KERNEL void add(const Threads& threads, bool leaves, const BoundedPair& pair,
                         Number nearest) {
    const std::uint32_t all = threads.ballot(leaves);
    if (all == 0) return;
    if (count_ + k_warp_size > k_room) {
      drop_far(threads, nearest);
      if (count_ + k_warp_size > k_room) append(threads);
    }
    if (leaves) memory_.pairs[count_ + count_bits(all & lanes_before(threads.lane()))] = pair;
    count_ += count_bits(all);
    threads.sync_warp();
  }
  /// At the end.
  template <class Threads, class Number>
  TANDEM_KERNEL void finish(const Threads& threads, Number nearest) {
    drop_far(threads, nearest);
    append(threads);
  }

 private:
  /// Drops what is farther apart than the models.
  template <class Threads, class Number>
  TANDEM_KERNEL void drop_far(const Threads& threads, Number nearest) {
    const std::uint32_t lane = threads.lane();
    std::uint32_t kept = 0;
    for (std::uint32_t first = 0; first < count_; first += k_warp_size) {
      BoundedPair pair{};
      bool keeps = false;
      if (first + lane < count_) {
        pair = memory_.pairs[first + lane];
        keeps = pair.bound <= nearest;
      }
      const std::uint32_t all = threads.ballot(keeps);
      threads.sync_warp();
      if (keeps) memory_.pairs[kept + count_bits(all & lanes_before(lane))] = pair;
      kept += count_bits(all);
      threads.sync_warp();
    }
    count_ = kept;
  }
  template <class Threads>
  TANDEM_KERNEL void append(const Threads& threads) {
    if (count_ == 0) return;
    const std::uint32_t part = threads.index() / k_warp_size % candidates_.part_count;
    const std::uint32_t place = candidates_.take_places(threads, part, count_);
    for (std::uint32_t i = threads.lane(); i < count_; i += k_warp_size) {
      candidates_.store(part, place + i, {query_, memory_.pairs[i].a, memory_.pairs[i].b});
    }
    threads.sync_warp();
    count_ = 0;
  }

  Memory& memory_;
  const PairQueue& candidates_;
  std::uint32_t query_;
  std::uint32_t count_ = 0;
};

}  // namespace tandem::detail
