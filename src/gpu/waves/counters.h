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
  /// How many of them warps have taken, where each is searched by one.
  std::uint32_t taken;
  /// How many need another kind of frame.
  std::uint32_t other;
  /// Blocks of threads of the last kernel that have ended.
  std::uint32_t ended;
  WaveCount found;
};

/// What the host gets to know.
struct WaveSummary {
  /// Of each queue: all entries, and those of its longest part.
  WaveCount entries[k_wave_queues];
  std::uint32_t longest[k_wave_queues];
  std::uint32_t other;
  /// Where queries are made on the device: how many there are.
  std::uint32_t made;
  WaveCount found;
  /// Not 0 as soon as all of this is there.
  std::uint32_t ready;
};

/// Sums up the counters, and clears them for the next time, when the last block of a kernel ends.
struct FinishWaves {
  WaveCounters* counters = nullptr;
  /// Null where this is not the end.
  WaveSummary* summary = nullptr;
  /// Of queries that are made on the device; else null.
  const std::uint32_t* made_count = nullptr;
  /// All but the hard pairs has been summed up before.
  bool hard_alone = false;

  /// All threads of a block call it at their end; `shared` is for them. `after_hard` tells that
  /// hard pairs have been decided: as long as there are any, what belongs to them stays.
  template <class Threads>
  TANDEM_KERNEL void end_block(const Threads& threads, bool& shared, bool after_hard) const {
    if (summary == nullptr) return;
    threads.sync();
    if (threads.thread() == 0) {
      const std::uint32_t block_count = threads.thread_count() / threads.block_size();
      shared = threads.arrive_and_count(&counters->ended) + 1 == block_count;
    }
    threads.sync();
    if (!shared) return;
    // A queue for each thread.
    const std::uint32_t queue = threads.thread();
    if (queue == k_hard_queue) finish(after_hard);
    if (!hard_alone && queue < k_hard_queue) {
      sum_up(queue, true);
      if (queue <= k_max_wide_height) counters->starts[queue] = 0;
    }
    threads.sync();
    if (threads.thread() == 0) threads.publish(&summary->ready, 1);
  }

 private:
  static_assert(k_hard_queue < k_warp_size);

  /// The entries of a queue.
  TANDEM_KERNEL WaveCount sum_up(std::uint32_t q, bool clears) const {
    std::uint32_t* const counts = counters->queue[q];
    // All are loaded before the first is cleared, so that they are loaded at once.
    std::uint32_t numbers[PairQueue::k_most_parts];
    for (std::uint32_t part = 0; part < PairQueue::k_most_parts; ++part) {
      numbers[part] = load_fresh(counts + WaveCounters::k_stride * part);
    }
    WaveCount entries = 0;
    std::uint32_t longest = 0;
    for (const std::uint32_t number : numbers) {
      entries += number;
      longest = number > longest ? number : longest;
    }
    for (std::uint32_t part = 0; clears && part < PairQueue::k_most_parts; ++part) {
      counts[WaveCounters::k_stride * part] = 0;
    }
    summary->entries[q] = entries;
    summary->longest[q] = longest;
    return entries;
  }
  TANDEM_KERNEL void finish(bool after_hard) const {
    const bool done = sum_up(k_hard_queue, after_hard) == 0 || after_hard;
    if (!hard_alone) summary->other = load_fresh(&counters->other);
    if (made_count != nullptr) summary->made = load_fresh(made_count);
    summary->found = load_fresh(&counters->found);
    counters->taken = 0;
    counters->other = 0;
    counters->ended = 0;
    if (done) counters->found = 0;
  }
};

}  // namespace tandem::detail
