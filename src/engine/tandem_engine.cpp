#include "engine/tandem_engine.h"

#include "engine/leaf_pair.h"
#include "structure/structures.h"
#include "structure/unit_triangles.h"
#include "traverse/observer.h"

namespace tandem::detail {
namespace {

TriangleTestRequest triangles_of(const TandemQuery& query) {
  TriangleTestRequest request{query.a.mesh(), query.b.mesh(), query.b_in_a, query.triangle_test};
  request.self = query.self;
  if (query.triangle_test == TriangleTestKind::unit_triangle) {
    request.units_a = query.a.get<UnitTriangles>().view();
    request.units_b = query.b.get<UnitTriangles>().view();
  }
  return request;
}

}  // namespace

Flow run_engine(const TandemEngine& engine, const TandemQuery& query) {
  if (engine.apart != nullptr && engine.apart(query)) {
    if (query.progress) query.progress(1);
    return Flow::go_on;
  }
  if (query.statistics == nullptr && !query.progress) {
    NullObserver observer;
    LeafPair leaf_pair(triangles_of(query), query.sink, observer);
    return engine.run(query, leaf_pair, observer);
  }
  CountingObserver observer(query.progress);
  LeafPair leaf_pair(triangles_of(query), query.sink, observer);
  const Flow flow = engine.run_counting(query, leaf_pair, observer);
  if (query.statistics != nullptr) *query.statistics = observer.statistics();
  return flow;
}

Flow advance_engine(const TandemEngine& engine, const TandemQuery& query, void* state,
                    std::uint64_t& budget) {
  NullObserver observer;
  LeafPair leaf_pair(triangles_of(query), query.sink, observer);
  return engine.advance(query, leaf_pair, observer, state, budget);
}

}  // namespace tandem::detail
