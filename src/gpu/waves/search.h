// All touching pairs of many queries on a device: waves from the roots of wide trees to their
// leaves, then triangles, then what needs exact arithmetic.
#pragma once

#include <tandem/batch.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

#include "gpu/waves/counters.h"
#include "gpu/waves/exact.h"
#include "gpu/waves/finish_few.h"
#include "gpu/waves/leaves.h"
#include "gpu/waves/memory.h"
#include "gpu/waves/models.h"
#include "gpu/waves/nodes.h"
#include "gpu/waves/overlap_double.h"
#include "gpu/waves/overlap_half.h"
#include "gpu/waves/search_memory.h"
#include "gpu/waves/set_up.h"
#include "gpu/waves/start.h"
#include "gpu/waves/warps.h"

namespace tandem::detail {

/// A search keeps its memory for the next one. `On` runs kernels and owns memory, on a device or on
/// the CPU:
///
///   on.array<T>(count)            an array of anything; `data()` points to it
///   on.zeros<T>(count)            one of zeros
///   on.seen_by_host<T>()          a T that the host can read, number by number, as kernels
///                                 publish them
///   on.launch(kernel, threads)    runs a kernel with at least so many threads
///   on.launch_parts(kernel)       with as many blocks as the device runs at once, and a multiple
///   of
///                                 the parts of queues
///                                 (the phase of a kernel, `k_phase`, is for measurements)
///   on.repeat(key, launches)      calls `launches`, or does what it did when the key was the same
///   on.wait_for(number)           until a kernel that has been put in publishes one that is not 0
///   on.copy_now(from, to, count)  copies, to or from the host too, and waits
///
/// All kernels of a search are put in at once, and the host waits once, at the end; a second time
/// where there are pairs for exact arithmetic for the first time. Where a queue had too little
/// room, its counter tells so; the search grows it and runs again. Where it may not grow any more,
/// `run_bounded` does the same in small steps.
template <class On>
class WaveSearch {
 public:
  WaveSearch(const WaveModels& models, const WaveShape& shape, const WaveMemory& memory,
             WaveWay way = WaveWay::best)
      : models_(models), shape_(shape), wave_count_(shape.wave_count), memory_(memory), way_(way) {}

  /// The queries are on the device. Returns false where there are no triangles at all, and nothing
  /// is done.
  bool run(On& on, const BatchQuery* queries, std::uint32_t count,
           const WaveQuestion& question = {}) {
    if (!begin(on, question)) return false;
    by_warps_ = suits_warps(count);
    for (std::uint32_t first = 0; first < count;) {
      const std::uint32_t some = std::min(count - first, k_most_queries);
      const Batch batch{queries + first, some, first, std::bit_ceil(some)};
      if (run_batch<HalfTests>(on, batch)) run_batch<DoubleTests>(on, batch);
      first += some;
    }
    return true;
  }

  /// All pairs of queries that are made on the device, at most `k_most_queries`: `make(on)`
  /// launches the kernels that do so, as often as need be, unless it is empty and they are launched
  /// already.
  /// Nothing waits between them and the search. Returns how many queries there are: if there are
  /// more than there is room for, what is found does not count.
  std::uint32_t run_made(On& on, const MadeQueries& made, const std::function<void(On&)>& make) {
    std::uint32_t count = 0;
    if (!begin(on, {})) {
      if (make) make(on);
      on.copy_now(made.count, &count, 1);
      return count;
    }
    by_warps_ = suits_warps(expected_made_);
    Batch batch{made.queries, made.room, 0, expected_made_, &made, make ? &make : nullptr};
    const bool others = run_batch<HalfTests>(on, batch);
    batch.make = nullptr;
    if (others) run_batch<DoubleTests>(on, batch);
    count = made_;
    if (count > 0) expected_made_ = std::bit_ceil(std::min(count, made.room));
    return count;
  }

  /// So many queries at a time.
  static constexpr std::uint32_t k_most_queries = std::uint32_t{1} << 20;

