// Kernels that trace rays.
//
// Nearly all rays are decided by float32 and double arithmetic. The few that are not, because they
// pass within a rounding of an edge or leave the range of float32, are put into a queue, and a
// second kernel traces these exactly. So the first one needs neither the registers nor the code of
// exact arithmetic, and every answer is that of the CPU, bit for bit.
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

/// Not inlined, so that the loops around it keep their registers: it is called about once per ray.
[[gnu::noinline]] TANDEM_HD inline RayDecision decide_in_double(const ValidRay ray,
                                                                const TriangleF triangle,
                                                                float limit, Hit* hit) {
  return intersect_rounded(ray, triangle, limit, hit);
}

/// One ray's question, for rays that float32 can trace. Float arithmetic tells of most triangles
/// whether they are hit, and in which interval the distance is. As long as these intervals do not
/// overlap, they tell which hit is the closest; doubles compute that one in the end, and decide
/// where floats do not. What doubles cannot decide leaves the ray undecided.
template <class Way>
class FloatRayQuery {
 public:
  TANDEM_HD FloatRayQuery(const Way& way, const ValidRay& ray, Wanted wanted)
      : way_(&way), ray_(ray), limit_(ray.t_max), wanted_(wanted) {}

  TANDEM_HD float limit() const { return limit_; }

  TANDEM_HD Flow test(std::uint32_t id, const TriangleF& triangle, std::uint32_t place) {
    RayMeeting<float> meeting(ray_, triangle);
    if (meeting.outside()) return Flow::go_on;
    if (!meeting.inside()) {
      meeting.look_closer(ray_, triangle);
      if (meeting.outside()) return Flow::go_on;
    }
    if (meeting.inside()) {
      const RayMeeting<float>::Distance distance(meeting);
      if (distance.beyond(ray_.t_min, limit_)) return Flow::go_on;
      if (distance.least() >= ray_.t_min && distance.most() <= ray_.t_max &&
          distance.most() < least_) {
        best_.triangle = id;
        place_ = place;
        least_ = distance.least();
        limit_ = distance.most();
        return wanted_ == Wanted::any ? Flow::stop : Flow::go_on;
      }
    }
    if (!settle()) return Flow::stop;
    return take(id, triangle, limit_);
  }

  /// Computes the closest hit, unless any will do; false if it is not known which one that is.
  TANDEM_HD bool settle() {
    if (place_ == k_settled || undecided_ || wanted_ == Wanted::any) return !undecided_;
    const std::uint32_t id = best_.triangle;
    best_ = Hit{};
    limit_ = ray_.t_max;
    take(id, way_->triangle(place_), ray_.t_max);
    // Float arithmetic was certain, so a miss cannot be; were it one, exact arithmetic would tell.
    undecided_ = undecided_ || !found();
    place_ = k_settled;
    return !undecided_;
  }

  /// Once it is settled.
  TANDEM_HD const Hit& best() const { return best_; }

 private:
  static constexpr std::uint32_t k_settled = 0xffffffff;

  TANDEM_HD bool found() const { return best_.triangle != Hit::k_none; }

  TANDEM_HD Flow take(std::uint32_t id, const TriangleF& triangle, float limit) {
    Hit hit;
    const RayDecision decision = decide_in_double(ray_, triangle, limit, &hit);
    if (decision == RayDecision::miss) return Flow::go_on;
    undecided_ = decision == RayDecision::unsure;
    if (undecided_) return Flow::stop;
    hit.triangle = id;
    if (comes_before(hit, best_)) {
      best_ = hit;
      least_ = hit.distance;
      limit_ = hit.distance;
    }
    return wanted_ == Wanted::any ? Flow::stop : Flow::go_on;
  }

