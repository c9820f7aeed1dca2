// What waves count, and the kernel that ends them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/waves/queue.h"
#include "gpu/waves/results.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// The queues of a search: queue i is what wave i begins with, and the one after the last wave has
/// pairs of leaves.
inline constexpr int k_undecided_queue = k_max_wide_height + 1;
inline constexpr int k_hard_queue = k_max_wide_height + 2;
inline constexpr int k_wave_queues = k_max_wide_height + 3;

/// All zero at first.
struct WaveCounters {
  static constexpr std::uint32_t k_stride = PairQueue::k_count_stride;

  std::uint32_t queue[k_wave_queues][PairQueue::k_most_parts * k_stride];
  /// How many queries start with each wave.
  std::uint32_t starts[k_max_wide_height + 1];
  /// How many need another kind of frame.
  std::uint32_t other;
  WaveCount found;
};

/// What the host gets to know.
struct WaveSummary {
  /// Of each queue: all entries, and those of its longest part.
  WaveCount entries[k_wave_queues];
  std::uint32_t longest[k_wave_queues];
  std::uint32_t other;
  WaveCount found;
};

/// One block: sums up the counters, and clears them for the next time.
struct FinishWaves {
  using Shared = NothingShared;

  WaveCounters* counters;
  WaveSummary* summary;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    for (std::uint32_t q = threads.thread(); q < k_wave_queues; q += threads.block_size()) {
      WaveCount entries = 0;
      std::uint32_t longest = 0;
      for (std::uint32_t part = 0; part < PairQueue::k_most_parts; ++part) {
        std::uint32_t* const count = &counters->queue[q][WaveCounters::k_stride * part];
        const std::uint32_t number = load_fresh(count);
        entries += number;
        longest = number > longest ? number : longest;
        *count = 0;
      }
      summary->entries[q] = entries;
      summary->longest[q] = longest;
    }
    if (threads.thread() == 0) {
      summary->other = load_fresh(&counters->other);
      summary->found = *static_cast<volatile WaveCount*>(&counters->found);
      counters->other = 0;
      counters->found = 0;
    }
    if (threads.thread() <= k_max_wide_height) counters->starts[threads.thread()] = 0;
  }
};

}  // namespace tandem::detail
