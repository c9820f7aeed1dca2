// The kernels of stackless walks: one thread per walk.
#pragma once

#include <tandem/batch.h>
#include <tandem/cuda/collide.h>

#include <cstdint>

#include "geometry/triangle_test.h"
#include "gpu/stackless/walks.h"
#include "math/transform.h"
#include "traverse/observer.h"
#include "traverse/tandem/walk.h"
#include "volume/aabb_overlap.h"

namespace tandem::detail {

using cuda::FoundPair;

/// What all kernels see of models and queries.
struct WalkScene {
  const WalkModel* models;
  const BatchQuery* queries;

  TANDEM_HD const WalkTree& a(std::uint32_t query) const { return models[queries[query].a].tree; }
  TANDEM_HD const WalkTree& b(std::uint32_t query) const { return models[queries[query].b].tree; }
  TANDEM_HD FifteenAxisAabbOverlap<> overlap(std::uint32_t query) const {
    return {queries[query].b_in_a, a(query).volume(0), b(query).volume(0)};
  }
  /// The exact test of all queries: B's triangle is brought into A's frame as on the host.
  TANDEM_HD bool touch(const FoundPair& candidate) const {
    const BatchQuery& query = queries[candidate.query];
    const TriangleF& b = models[query.b].triangles[candidate.pair.b];
    Triangle moved;
    for (int k = 0; k < 3; ++k) moved.corner[k] = transform_point(query.b_in_a, b.corner[k]);
    return test_triangles(widen(models[query.a].triangles[candidate.pair.a]), moved).intersects;
  }
};

/// One thread per query: a walk from the roots, unless a model is empty.
template <class Walks>
struct BeginWalks {
  using Shared = NothingShared;

  WalkScene scene;
  std::uint32_t query_count;
  WaitingWalk<Walks>* to;
  WalkCount* to_count;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    const bool begins = i < query_count && !scene.a(i).empty() && !scene.b(i).empty();
    const WalkCount place = take_place(threads, to_count, begins);
    if (begins) to[place] = {i, 0, 0, {}};
  }
};

/// One thread per walk that has not left the pair that it begins at: makes walks of what is below,
/// one for each pair that comes first there. A pair of leaves stays; nothing is left of one that
/// does not overlap.
template <class Walks>
struct SplitWalks {
  using Shared = NothingShared;

  WalkScene scene;
  const WaitingWalk<Walks>* from;
  std::uint32_t count;
  WaitingWalk<Walks>* to;
  WalkCount* to_count;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    // Threads without a walk look at the last one, as all threads of a warp must append together.
    bool has = threads.index() < count;
    const WaitingWalk<Walks> whole = from[has ? threads.index() : count - 1];
    auto walk = resume(scene.a(whole.query), scene.b(whole.query), whole);
    bool stays = false;
    if (has) {
      NullObserver observer;
      const std::uint32_t a = walk.node_a();
      const std::uint32_t b = walk.node_b();
      has = overlaps(walk.a, a, walk.b, b, scene.overlap(whole.query), observer);
      stays = has && walk.a.is_leaf(a) && walk.b.is_leaf(b);
      if (has && !stays) walk.descend();
    }
    while (threads.ballot(has) != 0) {
      const WalkCount place = take_place(threads, to_count, has);
      if (!has) continue;
      to[place] = {whole.query, walk.node_a(), walk.node_b(), walk.state};
      if (!stays) walk.next();
      has = !stays && !walk.finished();
    }
  }
};

/// Where walks put touching pairs. The counter goes on where there is no more room, so that it
/// tells how much would have been needed; then `end` tells how many pairs are there.
struct WalkResults {
  FoundPair* pairs;
  WalkCount* count;
  WalkCount* end;
  WalkCount room;
};

