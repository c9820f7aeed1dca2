// The kernels that decide what float32 leaves open.
#pragma once

#include <tandem/batch.h>

#include <cstdint>

#include "geometry/error_free.h"
#include "geometry/triangle_filter.h"
#include "geometry/triangle_test.h"
#include "gpu/kernel.h"
#include "gpu/warp.h"
#include "gpu/waves/counters.h"
#include "gpu/waves/models.h"
#include "gpu/waves/nodes.h"
#include "gpu/waves/queue.h"
#include "gpu/waves/results.h"
#include "math/bits.h"

namespace tandem::detail {

/// The corners that the host decides on too: A's as they are, B's moved.
struct PlacedPair {
  Triangle p;
  Triangle q;

  TANDEM_HD PlacedPair(const WaveModels& models, const BatchQuery& query, const WaveEntry& slots)
      : p(models.corners(models.models[query.a], slots.a)),
        q(moved(query.b_in_a, models.corners(models.models[query.b], slots.b))) {}
};

TANDEM_HD inline FoundPair found_pair(const WaveModels& models, const WaveEntry& slots) {
  return {slots.query, {models.triangles[slots.a].id, models.triangles[slots.b].id}};
}

/// What a kernel does with the entries of a queue, 32 at a time: `use(there, entry)` is called by
/// all threads of a warp together, some of which may have none.
template <class Threads, class Use>
TANDEM_KERNEL void for_each_entry(const Threads& threads, const PairQueue& in, const Use& use) {
  const QueueShare share(threads, in.part_count);
  std::uint32_t i = share.block * threads.block_size() + threads.thread();
  WaveEntry entry = in.load_early(share.part, i);
  const std::uint32_t count = in.size(share.part);
  while (i - threads.lane() < count) {
    const bool there = i < count;
    use(there, there ? entry : WaveEntry{});
    i += share.thread_count;
    if (i < count) entry = in.load(share.part, i);
  }
}

/// Doubles decide what rounding leaves no doubt about, and what they can compute without rounding:
/// pairs of bodies that stand face to face.
struct DecideInDouble {
  static constexpr const char* k_phase = "doubles";
  static constexpr int k_blocks_per_processor = 4;
  struct WarpMemory {
    FoundBox::Memory found;
    LeftBox::Memory left[2];
    /// Pairs in one plane, until there are enough for all threads of the warp.
    WaveEntry flat[2 * k_warp_size];
  };
  struct Shared {
    WarpMemory warps[k_wave_warps];
    bool last;
  };

  WaveModels models;
  const BatchQuery* queries;
  PairQueue in;
  WaveResults results;
  /// What is left, the first half of the parts for pairs in one plane: threads of a warp then do
  /// the same.
  PairQueue hard;
  FinishWaves end;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    WarpMemory& memory = shared.warps[threads.thread() / k_warp_size];
    FoundBox found(memory.found, results);
    const std::uint32_t half = hard.part_count / 2;
    const std::uint32_t part = QueueShare(threads, hard.part_count).out_part % half;
    LeftBox flat_left(memory.left[0], hard, part);
    LeftBox other_left(memory.left[1], hard, half + part);
    const auto take = [&](const WaveEntry& slots, Verdict verdict, LeftBox& left) {
      found.add(threads, verdict == Verdict::intersecting, found_pair(models, slots));
      left.add(threads, verdict == Verdict::unsure, slots);
    };
    std::uint32_t flat_count = 0;
    const auto decide_flat = [&](std::uint32_t first) {
      threads.sync_warp();
      const std::uint32_t i = first + threads.lane();
      const WaveEntry slots = i < flat_count ? memory.flat[i] : WaveEntry{};
      take(slots, i < flat_count ? judge_in_plane(slots) : Verdict::disjoint, flat_left);
      threads.sync_warp();
      flat_count = first;
    };
    for_each_entry(threads, in, [&](bool there, const WaveEntry& slots) {
      // Those in one plane are disjoint for now.
      Verdict verdict = Verdict::disjoint;
      bool flat = false;
      if (there && !results.is_answered(slots.query)) verdict = judge(slots, &flat);
      take(slots, flat ? Verdict::disjoint : verdict, other_left);
      const std::uint32_t all_flat = threads.ballot(flat);
      if (flat)
        memory.flat[flat_count + count_bits(all_flat & lanes_before(threads.lane()))] = slots;
      flat_count += count_bits(all_flat);
      if (flat_count >= k_warp_size) decide_flat(flat_count - k_warp_size);
    });
    if (flat_count > 0) decide_flat(0);
    found.finish(threads);
    flat_left.finish(threads);
    other_left.finish(threads);
    end.end_block(threads, shared.last, false);
  }

 private:
  TANDEM_KERNEL Verdict judge(const WaveEntry& slots, bool* flat) const {
    const PlacedPair pair(models, queries[slots.query], slots);
    const Verdict verdict = judge_flush(pair.p, pair.q, flat);
    if (verdict != Verdict::unsure || !share_corner(pair.p, pair.q)) return verdict;
    *flat = false;
    return Verdict::intersecting;
  }
  TANDEM_KERNEL Verdict judge_in_plane(const WaveEntry& slots) const {
    const PlacedPair pair(models, queries[slots.query], slots);
    return judge_in_one_plane(pair.p, pair.q);
  }
};

/// Exact arithmetic decides the rest.
struct DecideExactly {
  static constexpr const char* k_phase = "exact";
  struct Shared {
    FoundBox::Memory found[k_wave_warps];
    bool last;
  };

  WaveModels models;
  const BatchQuery* queries;
  PairQueue in;
  WaveResults results;
  FinishWaves end;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    FoundBox found(shared.found[threads.thread() / k_warp_size], results);
    for_each_entry(threads, in, [&](bool there, const WaveEntry& slots) {
      found.add(threads, there && touch(slots), found_pair(models, slots));
    });
    found.finish(threads);
    end.end_block(threads, shared.last, true);
  }

 private:
  TANDEM_KERNEL bool touch(const WaveEntry& slots) const {
    const PlacedPair pair(models, queries[slots.query], slots);
    return decide_triangles(pair.p, pair.q).intersects;
  }
};

}  // namespace tandem::detail
