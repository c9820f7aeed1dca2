// Kernels that trace rays.
//
// Rays are traced in float32 alone, which leaves of each ray which triangle is the closest one that
// is surely hit, and of which triangles floats cannot tell. In the end doubles compute the hit, in
// the same kernel or in another one. The few rays that are still not decided, because they pass
// within a rounding of an edge or leave the range of float32, are traced exactly by a last kernel.
// So the loops through trees need no registers for doubles, and every answer is that of the CPU,
// bit for bit.
#pragma once

#include <tandem/ray.h>

#include <cstdint>
#include <limits>
#include <new>

#include "gpu/kernel.h"
#include "math/bits.h"
#include "traverse/ray/binary_traversals.h"
#include "traverse/ray/pairs.h"
#include "traverse/ray/wide_levels.h"

namespace tandem::detail {

/// Rays in the memory of a device, and where the answers go: the closest hits to `hits`, or
/// whether there is any to `any`; the other one is null.
struct DeviceRays {
  const Ray* rays;
  Hit* hits;
  std::uint8_t* any;
  std::uint32_t count;

  TANDEM_HD Wanted wanted() const { return hits != nullptr ? Wanted::closest : Wanted::any; }
  TANDEM_HD void answer(std::uint32_t ray, const Hit& hit) const {
    if (hits != nullptr) {
      hits[ray] = hit;
    } else {
      any[ray] = hit.triangle != Hit::k_none ? 1 : 0;
    }
  }
};

/// The rays that are left for exact arithmetic: room for all of them, and how many there are.
struct UndecidedRays {
  std::uint32_t* rays;
  std::uint32_t* count;

  template <class Threads>
  TANDEM_KERNEL void add(const Threads& threads, std::uint32_t ray) const {
    rays[threads.atomic_add(count, 1U)] = ray;
  }
};

/// Lists of triangles of which float32 cannot tell whether a ray hits them, or which of two is the
/// closer one: one list per ray, all in one array, each from its last entry to its first.
struct DoubtfulTriangles {
  struct Entry {
    std::uint32_t place;
    std::uint32_t before;
  };
  /// Instead of an entry: there is none; or there was no room for it.
  static constexpr std::uint32_t k_none = 0xffffffff;
  static constexpr std::uint32_t k_no_room = 0xfffffffe;

  Entry* entries;
  std::uint32_t* count;
  std::uint32_t room;

  /// Adds to the list that ends with `last`; returns the new last one.
  template <class Threads>
  TANDEM_KERNEL std::uint32_t add(const Threads& threads, std::uint32_t place,
                                  std::uint32_t last) const {
    const std::uint32_t own = threads.atomic_add(count, 1U);
    if (own >= room) return k_no_room;
    entries[own] = {place, last};
    return own;
  }
};

/// What float32 knows of a ray in the end: where the closest triangle is that is surely hit, and
/// the last of the doubtful ones.
struct FloatVerdict {
  std::uint32_t place = DoubtfulTriangles::k_none;
  std::uint32_t doubtful = DoubtfulTriangles::k_none;

  TANDEM_HD bool misses() const {
    return place == DoubtfulTriangles::k_none && doubtful == DoubtfulTriangles::k_none;
  }
};

/// The rays whose hits doubles compute: room for all of them, and how many there are.
struct RaysToSettle {
  struct Entry {
    std::uint32_t ray;
    FloatVerdict verdict;
  };
  Entry* entries;
  std::uint32_t* count;

  template <class Threads>
  TANDEM_KERNEL void add(const Threads& threads, std::uint32_t ray,
                         const FloatVerdict& verdict) const {
    entries[threads.atomic_add(count, 1U)] = {ray, verdict};
  }
};

/// One ray's question, for rays that float32 can trace. Float arithmetic tells of most triangles
/// whether they are hit, and in which interval the distance is. As long as these intervals do not
/// overlap, they tell which hit is the closest. All others are put aside.
template <class Threads>
class FloatRayQuery {
 public:
  TANDEM_KERNEL FloatRayQuery(const Threads& threads, const DoubtfulTriangles& doubtful,
                              const ValidRay& ray, Wanted wanted)
      : threads_(&threads), doubtful_(&doubtful), ray_(ray), limit_(ray.t_max), wanted_(wanted) {}

