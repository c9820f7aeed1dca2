// One engine: a structure, a traversal that walks two of them, and an overlap test, as one
// function.
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
//
// A traversal works with every structure that offers what it needs. What is promised and not there
// does not compile.
#pragma once

#include <tandem/cursor_state.h>
#include <tandem/query.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "engine/leaf_pair.h"
#include "engine/name_info.h"
#include "math/type_list.h"
#include "structure/structures.h"
#include "traverse/observer.h"
#include "traverse/tandem/offer.h"
#include "traverse/tandem/walk.h"

namespace tandem::detail {

/// Two models that meet, and what is asked of them. Neither mesh is empty.
struct TandemQuery {
  const Structures& a;
  const Structures& b;
  const Pose& b_in_a;
  PairSink sink;
  TriangleTestKind triangle_test = TriangleTestKind::exact;
  /// The sink stops at the first pair: an order that soon leads to one is worth some work.
  bool first_pair = false;
  bool statistics = false;
  Progress progress = nullptr;
};

/// What is known of an engine once types are erased.
struct TandemEngine {
  NameInfo traversal;
  NameInfo overlap;
  /// `run_engine` makes what these are given. The observer is told what the traversal does.
  Flow (*run)(const TandemQuery& query, LeafPair<NullObserver>& leaf_pair, NullObserver& observer);
  Flow (*run_counting)(const TandemQuery& query, LeafPair<CountingObserver>& leaf_pair,
                       CountingObserver& observer);
  /// Makes what it needs of one model, except for the triangle test.
  void (*prepare)(const Structures& structures, const Progress& progress);
  /// Whether the overlap test can be used under the pose; null when it always can.
  bool (*fits_pose)(const Pose& b_in_a) = nullptr;

  /// Of traversals that walk; null otherwise. `state` points to one of that kind.
  CursorKind cursor = CursorKind::none;
  bool (*can_be_at)(const TandemQuery& query, const void* state) = nullptr;
  Flow (*advance)(const TandemQuery& query, LeafPair<NullObserver>& leaf_pair, void* state,
                  std::uint64_t& budget) = nullptr;

  bool fits(const Pose& b_in_a) const { return fits_pose == nullptr || fits_pose(b_in_a); }
};

/// Runs the engine with a test for pairs of leaves and an observer that counts only when statistics
/// or progress are wanted.
StreamResult run_engine(const TandemEngine& engine, const TandemQuery& query);

/// Leads a walk on from `state` for at most `budget` pairs, and lowers the budget by those visited.
Flow advance_engine(const TandemEngine& engine, const TandemQuery& query, void* state,
                    std::uint64_t& budget);

template <class State>
constexpr CursorKind k_cursor_kind = CursorKind::none;
template <>
inline constexpr CursorKind k_cursor_kind<StacklessState> = CursorKind::stackless;
template <>
inline constexpr CursorKind k_cursor_kind<TrailState> = CursorKind::trail;

/// The functions of one engine.
template <class S, class T, class Test>
struct TandemEngineOf {
  using Trees = typename S::template Trees<Test>;

  template <class Observer>
  static Flow run(const TandemQuery& query, LeafPair<Observer>& leaf_pair, Observer& observer) {
    const Trees trees(query);
    observer.set_arity(trees.arity());
    if constexpr (Resumable<T>) {
      std::uint64_t budget = std::numeric_limits<std::uint64_t>::max();
      auto walk = T::walk(trees, typename T::State());
      return detail::advance(walk, trees.overlap(), leaf_pair, observer, budget);
    } else {
      return T::run(trees, leaf_pair, observer);
    }
  }

  static bool can_be_at(const TandemQuery& query, const void* state) {
    return T::can_be_at(Trees(query), *static_cast<const typename T::State*>(state));
  }

  static Flow advance(const TandemQuery& query, LeafPair<NullObserver>& leaf_pair, void* state,
                      std::uint64_t& budget) {
    auto& resumed = *static_cast<typename T::State*>(state);
    const Trees trees(query);
    NullObserver observer;
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
        if constexpr (requires { One::fits; }) engine.fits_pose = One::fits;
        if constexpr (Resumable<Traversal>) {
          engine.cursor = k_cursor_kind<typename Traversal::State>;
          engine.can_be_at = Engine::can_be_at;
          engine.advance = Engine::advance;
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
