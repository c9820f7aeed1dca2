// Engines for rays made of types: a structure and a traversal of it.
//
// A structure for rays is described by a struct:
//
//   k_name, k_description, k_bytes_per_node, Builders, k_choices   as in engine/tandem_engine_of.h
//   RayTraversals           those that it has, its default first
//   tracer<T>(structures, progress)   makes what is needed and returns a function of a query and an
//                                     observer that traces one ray to its end; or an object with a
//                                     function `trace_batch` where T has its own loop over rays
#pragma once

#include <cstddef>
#include <vector>

#include "engine/ray_engine.h"
#include "math/type_list.h"
#include "structure/structures.h"
#include "traverse/ray/batch.h"

namespace tandem::detail {

template <class S, class T>
struct RayEngineOf {
  static HitStreamResult trace(const Structures& structures, const RayBatch& batch) {
    const auto tracer = S::template tracer<T>(structures, nullptr);
    HitStreamResult result;
    if (structures.mesh().empty()) {
      trace_each(batch, [](RayQuery&) { return Flow::go_on; });
    } else if constexpr (requires { tracer.trace_batch(batch, result.statistics); }) {
      result.stopped = tracer.trace_batch(batch, result.statistics) == Flow::stop;
    } else if (batch.statistics) {
      CountingRayObserver observer;
      result.stopped = trace(tracer, batch, observer) == Flow::stop;
      result.statistics = observer.statistics;
    } else {
      NullRayObserver observer;
      result.stopped = trace(tracer, batch, observer) == Flow::stop;
    }
    if (batch.statistics) result.statistics.rays = batch.rays.size();
    return result;
  }

  static void prepare(const Structures& structures, const Progress& progress) {
    S::template tracer<T>(structures, progress);
  }

  static constexpr std::size_t state_bytes() {
    if constexpr (requires(const T& state) { state.finished(); }) {
      return sizeof(T);
    } else {
      return 0;
    }
  }

 private:
  template <class Tracer, class Observer>
  static Flow trace(const Tracer& tracer, const RayBatch& batch, Observer& observer) {
    return trace_each(batch, [&](RayQuery& query) { return tracer(query, observer); });
  }
};

template <class S, class... T>
std::vector<RayEngineEntry> ray_engines(TypeList<T...>) {
  return {RayEngineEntry{name_info<T>(), RayEngineOf<S, T>::state_bytes(), RayEngineOf<S, T>::trace,
                         RayEngineOf<S, T>::prepare}...};
}

}  // namespace tandem::detail
