// The kernel for many queries: a warp each, from the roots of wide trees to their triangles.
#pragma once

#include <tandem/batch.h>

#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/warp.h"
#include "gpu/waves/models.h"
#include "gpu/waves/nodes.h"
#include "gpu/waves/queue.h"
#include "gpu/waves/results.h"
#include "math/bits.h"

namespace tandem::detail {

/// A warp has three lists in the memory that it shares: pairs of blocks, of leaves and of triangles
/// that are still to be tested. Each step takes up to 32 pairs from the end of one of them, and
/// appends what they lead to to the next: triangles when there are enough to keep all threads busy,
/// else leaves, else blocks. So the deepest pairs come first, and nothing but what is found goes
/// through the memory of the device.
template <class Tests>
struct DescendByWarps {
  static constexpr const char* k_phase = "warps";
  static constexpr int k_blocks_per_processor = Tests::k_warp_blocks;
  using Frame = typename Tests::Frame;

  /// Blocks, leaves or slots of triangles.
  struct Two {
    std::uint32_t a;
    std::uint32_t b;
  };

  /// A step takes no more pairs than it has room for what they lead to, but at least one. So many
  /// pairs of blocks may wait after a step that takes several. A step that takes one goes down with
  /// it, and leaves at most 15 pairs behind at each level but the last.
  static constexpr std::uint32_t k_many_blocks = 160;
  static constexpr std::uint32_t k_block_room =
      k_many_blocks + (k_pairs_of_children - 1) * (k_max_wide_height - 1);
  /// Of leaves, and of triangles.
  static constexpr std::uint32_t k_list_room = 176;
  static_assert(k_warp_size + k_pairs_of_children <= k_list_room);

  struct WarpMemory {
    Two blocks[k_block_room];
    Two leaves[k_list_room];
    Two triangles[k_list_room];
    FoundBox::Memory found;
    LeftBox::Memory left;
  };
  struct Shared {
    WarpMemory warps[k_wave_warps];
  };

  WaveModels models;
  const BatchQuery* queries;
  const Frame* frames;
  /// The queries that are to be searched, and how many warps have taken.
  const std::uint32_t* starts;
  const std::uint32_t* start_count;
  std::uint32_t* taken_count;
  WaveResults results;
  /// What is left for exact tests: slots of triangles.
  PairQueue undecided;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    WarpMemory& memory = shared.warps[threads.thread() / k_warp_size];
    FoundBox found(memory.found, results);
    LeftBox left(memory.left, undecided, threads.index() / k_warp_size % undecided.part_count);
    const std::uint32_t count = load_fresh(start_count);
    std::uint32_t i = threads.shuffle(take(threads), 0);
    while (i < count) {
      // The next one is asked for long before it is needed.
      const std::uint32_t next = take(threads);
      search(threads, load_fresh(starts + i), memory, found, left);
      i = threads.shuffle(next, 0);
    }
    found.finish(threads);
    left.finish(threads);
  }

 private:
  /// How many steps are left before the leaves, above the bits of a block of A, which is counted
  /// from its root.
  static constexpr std::uint32_t k_steps_shift = 28;
  static constexpr std::uint32_t k_block_bits = (std::uint32_t{1} << k_steps_shift) - 1;
  static_assert(k_max_wide_height < 16);

  /// How many pairs are in the lists: the same in all lanes.
  struct Counts {
    std::uint32_t blocks;
    std::uint32_t leaves;
    std::uint32_t triangles;
  };

  /// In lane 0.
  template <class Threads>
  TANDEM_KERNEL std::uint32_t take(const Threads& threads) const {
    return threads.lane() == 0 ? threads.atomic_add(taken_count, std::uint32_t{1}) : 0;
  }

