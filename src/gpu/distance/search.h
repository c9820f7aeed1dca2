// The distances of many queries on a device: a search by warps, then the contract's distance of
// what it leaves, then the closest of each query.
#pragma once

#include <tandem/batch.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "gpu/distance/decide.h"
#include "gpu/distance/near_double.h"
#include "gpu/distance/near_half.h"
#include "gpu/distance/query.h"
#include "gpu/distance/question.h"
#include "gpu/distance/search_warps.h"
#include "gpu/distance/set_up.h"
#include "gpu/waves/counters.h"
#include "gpu/waves/memory.h"
#include "gpu/waves/models.h"

namespace tandem::detail {

/// A search keeps its memory for the next one. `On` is as for `WaveSearch`. All kernels are put in
/// at once, and the host waits once, at the end. Where there was too little room for candidates,
/// their counters tell so; the search makes more room and runs again. Where that may not grow any
/// more, fewer queries run at a time, and a single one runs in double precision, which leaves fewer
/// candidates: then there is room for what it needs, whatever the limit is.
template <class On>
class DistanceSearch {
 public:
  DistanceSearch(const WaveModels& models, const WaveMemory& memory, WaveWay way = WaveWay::best)
      : models_(models), memory_(memory), way_(way) {}

  /// The queries are on the device.
  void run(On& on, const BatchQuery* queries, std::uint32_t count,
           const DistanceQuestion& question) {
    question_ = question;
    if (!counters_) {
      counters_.emplace(on.template zeros<WaveCounters>(1));
      summary_.emplace(on.template zeros<WaveSummary>(1));
      report_.emplace(on.template seen_by_host<WaveReport>());
    }
    if (count > query_room_) reserve_queries(on, count);
    for (std::uint32_t first = 0; first < count;) {
      const std::uint32_t some = std::min(count - first, k_most_queries);
      run_batch(on, {queries, first, some});
      first += some;
    }
  }

  /// The triangles of queries of the last run that touch, in A's frame.
  void place_touching(On& on, const BatchQuery* queries, const std::uint32_t* which,
                      std::uint32_t count, Triangle* triangles) const {
    on.launch(PlaceTouching{models_, queries, touching_->data(), which, count, triangles}, count);
  }

  /// Of the last queries.
  WaveSummary summary(On& on) const {
    WaveSummary result;
    on.copy_now(summary_->data(), &result, 1);
    return result;
  }
  std::size_t bytes() const {
    return number_room_ * k_candidate_bytes + frame_bytes_ + 2 * given_room_ * sizeof(GivenPair) +
           query_room_ * (3 * sizeof(Closeness) + sizeof(SlotPair) + 2 * sizeof(std::uint32_t)) +
           sizeof(WaveCounters);
  }

  /// So many queries at a time.
  static constexpr std::uint32_t k_most_queries = std::uint32_t{1} << 20;

 private:
  template <class T>
  using Array = decltype(std::declval<On>().template array<T>(0));

  /// Some of the queries.
  struct Batch {
    const BatchQuery* queries;
    std::uint32_t first;
    std::uint32_t count;

    Batch part(std::uint32_t begin, std::uint32_t size) const {
      return {queries, first + begin, size};
    }
  };
  /// Below so many queries, several warps share one: about as many as keep a device busy. Where it
  /// suffices that some pair is close enough, more of them, as whichever warp finds one ends all.
  static constexpr std::uint32_t k_fewest_whole = 2048;
  static constexpr std::uint32_t k_fewest_whole_within = 65536;
  static constexpr std::uint32_t k_start_pairs = 16384;
  static constexpr std::uint32_t k_most_start_pairs = 4096;
  static constexpr std::size_t k_candidate_bytes =
      PairQueue::k_numbers_per_entry * sizeof(std::uint32_t) + sizeof(double);
  /// Of the counters of queues, which searches in waves use all of: that of candidates, of those
  /// for exact arithmetic, of the queries that warps have taken to find triangles that touch, and,
  /// for each round, of the pairs that are handed over and of what warps have taken.
  static constexpr int k_candidate_queue = k_undecided_queue;
  static constexpr int k_touching_queue = 0;
  static constexpr int k_first_given_queue = 1;
  static constexpr int k_rounds = 6;
  static constexpr std::uint32_t k_round_steps = 8;
  static constexpr std::uint32_t k_no_limit = 0xffffffff;
  static_assert(k_first_given_queue + k_rounds <= k_undecided_queue);

  bool is_split(const Batch& batch) const {
    const std::uint32_t fewest = question_.any != nullptr ? k_fewest_whole_within : k_fewest_whole;
    return way_ == WaveWay::levels || (way_ == WaveWay::best && batch.count < fewest);
  }

