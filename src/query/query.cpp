#include <tandem/query.h>

#include <algorithm>

#include "engine/tandem_engine.h"
#include "geometry/triangle_intersection.h"
#include "geometry/triangle_test.h"
#include "math/transform.h"
#include "query/find_engine.h"
#include "query/model_access.h"
#include "query/pair_triangles.h"
#include "query/sort_pairs.h"

namespace tandem {
namespace {

enum class Wanted { all_pairs, first_pair };

/// Streams pairs into a sink, which stops at the first one if that is all that is wanted. The
/// statistics are those of the caller's result: a query that takes 30 ns has no time to copy them.
Flow stream(const Model& a, const Model& b, const Pose& b_in_a, PairSink sink,
            const QueryOptions& options, Wanted wanted, Statistics& statistics) {
  const detail::TandemEngine& engine = detail::find_engine(a, b, b_in_a, options.engine);
  const detail::Structures& in_a = detail::structures_of(a);
  const detail::Structures& in_b = detail::structures_of(b);
  if (in_a.mesh().empty() || in_b.mesh().empty()) return Flow::go_on;
  return run_engine(engine, {.a = in_a,
                             .b = in_b,
                             .b_in_a = b_in_a,
                             .sink = sink,
                             .triangle_test = detail::triangle_test_of(options.engine),
                             .first_pair = wanted == Wanted::first_pair,
                             .statistics = options.statistics ? &statistics : nullptr,
                             .progress = options.progress});
}

}  // namespace

StreamResult collide(const Model& a, const Model& b, const Pose& b_in_a, PairSink sink,
                     const QueryOptions& options) {
  StreamResult result;
  result.stopped =
      stream(a, b, b_in_a, sink, options, Wanted::all_pairs, result.statistics) == Flow::stop;
  return result;
}

CollideResult collide(const Model& a, const Model& b, const Pose& b_in_a,
                      const QueryOptions& options) {
  CollideResult result;
  const auto append = [&](TrianglePair pair) {
    result.pairs.push_back(pair);
    return Flow::go_on;
  };
  stream(a, b, b_in_a, append, options, Wanted::all_pairs, result.statistics);
  detail::sort_pairs(result.pairs);
  return result;
}

IntersectsResult intersects(const Model& a, const Model& b, const Pose& b_in_a,
                            const QueryOptions& options) {
  IntersectsResult result;
  const auto keep_first = [&](TrianglePair pair) {
    result.pair = pair;
    return Flow::stop;
  };
  stream(a, b, b_in_a, keep_first, options, Wanted::first_pair, result.statistics);
  return result;
}

void Witness::remember(TrianglePair pair) {
  // The pair goes to the front; those before its old place, or all of them, move back by one.
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
  if (detail::triangle_test_of(options.engine) == detail::TriangleTestKind::exact) {
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
  stream(a, b, b_in_a, add, options, Wanted::all_pairs, result.statistics);
  return result;
}

TriangleIntersection intersection(const Model& a, const Model& b, const Pose& b_in_a,
                                  TrianglePair pair) {
  const detail::PairTriangles triangles = detail::triangles_of(a, b, b_in_a, pair);
  return detail::triangle_intersection(triangles.a, triangles.b);
}

}  // namespace tandem
