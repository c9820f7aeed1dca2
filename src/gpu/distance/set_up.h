// The kernel with which a search for distances begins: frames of queries, and where they start.
#pragma once

#include <tandem/batch.h>

#include <cstdint>

#include "gpu/distance/query.h"
#include "gpu/kernel.h"
#include "gpu/warp.h"
#include "gpu/waves/models.h"
#include "gpu/waves/query.h"
#include "math/bits.h"
#include "traverse/wide/far_roots.h"
#include "traverse/wide/frame.h"

namespace tandem::detail {

/// Which queries a search takes: those that float32 has room for, the others, or all.
enum class DistanceShare : std::uint8_t { in_float, in_double, all_in_double };

/// One thread per query.
template <class Frame>
struct SetUpDistances {
  static constexpr const char* k_phase = "set up";
  using Shared = NothingShared;

  WaveModels models;
  const BatchQuery* queries;
  std::uint32_t query_count;
  DistanceShare share;
  /// A query starts with at most so many pairs of blocks, all those of one level.
  std::uint32_t pairs_per_start;
  DistanceQueries state;
  Frame* frames;
  /// With how many steps before the leaves it starts.
  std::uint32_t* start_steps;
  /// The queries to search, and how many.
  std::uint32_t* starts;
  std::uint32_t* start_count;
  /// How many are for another search.
  std::uint32_t* other_count;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    for (std::uint32_t first = threads.index() - threads.lane(); first < query_count;
         first += threads.thread_count()) {
      const std::uint32_t i = first + threads.lane();
      bool other = false;
      const bool starts_here = i < query_count && prepare(i, &other);
      const std::uint32_t all = threads.ballot(starts_here);
      const std::uint32_t others = threads.ballot(other);
      std::uint32_t place = 0;
      if (threads.lane() == 0 && all != 0) place = threads.atomic_add(start_count, count_bits(all));
      if (threads.lane() == 0 && others != 0) threads.atomic_add(other_count, count_bits(others));
      place = threads.shuffle(place, 0);
      if (starts_here) starts[place + count_bits(all & lanes_before(threads.lane()))] = i;
    }
  }

 private:
  /// False where there is nothing to search.
  TANDEM_KERNEL bool prepare(std::uint32_t i, bool* other) const {
    const BatchQuery& query = queries[i];
    const WideTreeView& a = models.models[query.a].tree;
    const WideTreeView& b = models.models[query.b].tree;
    if (a.empty() || b.empty()) {
      state.clear(i);
      return false;
    }
    const WideFrame frame(query.b_in_a, a, b);
    if (share != DistanceShare::all_in_double && !Frame::suits(frame)) {
      *other = true;
      return false;
    }
    state.clear(i);
    const bool limited = state.limit < std::numeric_limits<double>::infinity();
    if (!(state.limit > 0) || (limited && roots_far_apart(a, b, query.b_in_a, state.limit))) {
      return false;
    }
    frames[i].set(frame, WaveLevels(a, b));
    start_steps[i] = static_cast<std::uint32_t>(steps_at_start(a, b, pairs_per_start));
    return true;
  }
};

}  // namespace tandem::detail
