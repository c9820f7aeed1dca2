// The kernels after the search: the contract's distances of the candidates, and the closest of
// each query.
#pragma once

#include <tandem/batch.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "geometry/distance/triangle_distance.h"
#include "gpu/distance/near_double.h"
#include "gpu/distance/query.h"
#include "gpu/kernel.h"
#include "gpu/warp.h"
#include "gpu/waves/counters.h"
#include "gpu/waves/exact.h"
#include "gpu/waves/models.h"
#include "gpu/waves/queue.h"
#include "math/bits.h"

namespace tandem::detail {

/// What kernels see of the candidates. Each has a number of its own beside its place in the queue:
/// its distance; infinity where it does not count; with a sign, if exact arithmetic has to find it,
/// what it is at least.
struct DistanceCandidates {
  PairQueue queue;
  double* distances;

  /// Calls `use(entry, distance)` by one thread for each candidate.
  template <class Threads, class Use>
  TANDEM_KERNEL void for_each(const Threads& threads, const Use& use) const {
    const QueueShare share(threads, queue.part_count);
    const std::uint32_t count = queue.size(share.part);
    const std::uint32_t begin = share.block * threads.block_size() + threads.thread();
    double* const own = distances + std::size_t{queue.part_room} * share.part;
    for (std::uint32_t i = begin; i < count; i += share.thread_count) {
      use(queue.load(share.part, i), own[i]);
    }
  }
};

/// In doubles, which nearly all of them need.
struct ComputeDistances {
  static constexpr const char* k_phase = "doubles";
  static constexpr int k_blocks_per_processor = 3;
  using Shared = NothingShared;

  WaveModels models;
  const BatchQuery* queries;
  DistanceQueries state;
  DistanceCandidates candidates;
  /// How many are left to exact arithmetic.
  std::uint32_t* hard_count;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    candidates.for_each(threads, [&](const WaveEntry& slots, double& distance) {
      distance = std::numeric_limits<double>::infinity();
      if (state.is_answered(slots.query)) return;
      const PlacedPair pair(models, queries[slots.query], slots);
      const DistanceInDouble found(pair.p, pair.q);
      if (!found.sure) {
        distance = -found.bounds.lower;
        threads.atomic_add(hard_count, std::uint32_t{1});
      } else {
        distance = state.note(threads, slots.query, found.distance);
      }
    });
  }
};

/// With more digits, and exactly, what doubles leave open and is not farther than what they found.
struct ComputeCloseDistances {
  static constexpr const char* k_phase = "exact";
  using Shared = NothingShared;

  WaveModels models;
  const BatchQuery* queries;
  DistanceQueries state;
  DistanceCandidates candidates;
  const std::uint32_t* hard_count;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    if (load_fresh(hard_count) == 0) return;
    candidates.for_each(threads, [&](const WaveEntry& slots, double& distance) {
      if (!std::signbit(distance)) return;
      const double least = -distance;
      distance = std::numeric_limits<double>::infinity();
      const bool counts = state.any != nullptr ? load_fresh(state.any + slots.query) == 0
                                               : least <= state.nearest_distance(slots.query);
      if (!counts) return;
      const PlacedPair pair(models, queries[slots.query], slots);
      distance =
          state.note(threads, slots.query, find_close_distance(pair.p, pair.q).nearest.distance);
    });
  }
};

/// Of equally close pairs the first one.
struct PickPairs {
  static constexpr const char* k_phase = "pick";
  using Shared = NothingShared;

  WaveModels models;
  DistanceQueries state;
  DistanceCandidates candidates;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    if (state.any != nullptr) return;
    candidates.for_each(threads, [&](const WaveEntry& slots, double distance) {
      if (distance == std::numeric_limits<double>::infinity() ||
          distance != state.nearest_distance(slots.query)) {
        return;
      }
      threads.atomic_max(state.pair + slots.query, closeness_of(found_pair(models, slots).pair));
    });
  }
};

/// The thread that has the pair writes the result.
struct WriteDistances {
  static constexpr const char* k_phase = "results";
  struct Shared {
    bool last;
  };

  WaveModels models;
  const BatchQuery* queries;
  DistanceQueries state;
  DistanceCandidates candidates;
  FinishWaves end;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    if (state.any == nullptr) {
      candidates.for_each(threads, [&](const WaveEntry& slots, double distance) {
        const TrianglePair pair = found_pair(models, slots).pair;
        if (distance == std::numeric_limits<double>::infinity() ||
            distance != state.nearest_distance(slots.query) ||
            closeness_of(pair) != load_fresh(state.pair + slots.query)) {
          return;
        }
        write(slots, pair);
      });
    }
    end.end_block(threads, shared.last, true);
  }

 private:
  TANDEM_KERNEL void write(const WaveEntry& slots, const TrianglePair& pair) const {
    const PlacedPair placed(models, queries[slots.query], slots);
    const TriangleDistanceAnswer answer = triangle_distance(placed.p, placed.q);
    DeviceDistance& result = state.results[slots.query];
    if (answer.stage == DistanceStage::touching) {
      result = {.distance = 0, .pair = pair};
      state.touching[slots.query] = {slots.a, slots.b};
      return;
    }
    const TrianglePoints& at = answer.nearest;
    result = {at.distance, pair, at.on_p, at.on_q, at.direction};
  }
};

/// The triangles of queries that touch, in A's frame: for the host, which computes what they share.
struct PlaceTouching {
  static constexpr const char* k_phase = "touching";
  using Shared = NothingShared;

  WaveModels models;
  const BatchQuery* queries;
  const SlotPair* touching;
  const std::uint32_t* which;
  std::uint32_t count;
  /// A's and B's in turn.
  Triangle* triangles;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i >= count) return;
    const SlotPair slots = touching[which[i]];
    const PlacedPair pair(models, queries[which[i]], {which[i], slots.a, slots.b});
    triangles[2 * i] = pair.p;
    triangles[2 * i + 1] = pair.q;
  }
};

}  // namespace tandem::detail