/// One thread per walk: goes on for so many pairs of nodes. Each thread collects a few pairs of
/// leaves, then its warp tests all that its threads have. What has no room is undone: the walks of
/// the warp wait where they were before they came to these pairs, so that nothing is lost.
template <class Walks>
struct AdvanceWalks {
  /// How many pairs of leaves a thread collects, and how many pairs of nodes it visits for that.
  static constexpr std::uint32_t k_most_collected = 4;
  static constexpr std::uint32_t k_most_visits = 32;
  /// 128 registers per thread.
  static constexpr int k_blocks_per_processor = 4;

  struct Candidates {
    FoundPair pairs[k_most_collected * k_warp_size];
    std::uint32_t count;
  };
  struct Shared {
    Candidates of_warp[k_build_block_size / k_warp_size];
  };

  WalkScene scene;
  const WaitingWalk<Walks>* from;
  std::uint32_t count;
  std::uint64_t budget;
  WaitingWalk<Walks>* to;
  WalkCount* to_count;
  WalkResults results;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    Candidates& candidates = shared.of_warp[threads.thread() / k_warp_size];
    const bool has = threads.index() < count;
    WaitingWalk<Walks> waiting = from[has ? threads.index() : count - 1];
    auto walk = resume(scene.a(waiting.query), scene.b(waiting.query), waiting);
    const auto overlap = scene.overlap(waiting.query);
    std::uint64_t left = has ? budget : 0;
    bool finished = !has;
    bool kept = true;
    while (kept && threads.ballot(!finished && left > 0) != 0) {
      threads.sync_warp();
      if (threads.lane() == 0) candidates.count = 0;
      threads.sync_warp();
      if (!finished && left > 0) collect(threads, walk, overlap, waiting.query, left, candidates);
      threads.sync_warp();
      kept = test(threads, candidates);
      if (!kept) continue;
      waiting.state = walk.state;
      finished = finished || walk.finished();
    }
    const WalkCount place = take_place(threads, to_count, !finished);
    if (!finished) to[place] = waiting;
  }

 private:
  /// Lowers `left` by the pairs of nodes that it visits.
  template <class Threads, class Walk, class Overlap>
  TANDEM_KERNEL static void collect(const Threads& threads, Walk& walk, const Overlap& overlap,
                                    std::uint32_t query, std::uint64_t& left,
                                    Candidates& candidates) {
    std::uint32_t collected = 0;
    auto leaf_pair = [&](std::uint32_t a, std::uint32_t b) {
      const std::uint32_t place = threads.atomic_add(&candidates.count, std::uint32_t{1});
      candidates.pairs[place] = {query, {a, b}};
      return ++collected == k_most_collected ? Flow::stop : Flow::go_on;
    };
    NullObserver observer;
    const std::uint64_t visits = left < k_most_visits ? left : k_most_visits;
    std::uint64_t visits_left = visits;
    advance(walk, overlap, leaf_pair, observer, visits_left);
    left -= visits - visits_left;
  }

  /// Adds those candidates that touch to the results, or none of them; false if there was no room.
  template <class Threads>
  TANDEM_KERNEL bool test(const Threads& threads, const Candidates& candidates) const {
    const std::uint32_t lane = threads.lane();
    std::uint32_t touching[k_most_collected];
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < k_most_collected; ++i) {
      const std::uint32_t place = i * k_warp_size + lane;
      const bool touch = place < candidates.count && scene.touch(candidates.pairs[place]);
      touching[i] = threads.ballot(touch);
      sum += count_bits(touching[i]);
    }
    if (sum == 0) return true;
    WalkCount first = 0;
    if (lane == 0) first = threads.atomic_add(results.count, WalkCount{sum});
    first = threads.shuffle(first, 0);
    if (first + sum > results.room) {
      // Whoever comes later finds the counter beyond the room: one warp at most is here first.
      if (lane == 0 && first <= results.room) *results.end = first;
      return false;
    }
    for (std::uint32_t i = 0; i < k_most_collected; ++i) {
      if ((touching[i] >> lane & 1) != 0) {
        results.pairs[first + count_bits(touching[i] & lanes_before(lane))] =
            candidates.pairs[i * k_warp_size + lane];
      }
      first += count_bits(touching[i]);
    }
    return true;
  }
};

}  // namespace tandem::detail
