#include <tandem/error.h>
#include <tandem/query.h>

#include <algorithm>
#include <array>
#include <string>

#include "geometry/triangle_intersection.h"
#include "query/compatible.h"
#include "query/hierarchy.h"
#include "query/leaf_pair.h"
#include "traverse/observer.h"

namespace tandem {
namespace {

constexpr std::array k_algorithms = {
    AlgorithmInfo{Algorithm::automatic, "automatic",
                  "wide models in SIMD lanes, others by recursion", CursorKind::none},
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
    AlgorithmInfo{Algorithm::one_level_up, "one-level-up",
                  "both trees at once; B's children are transformed once at their parent",
                  CursorKind::none},
    AlgorithmInfo{Algorithm::list, "list", "each node of B once, against a list of nodes of A",
                  CursorKind::none},
    AlgorithmInfo{Algorithm::list_pairs, "list-pairs", "the same for siblings of B together",
                  CursorKind::none},
    AlgorithmInfo{Algorithm::list_fours, "list-fours", "the same for grandchildren of B together",
                  CursorKind::none},
};

constexpr std::array k_overlaps = {
    OverlapInfo{Overlap::automatic, "automatic",
                "fifteen axes, or plain intervals when the pose only moves; six for boxtrees"},
    OverlapInfo{Overlap::realigned, "realigned", "B's box is replaced by its box along A's axes"},
    OverlapInfo{Overlap::six_axes, "six-axes", "the axes of both boxes"},
    OverlapInfo{Overlap::fifteen_axes, "fifteen-axes", "all separating axes of both boxes"},
    OverlapInfo{Overlap::lookup, "lookup", "realigned, with products from a table (boxtrees)"},
};

constexpr std::array k_triangle_tests = {
    TriangleTestInfo{TriangleTest::exact, "exact", "exact in every case"},
    TriangleTestInfo{TriangleTest::unit_triangle, "unit-triangle",
                     "the collision chip paper's, in single precision"},
    TriangleTestInfo{TriangleTest::separating_axes, "separating-axes",
                     "the blocked tandem paper's, in single precision"},
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

template <class Observer>
Flow run(const Model& a, const Model& b, const Pose& b_in_a, PairSink sink,
         const QueryOptions& options, bool first_pair, Observer& observer) {
  if (a.mesh().empty() || b.mesh().empty()) return Flow::go_on;
  detail::TriangleTestRequest tests{a.mesh(), b.mesh(), b_in_a, options.triangle_test};
  if (options.triangle_test == TriangleTest::unit_triangle) {
    tests.units_a = &a.hierarchy().unit_triangles(a.mesh());
    tests.units_b = &b.hierarchy().unit_triangles(b.mesh());
  }
  detail::LeafPair leaf_pair(tests, sink, observer);
  if (options.algorithm == Algorithm::brute_force) {
    return brute_force(a.mesh(), b.mesh(), leaf_pair, observer);
  }
  detail::check_compatible(a, b, options.algorithm, options.overlap);
  return a.hierarchy().traverse(
      b.hierarchy(), {b_in_a, options.algorithm, options.overlap, first_pair}, leaf_pair, observer);
}

/// `first_pair`: the sink stops at the first pair.
StreamResult stream(const Model& a, const Model& b, const Pose& b_in_a, PairSink sink,
                    const QueryOptions& options, bool first_pair) {
  if (options.statistics || options.progress) {
    const int arity = std::max(a.hierarchy().arity(), b.hierarchy().arity());
    detail::CountingObserver observer(options.progress, arity);
    const Flow flow = run(a, b, b_in_a, sink, options, first_pair, observer);
    return {flow == Flow::stop, options.statistics ? observer.statistics() : Statistics{}};
  }
  detail::NullObserver observer;
  return {run(a, b, b_in_a, sink, options, first_pair, observer) == Flow::stop, {}};
}

}  // namespace

std::span<const AlgorithmInfo> algorithms() {
  return k_algorithms;
}

bool works_with(Algorithm algorithm, Volume volume) {
  const bool boxtree = detail::is_boxtree(volume);
  switch (algorithm) {
    case Algorithm::automatic:
    case Algorithm::brute_force:
      return true;
    case Algorithm::recursive:
    case Algorithm::dynamic_stack:
    case Algorithm::alternating_stack:
      return volume != Volume::wide;
    case Algorithm::one_level_up:
    case Algorithm::list:
    case Algorithm::list_pairs:
    case Algorithm::list_fours:
      return volume != Volume::wide && volume != Volume::obb_relative;
    default:
      return volume != Volume::wide && volume != Volume::obb_relative && !boxtree;
  }
}

bool works_with(Overlap overlap, Volume volume) {
  if (overlap == Overlap::automatic) return true;
  if (overlap == Overlap::lookup) return detail::is_boxtree(volume);
  return volume == Volume::aabb || detail::is_boxtree(volume);
}

std::span<const TriangleTestInfo> triangle_tests() {
  return k_triangle_tests;
}

std::span<const OverlapInfo> overlaps() {
  return k_overlaps;
}

StreamResult collide(const Model& a, const Model& b, const Pose& b_in_a, PairSink sink,
                     const QueryOptions& options) {
  return stream(a, b, b_in_a, sink, options, false);
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
  result.statistics = stream(a, b, b_in_a, keep_first, options, true).statistics;
  return result;
}

void Witness::remember(TrianglePair pair) {
  // The pair goes to the front; those before its old place, or all, move on.
  TrianglePair* const end = pairs_ + count_;
  TrianglePair* place = std::find(pairs_, end, pair);
  if (place == end) {
    if (count_ < k_room) ++count_;
    place = pairs_ + count_ - 1;
  }
  std::move_backward(pairs_, place, place + 1);
  pairs_[0] = pair;
}

IntersectsResult intersects(const Model& a, const Model& b, const Pose& b_in_a, Witness& witness,
                            const QueryOptions& options) {
  std::uint64_t tests = 0;
  if (options.triangle_test == TriangleTest::exact) {
    for (int i = 0; i < witness.count_; ++i) {
      const TrianglePair pair = witness.pairs_[i];
      if (pair.a >= a.mesh().triangle_count() || pair.b >= b.mesh().triangle_count()) continue;
      ++tests;
      const Triangle moved = detail::transform_triangle(b_in_a, b.mesh().triangle(pair.b));
      if (!detail::test_triangles(detail::widen(a.mesh().triangle(pair.a)), moved).intersects) {
        continue;
      }
      witness.remember(pair);
      IntersectsResult result{.pair = pair, .statistics = {}};
      if (options.statistics) {
        result.statistics.triangle_tests = tests;
        result.statistics.triangle_overlaps = 1;
      }
      return result;
    }
  }
  IntersectsResult result = intersects(a, b, b_in_a, options);
  if (options.statistics) result.statistics.triangle_tests += tests;
  if (result.pair) witness.remember(*result.pair);
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