  const FoundPair* found() const { return memory_.results(); }
  std::uint64_t found_count() const { return found_; }
  /// Of the last queries.
  WaveSummary summary(On& on) const {
    WaveSummary result;
    on.copy_now(memory_.summary(), &result, 1);
    return result;
  }
  std::size_t bytes() const { return memory_.bytes(); }

 private:
  struct Batch {
    const BatchQuery* queries;
    std::uint32_t count;
    std::uint32_t first;
    /// About so many, a power of two.
    std::uint32_t expected;
    /// Where they are made on the device, `count` is their room, and this makes them unless it is
    /// null.
    const MadeQueries* made = nullptr;
    const std::function<void(On&)>* make = nullptr;

    void make_queries(On& on) const {
      if (make != nullptr) (*make)(on);
    }
    /// So few that each step takes as long as threads wait in it: other kernels wait less.
    bool few() const { return made == nullptr && expects_few(); }
    /// The same as far as it is known.
    bool expects_few() const { return expected <= k_few_queries; }
    const std::uint32_t* made_count() const { return made != nullptr ? made->count : nullptr; }
    /// Below the roots, each query starts with at most so many pairs, a power of two.
    std::uint32_t pairs_per_start() const {
      const std::uint32_t most = std::min(k_most_start_pairs, k_most_starts / count);
      const std::uint32_t wanted = expects_few() ? k_few_start_pairs : k_start_pairs;
      return std::clamp(wanted / expected, std::uint32_t{1}, std::bit_floor(std::max(most, 1U)));
    }
  };
  /// From so many queries on, a warp searches each: for one pair, which a warp finds soon, and for
  /// all, where waves take as long but far more memory.
  static constexpr std::uint32_t k_fewest_for_first = std::uint32_t{1} << 8;
  static constexpr std::uint32_t k_fewest_for_all = std::uint32_t{1} << 18;
  static constexpr std::uint32_t k_few_queries = 64;
  /// About as many as there are warps.
  static constexpr std::uint32_t k_few_undecided = 4096;
  /// About as many pairs as keep a device busy, where several threads share each or not, and the
  /// most of one query.
  static constexpr std::uint32_t k_few_start_pairs = 16384;
  static constexpr std::uint32_t k_start_pairs = 32768;
  static constexpr std::uint32_t k_most_start_pairs = 4096;
  static constexpr std::uint32_t k_most_starts = std::uint32_t{1} << 30;

  /// Returns whether queries are left that need another kind of test.
  template <class Tests>
  bool run_batch(On& on, const Batch& batch) {
    using Frame = typename Tests::Frame;
    memory_.reserve_frames(on, batch.count * sizeof(Frame),
                           static_cast<std::size_t>(wave_count_) * batch.count);
    memory_.reserve_results(on, memory_.limits().first_results, found_);
    if (!memory_.reserve_first_queues(on, !by_warps_)) return run_in_little<Tests>(on, batch);
    while (true) {
      *memory_.report() = {};
      on.repeat(key<Tests>(batch), [&] {
        batch.make_queries(on);
        launch_all<Tests>(on, batch);
      });
      WaveReport done = wait_for_report(on);
      const bool fits = !done.tells(WaveReport::k_lacks_room);
      expects_few_undecided_ = done.undecided_count() <= k_few_undecided;
      if (done.tells(WaveReport::k_has_hard)) {
        *memory_.report() = {};
        decide_hard(on, batch, true);
        done = wait_for_report(on);
        expects_hard_ = true;
      }
      made_ = done.made_count();
      const std::uint64_t found = done.found_count();
      if (fits && found_ + found <= memory_.result_room()) {
        found_ += found;
        return done.tells(WaveReport::k_has_other);
      }
      if (fits) {
        memory_.reserve_results(on, found_ + found + found / 4, found_);
      } else if (!memory_.reserve_queues(on, WaveRooms(summary(on), wave_count_).with_slack())) {
        return run_in_little<Tests>(on, batch);
      }
    }
  }
  WaveReport wait_for_report(On& on) const {
    WaveReport& report = *memory_.report();
    on.wait_for(report.made);
    on.wait_for(report.found);
    return report;
  }