  TANDEM_KERNEL const ValidRay& ray() const { return ray_; }
  TANDEM_KERNEL float limit() const { return limit_; }

  TANDEM_KERNEL Flow test(std::uint32_t, const TriangleF& triangle, std::uint32_t place) {
    RayMeeting<float> meeting(ray_, triangle);
    if (meeting.outside()) return Flow::go_on;
    if (!meeting.inside()) {
      meeting.look_closer(ray_, triangle);
      if (meeting.outside()) return Flow::go_on;
    }
    if (meeting.inside()) {
      const RayMeeting<float>::Distance distance(meeting);
      if (distance.beyond(ray_.t_min, limit_)) return Flow::go_on;
      if (distance.least() >= ray_.t_min && distance.most() <= ray_.t_max) {
        limit_ = smaller(limit_, distance.most());
        if (distance.most() < least_) {
          verdict_.place = place;
          least_ = distance.least();
          return wanted_ == Wanted::any ? Flow::stop : Flow::go_on;
        }
      }
    }
    verdict_.doubtful = doubtful_->add(*threads_, place, verdict_.doubtful);
    return verdict_.doubtful == DoubtfulTriangles::k_no_room ? Flow::stop : Flow::go_on;
  }

  TANDEM_KERNEL const FloatVerdict& verdict() const { return verdict_; }

 private:
  const Threads* threads_;
  const DoubtfulTriangles* doubtful_;
  ValidRay ray_;
  FloatVerdict verdict_;
  /// The sure hit is not closer than this, and nothing beyond the limit is wanted.
  float least_ = std::numeric_limits<float>::infinity();
  float limit_;
  Wanted wanted_;
};

// Ways to trace rays. A way has the views of a structure and says how a thread does it:
//
//   empty()                    whether there is nothing to hit
//   Traveller                  what a thread keeps of a ray on its way, beside the query
//   Shared                     what the threads of a block share
//   begin(valid, thread, shared, &traveller)
//                              false when float32 arithmetic cannot trace the ray. It makes states
//                              where they stay, as it takes long to copy a stack
//   advance(traveller, query, observer, budget)
//                              goes on for about so many nodes
//   finished(traveller)        whether it has seen all that there is
//   some_nodes()               a budget after which the threads of a warp wait for each other
//   triangle(place), id(place) the triangle at a place that the query was told of
//   trace_exactly(query)       traces any ray from the beginning to the end

/// Through pairs of boxes.
struct PairWay {
  RayPairView tree;

  TANDEM_HD bool empty() const { return tree.empty(); }
  template <class Traveller, class Query, class Observer, class Budget>
  TANDEM_HD Flow advance(Traveller& traveller, Query& query, Observer& observer,
                         Budget budget) const {
    return traveller.state.advance(tree, FloatPairTests(traveller.ray), query, observer, budget);
  }
  template <class Traveller>
  TANDEM_HD bool finished(const Traveller& traveller) const {
    return traveller.state.finished();
  }
  TANDEM_HD static LeafBudget some_nodes() { return {}; }
  TANDEM_HD TriangleF triangle(std::uint32_t place) const { return tree.triangles[place].corners; }
  TANDEM_HD std::uint32_t id(std::uint32_t place) const { return tree.triangles[place].id; }
  template <class Query>
  TANDEM_HD Flow trace_exactly(Query& query) const {
    NullRayObserver observer;
    return trace_pairs<PairState<LinkStack>>(tree, query, observer);
  }
};

/// Through pairs of boxes, with a stack.
struct PairStackWay : PairWay {
  using Shared = NothingShared;
  struct Traveller {
    PairRay ray;
    PairState<LinkStack> state;
  };

