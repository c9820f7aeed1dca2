// Finds touching triangles by stackless walks: all launches in order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "gpu/growing_array.h"
#include "gpu/stackless/kernels.h"

namespace tandem::detail {

/// How much is done at once; 0 stands for what is usually best.
struct WalkLimits {
  /// Queries are split until there are so many walks.
  std::uint32_t least_walks = 0;
  /// How many pairs of nodes a walk visits in the first launch; in each later one twice as many.
  std::uint32_t first_visits = 0;
  /// The results have room for so many pairs at first.
  std::uint32_t first_room = 0;
};

/// The memory of queries, kept for the next: it grows to what the largest one has needed.
template <class On, class Walks>
struct WalkMemory {
  /// Those of this launch and those that wait for the next.
  GrowingArray<On, WaitingWalk<Walks>> walks[2];
  GrowingArray<On, FoundPair> found;

  std::size_t bytes() const { return walks[0].bytes() + walks[1].bytes() + found.bytes(); }
};

/// `On` is as for `BlockedFinder`.
template <class On, class Walks>
class WalkFinder {
 public:
  static constexpr std::uint32_t k_least_walks = std::uint32_t{1} << 17;
  static constexpr std::uint32_t k_first_visits = 256;
  static constexpr std::uint32_t k_first_room = std::uint32_t{1} << 16;
  /// Of queries: what is left after so many splits is small or next to nothing.
  static constexpr int k_most_splits = 32;

  /// `arity` is the most children that a node of a model has.
  WalkFinder(On& on, const WalkModel* models, int arity, WalkMemory<On, Walks>& memory,
             const WalkLimits& limits)
      : on_(on), scene_{models, nullptr}, arity_(arity), memory_(memory), limits_(limits) {
    if (limits_.least_walks == 0) limits_.least_walks = k_least_walks;
    if (limits_.first_visits == 0) limits_.first_visits = k_first_visits;
    if (limits_.first_room == 0) limits_.first_room = k_first_room;
  }

  /// All pairs of queries on the device. They are there until the memory is used again.
  cuda::FoundPairs find(const BatchQuery* queries, std::uint32_t query_count) {
    if (query_count == 0) return {};
    scene_.queries = queries;
    std::uint32_t walk_count = begin(query_count);
    for (int i = 0; i < k_most_splits && walk_count > 0 && walk_count < limits_.least_walks; ++i) {
      walk_count = split(walk_count);
    }
    memory_.found.make_room(on_, limits_.first_room);
    found_count_ = 0;
    for (std::uint64_t visits = limits_.first_visits; walk_count > 0; visits *= 2) {
      walk_count = advance(walk_count, visits);
    }
    return {memory_.found.data(), found_count_};
  }

 private:
  std::uint32_t begin(std::uint32_t query_count) {
    memory_.walks[now_].make_room(on_, query_count);
    const auto count = on_.template zeros<WalkCount>(1);
    on_.launch(BeginWalks<Walks>{scene_, query_count, memory_.walks[now_].data(), count.data()},
               query_count);
    return static_cast<std::uint32_t>(read(count.data()));
  }

  std::uint32_t split(std::uint32_t walk_count) {
    memory_.walks[1 - now_].make_room(on_, std::size_t{walk_count} * arity_);
    const auto count = on_.template zeros<WalkCount>(1);
    on_.launch(SplitWalks<Walks>{scene_, memory_.walks[now_].data(), walk_count,
                                 memory_.walks[1 - now_].data(), count.data()},
               walk_count);
    now_ = 1 - now_;
    return static_cast<std::uint32_t>(read(count.data()));
  }

  /// Returns how many walks are not at their end.
  std::uint32_t advance(std::uint32_t walk_count, std::uint64_t visits) {
    memory_.walks[1 - now_].make_room(on_, walk_count);
    const std::size_t room = memory_.found.bytes() / sizeof(FoundPair);
    const auto counts = on_.template zeros<WalkCount>(3);
    const WalkResults results{memory_.found.data() + found_count_, counts.data() + 1,
                              counts.data() + 2, room - found_count_};
    on_.launch(AdvanceWalks<Walks>{scene_, memory_.walks[now_].data(), walk_count, visits,
                                   memory_.walks[1 - now_].data(), counts.data(), results},
               walk_count);
    now_ = 1 - now_;
    const std::array<WalkCount, 3> after = on_.read(
        std::array<const WalkCount*, 3>{counts.data(), counts.data() + 1, counts.data() + 2});
    if (after[1] <= results.room) {
      found_count_ += after[1];
    } else {
      const std::size_t wanted = found_count_ + after[1];
      found_count_ += after[2];
      memory_.found.make_room(on_, std::max(wanted, 2 * room), found_count_);
    }
    return static_cast<std::uint32_t>(after[0]);
  }

  WalkCount read(const WalkCount* count) {
    return on_.read(std::array<const WalkCount*, 1>{count})[0];
  }

  On& on_;
  WalkScene scene_;
  int arity_;
  WalkMemory<On, Walks>& memory_;
  WalkLimits limits_;
  /// Which array has the walks of the next launch.
  int now_ = 0;
  std::size_t found_count_ = 0;
};

}  // namespace tandem::detail
