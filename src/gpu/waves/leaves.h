// The kernel after the last wave: from pairs of leaves to touching triangles.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/warp.h"
#include "gpu/waves/models.h"
#include "gpu/waves/nodes.h"
#include "gpu/waves/queue.h"
#include "gpu/waves/results.h"
#include "math/bits.h"

namespace tandem::detail {

/// A warp tests the boxes of up to 32 pairs of leaves, lists the pairs of triangles whose boxes
/// overlap in the memory that it shares, and tests these. Those that would not keep all threads
/// busy wait for the next pairs of leaves. So threads are busy in either step, and no list goes
/// through the memory of the device.
///
/// Where `k_few` tells that there may be few pairs, several threads share one then. That is a
/// kernel of its own, as the other one has no registers to spare.
template <class Tests, bool k_few>
struct TestLeaves {
  static constexpr const char* k_phase = "leaves";
  static constexpr int k_blocks_per_processor = Tests::k_leaf_blocks;
  struct WarpMemory {
    /// Those of the candidates that wait, then new ones.
    WaveEntry leaves[2 * k_warp_size];
    /// 16 times the pair of leaves, and which of its triangles.
    std::uint16_t candidates[(k_pairs_of_children + 1) * k_warp_size];
    FoundBox::Memory found;
    LeftBox::Memory left;
  };
  struct Shared {
    WarpMemory warps[k_wave_warps];
  };
  using Frame = typename Tests::Frame;

  WaveModels models;
  const Frame* frames;
  PairQueue in;
  WaveResults results;
  /// What is left for exact tests: slots of triangles.
  PairQueue undecided;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    WarpMemory& memory = shared.warps[threads.thread() / k_warp_size];
    FoundBox found(memory.found, results);
    LeftBox left(memory.left, undecided, QueueShare(threads, in.part_count).out_part);
    run(threads, memory, found, left);
    found.finish(threads);
    left.finish(threads);
  }

  /// What floats leave open goes to a box like `LeftBox`.
  template <class Threads, class Left>
  TANDEM_KERNEL void run(const Threads& threads, WarpMemory& memory, FoundBox& found,
                         Left& left) const {
    const QueueShare share(threads, in.part_count);
    const std::uint32_t warp_count = share.thread_count / k_warp_size;
    const std::uint32_t warp =
        (share.block * threads.block_size() + threads.thread()) / k_warp_size;
    if constexpr (k_few) {
      // Threads load the pair that they would have before they know how many there are.
      const std::uint32_t first = warp * k_fewest_pairs + threads.lane() / k_lanes;
      const WaveEntry early = in.load_early(share.part, first);
      const std::uint32_t count = in.size(share.part);
      if (count <= std::uint64_t{k_few_pairs} * warp_count) {
        const std::uint32_t listed =
            list_few(threads, early, share.part, first, count, k_fewest_pairs * warp_count, memory);
        test_candidates(threads, memory, listed, found, left);
      } else {
        test_all(threads, share.part, count, warp, warp_count, memory, found, left);
      }
    } else {
      test_all(threads, share.part, in.size(share.part), warp, warp_count, memory, found, left);
    }
  }

 private:
  /// Up to so many pairs of a warp are each tested by several threads, so many at a time.
  static constexpr std::uint32_t k_few_pairs = 16;
  static constexpr std::uint32_t k_fewest_pairs = 4;
  static constexpr std::uint32_t k_lanes = k_warp_size / k_fewest_pairs;

  template <class Threads, class Left>
  TANDEM_KERNEL void test_all(const Threads& threads, std::uint32_t part, std::uint32_t count,
                              std::uint32_t warp, std::uint32_t warp_count, WarpMemory& memory,
                              FoundBox& found, Left& left) const {
    // One pair for each thread, or fewer, so that all warps have some.
    const std::uint32_t even = (count + warp_count - 1) / warp_count;
    const std::uint32_t at_once = even < k_fewest_pairs ? k_fewest_pairs
                                  : even > k_warp_size  ? k_warp_size
                                                        : even;
    std::uint32_t waiting = 0;
    for (std::uint64_t first = std::uint64_t{warp} * at_once; first < count;
         first += std::uint64_t{warp_count} * at_once) {
      const auto begin = static_cast<std::uint32_t>(first);
      const std::uint32_t listed =
          list_candidates(threads, part, begin, std::min(begin + at_once, count), waiting, memory);
      const std::uint32_t tested = listed - listed % k_warp_size;
      test_candidates(threads, memory, tested, found, left);
      waiting = listed - tested;
      keep_rest(threads, tested, waiting, memory);
    }
    test_candidates(threads, memory, waiting, found, left);
  }