  TANDEM_HD bool begin(const ValidRay& valid, std::uint32_t, Shared&, Traveller* traveller) const {
    new (&traveller->state) PairState<LinkStack>;
    return make_pair_ray(valid, tree.largest_coordinate(), &traveller->ray);
  }
};

/// The same without a stack. What a ray remembers is in the memory that its block shares.
template <class Ring = LinkRing>
struct PairRingWay : PairWay {
  /// The links of a thread are this far apart, so that threads do not wait for each other.
  static constexpr std::uint32_t k_most_threads = 128;
  struct Shared {
    std::uint32_t links[Ring::k_size][k_most_threads];
  };
  struct Room {
    std::uint32_t* first;
    TANDEM_HD std::uint32_t& operator[](std::uint32_t i) const { return first[i * k_most_threads]; }
  };
  struct Traveller {
    PairRay ray;
    PairState<Ring, Room> state;
  };

  TANDEM_HD bool begin(const ValidRay& valid, std::uint32_t thread, Shared& shared,
                       Traveller* traveller) const {
    traveller->state = PairState<Ring, Room>(Room{&shared.links[0][thread]});
    return make_pair_ray(valid, tree.largest_coordinate(), &traveller->ray);
  }
};

/// The corners of triangles by id.
struct TriangleCorners {
  const TriangleF* corners;
  TANDEM_HD const TriangleF& triangle(std::uint32_t id) const { return corners[id]; }
};

/// Through a binary tree, by any of its traversals.
template <class State>
struct BinaryWay {
  typename BinaryRayView<State>::Type tree;
  TriangleCorners triangles;
  float largest_coordinate;

  using Shared = NothingShared;
  struct Traveller {
    Slabs<float> slabs;
    State state;
  };

  TANDEM_HD bool empty() const { return tree.empty(); }
  TANDEM_HD bool begin(const ValidRay& valid, std::uint32_t, Shared&, Traveller* traveller) const {
    FloatRay ray;
    // A root that is a leaf needs no traversal.
    if (tree.is_leaf(0) || !make_float_ray(valid, largest_coordinate, &ray)) return false;
    traveller->slabs = Slabs<float>(valid, {ray.inverse[0], ray.inverse[1], ray.inverse[2]});
    new (&traveller->state) State(tree, traveller->slabs);
    return true;
  }
  template <class Query, class Observer, class Budget>
  TANDEM_HD Flow advance(Traveller& traveller, Query& query, Observer& observer,
                         Budget budget) const {
    return traveller.state.advance(tree, triangles, traveller.slabs, query, observer, budget);
  }
  TANDEM_HD static NodeBudget some_nodes() { return {32}; }
  TANDEM_HD TriangleF triangle(std::uint32_t place) const { return triangles.triangle(place); }
  TANDEM_HD static std::uint32_t id(std::uint32_t place) { return place; }
  TANDEM_HD bool finished(const Traveller& traveller) const { return traveller.state.finished(); }
  template <class Query>
  TANDEM_HD Flow trace_exactly(Query& query) const {
    NullRayObserver observer;
    return trace<DistanceStackState>(tree, triangles, query, observer);
  }
};

/// Through the wide tree. Rays that float32 cannot trace go through the binary one.
struct WideWay {
  WideRayTreeView tree;
  RayTreeView binary;
  TriangleCorners triangles;

  using Shared = NothingShared;
  struct Traveller {
    FloatRay ray;
    WideLevels state;
  };

