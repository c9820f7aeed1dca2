// Where waves put what they find.
#pragma once

#include <tandem/cuda/collide.h>

#include <cstddef>
#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/waves/queue.h"

namespace tandem::detail {

using cuda::FoundPair;

/// What CUDA adds to atomically in 64 bits.
using WaveCount = unsigned long long;

/// Touching pairs of all queries, in any order. Like those of queues, the counter goes on where
/// there is no more room.
struct WaveResults {
  FoundPair* pairs;
  WaveCount* count;
  WaveCount room;
  /// Queries are numbered from here.
  std::uint32_t first_query;
  /// Where pairs are only counted: how many each query has. Else null.
  WaveCount* per_query;
  /// It suffices to know which queries have any.
  bool first_only;

  /// Nothing more is to be known of a query.
  TANDEM_KERNEL bool is_answered(std::uint32_t query) const {
    return first_only && load_fresh(per_query + query) != 0;
  }

  /// All threads of a warp append what they have together.
  template <class Threads>
  TANDEM_KERNEL void append(const Threads& threads, const FoundPair* items,
                            std::uint32_t number) const {
    if (per_query != nullptr) {
      count_pairs(threads, items, number);
      return;
    }
    WaveCount place = 0;
    if (threads.lane() == 0) place = threads.atomic_add(count, WaveCount{number});
    place = threads.shuffle(place, 0);
    for (std::uint32_t i = threads.lane(); i < number; i += k_warp_size) {
      if (place + i < room) {
        pairs[place + i] = {first_query + items[i].query, items[i].pair};
      }
    }
  }

 private:
  template <class Threads>
  TANDEM_KERNEL void count_pairs(const Threads& threads, const FoundPair* items,
                                 std::uint32_t number) const {
    for (std::uint32_t i = threads.lane(); i < number; i += k_warp_size) {
      WaveCount* const to = per_query + items[i].query;
      if (first_only) {
        *to = 1;
      } else {
        threads.atomic_add(to, WaveCount{1});
      }
    }
  }
};

/// The pairs that a warp has found and not yet appended.
class FoundBox {
 public:
  using Memory = WarpOutbox<FoundPair, 128>;

  TANDEM_KERNEL FoundBox(Memory& memory, const WaveResults& results)
      : memory_(memory), results_(results) {}

  template <class Threads>
  TANDEM_KERNEL void add(const Threads& threads, bool found, const FoundPair& pair) {
    memory_.add(threads, found, pair, &kept_,
                [&](std::uint32_t number) { results_.append(threads, memory_.items, number); });
  }
  template <class Threads>
  TANDEM_KERNEL void finish(const Threads& threads) {
    memory_.finish(threads, kept_,
                   [&](std::uint32_t number) { results_.append(threads, memory_.items, number); });
  }

 private:
  Memory& memory_;
  const WaveResults& results_;
  std::uint32_t kept_ = 0;
};

/// Pairs that a warp has left undecided and not yet appended to a queue.
class LeftBox {
 public:
  using Memory = WarpOutbox<WaveEntry, 64>;

  TANDEM_KERNEL LeftBox(Memory& memory, const PairQueue& queue, std::uint32_t part)
      : memory_(memory), queue_(queue), part_(part) {}

  template <class Threads>
  TANDEM_KERNEL void add(const Threads& threads, bool left, const WaveEntry& pair) {
    memory_.add(threads, left, pair, &kept_,
                [&](std::uint32_t number) { append(threads, number); });
  }
  template <class Threads>
  TANDEM_KERNEL void finish(const Threads& threads) {
    memory_.finish(threads, kept_, [&](std::uint32_t number) { append(threads, number); });
  }

 private:
  template <class Threads>
  TANDEM_KERNEL void append(const Threads& threads, std::uint32_t number) const {
    const std::uint32_t place = queue_.take_places(threads, part_, number);
    for (std::uint32_t i = threads.lane(); i < number; i += k_warp_size) {
      queue_.store(part_, place + i, memory_.items[i]);
    }
  }

  Memory& memory_;
  const PairQueue& queue_;
  std::uint32_t part_;
  std::uint32_t kept_ = 0;
};

}  // namespace tandem::detail