  const Way* way_;
  ValidRay ray_;
  Hit best_;
  /// The closest hit so far is in this interval; nothing beyond it is wanted.
  float least_ = std::numeric_limits<float>::infinity();
  float limit_;
  /// Where the triangle of the best hit is, unless that is known in all.
  std::uint32_t place_ = k_settled;
  Wanted wanted_;
  bool undecided_ = false;
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
//   triangle(place)            the triangle at a place that the query was told of
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
  TANDEM_HD TriangleF triangle(std::uint32_t place) const { return tree.triangles[place].corners; }
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
    FloatRay ray;
    PairState<LinkStack> state;
  };

  TANDEM_HD bool begin(const ValidRay& valid, std::uint32_t, Shared&, Traveller* traveller) const {
    new (&traveller->state) PairState<LinkStack>;
    return make_float_ray(valid, tree.largest_coordinate(), &traveller->ray);
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
    FloatRay ray;
    PairState<Ring, Room> state;
  };

  TANDEM_HD bool begin(const ValidRay& valid, std::uint32_t thread, Shared& shared,
                       Traveller* traveller) const {
    traveller->state = PairState<Ring, Room>(Room{&shared.links[0][thread]});
    return make_float_ray(valid, tree.largest_coordinate(), &traveller->ray);
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
  TANDEM_HD TriangleF triangle(std::uint32_t place) const { return triangles.triangle(place); }
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
  TANDEM_HD TriangleF triangle(std::uint32_t place) const { return triangles.triangle(place); }
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
  TANDEM_KERNEL void end(const Threads& threads, std::uint32_t index,
                         FloatRayQuery<Way>& query) const {
    if (query.settle()) {
      batch.answer(index, query.best());
    } else {
      undecided.add(threads, index);
    }
  }
};

/// One thread per ray.
template <class Way>
struct TraceRays {
  using Shared = typename Way::Shared;
  static constexpr int k_blocks_per_processor = 7;

  RayTask<Way> task;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    const std::uint32_t index = threads.index();
    if (index >= task.batch.count) return;
    ValidRay valid;
    typename Way::Traveller traveller;
    if (!task.begin(threads, shared, index, &valid, &traveller)) return;
    FloatRayQuery<Way> query(task.way, valid, task.batch.wanted());
    NullRayObserver observer;
    task.way.advance(traveller, query, observer, NoBudget());
    task.end(threads, index, query);
  }
};

/// Threads that take one ray after the other. When enough threads of a warp have nothing to do,
/// they get new rays, so that long rays do not keep a whole warp waiting (Aila and Laine 2009).
template <class Way>
struct TraceRaysRefilled {
  using Shared = typename Way::Shared;
  static constexpr int k_blocks_per_processor = 6;

  RayTask<Way> task;
  /// The next ray; 0 at first.
  std::uint32_t* next;
  /// How many idle threads of a warp are enough.
  std::uint32_t refill_at;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    // Between two looks at the other threads, a ray visits a leaf, or up to so many nodes.
    constexpr std::uint32_t k_steps = 32;
    const std::uint32_t count = task.batch.count;
    ValidRay valid{};
    typename Way::Traveller traveller;
    FloatRayQuery<Way> query(task.way, valid, task.batch.wanted());
    std::uint32_t index = 0;
    // Whether a thread has a ray, and whether that is on its way.
    bool has_ray = false;
    bool busy = false;
    bool more = true;
    while (true) {
      const std::uint32_t idle = threads.ballot(!busy);
      const bool all_idle = idle == 0xffffffff;
      if (all_idle || (more && count_bits(idle) >= refill_at)) {
        // Those that are done answer together, as that takes long.
        if (has_ray && !busy) task.end(threads, index, query);
        if (!more) return;
        const std::uint32_t first = take(threads, idle);
        more = first + count_bits(idle) < count;
        if (!busy) {
          index = first + count_bits(idle & ((1U << threads.lane()) - 1));
          busy = index < count && task.begin(threads, shared, index, &valid, &traveller);
          has_ray = busy;
          if (busy) query = FloatRayQuery<Way>(task.way, valid, task.batch.wanted());
        }
      }
      if (!busy) continue;
      NullRayObserver observer;
      const Flow flow = task.way.advance(traveller, query, observer, LeafBudget{k_steps});
      busy = flow == Flow::go_on && !task.way.finished(traveller);
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
