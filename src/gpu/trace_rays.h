// Kernels that trace rays through a tree of pairs.
//
// Nearly all rays are decided by float32 and double arithmetic. The few that are not, because they
// pass within a rounding of an edge or leave the range of float32, are put into a queue, and a
// second kernel traces these exactly. So the first one needs neither the registers nor the code of
// exact arithmetic, and every answer is that of the CPU, bit for bit.
#pragma once

#include <tandem/ray.h>

#include <bit>
#include <cstdint>
#include <limits>

#include "gpu/kernel.h"
#include "traverse/ray/pairs.h"

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

/// Decides by doubles and stops where these do not suffice; or decides exactly.
template <bool k_exact>
class DeviceRayQuery {
 public:
  TANDEM_HD DeviceRayQuery(const ValidRay& ray, Wanted wanted)
      : ray_(ray), limit_(ray.t_max), wanted_(wanted) {}

  TANDEM_HD const ValidRay& ray() const { return ray_; }
  TANDEM_HD const Hit& best() const { return best_; }
  TANDEM_HD float limit() const { return limit_; }
  TANDEM_HD bool undecided() const { return undecided_; }

  TANDEM_HD Flow test(std::uint32_t id, const TriangleF& triangle) {
    Hit hit;
    if constexpr (k_exact) {
      if (!intersect(ray_, triangle, limit_, &hit)) return Flow::go_on;
    } else {
      const RayDecision decision = intersect_rounded(ray_, triangle, limit_, &hit);
      if (decision == RayDecision::miss) return Flow::go_on;
      undecided_ = decision == RayDecision::unsure;
      if (undecided_) return Flow::stop;
    }
    hit.triangle = id;
    if (comes_before(hit, best_)) {
      best_ = hit;
      limit_ = hit.distance;
    }
    return wanted_ == Wanted::any ? Flow::stop : Flow::go_on;
  }

 private:
  ValidRay ray_;
  Hit best_;
  float limit_;
  Wanted wanted_;
  bool undecided_ = false;
};

/// One thread per ray.
template <class Memory>
struct TraceRays {
  using Shared = NothingShared;

  RayPairView tree;
  DeviceRays batch;
  UndecidedRays undecided;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i >= batch.count) return;
    ValidRay valid;
    if (tree.empty() || !validate_ray(batch.rays[i], &valid)) {
      batch.answer(i, Hit{});
      return;
    }
    FloatRay ray;
    if (!make_float_ray(valid, tree.largest_coordinate(), &ray)) {
      undecided.add(threads, i);
      return;
    }
    DeviceRayQuery<false> query(valid, batch.wanted());
    PairState<Memory> state;
    NullRayObserver observer;
    state.advance(tree, FloatPairTests(ray), query, observer,
                  std::numeric_limits<std::uint32_t>::max());
    if (query.undecided()) {
      undecided.add(threads, i);
    } else {
      batch.answer(i, query.best());
    }
  }
};

/// Threads that take one ray after the other. When enough threads of a warp have nothing to do,
/// they get new rays, so that long rays do not keep a whole warp waiting (Aila and Laine 2009).
template <class Memory>
struct TraceRaysRefilled {
  using Shared = NothingShared;

  RayPairView tree;
  DeviceRays batch;
  UndecidedRays undecided;
  /// The next ray; 0 at first.
  std::uint32_t* next;
  /// How many idle threads of a warp are enough.
  std::uint32_t refill_at;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    // Between two looks at the other threads, a ray visits up to so many nodes.
    constexpr std::uint32_t k_steps = 16;
    NullRayObserver observer;
    ValidRay valid{};
    FloatRay ray{};
    DeviceRayQuery<false> query(valid, batch.wanted());
    PairState<Memory> state;
    std::uint32_t index = 0;
    bool busy = false;
    bool more = true;
    while (true) {
      const std::uint32_t idle = threads.ballot(!busy);
      if (more && static_cast<std::uint32_t>(std::popcount(idle)) >= refill_at) {
        const std::uint32_t first = take(threads, idle);
        more = first + std::popcount(idle) < batch.count;
        if (!busy) {
          index = first + std::popcount(idle & ((1U << threads.lane()) - 1));
          busy = index < batch.count && begin(threads, index, &valid, &ray);
          if (busy) {
            query = DeviceRayQuery<false>(valid, batch.wanted());
            state = PairState<Memory>();
          }
        }
      } else if (!more && idle == 0xffffffff) {
        return;
      }
      if (!busy) continue;
      const Flow flow = state.advance(tree, FloatPairTests(ray), query, observer, k_steps);
      if (flow == Flow::go_on && !state.finished()) continue;
      busy = false;
      if (query.undecided()) {
        undecided.add(threads, index);
      } else {
        batch.answer(index, query.best());
      }
    }
  }

 private:
  /// The first of as many rays as there are idle threads.
  template <class Threads>
  TANDEM_KERNEL std::uint32_t take(const Threads& threads, std::uint32_t idle) const {
    std::uint32_t first = 0;
    if (threads.lane() == 0) {
      first = threads.atomic_add(next, static_cast<std::uint32_t>(std::popcount(idle)));
    }
    return threads.shuffle(first, 0);
  }

  /// False when there is nothing to trace.
  template <class Threads>
  TANDEM_KERNEL bool begin(const Threads& threads, std::uint32_t index, ValidRay* valid,
                           FloatRay* ray) const {
    if (tree.empty() || !validate_ray(batch.rays[index], valid)) {
      batch.answer(index, Hit{});
      return false;
    }
    if (make_float_ray(*valid, tree.largest_coordinate(), ray)) return true;
    undecided.add(threads, index);
    return false;
  }
};

/// Those that were left, exactly.
struct TraceUndecidedRays {
  using Shared = NothingShared;

  RayPairView tree;
  DeviceRays batch;
  UndecidedRays undecided;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t count = *undecided.count;
    for (std::uint32_t i = threads.index(); i < count; i += threads.thread_count()) {
      const std::uint32_t index = undecided.rays[i];
      ValidRay valid;
      validate_ray(batch.rays[index], &valid);
      DeviceRayQuery<true> query(valid, batch.wanted());
      NullRayObserver observer;
      trace_pairs<PairState<LinkStack>>(tree, query, observer);
      batch.answer(index, query.best());
    }
  }
};

}  // namespace tandem::detail
