// The kernel of a wave: from pairs of blocks to pairs of their children that overlap.
#pragma once

#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/warp.h"
#include "gpu/waves/models.h"
#include "gpu/waves/query.h"
#include "gpu/waves/queue.h"
#include "math/bits.h"

namespace tandem::detail {

/// Waves run in blocks of at most so many threads.
inline constexpr std::uint32_t k_wave_block_size = 128;
inline constexpr std::uint32_t k_wave_warps = k_wave_block_size / k_warp_size;

/// The bits of the pairs that are left when one tree waits at its block: each child of the other
/// one, once, that overlaps any child of it.
TANDEM_HD inline std::uint32_t without_waiting(std::uint32_t mask, Descent descent) {
  if (descent == Descent::b_alone) return (mask | mask >> 4 | mask >> 8 | mask >> 12) & 0xf;
  if (descent == Descent::a_alone) return (mask | mask >> 1 | mask >> 2 | mask >> 3) & 0x1111;
  return mask;
}

/// The pairs that a wave begins with: those of the wave before, and all pairs of blocks of the
/// queries that start with it.
template <class Frame>
struct WaveInput {
  PairQueue queue;
  const Frame* frames;
  const BatchQuery* queries;
  const std::uint32_t* starts;
  const std::uint32_t* start_count;
  /// At most so many pairs for each query that starts.
  std::uint32_t pairs_per_start;
};

template <class Tests>
struct DescendWave {
  static constexpr const char* k_phase = "blocks";
  static constexpr int k_blocks_per_processor = Tests::k_node_blocks;
  /// What a warp is about to append: 16 times the lane, and which of its children.
  struct Shared {
    std::uint16_t children[k_wave_warps][k_warp_size * k_pairs_of_children];
  };
  using Frame = typename Tests::Frame;

  WaveModels models;
  WaveInput<Frame> in;
  PairQueue out;
  /// With this wave.
  int steps_left;

  /// The most threads that share a pair.
  static constexpr std::uint32_t k_most_lanes = 8;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    const QueueShare share(threads, out.part_count);
    // Where there are few pairs, threads do little else than wait for memory. So each loads the one
    // that it would have then, before it knows how many there are.
    const std::uint32_t thread = share.block * threads.block_size() + threads.thread();
    const WaveEntry early = in.queue.load_early(share.part, thread / k_most_lanes);
    const std::uint32_t all_starts = load_fresh(in.start_count) * in.pairs_per_start;
    const std::uint32_t per_part = (all_starts + out.part_count - 1) / out.part_count;
    const std::uint32_t first_start = std::min(per_part * share.part, all_starts);
    const Work work{share, first_start, std::min(per_part, all_starts - first_start),
                    in.queue.size(share.part)};
    // The fewer pairs there are, the more threads share one.
    const std::uint64_t count = work.count();
    std::uint16_t* const children = shared.children[threads.thread() / k_warp_size];
    if (k_most_lanes * count <= share.thread_count) {
      const std::uint32_t i = thread / k_most_lanes;
      const bool queued = i >= work.start_count && i < work.count();
      run<k_most_lanes>(threads, work, work.start_count == 0 && queued ? early : entry(work, i),
                        children);
    } else if (4 * count <= share.thread_count) {
      run<4>(threads, work, entry(work, thread / 4), children);
    } else {
      run<1>(threads, work, entry(work, thread), children);
    }
  }

  /// One of the pairs of a query that starts with this wave, by `k_most_lanes` threads. All threads
  /// of the warp call it, for different pairs.
  template <class Threads>
  TANDEM_KERNEL void start(const Threads& threads, bool there, const WaveEntry& pair,
                           const Frame& frame, Shared& shared) const {
    descend<k_most_lanes>(
        threads, there ? pair : WaveEntry{k_no_query, 0, 0}, [&] { return frame; },
        QueueShare(threads, out.part_count).out_part,
        shared.children[threads.thread() / k_warp_size]);
  }
  /// That pair, or none where the query has fewer.
  TANDEM_KERNEL WaveEntry start_pair(std::uint32_t query, std::uint32_t number) const {
    const WaveModel& a = models.models[in.queries[query].a];
    const WaveModel& b = models.models[in.queries[query].b];
    const LevelBlocks of_a(a.tree, steps_left);
    const LevelBlocks of_b(b.tree, steps_left);
    if (number >= of_a.count * of_b.count) return {k_no_query, 0, 0};
    return {query, a.root_block + of_a.first + number / of_b.count,
            b.root_block + of_b.first + number % of_b.count};
  }
  /// For a block that is soon to be tested, if there is a pair.
  TANDEM_KERNEL void load_early(std::uint32_t query, std::uint32_t block) const {
    if (query != k_no_query) prefetch(models.blocks + block);
  }

 private:
  struct Work {
    QueueShare share;
    std::uint32_t first_start;
    std::uint32_t start_count;
    std::uint32_t queued_count;