  /// Where queues have too little room and may not grow: warps take fewer queries at a time, of
  /// which fewer pairs are left open.
  template <class Tests>
  bool run_in_little(On& on, const Batch& batch) {
    if (!by_warps_ || batch.count == 1 || batch.made != nullptr) {
      return run_bounded<Tests>(on, batch);
    }
    const std::uint32_t half = batch.count / 2;
    const std::uint32_t rest = batch.count - half;
    const bool some = run_batch<Tests>(on, {batch.queries, half, batch.first, std::bit_ceil(half)});
    const bool more =
        run_batch<Tests>(on, {batch.queries + half, rest, batch.first + half, std::bit_ceil(rest)});
    return some || more;
  }

  template <class Tests>
  void launch_all(On& on, const Batch& batch) {
    if (by_warps_) {
      search_by_warps<Tests>(on, batch);
    } else {
      search_in_waves<Tests>(on, batch);
    }
    if (!ends_with_leaves<Tests>(batch)) {
      on.launch_parts(DecideInDouble{models_, batch.queries, memory_.queue(k_undecided_queue),
                                     results(batch), memory_.queue(k_hard_queue),
                                     end_of_doubles(batch)});
    }
    if (expects_hard_) decide_hard(on, batch, false);
  }
  /// Whether a kernel tests leaves and decides what is left of them in doubles too.
  template <class Tests>
  bool ends_with_leaves(const Batch& batch) const {
    return Tests::k_for_few && batch.expects_few() && !by_warps_ && expects_few_undecided_;
  }
  FinishWaves end_of_doubles(const Batch& batch) const {
    return expects_hard_ ? FinishWaves{} : end(batch, false);
  }
  template <class Tests>
  void search_in_waves(On& on, const Batch& batch) {
    const std::uint32_t pairs_per_start = batch.pairs_per_start();
    const auto descend = [&](int wave) {
      return DescendWave<Tests>{models_,
                                input<typename Tests::Frame>(batch, wave, 0, pairs_per_start),
                                memory_.queue(wave + 1), wave_count_ - wave};
    };
    int wave = shape_.first_wave(pairs_per_start);
    if constexpr (Tests::k_for_few) {
      if (batch.few()) {
        const StartWaves<Tests> start{set_up_kernel<Tests>(batch, pairs_per_start), descend(wave),
                                      wave};
        on.launch(start, batch.count * start.threads_per_query());
        while (++wave < wave_count_) on.launch_parts(descend(wave));
        return test_few_leaves<Tests>(on, batch);
      }
    }
    set_up<Tests>(on, batch, pairs_per_start);
    for (; wave < wave_count_; ++wave) on.launch_parts(descend(wave));
    if constexpr (Tests::k_for_few) {
      if (batch.expects_few()) return test_few_leaves<Tests>(on, batch);
    }
    on.launch_parts(
        leaves_kernel<Tests>(batch, memory_.queue(wave_count_), memory_.queue(k_undecided_queue)));
  }
  template <class Tests>
  void test_few_leaves(On& on, const Batch& batch) {
    const auto leaves = leaves_kernel<Tests, true>(batch, memory_.queue(wave_count_),
                                                   memory_.queue(k_undecided_queue));
    if (!ends_with_leaves<Tests>(batch)) return on.launch_parts(leaves);
    FinishWaves end = end_of_doubles(batch);
    // Undecided pairs take no room.
    end.rooms.undecided = std::numeric_limits<std::uint32_t>::max();
    on.launch_parts(
        FinishFewLeaves<Tests>{leaves, batch.queries, memory_.queue(k_hard_queue), end});
  }
  template <class Tests, bool k_few = false>
  TestLeaves<Tests, k_few> leaves_kernel(const Batch& batch, const PairQueue& in,
                                         const PairQueue& undecided) const {
    return {models_, memory_.template frames<typename Tests::Frame>(), in, results(batch),
            undecided};
  }
  template <class Tests>
  void search_by_warps(On& on, const Batch& batch) {
    set_up<Tests>(on, batch, 1, true);
    WaveCounters* const counters = memory_.counters();
    on.launch_parts(DescendByWarps<Tests>{
        models_, batch.queries, memory_.template frames<typename Tests::Frame>(), memory_.starts(),
        counters->starts, &counters->taken, results(batch), memory_.queue(k_undecided_queue)});
  }
  /// Pairs for exact arithmetic, which few searches have: only once one has had some are they
  /// decided without asking. `alone` tells that it is not so yet.
  void decide_hard(On& on, const Batch& batch, bool alone) {
    on.launch_parts(DecideExactly{models_, batch.queries, memory_.queue(k_hard_queue),
                                  results(batch), end(batch, alone)});
  }
  /// Tells the host what it is to know, after the last kernel.
  FinishWaves end(const Batch& batch, bool hard_alone) const {
    return {memory_.counters(), memory_.summary(),  memory_.report(),
            memory_.rooms(),    batch.made_count(), hard_alone};
  }
  /// All that launches depend on.
  template <class Tests>
  WaveKey key(const Batch& batch) const {
    return {reinterpret_cast<std::uintptr_t>(batch.queries),
            batch.count,
            batch.first,
            found_,
            memory_.generation(),
            std::is_same_v<Tests, DoubleTests> ? 1U : 0U,
            reinterpret_cast<std::uintptr_t>(question_.per_query),
            question_.first_only ? 1U : 0U,
            by_warps_ ? 0 : batch.pairs_per_start(),
            (expects_hard_ ? 1U : 0U) | (ends_with_leaves<Tests>(batch) ? 2U : 0U) |
                (batch.expects_few() ? 4U : 0U),
            batch.make != nullptr ? batch.made->key[0] : 0,
            batch.make != nullptr ? batch.made->key[1] : 0};
  }