  TANDEM_HD bool empty() const { return tree.empty(); }
  TANDEM_HD bool begin(const ValidRay& valid, std::uint32_t, Shared&, Traveller* traveller) const {
    new (&traveller->state) WideLevels(tree);
    return make_float_ray(valid, tree.largest_coordinate, &traveller->ray);
  }
  template <class Query, class Observer, class Budget>
  TANDEM_HD Flow advance(Traveller& traveller, Query& query, Observer& observer,
                         Budget budget) const {
    return traveller.state.advance(tree, traveller.ray, query, observer, budget);
  }
  TANDEM_HD static NodeBudget some_nodes() { return {32}; }
  TANDEM_HD TriangleF triangle(std::uint32_t place) const { return triangles.triangle(place); }
  TANDEM_HD static std::uint32_t id(std::uint32_t place) { return place; }
  TANDEM_HD bool finished(const Traveller& traveller) const { return traveller.state.finished(); }
  template <class Query>
  TANDEM_HD Flow trace_exactly(Query& query) const {
    NullRayObserver observer;
    return trace<DistanceStackState>(binary, triangles, query, observer);
  }
};

/// What the kernels below share.
template <class Way>
struct RayTask {
  Way way;
  DeviceRays batch;
  DoubtfulTriangles doubtful;
  RaysToSettle to_settle;
  UndecidedRays undecided;

  /// Begins a ray; false when there is nothing to trace.
  template <class Threads>
  TANDEM_KERNEL bool begin(const Threads& threads, typename Way::Shared& shared,
                           std::uint32_t index, ValidRay* valid,
                           typename Way::Traveller* traveller) const {
    if (way.empty() || !validate_ray(batch.rays[index], valid)) {
      batch.answer(index, Hit{});
      return false;
    }
    if (way.begin(*valid, threads.thread(), shared, traveller)) return true;
    undecided.add(threads, index);
    return false;
  }

  template <class Threads>
  TANDEM_KERNEL FloatRayQuery<Threads> query(const Threads& threads, const ValidRay& valid) const {
    return {threads, doubtful, valid, batch.wanted()};
  }

  /// Leads a ray on for a while; whether it is on its way still.
  template <class Query, class Observer>
  TANDEM_KERNEL bool go_on(typename Way::Traveller& traveller, Query& query,
                           Observer& observer) const {
    return way.advance(traveller, query, observer, way.some_nodes()) == Flow::go_on &&
           !way.finished(traveller);
  }

  /// Answers a ray by what float32 knows, if that is enough, or leaves it to exact arithmetic;
  /// false if doubles are to compute its hit.
  template <class Threads>
  TANDEM_KERNEL bool end_in_float(const Threads& threads, std::uint32_t index,
                                  const FloatVerdict& verdict) const {
    if (verdict.misses()) {
      batch.answer(index, Hit{});
    } else if (verdict.doubtful == DoubtfulTriangles::k_no_room) {
      undecided.add(threads, index);
    } else if (batch.wanted() == Wanted::any && verdict.place != DoubtfulTriangles::k_none) {
      batch.any[index] = 1;
    } else {
      return false;
    }
    return true;
  }

  /// Computes the hit of a ray in double precision: the closest one of the triangle that is surely
  /// hit and of the doubtful ones. What doubles do not decide is left to exact arithmetic.
  template <class Threads>
  TANDEM_KERNEL void settle(const Threads& threads, std::uint32_t index, const ValidRay& valid,
                            const FloatVerdict& verdict) const {
    Hit best;
    float limit = valid.t_max;
    std::uint32_t place = verdict.place;
    std::uint32_t left = verdict.doubtful;
    while (true) {
      if (place != DoubtfulTriangles::k_none) {
        Hit hit;
        const RayDecision decision = intersect_rounded(valid, way.triangle(place), limit, &hit);
        if (decision == RayDecision::unsure) return undecided.add(threads, index);
        if (decision == RayDecision::hit) {
          hit.triangle = way.id(place);
          if (comes_before(hit, best)) best = hit;
          limit = best.distance;
        }
      }
      if (left == DoubtfulTriangles::k_none) break;
      place = doubtful.entries[left].place;
      left = doubtful.entries[left].before;
    }
    batch.answer(index, best);
  }
};

/// One thread per ray. The threads of a warp go on together after each leaf, and compute their hits
/// together in the end.
template <class Way>
struct TraceRays {
  using Shared = typename Way::Shared;
  static constexpr int k_blocks_per_processor = 9;

