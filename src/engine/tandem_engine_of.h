// Engines made of types: a structure, a traversal of two of them and an overlap test.
//
// The engine room joins structures and traversals. Each structure is described by a struct:
//
//   k_name, k_description, k_bytes_per_node
//   Builders              the builders that make it, its default first
//   k_choices             what else can be chosen when it is built
//   k_offers              what traversals can see of two of them (traverse/tandem/offer.h)
//   k_default_traversal   by name
//   OverlapTests          the first that fits the pose is the default
//   Trees<Test>           two of them that meet: made of a TandemQuery; has arity(), overlap() and
//                         the functions that k_offers promises
//   prepare(structures, needed, progress)   makes what a traversal needs of one of them
//   apart(query)          where there is such a test: whether two of them are surely apart
//
// A traversal works with every structure that offers what it needs. What is promised and not there
// does not compile.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/leaf_pair.h"
#include "engine/parts.h"
#include "engine/tandem_engine.h"
#include "math/type_list.h"
#include "structure/structures.h"
#include "traverse/observer.h"
#include "traverse/tandem/offer.h"
#include "traverse/tandem/walk.h"

namespace tandem::detail {

/// The functions of one engine.
template <class S, class T, class Test>
struct TandemEngineOf {
  using Trees = typename S::template Trees<Test>;

  template <class Observer>
  static Flow run(const TandemQuery& query, LeafPair<Observer>& leaf_pair, Observer& observer) {
    if constexpr (Resumable<T>) {
      typename T::State state;
      std::uint64_t budget = std::numeric_limits<std::uint64_t>::max();
      return advance(query, leaf_pair, observer, &state, budget);
    } else {
      const Trees trees(query);
      observer.set_arity(trees.arity());
      return T::run(trees, leaf_pair, observer);
    }
  }

  template <class Observer>
  static Flow run_in_parts(const TandemQuery& query, const TriangleTestRequest& triangles,
                           int threads, PartSink sink, Observer& observer) {
    const Trees trees(query);
    observer.set_arity(trees.arity());
    return run_parts(T::parts(trees, observer), triangles, threads, sink, observer);
  }

  static bool can_be_at(const TandemQuery& query, const void* state) {
    return T::can_be_at(Trees(query), *static_cast<const typename T::State*>(state));
  }

  template <class Observer>
  static Flow advance(const TandemQuery& query, LeafPair<Observer>& leaf_pair, Observer& observer,
                      void* state, std::uint64_t& budget) {
    auto& resumed = *static_cast<typename T::State*>(state);
    const Trees trees(query);
    observer.set_arity(trees.arity());
    auto walk = T::walk(trees, resumed);
    const Flow flow = detail::advance(walk, trees.overlap(), leaf_pair, observer, budget);
    resumed = walk.state;
    return flow;
  }

  static void prepare(const Structures& structures, const Progress& progress) {
    S::prepare(structures, T::k_needs, progress);
  }
};

/// All engines of a structure with these traversals, in the order of traversals, then overlap
/// tests.
template <class S, class... T>
std::vector<TandemEngine> tandem_engines(TypeList<T...>) {
  std::vector<TandemEngine> engines;
  const auto add = [&]<class Traversal, class... Test>(TypeList<Traversal>, TypeList<Test...>) {
    if constexpr (has(S::k_offers, Traversal::k_needs)) {
      const auto add_one = [&]<class One>(TypeList<One>) {
        using Engine = TandemEngineOf<S, Traversal, One>;
        TandemEngine engine{.traversal = name_info<Traversal>(),
                            .overlap = name_info<One>(),
                            .run = Engine::template run<NullObserver>,
                            .run_counting = Engine::template run<CountingObserver>,
                            .prepare = Engine::prepare};
        if constexpr (requires { Traversal::k_most_parts; }) {
          static_assert(Traversal::k_most_parts <= k_most_parts);
          engine.run_in_parts = Engine::template run_in_parts<NullObserver>;
          engine.run_in_parts_counting = Engine::template run_in_parts<CountingObserver>;
        }
        if constexpr (requires { S::apart; }) engine.apart = S::apart;
        engine.finds_within = requires {
          Traversal::k_finds_within;
        };
        if constexpr (requires { One::fits; }) engine.fits_pose = One::fits;
        if constexpr (Resumable<Traversal>) {
          engine.cursor = k_cursor_kind<typename Traversal::State>;
          engine.can_be_at = Engine::can_be_at;
          engine.advance = Engine::template advance<NullObserver>;
        }
        engines.push_back(engine);
      };
      (add_one(TypeList<Test>()), ...);
    }
  };
  (add(TypeList<T>(), typename S::OverlapTests()), ...);
  return engines;
}

}  // namespace tandem::detail
