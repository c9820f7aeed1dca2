// One engine: a structure, a traversal that walks two of them, and an overlap test, as one
// function. Here types are erased; engine/tandem_engine_of.h makes engines of types.
#pragma once

#include <tandem/cursor_state.h>
#include <tandem/query.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/name_info.h"
#include "engine/triangle_tests.h"

namespace tandem::detail {

class Structures;
struct NullObserver;
class CountingObserver;
template <class Observer>
class LeafPair;
struct TriangleTestRequest;

/// Two models that meet, and what is asked of them. Neither mesh is empty.
struct TandemQuery {
  const Structures& a;
  const Structures& b;
  const Pose& b_in_a;
  TriangleTestKind triangle_test = TriangleTestKind::exact;
  /// The sink stops at the first pair: an order that soon leads to one is worth some work.
  bool first_pair = false;
  /// One model with itself, at the identity pose: each two of its triangles once, by the rule for
  /// neighbours (docs/conventions.md, self-collision). The triangle test is the exact one.
  bool self = false;
  /// Pairs that are at most so far apart count as touching ones. Not of one model with itself; the
  /// triangle test is the exact one, and the engine one that `finds_within`.
  double within = 0;
  /// Filled in when they are wanted; null when they are not.
  Statistics* statistics = nullptr;
  Progress progress = nullptr;
};

/// The most parts that a query on several threads has.
inline constexpr std::size_t k_most_parts = 1024;

/// Is shown the pairs of one part of a query, some at a time. Parts run at the same time; no part
/// runs on two threads.
using PartSink = FunctionRef<Flow(std::size_t part, std::span<const TrianglePair> pairs)>;

/// What is known of an engine once types are erased.
struct TandemEngine {
  NameInfo traversal;
  NameInfo overlap;
  /// `run_engine` makes what these are given. The observer is told what the traversal does.
  Flow (*run)(const TandemQuery& query, LeafPair<NullObserver>& leaf_pair, NullObserver& observer);
  Flow (*run_counting)(const TandemQuery& query, LeafPair<CountingObserver>& leaf_pair,
                       CountingObserver& observer);
  /// The same in parts, on up to so many threads, for all pairs; null where the traversal has none.
  Flow (*run_in_parts)(const TandemQuery& query, const TriangleTestRequest& triangles, int threads,
                       PartSink sink, NullObserver& observer) = nullptr;
  Flow (*run_in_parts_counting)(const TandemQuery& query, const TriangleTestRequest& triangles,
                                int threads, PartSink sink, CountingObserver& observer) = nullptr;
  /// Whether the models are surely apart, where that is quickly seen; null where it is not.
  bool (*apart)(const TandemQuery& query) = nullptr;
  /// Makes what it needs of one model, except for the triangle test.
  void (*prepare)(const Structures& structures, const Progress& progress);
  /// Whether the overlap test can be used under the pose; null when it always can.
  bool (*fits_pose)(const Pose& b_in_a) = nullptr;

  /// Whether it finds pairs that are closer than a distance.
  bool finds_within = false;

  /// Of traversals that walk; null otherwise. `state` points to one of that kind.
  CursorKind cursor = CursorKind::none;
  bool (*can_be_at)(const TandemQuery& query, const void* state) = nullptr;
  Flow (*advance)(const TandemQuery& query, LeafPair<NullObserver>& leaf_pair,
                  NullObserver& observer, void* state, std::uint64_t& budget) = nullptr;

  bool fits(const Pose& b_in_a) const { return fits_pose == nullptr || fits_pose(b_in_a); }
};

/// Runs the engine with a test for pairs of leaves and an observer that counts only when statistics
/// or progress are wanted. Returns whether the sink stopped it.
Flow run_engine(const TandemEngine& engine, const TandemQuery& query, PairSink sink);

/// The same for all pairs, on up to so many threads (`parallel_for`) where the engine's traversal
/// has parts. Where it has none, all is one part.
Flow run_engine_on_threads(const TandemEngine& engine, const TandemQuery& query, int threads,
                           PartSink sink);

/// Leads a walk on from `state` for at most `budget` pairs, and lowers the budget by those visited.
Flow advance_engine(const TandemEngine& engine, const TandemQuery& query, PairSink sink,
                    void* state, std::uint64_t& budget);

template <class State>
constexpr CursorKind k_cursor_kind = CursorKind::none;
template <>
inline constexpr CursorKind k_cursor_kind<StacklessState> = CursorKind::stackless;
template <>
inline constexpr CursorKind k_cursor_kind<TrailState> = CursorKind::trail;

}  // namespace tandem::detail