  template <class Tests>
  void set_up(On& on, const Batch& batch, std::uint32_t pairs_per_start, bool together = false) {
    on.launch(set_up_kernel<Tests>(batch, pairs_per_start, together), batch.count);
  }
  template <class Tests>
  SetUpQueries<typename Tests::Frame> set_up_kernel(const Batch& batch,
                                                    std::uint32_t pairs_per_start,
                                                    bool together = false) const {
    using Frame = typename Tests::Frame;
    WaveCounters* const counters = memory_.counters();
    return {models_,          batch.queries,    batch.count,      batch.made_count(),
            wave_count_,      pairs_per_start,  together,         memory_.template frames<Frame>(),
            memory_.starts(), counters->starts, &counters->other, per_query(batch)};
  }

  /// The same in steps that always fit: each takes so few pairs that all they can lead to has room,
  /// and the deepest pairs go first. The host waits for each. Returns whether queries are left that
  /// need another kind of test.
  template <class Tests>
  bool run_bounded(On& on, const Batch& batch) {
    using Frame = typename Tests::Frame;
    // One part per queue: of pairs, undecided ones, and two of hard ones.
    const std::size_t queue_count = static_cast<std::size_t>(wave_count_) + 4;
    const std::size_t most =
        memory_.limits().most_bytes / (queue_count * SearchMemory<On>::k_entry_bytes);
    const auto room = static_cast<std::uint32_t>(
        std::clamp(most, std::size_t{k_pairs_of_children}, std::size_t{1} << 27));
    memory_.reserve_numbers(on, queue_count * PairQueue::k_numbers_per_entry * room);
    WaveCounters* const on_device = memory_.counters();
    const auto one_part = [&](int number, int place, std::uint32_t first) {
      return PairQueue{memory_.numbers() +
                           PairQueue::k_numbers_per_entry * room * static_cast<std::size_t>(place) +
                           first,
                       on_device->queue[number], room, 1};
    };
    const PairQueue undecided = one_part(k_undecided_queue, wave_count_ + 1, 0);
    PairQueue hard = one_part(k_hard_queue, wave_count_ + 2, 0);
    hard.part_count = 2;

    batch.make_queries(on);
    set_up<Tests>(on, batch, 1);
    WaveCounters counters;
    on.copy_now(on_device, &counters, 1);
    if (batch.made != nullptr) on.copy_now(batch.made->count, &made_, 1);
    const bool other = counters.other > 0;
    std::uint32_t starts[k_max_wide_height + 1];
    std::copy(std::begin(counters.starts), std::end(counters.starts), starts);
    std::uint32_t waiting[k_max_wide_height + 1] = {};
    const std::uint32_t at_once = room / k_pairs_of_children;
    const auto run_step = [&](const auto& launch) {
      on.copy_now(&counters, on_device, 1);
      launch();
      on.copy_now(on_device, &counters, 1);
    };
    while (true) {
      int level = wave_count_;
      while (level >= 0 && waiting[level] == 0 && starts[level] == 0) --level;
      counters = {};
      if (level < 0) break;
      const bool from_starts = waiting[level] == 0;
      std::uint32_t& left = from_starts ? starts[level] : waiting[level];
      const std::uint32_t taken = std::min(left, at_once);
      left -= taken;
      (from_starts ? counters.starts[level] : counters.queue[level][0]) = taken;
      const PairQueue in = one_part(level, level, from_starts ? 0 : left);
      if (level < wave_count_) {
        run_step([&] {
          WaveInput<Frame> input = this->template input<Frame>(batch, level, left, 1);
          input.queue = in;
          on.launch_parts(DescendWave<Tests>{models_, input, one_part(level + 1, level + 1, 0),
                                             wave_count_ - level});
        });
        waiting[level + 1] = counters.queue[level + 1][0];
      } else {
        memory_.reserve_results(on, found_ + std::size_t{taken} * k_pairs_of_children, found_);
        run_step([&] {
          on.launch_parts(this->template leaves_kernel<Tests>(batch, in, undecided));
          on.launch_parts(
              DecideInDouble{models_, batch.queries, undecided, results(batch), hard, {}});
          on.launch_parts(DecideExactly{models_, batch.queries, hard, results(batch), {}});
        });
        found_ += counters.found;
      }
    }
    on.copy_now(&counters, on_device, 1);
    return other;
  }

