// The kernels that decide what float32 leaves open.
#pragma once

#include <tandem/batch.h>

#include <cstdint>

#include "geometry/triangle_filter.h"
#include "geometry/triangle_test.h"
#include "gpu/kernel.h"
#include "gpu/waves/counters.h"
#include "gpu/waves/models.h"
#include "gpu/waves/nodes.h"
#include "gpu/waves/queue.h"
#include "gpu/waves/results.h"

namespace tandem::detail {

/// The corners that the host decides on too: A's as they are, B's moved.
struct PlacedPair {
  Triangle p;
  Triangle q;

  TANDEM_HD PlacedPair(const WaveModels& models, const BatchQuery& query, const WaveEntry& slots)
      : p(models.corners(models.models[query.a], slots.a)),
        q(moved(query.b_in_a, models.corners(models.models[query.b], slots.b))) {}
};

/// Pairs that are left, by what they look like: threads of a warp then do the same.
enum class LeftKind : std::uint8_t { in_axis_plane, other };

/// Doubles decide what is not degenerate.
struct DecideInDouble {
  static constexpr const char* k_phase = "doubles";
  struct WarpMemory {
    FoundBox::Memory found;
    LeftBox::Memory left[2];
  };
  struct Shared {
    WarpMemory warps[k_wave_warps];
    bool last;
  };

  WaveModels models;
  const BatchQuery* queries;
  PairQueue in;
  WaveResults results;
  /// The first half of the parts is for pairs in one plane across an axis.
  PairQueue hard;
  FinishWaves end;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    WarpMemory& memory = shared.warps[threads.thread() / k_warp_size];
    const QueueShare share(threads, in.part_count);
    const std::uint32_t half = hard.part_count / 2;
    FoundBox found(memory.found, results);
    LeftBox flat(memory.left[0], hard, share.out_part % half);
    LeftBox other(memory.left[1], hard, half + share.out_part % half);
    const std::uint32_t count = in.size(share.part);
    const std::uint32_t begin =
        share.block * threads.block_size() + threads.thread() - threads.lane();
    for (std::uint32_t first = begin; first < count; first += share.thread_count) {
      const std::uint32_t i = first + threads.lane();
      Verdict verdict = Verdict::disjoint;
      LeftKind kind = LeftKind::other;
      WaveEntry slots{};
      if (i < count) {
        slots = in.load(share.part, i);
        if (!results.is_answered(slots.query)) verdict = decide(slots, &kind);
      }
      found.add(threads, verdict == Verdict::intersecting, found_pair(slots));
      const bool left = verdict == Verdict::unsure;
      flat.add(threads, left && kind == LeftKind::in_axis_plane, slots);
      other.add(threads, left && kind == LeftKind::other, slots);
    }
    found.finish(threads);
    flat.finish(threads);
    other.finish(threads);
    end.end_block(threads, shared.last, false);
  }

 private:
  TANDEM_KERNEL FoundPair found_pair(const WaveEntry& slots) const {
    return {slots.query, {models.triangles[slots.a].id, models.triangles[slots.b].id}};
  }
  TANDEM_KERNEL Verdict decide(const WaveEntry& slots, LeftKind* kind) const {
    const PlacedPair pair(models, queries[slots.query], slots);
    const Verdict verdict = filter_triangles<double>(pair.p, pair.q);
    if (verdict != Verdict::unsure) return verdict;
    if (share_corner(pair.p, pair.q)) return Verdict::intersecting;
    Projection plane;
    if (!find_axis_plane(pair.p, pair.q, &plane)) return Verdict::unsure;
    *kind = LeftKind::in_axis_plane;
    return filter_coplanar_triangles(pair.p, pair.q, plane);
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
    const QueueShare share(threads, in.part_count);
    FoundBox found(shared.found[threads.thread() / k_warp_size], results);
    const std::uint32_t count = in.size(share.part);
    const std::uint32_t begin =
        share.block * threads.block_size() + threads.thread() - threads.lane();
    for (std::uint32_t first = begin; first < count; first += share.thread_count) {
      const std::uint32_t i = first + threads.lane();
      bool touches = false;
      WaveEntry slots{};
      if (i < count) {
        slots = in.load(share.part, i);
        const PlacedPair pair(models, queries[slots.query], slots);
        touches = decide_triangles(pair.p, pair.q).intersects;
      }
      found.add(threads, touches,
                {slots.query, {models.triangles[slots.a].id, models.triangles[slots.b].id}});
    }
    found.finish(threads);
    end.end_block(threads, shared.last, true);
  }
};

}  // namespace tandem::detail