  RayTask<Way> task;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    const std::uint32_t index = threads.index();
    ValidRay valid{};
    typename Way::Traveller traveller;
    const bool has_ray =
        index < task.batch.count && task.begin(threads, shared, index, &valid, &traveller);
    FloatRayQuery<Threads> query = task.query(threads, valid);
    NullRayObserver observer;
    bool busy = has_ray;
    while (threads.ballot(busy) != 0) {
      if (busy) busy = task.go_on(traveller, query, observer);
    }
    if (has_ray && !task.end_in_float(threads, index, query.verdict())) {
      task.settle(threads, index, query.ray(), query.verdict());
    }
  }
};

/// Threads that take one ray after the other. When enough threads of a warp have nothing to do,
/// they get new rays, so that long rays do not keep a whole warp waiting (Aila and Laine 2009).
template <class Way>
struct TraceRaysRefilled {
  using Shared = typename Way::Shared;
  static constexpr int k_blocks_per_processor = 9;

  RayTask<Way> task;
  /// The next ray; 0 at first.
  std::uint32_t* next;
  /// How many idle threads of a warp are enough.
  std::uint32_t refill_at;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    const std::uint32_t count = task.batch.count;
    ValidRay valid{};
    typename Way::Traveller traveller;
    FloatRayQuery<Threads> query = task.query(threads, valid);
    NullRayObserver observer;
    std::uint32_t index = 0;
    // Whether a thread has a ray, and whether that is on its way.
    bool has_ray = false;
    bool busy = false;
    bool more = true;
    while (true) {
      const std::uint32_t idle = threads.ballot(!busy);
      const bool all_idle = idle == 0xffffffff;
      if (all_idle || (more && count_bits(idle) >= refill_at)) {
        if (has_ray && !busy && !task.end_in_float(threads, index, query.verdict())) {
          task.to_settle.add(threads, index, query.verdict());
        }
        if (!more) return;
        const std::uint32_t first = take(threads, idle);
        more = first + count_bits(idle) < count;
        if (!busy) {
          index = first + count_bits(idle & ((1U << threads.lane()) - 1));
          busy = index < count && task.begin(threads, shared, index, &valid, &traveller);
          has_ray = busy;
          if (busy) query = task.query(threads, valid);
        }
      }
      if (busy) busy = task.go_on(traveller, query, observer);
    }
  }

 private:
  /// The first of as many rays as there are idle threads.
  template <class Threads>
  TANDEM_KERNEL std::uint32_t take(const Threads& threads, std::uint32_t idle) const {
    std::uint32_t first = 0;
    if (threads.lane() == 0) {
      first = threads.atomic_add(next, count_bits(idle));
    }
    return threads.shuffle(first, 0);
  }
};

/// Computes the hits of rays that were refilled.
template <class Way>
struct SettleRays {
  using Shared = NothingShared;

  RayTask<Way> task;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t count = *task.to_settle.count;
    for (std::uint32_t i = threads.index(); i < count; i += threads.thread_count()) {
      const RaysToSettle::Entry entry = task.to_settle.entries[i];
      ValidRay valid;
      validate_ray(task.batch.rays[entry.ray], &valid);
      task.settle(threads, entry.ray, valid, entry.verdict);
    }
  }
};

/// Those that were left, exactly.
template <class Way>
struct TraceUndecidedRays {
  using Shared = NothingShared;

  RayTask<Way> task;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t count = *task.undecided.count;
    for (std::uint32_t i = threads.index(); i < count; i += threads.thread_count()) {
      const std::uint32_t index = task.undecided.rays[i];
      ValidRay valid;
      validate_ray(task.batch.rays[index], &valid);
      HitSearch query(valid, task.batch.wanted());
      task.way.trace_exactly(query);
      task.batch.answer(index, query.best());
    }
  }
};

}  // namespace tandem::detail
