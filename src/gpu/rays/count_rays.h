// A kernel that counts what rays do, to explain how long they take.
#pragma once

#include <tandem/statistics.h>

#include <cstdint>

#include "gpu/rays/trace_rays.h"

namespace tandem::detail {

/// What the threads of a grid did.
struct RayWork {
  RayStatistics statistics;
  /// Visits of nodes, where threads of a warp that visit one together count once.
  std::uint64_t warp_visits = 0;
};

/// Counts what a thread does.
template <class Threads>
class WorkingRayObserver : public CountingRayObserver {
 public:
  TANDEM_KERNEL explicit WorkingRayObserver(const Threads& threads) : threads_(threads) {}

  TANDEM_KERNEL void node_visit(std::uint32_t node) {
    CountingRayObserver::node_visit(node);
    // The first one of those that are here counts for all.
    const std::uint32_t before = (1U << threads_.lane()) - 1;
    if ((threads_.active() & before) == 0) ++warp_visits_;
  }
  TANDEM_KERNEL std::uint64_t warp_visits() const { return warp_visits_; }

 private:
  const Threads& threads_;
  std::uint64_t warp_visits_ = 0;
};

/// Traces as `TraceRays` does, adds what it has done to `work`, and answers nothing.
template <class Way>
struct CountRays {
  using Shared = typename Way::Shared;

  RayTask<Way> task;
  RayWork* work;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    const std::uint32_t index = threads.index();
    if (index >= task.batch.count) return;
    ValidRay valid;
    typename Way::Traveller traveller;
    WorkingRayObserver<Threads> observer(threads);
    if (task.begin(threads, shared, index, &valid, &traveller)) {
      FloatRayQuery<Threads> query = task.query(threads, valid);
      task.way.advance(traveller, query, observer, NoBudget());
    }
    RayStatistics& total = work->statistics;
    threads.atomic_add(&total.rays, std::uint64_t{1});
    threads.atomic_add(&total.box_tests, observer.statistics.box_tests);
    threads.atomic_add(&total.node_visits, observer.statistics.node_visits);
    threads.atomic_add(&total.leaf_visits, observer.statistics.leaf_visits);
    threads.atomic_add(&total.triangle_tests, observer.statistics.triangle_tests);
    threads.atomic_add(&work->warp_visits, observer.warp_visits());
  }
};

}  // namespace tandem::detail