  template <class Threads>
  TANDEM_KERNEL void search(const Threads& threads, std::uint32_t query, WarpMemory& memory,
                            FoundBox& found, LeftBox& left) const {
    const BatchQuery& asked = queries[query];
    const std::uint32_t root_a = models.models[asked.a].root_block;
    threads.sync_warp();
    Counts counts{
        begin(threads, root_a, models.models[asked.b].root_block, frames[query].levels, memory), 0,
        0};
    threads.sync_warp();
    const std::uint32_t enough = results.first_only ? k_few : k_warp_size;
    WaveCount found_count = 0;
    while (true) {
      const bool no_more = counts.blocks == 0 && counts.leaves == 0;
      if (counts.triangles >= enough || no_more) {
        if (counts.triangles == 0) break;
        found_count += test_triangles(threads, query, memory, counts, found, left);
        if (results.first_only && found_count > 0) break;
      } else if (counts.leaves >= enough || counts.blocks == 0) {
        test_leaves(threads, query, memory, counts);
      } else {
        descend(threads, query, root_a, memory, counts);
      }
      threads.sync_warp();
    }
    if (results.per_query != nullptr && found_count > 0 && threads.lane() == 0) {
      results.per_query[query] = results.first_only ? 1 : found_count;
    }
  }
  /// Where one pair is enough, so many triangles or leaves are tested as soon as there are as many,
  /// and no more blocks at a time.
  static constexpr std::uint32_t k_few = 8;
  static constexpr std::uint32_t k_few_blocks = 16;

  /// The first pairs of blocks: all below the roots, as nearly all of them overlap where anything
  /// does. Returns how many.
  template <class Threads>
  TANDEM_KERNEL std::uint32_t begin(const Threads& threads, std::uint32_t root_a,
                                    std::uint32_t root_b, const WaveLevels& levels,
                                    WarpMemory& memory) const {
    const std::uint32_t lane = threads.lane();
    const auto steps = static_cast<std::uint32_t>(levels.steps());
    if (steps == 1 || levels.a != levels.b) {
      if (lane == 0) memory.blocks[0] = {steps << k_steps_shift, root_b};
      return 1;
    }
    const HalfBlock& a = models.blocks[root_a];
    const HalfBlock& b = models.blocks[root_b];
    const std::uint32_t count = a.child_count * b.child_count;
    if (lane < count) {
      const std::uint32_t first_a = a.first_child - root_a;
      memory.blocks[lane] = {(first_a + lane / b.child_count) | (steps - 1) << k_steps_shift,
                             b.first_child + lane % b.child_count};
    }
    return count;
  }

  TANDEM_KERNEL static std::uint32_t fewer(std::uint32_t x, std::uint32_t y) {
    return x < y ? x : y;
  }
  /// How many of the first lanes have room for what they are to append.
  template <class Threads>
  TANDEM_KERNEL static std::uint32_t leading(const Threads& threads, bool fits) {
    const std::uint32_t others = ~threads.ballot(fits);
    return others == 0 ? k_warp_size : static_cast<std::uint32_t>(lowest_bit(others));
  }

