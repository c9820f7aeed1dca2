#include <tandem/query.h>

#include "engine/tandem_engine.h"
#include "geometry/triangle_intersection.h"
#include "query/find_engine.h"
#include "query/model_access.h"
#include "query/pair_triangles.h"
#include "query/search.h"

namespace tandem {
namespace {

/// A search for pairs of two models.
auto search_for(const Model& a, const Model& b, const Pose& b_in_a, const QueryOptions& options) {
  return [&](detail::Wanted wanted, Statistics& statistics, const auto& run) {
    const detail::TandemEngine& engine = detail::find_engine(a, b, b_in_a, options.engine);
    const detail::Structures& in_a = detail::structures_of(a);
    const detail::Structures& in_b = detail::structures_of(b);
    if (in_a.mesh().empty() || in_b.mesh().empty()) return Flow::go_on;
    return run(engine,
               detail::TandemQuery{.a = in_a,
                                   .b = in_b,
                                   .b_in_a = b_in_a,
                                   .triangle_test = detail::triangle_test_of(options.engine),
                                   .first_pair = wanted == detail::Wanted::first_pair,
                                   .statistics = options.statistics ? &statistics : nullptr,
                                   .progress = options.progress});
  };
}

}  // namespace

StreamResult collide(const Model& a, const Model& b, const Pose& b_in_a, PairSink sink,
                     const QueryOptions& options) {
  return detail::search_and_show(search_for(a, b, b_in_a, options), sink, options);
}

CollideResult collide(const Model& a, const Model& b, const Pose& b_in_a,
                      const QueryOptions& options) {
  return detail::search_and_sort(search_for(a, b, b_in_a, options), options);
}

IntersectsResult intersects(const Model& a, const Model& b, const Pose& b_in_a,
                            const QueryOptions& options) {
  return detail::search_first(search_for(a, b, b_in_a, options), options);
}

CountResult count(const Model& a, const Model& b, const Pose& b_in_a, const QueryOptions& options) {
  return detail::search_and_count(search_for(a, b, b_in_a, options), options);
}

TriangleIntersection intersection(const Model& a, const Model& b, const Pose& b_in_a,
                                  TrianglePair pair) {
  const detail::PairTriangles triangles = detail::triangles_of(a, b, b_in_a, pair);
  return detail::triangle_intersection(triangles.a, triangles.b);
}

}  // namespace tandem
