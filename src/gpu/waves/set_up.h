// The kernel with which waves begin: frames of queries, and which of them start in which wave.
#pragma once

#include <tandem/batch.h>

#include <algorithm>
#include <cstdint>

#include "gpu/kernel.h"
#include "gpu/warp.h"
#include "gpu/waves/models.h"
#include "gpu/waves/query.h"
#include "gpu/waves/results.h"
#include "traverse/wide/frame.h"
#include "traverse/wide/roots.h"

namespace tandem::detail {

/// One thread per query. Queries end with the same wave, in which all children are leaves, so those
/// between lower trees start later. Where there are few queries, they start below the roots, with
/// all pairs of blocks there: a wave less takes less time than their tests.
template <class Frame>
struct SetUpQueries {
  static constexpr const char* k_phase = "set up";
  using Shared = NothingShared;

  WaveModels models;
  const BatchQuery* queries;
  /// Where `made_count` tells how many there are, that is the most.
  std::uint32_t query_count;
  const std::uint32_t* made_count;
  int wave_count;
  std::uint32_t pairs_per_start;
  /// All start with the first wave, whatever their trees' heights: for warps, which need no waves.
  bool together;
  Frame* frames;
  /// For each wave, room for all queries, and a counter of those that start there.
  std::uint32_t* starts;
  std::uint32_t* start_counts;
  /// How many need the other kind of frame.
  std::uint32_t* other_count;
  /// Where pairs are only counted: cleared for all queries but those.
  WaveCount* per_query;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t count = this->count();
    for (std::uint32_t first = threads.index() - threads.lane(); first < count;
         first += threads.thread_count()) {
      const std::uint32_t i = first + threads.lane();
      bool other = false;
      const int wave = i < count ? prepare(i, frames + i, &other) : -1;
      note(threads, i, i < count, wave, other);
    }
  }

  TANDEM_KERNEL std::uint32_t count() const {
    return made_count != nullptr ? std::min(load_fresh(made_count), query_count) : query_count;
  }
  /// Makes the frame of a query; in which wave it starts, which is negative where there is nothing
  /// to do.
  TANDEM_KERNEL int prepare(std::uint32_t i, Frame* to, bool* other) const {
    const int wave = start_wave(i);
    if (wave < 0) return wave;
    *other = !make_frame(i, to);
    return *other ? -1 : wave;
  }
  /// Its two parts.
  TANDEM_KERNEL int start_wave(std::uint32_t i) const {
    const BatchQuery& query = queries[i];
    const WideTreeView& a = models.models[query.a].tree;
    const WideTreeView& b = models.models[query.b].tree;
    if (a.empty() || b.empty()) return -1;
    // Few queries that start below the roots end soon anyway.
    if (pairs_per_start == 1 && roots_apart(a, b, query.b_in_a)) return -1;
    if (together) return 0;
    return wave_count - steps_at_start(a, b, pairs_per_start);
  }
  /// False where the query needs the other kind of frame.
  TANDEM_KERNEL bool make_frame(std::uint32_t i, Frame* to) const {
    const BatchQuery& query = queries[i];
    const WideTreeView& a = models.models[query.a].tree;
    const WideTreeView& b = models.models[query.b].tree;
    const WideFrame frame(query.b_in_a, a, b);
    if (!Frame::suits(frame)) return false;
    to->set(frame, WaveLevels(a, b));
    return true;
  }
  /// Notes what has become of a query, if the thread has one, and that it is to start with a wave,
  /// if that is not negative. All threads of the warp call it.
  template <class Threads>
  TANDEM_KERNEL void note(const Threads& threads, std::uint32_t i, bool there, int wave,
                          bool other) const {
    if (per_query != nullptr && there && !other) per_query[i] = 0;
    start(threads, i, wave);
    const std::uint32_t others = threads.ballot(other);
    if (others != 0 && threads.lane() == 0) threads.atomic_add(other_count, count_bits(others));
  }

 private:
  template <class Threads>
  TANDEM_KERNEL void start(const Threads& threads, std::uint32_t i, int wave) const {
    std::uint32_t left = threads.ballot(wave >= 0);
    while (left != 0) {
      // The queries that start together with the first one that is left.
      const int one = threads.shuffle(wave, static_cast<std::uint32_t>(lowest_bit(left)));
      const std::uint32_t same = threads.ballot(wave == one);
      std::uint32_t place = 0;
      if (threads.lane() == 0) place = threads.atomic_add(start_counts + one, count_bits(same));
      place = threads.shuffle(place, 0) + count_bits(same & lanes_before(threads.lane()));
      if (wave == one) starts[std::size_t{query_count} * static_cast<std::size_t>(one) + place] = i;
      left &= ~same;
    }
  }
};

}  // namespace tandem::detail