  void run_batch(On& on, const Batch& batch) {
    const std::optional<bool> others = run_share<NearHalf>(on, batch, DistanceShare::in_float);
    if (!others) {
      if (batch.count == 1) {
        run_share<NearDouble>(on, batch, DistanceShare::all_in_double);
      } else {
        run_batch(on, batch.part(0, batch.count / 2));
        run_batch(on, batch.part(batch.count / 2, batch.count - batch.count / 2));
      }
    } else if (*others) {
      run_double(on, batch);
    }
  }
  void run_double(On& on, const Batch& batch) {
    if (run_share<NearDouble>(on, batch, DistanceShare::in_double)) return;
    run_double(on, batch.part(0, batch.count / 2));
    run_double(on, batch.part(batch.count / 2, batch.count - batch.count / 2));
  }

  /// Returns whether queries are left for another kind of test, or nothing where there may not be
  /// as much memory as it takes; then it is to be done in parts.
  template <class Tests>
  std::optional<bool> run_share(On& on, const Batch& batch, DistanceShare share) {
    reserve_frames(on, batch.count * sizeof(typename Tests::Frame));
    const std::size_t first =
        std::max(memory_.first_entries, std::size_t{k_usual_candidates} * batch.count);
    const auto wanted = static_cast<std::uint32_t>(
        std::clamp<std::size_t>(std::min(first, most_entries()) / PairQueue::k_most_parts, 1,
                                std::numeric_limits<std::uint32_t>::max() / 2));
    if (wanted > part_room_) reserve_candidates(on, wanted);
    while (true) {
      WaveReport& report = *report_->data();
      report = {};
      on.repeat(key(batch, share), [&] { launch_all<Tests>(on, batch, share); });
      on.wait_for(report.made);
      on.wait_for(report.found);
      if (!report.tells(WaveReport::k_lacks_room)) return report.tells(WaveReport::k_has_other);
      const std::uint32_t needed = summary(on).longest[k_candidate_queue];
      const std::uint32_t room = needed + needed / 4;
      const bool is_last = batch.count == 1 && share != DistanceShare::in_float;
      if (!is_last && std::size_t{room} * PairQueue::k_most_parts > most_entries()) return {};
      reserve_candidates(on, room);
    }
  }
  static constexpr std::uint32_t k_usual_candidates = 16;
  static constexpr std::size_t k_most_given = std::size_t{1} << 18;
  std::size_t most_entries() const { return memory_.most_bytes / k_candidate_bytes; }

  template <class Tests>
  void launch_all(On& on, const Batch& batch, DistanceShare share) {
    using Frame = typename Tests::Frame;
    const BatchQuery* const queries = batch.queries + batch.first;
    const DistanceQueries state = queries_of(batch);
    WaveCounters* const counters = counters_->data();
    auto* const frames = reinterpret_cast<Frame*>(frames_->data());
    const bool split = is_split(batch);
    const std::uint32_t pairs_per_start =
        split ? std::clamp(k_start_pairs / batch.count, std::uint32_t{1}, k_most_start_pairs) : 1;
    on.launch(SetUpDistances<Frame>{models_, queries, batch.count, share, pairs_per_start, state,
                                    frames, start_steps_->data(), starts_->data(), counters->starts,
                                    &counters->other},
              batch.count);
    const DistanceCandidates candidates{
        {numbers_->data(), counters->queue[k_candidate_queue], part_room_}, distances_->data()};
    SearchNearest<Tests> search{};
    search.models = models_;
    search.queries = queries;
    search.frames = frames;
    search.state = state;
    search.start_steps = start_steps_->data();
    search.starts = starts_->data();
    search.start_count = counters->starts;
    search.pairs_per_start = pairs_per_start;
    search.candidates = candidates.queue;
    if (!split) {
      search.share = WarpShare::whole;
      search.taken_count = &counters->taken;
      search.most_steps = k_no_limit;
      on.launch_parts(search);
    } else {
      search_in_rounds(on, search);
    }
    std::uint32_t* const hard_count = counters->queue[k_hard_queue];
    on.launch_parts(ComputeDistances{models_, queries, state, candidates, hard_count});
    on.launch_parts(ComputeCloseDistances{models_, queries, state, candidates, hard_count});
    if (question_.any == nullptr) on.launch_parts(PickPairs{models_, state, candidates});
    // Only candidates run again for want of room.
    constexpr std::uint32_t k_any = 0xffffffff;
    const FinishWaves end{counters, summary_->data(), report_->data(), {k_any, part_room_, k_any}};
    on.launch_parts(WriteDistances{models_, queries, state, candidates, end});
  }
  /// Where warps share queries, they do so in rounds: what is left after some steps is shared anew.
  template <class Tests>
  void search_in_rounds(On& on, SearchNearest<Tests> search) {
    WaveCounters& counters = *counters_->data();
    for (int round = 0; round < k_rounds; ++round) {
      std::uint32_t* const counts = counters.queue[k_first_given_queue + round];
      search.share = round == 0 ? WarpShare::split : WarpShare::given;
      search.taken_count = counts + WaveCounters::k_stride;
      search.given = search.handed_over;
      search.handed_over = {given_->data() + std::size_t{given_room_} * (round % 2), counts,
                            given_room_};
      search.most_steps = round == k_rounds - 1 ? k_no_limit : k_round_steps;
      on.launch_parts(search);
    }
    if (question_.any != nullptr) return;
    search.share = WarpShare::touching;
    search.taken_count = counters.queue[k_touching_queue];
    on.launch_parts(search);
  }