  /// Lists all pairs of triangles of some pairs of leaves whose boxes overlap, behind those that
  /// wait; how many there are then.
  template <class Threads>
  TANDEM_KERNEL std::uint32_t list_candidates(const Threads& threads, std::uint32_t part,
                                              std::uint32_t begin, std::uint32_t end,
                                              std::uint32_t waiting, WarpMemory& memory) const {
    const std::uint32_t i = begin + threads.lane();
    const std::uint32_t place = k_warp_size + threads.lane();
    std::uint32_t mask = 0;
    if (i < end) {
      const WaveEntry pair = in.load(part, i);
      if (!results.is_answered(pair.query)) {
        mask = Tests::leaves(load_constant(frames + pair.query), models, pair.a, pair.b);
      }
      memory.leaves[place] = pair;
    }
    const std::uint32_t count = waiting + list(threads, mask, place, waiting, memory);
    threads.sync_warp();
    return count;
  }
  /// Puts the candidates that are left from a place on where those that wait are.
  template <class Threads>
  TANDEM_KERNEL static void keep_rest(const Threads& threads, std::uint32_t first,
                                      std::uint32_t count, WarpMemory& memory) {
    const std::uint32_t lane = threads.lane();
    std::uint32_t candidate = 0;
    WaveEntry pair{};
    if (lane < count) {
      candidate = memory.candidates[first + lane];
      pair = memory.leaves[candidate >> 4];
    }
    threads.sync_warp();
    if (lane < count) {
      memory.candidates[lane] = static_cast<std::uint16_t>(lane << 4 | (candidate & 15));
      memory.leaves[lane] = pair;
    }
    threads.sync_warp();
  }
  /// Lists those of few pairs, each tested by several threads together: one begins with the pair
  /// `place`, which it has loaded, and goes on with one that is `stride` further.
  template <class Threads>
  TANDEM_KERNEL std::uint32_t list_few(const Threads& threads, WaveEntry pair, std::uint32_t part,
                                       std::uint32_t place, std::uint32_t pair_count,
                                       std::uint32_t stride, WarpMemory& memory) const {
    const std::uint32_t lane = threads.lane() % k_lanes;
    std::uint32_t i = threads.lane() / k_lanes;
    std::uint32_t count = 0;
    while (threads.ballot(place < pair_count) != 0) {
      std::uint32_t mask = 0;
      if (place < pair_count) {
        if (!results.is_answered(pair.query)) {
          mask = Tests::template some_of_leaves<k_lanes>(load_constant(frames + pair.query), models,
                                                         pair.a, pair.b, lane);
        }
        if (lane == 0) memory.leaves[i] = pair;
      }
      count += list(threads, mask, i, count, memory);
      i += k_fewest_pairs;
      place += stride;
      if (place < pair_count) pair = in.load(part, place);
    }
    threads.sync_warp();
    return count;
  }
  /// Appends the bits of a mask, which belong to a pair of leaves, to the candidates; how many all
  /// threads of the warp have.
  template <class Threads>
  TANDEM_KERNEL static std::uint32_t list(const Threads& threads, std::uint32_t mask,
                                          std::uint32_t pair, std::uint32_t first,
                                          WarpMemory& memory) {
    std::uint32_t total = 0;
    std::uint32_t place = first + sum_before(threads, count_bits(mask), &total);
    for (; mask != 0; mask &= mask - 1) {
      memory.candidates[place++] = static_cast<std::uint16_t>(pair << 4 | lowest_bit(mask));
    }
    return total;
  }

  template <class Threads, class Left>
  TANDEM_KERNEL void test_candidates(const Threads& threads, const WarpMemory& memory,
                                     std::uint32_t count, FoundBox& found, Left& left) const {
    for (std::uint32_t i = 0; i < count; i += k_warp_size) {
      test_candidate(threads, memory, i + threads.lane(), count, found, left);
    }
    threads.sync_warp();
  }
  /// All threads of the warp call it, each with a candidate of its own or none.
  template <class Threads, class Left>
  TANDEM_KERNEL void test_candidate(const Threads& threads, const WarpMemory& memory,
                                    std::uint32_t i, std::uint32_t count, FoundBox& found,
                                    Left& left) const {
    Verdict verdict = Verdict::disjoint;
    WaveEntry slots{};
    TrianglePair ids;
    if (i < count) {
      const std::uint32_t candidate = memory.candidates[i];
      const WaveEntry& leaves = memory.leaves[candidate >> 4];
      slots = {leaves.query, k_block * leaves.a + (candidate >> 2 & 3),
               k_block * leaves.b + (candidate & 3)};
      const WaveTriangle p = load_constant(models.triangles + slots.a);
      const WaveTriangle q = load_constant(models.triangles + slots.b);
      verdict = Tests::triangles(load_constant(frames + slots.query), p, q);
      ids = {p.id, q.id};
    }
    found.add(threads, verdict == Verdict::intersecting, {slots.query, ids});
    left.add(threads, verdict == Verdict::unsure, slots);
  }
};

}  // namespace tandem::detail