  bool suits_warps(std::uint32_t query_count) const {
    const std::uint32_t fewest = question_.first_only ? k_fewest_for_first : k_fewest_for_all;
    return way_ == WaveWay::warps || (way_ == WaveWay::best && query_count >= fewest);
  }
  /// False where there are no triangles at all.
  bool begin(On& on, const WaveQuestion& question) {
    found_ = 0;
    question_ = question;
    if (wave_count_ == 0) return false;
    memory_.reserve_counters(on);
    return true;
  }

  template <class Frame>
  WaveInput<Frame> input(const Batch& batch, int wave, std::uint32_t first_start,
                         std::uint32_t pairs_per_start) const {
    return {
        memory_.queue(wave),
        memory_.template frames<Frame>(),
        batch.queries,
        memory_.starts() + std::size_t{batch.count} * static_cast<std::size_t>(wave) + first_start,
        &memory_.counters()->starts[wave],
        pairs_per_start};
  }
  WaveResults results(const Batch& batch) const {
    return {memory_.results() + found_,
            &memory_.counters()->found,
            memory_.result_room() - found_,
            batch.first,
            per_query(batch),
            question_.first_only};
  }
  WaveCount* per_query(const Batch& batch) const {
    return question_.per_query != nullptr ? question_.per_query + batch.first : nullptr;
  }

  WaveModels models_;
  WaveShape shape_;
  int wave_count_;
  WaveQuestion question_;
  SearchMemory<On> memory_;
  WaveWay way_;
  /// Of the queries that are searched now.
  bool by_warps_ = false;
  std::uint64_t found_ = 0;
  std::uint32_t made_ = 0;
  /// About as many queries as were made the last time, a power of two.
  std::uint32_t expected_made_ = 1024;
  /// A search has had pairs for exact arithmetic.
  bool expects_hard_ = false;
  /// The last one left few pairs to doubles.
  bool expects_few_undecided_ = false;
};

}  // namespace tandem::detail
