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

#include "gpu/kernel.h"
#include "gpu/rays/float_query.h"
#include "gpu/rays/ways.h"
#include "math/bits.h"

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
