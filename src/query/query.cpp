#include <tandem/error.h>
#include <tandem/query.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "geometry/triangle_intersection.h"
#include "query/dispatch.h"
#include "query/leaf_pair.h"
#include "query/model_data.h"
#include "traverse/leaf.h"
#include "traverse/observer.h"
#include "traverse/recursive.h"
#include "traverse/stack.h"
#include "traverse/walk.h"

namespace tandem {
namespace {

constexpr std::array k_algorithms = {
    AlgorithmInfo{Algorithm::brute_force, "brute-force",
                  "every triangle of A against every triangle of B: the reference",
                  CursorKind::none},
    AlgorithmInfo{Algorithm::recursive, "recursive", "the larger volume first, by recursion",
                  CursorKind::none},
    AlgorithmInfo{Algorithm::leaf, "leaf", "each leaf of A against B's tree, along escape indices",
                  CursorKind::none},
    AlgorithmInfo{Algorithm::dynamic_stack, "dynamic-stack",
                  "the larger volume first, with a stack", CursorKind::none},
    AlgorithmInfo{Algorithm::alternating_stack, "alternating-stack",
                  "B and A by turns, with a stack", CursorKind::none},
    AlgorithmInfo{Algorithm::stackless, "stackless", "B and A by turns, without a stack",
                  CursorKind::stackless},
    AlgorithmInfo{Algorithm::stackless_post, "stackless-post", "the same over post-indexed trees",
                  CursorKind::stackless},
    AlgorithmInfo{Algorithm::trail, "trail",
                  "the larger volume first, without a stack: one bit a descent", CursorKind::trail},
    AlgorithmInfo{Algorithm::scheduled, "scheduled",
                  "the level that is larger on average first, without a stack",
                  CursorKind::stackless},
};

template <class Observer>
Flow brute_force(const Mesh& a, const Mesh& b, detail::LeafPair<Observer>& leaf_pair,
                 Observer& observer) {
  for (std::uint32_t j = 0; j < b.triangle_count(); ++j) {
    for (std::uint32_t i = 0; i < a.triangle_count(); ++i) {
      if (leaf_pair(i, j) == Flow::stop) return Flow::stop;
    }
    observer.share_done((j + 1.0) / static_cast<double>(b.triangle_count()));
  }
  return Flow::go_on;
}

/// A whole query by a resumable algorithm.
template <class State, class Overlap, class LeafPair, class Observer>
Flow walk_to_the_end(Algorithm algorithm, const detail::ModelData& a, const detail::ModelData& b,
                     const Overlap& overlap, LeafPair& leaf_pair, Observer& observer) {
  return detail::with_walk(algorithm, a, b, State(), [&](auto walk, const auto& x, const auto& y) {
    std::uint64_t budget = std::numeric_limits<std::uint64_t>::max();
    return detail::advance(walk, x, y, overlap, leaf_pair, observer, budget);
  });
}

template <class Overlap, class LeafPair, class Observer>
Flow traverse(Algorithm algorithm, const detail::ModelData& a, const detail::ModelData& b,
              const Overlap& overlap, LeafPair& leaf_pair, Observer& observer) {
  using detail::traverse_stack;
  switch (algorithm) {
    case Algorithm::brute_force:
      return brute_force(a.mesh(), b.mesh(), leaf_pair, observer);
    case Algorithm::recursive:
      return detail::traverse_recursive(a.tree(), b.tree(), overlap, leaf_pair, observer);
    case Algorithm::leaf:
      return detail::traverse_leaf(a.tree(), b.tree(), overlap, leaf_pair, observer);
    case Algorithm::dynamic_stack:
      return traverse_stack(detail::LargerVolumeFirst(), a.pre_indexed(), b.pre_indexed(), overlap,
                            leaf_pair, observer);
    case Algorithm::alternating_stack:
      return traverse_stack(detail::Alternating(), a.pre_indexed(), b.pre_indexed(), overlap,
                            leaf_pair, observer);
    case Algorithm::stackless:
    case Algorithm::stackless_post:
    case Algorithm::scheduled:
      return walk_to_the_end<StacklessState>(algorithm, a, b, overlap, leaf_pair, observer);
    case Algorithm::trail:
      return walk_to_the_end<TrailState>(algorithm, a, b, overlap, leaf_pair, observer);
  }
  throw Error("there is no algorithm with the number " +
              std::to_string(static_cast<int>(algorithm)));
}

template <class Observer>
Flow run(const Model& a, const Model& b, const Pose& b_in_a, PairSink sink, Algorithm algorithm,
         Observer& observer) {
  if (a.mesh().empty() || b.mesh().empty()) return Flow::go_on;
  detail::LeafPair leaf_pair(a.mesh(), b.mesh(), b_in_a, sink, observer);
  return std::visit(
      [&](const auto& overlap) {
        return traverse(algorithm, a.data(), b.data(), overlap, leaf_pair, observer);
      },
      detail::overlap_for(a.data().tree(), b.data().tree(), b_in_a));
}

}  // namespace

std::span<const AlgorithmInfo> algorithms() {
  return k_algorithms;
}

StreamResult collide(const Model& a, const Model& b, const Pose& b_in_a, PairSink sink,
                     const QueryOptions& options) {
  if (options.statistics || options.progress) {
    const int arity = std::max(a.data().tree().arity(), b.data().tree().arity());
    detail::CountingObserver observer(options.progress, arity);
    const Flow flow = run(a, b, b_in_a, sink, options.algorithm, observer);
    return {flow == Flow::stop, options.statistics ? observer.statistics() : Statistics{}};
  }
  detail::NullObserver observer;
  return {run(a, b, b_in_a, sink, options.algorithm, observer) == Flow::stop, {}};
}

CollideResult collide(const Model& a, const Model& b, const Pose& b_in_a,
                      const QueryOptions& options) {
  CollideResult result;
  const auto append = [&](TrianglePair pair) {
    result.pairs.push_back(pair);
    return Flow::go_on;
  };
  result.statistics = collide(a, b, b_in_a, append, options).statistics;
  std::sort(result.pairs.begin(), result.pairs.end());
  return result;
}

IntersectsResult intersects(const Model& a, const Model& b, const Pose& b_in_a,
                            const QueryOptions& options) {
  IntersectsResult result;
  const auto keep_first = [&](TrianglePair pair) {
    result.pair = pair;
    return Flow::stop;
  };
  result.statistics = collide(a, b, b_in_a, keep_first, options).statistics;
  return result;
}

CountResult count(const Model& a, const Model& b, const Pose& b_in_a, const QueryOptions& options) {
  CountResult result;
  const auto add = [&](TrianglePair) {
    ++result.count;
    return Flow::go_on;
  };
  result.statistics = collide(a, b, b_in_a, add, options).statistics;
  return result;
}

TriangleIntersection intersection(const Model& a, const Model& b, const Pose& b_in_a,
                                  TrianglePair pair) {
  if (pair.a >= a.mesh().triangle_count() || pair.b >= b.mesh().triangle_count()) {
    throw Error("the pair (" + std::to_string(pair.a) + ", " + std::to_string(pair.b) +
                ") names a triangle that its mesh does not have");
  }
  return detail::triangle_intersection(
      detail::widen(a.mesh().triangle(pair.a)),
      detail::transform_triangle(b_in_a, b.mesh().triangle(pair.b)));
}

}  // namespace tandem
