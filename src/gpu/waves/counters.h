// What waves count, and the kernel that ends them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/warp.h"
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

/// What they add up to in the end.
struct WaveSummary {
  /// Of each queue: all entries, and those of its longest part.
  WaveCount entries[k_wave_queues];
  std::uint32_t longest[k_wave_queues];
};

/// What the host waits for. Each number is seen by the host at once or not at all, so the device
/// need not wait until all of them have arrived there: that takes a microsecond.
struct WaveReport {
  /// A number that is there is not 0.
  static constexpr WaveCount k_there = WaveCount{1} << 63;
  /// Beside `made`: a queue lacked room; pairs are left for exact arithmetic; queries are left that
  /// need another kind of frame.
  static constexpr WaveCount k_lacks_room = WaveCount{1} << 62;
  static constexpr WaveCount k_has_hard = WaveCount{1} << 61;
  static constexpr WaveCount k_has_other = WaveCount{1} << 60;
  static constexpr int k_undecided_shift = 32;
  static constexpr std::uint32_t k_most_undecided = (std::uint32_t{1} << 28) - 1;

  WaveCount found;
  WaveCount made;

  std::uint64_t found_count() const { return found & ~k_there; }
  /// Where queries are made on the device: how many there are.
  std::uint32_t made_count() const { return static_cast<std::uint32_t>(made); }
  /// How many pairs doubles had to decide, if there are not very many.
  std::uint32_t undecided_count() const {
    return static_cast<std::uint32_t>(made >> k_undecided_shift) & k_most_undecided;
  }
  bool tells(WaveCount what) const { return (made & what) != 0; }
};

/// How many entries a part of each kind of queue has room for.
struct WaveRooms {
  std::uint32_t pairs = 0;
  std::uint32_t undecided = 0;
  std::uint32_t hard = 0;

  WaveRooms() = default;
  WaveRooms(std::uint32_t of_pairs, std::uint32_t of_undecided, std::uint32_t of_hard)
      : pairs(of_pairs), undecided(of_undecided), hard(of_hard) {}
  /// What a search has needed.
  WaveRooms(const WaveSummary& done, int wave_count)
      : undecided(done.longest[k_undecided_queue]), hard(done.longest[k_hard_queue]) {
    for (int i = 0; i <= wave_count; ++i) pairs = std::max(pairs, done.longest[i]);
  }

  TANDEM_HD std::uint32_t of_queue(std::uint32_t queue) const {
    return queue == k_undecided_queue ? undecided : queue == k_hard_queue ? hard : pairs;
  }
  bool hold(const WaveRooms& needed) const {
    return pairs >= needed.pairs && undecided >= needed.undecided && hard >= needed.hard;
  }
  WaveRooms with_slack() const {
    return {pairs + pairs / 4, undecided + undecided / 4, hard + hard / 4};
  }
  WaveRooms joined(const WaveRooms& other) const {
    return {std::max(pairs, other.pairs), std::max(undecided, other.undecided),
            std::max(hard, other.hard)};
  }
  /// Waves read one queue and write another one, in turn.
  std::size_t entries() const {
    return PairQueue::k_most_parts * (2 * std::size_t{pairs} + undecided + hard);
  }
};

/// Sums up the counters, and clears them for the next time, when the last block of a kernel ends.
struct FinishWaves {
  WaveCounters* counters = nullptr;
  /// Null where this is not the end.
  WaveSummary* summary = nullptr;
  WaveReport* report = nullptr;
  WaveRooms rooms = {};
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
    if (threads.thread() < k_warp_size) finish(threads, after_hard);
  }

 private:
  static_assert(k_hard_queue < k_warp_size);

  /// A warp, with a queue for each thread. The host waits: so all is loaded at once, and what the
  /// host need not wait for comes last.
  template <class Threads>
  TANDEM_KERNEL void finish(const Threads& threads, bool after_hard) const {
    const WaveCount found = load_fresh(&counters->found);
    const std::uint32_t others = load_fresh(&counters->other);
    const std::uint32_t queries = made_count != nullptr ? load_fresh(made_count) : 0;
    const std::uint32_t queue = threads.lane();
    const bool hard = queue == k_hard_queue;
    const bool sums_up = hard || (!hard_alone && queue < k_hard_queue);
    const QueueSum sum = sums_up ? sum_up(queue) : QueueSum{};
    const bool any_lacks_room = threads.ballot(sum.longest > rooms.of_queue(queue)) != 0;
    const bool any_hard = threads.ballot(hard && !after_hard && sum.longest > 0) != 0;
    const WaveCount undecided = threads.shuffle(sum.entries, k_undecided_queue);
    if (queue == 0) {
      WaveCount made = WaveReport::k_there | queries;
      made |= std::min(undecided, WaveCount{WaveReport::k_most_undecided})
              << WaveReport::k_undecided_shift;
      if (any_lacks_room) made |= WaveReport::k_lacks_room;
      if (any_hard) made |= WaveReport::k_has_hard;
      if (others > 0) made |= WaveReport::k_has_other;
      threads.publish(&report->made, made);
      threads.publish(&report->found, WaveReport::k_there | found);
      counters->taken = 0;
      counters->ended = 0;
      // What is left for exact arithmetic is found in one more kernel.
      if (!any_hard) {
        counters->other = 0;
        counters->found = 0;
      }
    }
    if (!sums_up) return;
    summary->entries[queue] = sum.entries;
    summary->longest[queue] = sum.longest;
    if (queue <= k_max_wide_height) counters->starts[queue] = 0;
    if (!hard || after_hard) clear(queue);
  }

  /// The entries of a queue, and those of its longest part.
  struct QueueSum {
    WaveCount entries = 0;
    std::uint32_t longest = 0;
  };
  TANDEM_KERNEL QueueSum sum_up(std::uint32_t queue) const {
    // All are loaded before the first is added, so that they are loaded at once.
    std::uint32_t numbers[PairQueue::k_most_parts];
    for (std::uint32_t part = 0; part < PairQueue::k_most_parts; ++part) {
      numbers[part] = load_fresh(counters->queue[queue] + WaveCounters::k_stride * part);
    }
    QueueSum sum;
    for (const std::uint32_t number : numbers) {
      sum.entries += number;
      sum.longest = number > sum.longest ? number : sum.longest;
    }
    return sum;
  }
  TANDEM_KERNEL void clear(std::uint32_t queue) const {
    for (std::uint32_t part = 0; part < PairQueue::k_most_parts; ++part) {
      counters->queue[queue][WaveCounters::k_stride * part] = 0;
    }
  }
};

}  // namespace tandem::detail
