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

/// What a warp decides in doubles: what rounding leaves no doubt about, and what can be computed
/// without rounding, as pairs of bodies that stand face to face can.
class WarpDoubles {
 public:
  struct Memory {
    LeftBox::Memory left[2];
    /// Pairs in one plane, until there are enough for all threads of the warp.
    WaveEntry flat[2 * k_warp_size];
  };

  /// What is left goes to `hard`, the first half of its parts for pairs in one plane: threads of a
  /// warp then do the same.
  template <class Threads>
  TANDEM_KERNEL WarpDoubles(const Threads& threads, Memory& memory, const WaveModels& models,
                            const BatchQuery* queries, const WaveResults& results,
                            const PairQueue& hard, FoundBox& found)
      : memory_(memory),
        models_(models),
        queries_(queries),
        results_(results),
        found_(found),
        flat_left_(memory.left[0], hard, part(threads, hard)),
        other_left_(memory.left[1], hard, hard.part_count / 2 + part(threads, hard)) {}

  /// All threads of the warp call it, each with a pair or none.
  template <class Threads>
  TANDEM_KERNEL void decide(const Threads& threads, bool there, const WaveEntry& slots) {
    // Those in one plane are disjoint for now.
    Verdict verdict = Verdict::disjoint;
    bool flat = false;
    if (there && !results_.is_answered(slots.query)) verdict = judge(slots, &flat);
    take(threads, slots, flat ? Verdict::disjoint : verdict, other_left_);
    const std::uint32_t all_flat = threads.ballot(flat);
    if (flat) {
      memory_.flat[flat_count_ + count_bits(all_flat & lanes_before(threads.lane()))] = slots;
    }
    flat_count_ += count_bits(all_flat);
    if (flat_count_ >= k_warp_size) decide_flat(threads, flat_count_ - k_warp_size);
  }
  /// At the end.
  template <class Threads>
  TANDEM_KERNEL void finish(const Threads& threads) {
    if (flat_count_ > 0) decide_flat(threads, 0);
    flat_left_.finish(threads);
    other_left_.finish(threads);
  }

 private:
  template <class Threads>
  TANDEM_KERNEL static std::uint32_t part(const Threads& threads, const PairQueue& hard) {
    return QueueShare(threads, hard.part_count).out_part % (hard.part_count / 2);
  }

  template <class Threads>
  TANDEM_KERNEL void take(const Threads& threads, const WaveEntry& slots, Verdict verdict,
                          LeftBox& left) {
    found_.add(threads, verdict == Verdict::intersecting, found_pair(models_, slots));
    left.add(threads, verdict == Verdict::unsure, slots);
  }
  template <class Threads>
  TANDEM_KERNEL void decide_flat(const Threads& threads, std::uint32_t first) {
    threads.sync_warp();
    const std::uint32_t i = first + threads.lane();
    const WaveEntry slots = i < flat_count_ ? memory_.flat[i] : WaveEntry{};
    take(threads, slots, i < flat_count_ ? judge_in_plane(slots) : Verdict::disjoint, flat_left_);
    threads.sync_warp();
    flat_count_ = first;
  }

  TANDEM_KERNEL Verdict judge(const WaveEntry& slots, bool* flat) const {
    const PlacedPair pair(models_, queries_[slots.query], slots);
    const Verdict verdict = judge_flush(pair.p, pair.q, flat);
    if (verdict != Verdict::unsure || !share_corner(pair.p, pair.q)) return verdict;
    *flat = false;
    return Verdict::intersecting;
  }
  TANDEM_KERNEL Verdict judge_in_plane(const WaveEntry& slots) const {
    const PlacedPair pair(models_, queries_[slots.query], slots);
    return judge_in_one_plane(pair.p, pair.q);
  }

  Memory& memory_;
  const WaveModels& models_;
  const BatchQuery* queries_;
  const WaveResults& results_;
  FoundBox& found_;
  LeftBox flat_left_;
  LeftBox other_left_;
  std::uint32_t flat_count_ = 0;
};

/// A kernel of its own for doubles, where there is a lot for them to decide.
struct DecideInDouble {
  static constexpr const char* k_phase = "doubles";
  static constexpr int k_blocks_per_processor = 4;
  struct WarpMemory {
    FoundBox::Memory found;
    WarpDoubles::Memory doubles;
  };
  struct Shared {
    WarpMemory warps[k_wave_warps];
    bool last;
  };

  WaveModels models;
  const BatchQuery* queries;
  PairQueue in;
  WaveResults results;
  PairQueue hard;
  FinishWaves end;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    WarpMemory& memory = shared.warps[threads.thread() / k_warp_size];
    FoundBox found(memory.found, results);
    WarpDoubles doubles(threads, memory.doubles, models, queries, results, hard, found);
    for_each_entry(threads, in, [&](bool there, const WaveEntry& slots) {
      doubles.decide(threads, there, slots);
    });
    doubles.finish(threads);
    found.finish(threads);
    end.end_block(threads, shared.last, false);
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