  /// All that launches depend on.
  WaveKey key(const Batch& batch, DistanceShare share) const {
    return {reinterpret_cast<std::uintptr_t>(batch.queries),
            batch.first,
            batch.count,
            generation_,
            static_cast<std::uint64_t>(share),
            reinterpret_cast<std::uintptr_t>(question_.results),
            reinterpret_cast<std::uintptr_t>(question_.any),
            std::bit_cast<std::uint64_t>(question_.limit),
            std::bit_cast<std::uint64_t>(question_.within),
            is_split(batch) ? 1U : 0U};
  }

  DistanceQueries queries_of(const Batch& batch) const {
    DistanceQueries state{};
    state.upper = upper_->data() + batch.first;
    state.nearest = nearest_->data() + batch.first;
    state.pair = pair_->data() + batch.first;
    state.touching = touching_->data() + batch.first;
    if (question_.any != nullptr) {
      constexpr double k_infinity = std::numeric_limits<double>::infinity();
      state.any = question_.any + batch.first;
      state.limit = std::nextafter(question_.within, k_infinity);
      state.enough = question_.within;
    } else {
      state.results = question_.results + batch.first;
      state.limit = question_.limit;
      state.enough = -1;
    }
    return state;
  }

  void reserve_queries(On& on, std::uint32_t count) {
    upper_.reset();
    nearest_.reset();
    pair_.reset();
    touching_.reset();
    start_steps_.reset();
    starts_.reset();
    given_.reset();
    query_room_ = 0;
    upper_.emplace(on.template array<Closeness>(count));
    nearest_.emplace(on.template array<Closeness>(count));
    pair_.emplace(on.template array<Closeness>(count));
    touching_.emplace(on.template array<SlotPair>(count));
    start_steps_.emplace(on.template array<std::uint32_t>(std::min(count, k_most_queries)));
    starts_.emplace(on.template array<std::uint32_t>(std::min(count, k_most_queries)));
    given_room_ = static_cast<std::uint32_t>(
        std::clamp<std::size_t>(memory_.most_bytes / (8 * sizeof(GivenPair)), 1, k_most_given));
    given_.emplace(on.template array<GivenPair>(2 * std::size_t{given_room_}));
    query_room_ = count;
    ++generation_;
  }
  void reserve_frames(On& on, std::size_t bytes) {
    if (bytes <= frame_bytes_) return;
    frames_.reset();
    frame_bytes_ = 0;
    frames_.emplace(on.template array<std::byte>(bytes));
    frame_bytes_ = bytes;
    ++generation_;
  }
  void reserve_candidates(On& on, std::uint32_t part_room) {
    numbers_.reset();
    distances_.reset();
    part_room_ = 0;
    number_room_ = std::size_t{part_room} * PairQueue::k_most_parts;
    numbers_.emplace(
        on.template array<std::uint32_t>(PairQueue::k_numbers_per_entry * number_room_));
    distances_.emplace(on.template array<double>(number_room_));
    part_room_ = part_room;
    ++generation_;
  }

  WaveModels models_;
  WaveMemory memory_;
  WaveWay way_;
  DistanceQuestion question_;
  std::optional<Array<WaveCounters>> counters_;
  std::optional<Array<WaveSummary>> summary_;
  std::optional<decltype(std::declval<On>().template seen_by_host<WaveReport>())> report_;
  std::optional<Array<std::byte>> frames_;
  std::size_t frame_bytes_ = 0;
  std::optional<Array<Closeness>> upper_;
  std::optional<Array<Closeness>> nearest_;
  std::optional<Array<Closeness>> pair_;
  std::optional<Array<SlotPair>> touching_;
  std::optional<Array<std::uint32_t>> start_steps_;
  std::optional<Array<std::uint32_t>> starts_;
  std::size_t query_room_ = 0;
  std::optional<Array<GivenPair>> given_;
  std::uint32_t given_room_ = 0;
  std::optional<Array<std::uint32_t>> numbers_;
  std::optional<Array<double>> distances_;
  std::uint32_t part_room_ = 0;
  std::size_t number_room_ = 0;
  /// Of the memory: another one whenever some of it moves.
  std::uint64_t generation_ = 0;
};

}  // namespace tandem::detail