  /// From pairs of blocks to pairs of their children.
  template <class Threads>
  TANDEM_KERNEL void descend(const Threads& threads, std::uint32_t query, std::uint32_t root_a,
                             WarpMemory& memory, Counts& counts) const {
    const std::uint32_t lane = threads.lane();
    const std::uint32_t most =
        fewer(counts.blocks, results.first_only ? k_few_blocks : k_warp_size);
    std::uint32_t mask = 0;
    std::uint32_t steps = 0;
    Two child{};
    if (lane < most) {
      const Two pair = memory.blocks[counts.blocks - 1 - lane];
      steps = pair.a >> k_steps_shift;
      child = {root_a + (pair.a & k_block_bits), pair.b};
      const Frame frame = load_constant(frames + query);
      const HalfBlock a = load_constant(models.blocks + child.a);
      const HalfBlock b = load_constant(models.blocks + child.b);
      const Descent descent = frame.levels.descent(static_cast<int>(steps));
      if (descent != Descent::b_alone) child.a = a.first_child;
      if (descent != Descent::a_alone) child.b = b.first_child;
      mask = without_waiting(Tests::template children<4, 2>(frame, a, b, 0, 0), descent);
    }
    // Pairs of leaves are counted in the upper half.
    const bool last = steps == 1;
    const std::uint32_t number = count_bits(mask) << (last ? 16 : 0);
    std::uint32_t total = 0;
    const std::uint32_t before = sum_before(threads, number, &total);
    const std::uint32_t after = before + number;
    const bool fits = lane < most && counts.leaves + (after >> 16) <= k_list_room &&
                      (lane == 0 || counts.blocks - 1 - lane + (after & 0xffff) <= k_many_blocks);
    const std::uint32_t taken = leading(threads, fits);
    if (taken < k_warp_size) total = threads.shuffle(before, taken);
    if (lane >= taken) mask = 0;
    threads.sync_warp();
    counts.blocks -= taken;
    Two* to = last ? memory.leaves + counts.leaves + (before >> 16)
                   : memory.blocks + counts.blocks + (before & 0xffff);
    if (!last) child.a = (child.a - root_a) | (steps - 1) << k_steps_shift;
    for (; mask != 0; mask &= mask - 1) {
      const auto which = static_cast<std::uint32_t>(lowest_bit(mask));
      *to++ = {child.a + (which >> 2), child.b + (which & 3)};
    }
    counts.blocks += total & 0xffff;
    counts.leaves += total >> 16;
  }

  /// From pairs of leaves to pairs of their triangles.
  template <class Threads>
  TANDEM_KERNEL void test_leaves(const Threads& threads, std::uint32_t query, WarpMemory& memory,
                                 Counts& counts) const {
    const std::uint32_t lane = threads.lane();
    const std::uint32_t most = fewer(counts.leaves, k_warp_size);
    Two pair{};
    std::uint32_t mask = 0;
    if (lane < most) {
      pair = memory.leaves[counts.leaves - 1 - lane];
      mask = Tests::leaves(load_constant(frames + query), models, pair.a, pair.b);
    }
    std::uint32_t total = 0;
    const std::uint32_t number = count_bits(mask);
    const std::uint32_t before = sum_before(threads, number, &total);
    const std::uint32_t taken =
        leading(threads, lane < most && counts.triangles + before + number <= k_list_room);
    if (taken < k_warp_size) total = threads.shuffle(before, taken);
    if (lane >= taken) mask = 0;
    Two* to = memory.triangles + counts.triangles + before;
    for (; mask != 0; mask &= mask - 1) {
      const auto which = static_cast<std::uint32_t>(lowest_bit(mask));
      *to++ = {k_block * pair.a + (which >> 2), k_block * pair.b + (which & 3)};
    }
    counts.leaves -= taken;
    counts.triangles += total;
  }

  /// Returns how many of the pairs that it tests touch.
  template <class Threads>
  TANDEM_KERNEL std::uint32_t test_triangles(const Threads& threads, std::uint32_t query,
                                             const WarpMemory& memory, Counts& counts,
                                             FoundBox& found, LeftBox& left) const {
    const std::uint32_t lane = threads.lane();
    const std::uint32_t taken = fewer(counts.triangles, k_warp_size);
    Verdict verdict = Verdict::disjoint;
    Two slots{};
    TrianglePair ids;
    if (lane < taken) {
      slots = memory.triangles[counts.triangles - 1 - lane];
      const WaveTriangle p = load_constant(models.triangles + slots.a);
      const WaveTriangle q = load_constant(models.triangles + slots.b);
      verdict = Tests::triangles(load_constant(frames + query), p, q);
      ids = {p.id, q.id};
    }
    counts.triangles -= taken;
    const bool touches = verdict == Verdict::intersecting;
    if (results.per_query == nullptr) found.add(threads, touches, {query, ids});
    left.add(threads, verdict == Verdict::unsure, {query, slots.a, slots.b});
    return count_bits(threads.ballot(touches));
  }
};

}  // namespace tandem::detail