    TANDEM_KERNEL std::uint32_t count() const { return start_count + queued_count; }
  };

  static constexpr std::uint32_t k_no_query = 0xffffffff;

  TANDEM_KERNEL WaveEntry entry(const Work& work, std::uint32_t i) const {
    if (i >= work.count()) return {k_no_query, 0, 0};
    if (i >= work.start_count) return in.queue.load(work.share.part, i - work.start_count);
    const std::uint32_t number = work.first_start + i;
    return start_pair(load_fresh(in.starts + number / in.pairs_per_start),
                      number % in.pairs_per_start);
  }

  /// `k_lanes` threads for each pair; `pair` is the first one of this thread.
  template <std::uint32_t k_lanes, class Threads>
  TANDEM_KERNEL void run(const Threads& threads, const Work& work, WaveEntry pair,
                         std::uint16_t* children) const {
    const std::uint32_t lane = threads.lane();
    const std::uint32_t stride = work.share.thread_count / k_lanes;
    const std::uint32_t thread = work.share.block * threads.block_size() + threads.thread();
    std::uint32_t i = thread / k_lanes;
    std::uint32_t first = (thread - lane) / k_lanes;
    for (; first < work.count(); first += stride, i += stride) {
      const WaveEntry next = entry(work, i + stride);
      descend<k_lanes>(
          threads, pair, [&] { return load_constant(in.frames + pair.query); }, work.share.out_part,
          children);
      pair = next;
    }
  }

  /// From a pair of blocks, if there is one, to those of its children that overlap. All threads of
  /// the warp call it.
  template <std::uint32_t k_lanes, class Threads, class GetFrame>
  TANDEM_KERNEL void descend(const Threads& threads, const WaveEntry& pair,
                             const GetFrame& get_frame, std::uint32_t part,
                             std::uint16_t* children) const {
    std::uint32_t mask = 0;
    WaveEntry child = pair;
    Descent descent = Descent::both;
    if (pair.query != k_no_query) {
      const Frame frame = get_frame();
      descent = frame.levels.descent(steps_left);
      mask = test<k_lanes>(frame, pair, threads.lane() % k_lanes, descent, &child);
    }
    mask = own_bits<k_lanes>(threads, mask, descent);
    append(threads, mask, child, part, children);
  }

  /// The pairs of children that this thread tests; `child` becomes the first pair of all.
  template <std::uint32_t k_lanes>
  TANDEM_KERNEL std::uint32_t test(const Frame& frame, const WaveEntry& pair, std::uint32_t lane,
                                   Descent descent, WaveEntry* child) const {
    const HalfBlock& a = models.blocks[pair.a];
    const HalfBlock& b = models.blocks[pair.b];
    if (descent != Descent::b_alone) child->a = a.first_child;
    if (descent != Descent::a_alone) child->b = b.first_child;
    const int number = static_cast<int>(lane);
    if constexpr (k_lanes == k_most_lanes) {
      return Tests::template children<1, 1>(frame, a, b, number / 2, number % 2);
    } else if constexpr (k_lanes == 4) {
      return Tests::template children<1, 2>(frame, a, b, number, 0);
    } else {
      return Tests::template children<4, 2>(frame, load_constant(&a), load_constant(&b), 0, 0);
    }
  }

  /// Of the pairs that the threads of a group have found, those that this one is to append.
  template <std::uint32_t k_lanes, class Threads>
  TANDEM_KERNEL static std::uint32_t own_bits(const Threads& threads, std::uint32_t mask,
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

  /// Appends pairs of children to the queue, side by side. All threads of the warp call it.
  template <class Threads>
  TANDEM_KERNEL void append(const Threads& threads, std::uint32_t mask, const WaveEntry& child,
                            std::uint32_t part, std::uint16_t* children) const {
    const std::uint32_t lane = threads.lane();
    std::uint32_t total = 0;
    std::uint32_t place = sum_before(threads, count_bits(mask), &total);
    if (total == 0) return;
    for (; mask != 0; mask &= mask - 1) {
      children[place++] = static_cast<std::uint16_t>(lane << 4 | lowest_bit(mask));
    }
    const std::uint32_t begin = out.take_places(threads, part, total);
    threads.sync_warp();
    for (std::uint32_t first = 0; first < total; first += k_warp_size) {
      const std::uint32_t i = first + lane;
      const std::uint32_t which = i < total ? children[i] : 0;
      const WaveEntry base{threads.shuffle(child.query, which >> 4),
                           threads.shuffle(child.a, which >> 4),
                           threads.shuffle(child.b, which >> 4)};
      if (i < total) {
        out.store(part, begin + i, {base.query, base.a + (which >> 2 & 3), base.b + (which & 3)});
      }
    }
    threads.sync_warp();
  }
};

}  // namespace tandem::detail
