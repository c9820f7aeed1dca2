#include "engine/tandem_engine.h"

#include "engine/leaf_pair.h"
#include "structure/structures.h"
#include "structure/unit_triangles.h"
#include "traverse/observer.h"

namespace tandem::detail {
namespace {

[[gnu::always_inline]] inline TriangleTestRequest triangles_of(const TandemQuery& query) {
  TriangleTestRequest request{query.a.mesh(), query.b.mesh(), query.b_in_a, query.triangle_test};
  request.self = query.self;
  request.within = query.within;
  if (query.triangle_test == TriangleTestKind::unit_triangle) {
    request.units_a = query.a.get<UnitTriangles>().view();
    request.units_b = query.b.get<UnitTriangles>().view();
  }
  return request;
}

/// Whether it is quickly seen that the models are apart. Then nothing more needs to be done.
bool surely_apart(const TandemEngine& engine, const TandemQuery& query) {
  if (engine.apart == nullptr || !engine.apart(query)) return false;
  if (query.progress) query.progress(1);
  return true;
}

/// Calls `run` with an observer that counts only when statistics or progress are wanted. Inlined,
/// so that what `run` needs is in registers: queries of a few triangles would have to wait for
/// memory that was just written piece by piece.
template <class Run>
[[gnu::always_inline]] inline Flow observed(const TandemQuery& query, const Run& run) {
  if (query.statistics == nullptr && !query.progress) {
    NullObserver observer;
    return run(observer);
  }
  CountingObserver observer(query.progress);
  const Flow flow = run(observer);
  if (query.statistics != nullptr) *query.statistics = observer.statistics();
  return flow;
}

template <class Plain, class Counting>
Plain* either(Plain* plain, Counting*, const NullObserver&) {
  return plain;
}
template <class Plain, class Counting>
Counting* either(Plain*, Counting* counting, const CountingObserver&) {
  return counting;
}

}  // namespace

Flow run_engine(const TandemEngine& engine, const TandemQuery& query, PairSink sink) {
  if (surely_apart(engine, query)) return Flow::go_on;
  return observed(query, [&](auto& observer) {
    LeafPair leaf_pair(triangles_of(query), sink, observer);
    return either(engine.run, engine.run_counting, observer)(query, leaf_pair, observer);
  });
}

Flow run_engine_on_threads(const TandemEngine& engine, const TandemQuery& query, int threads,
                           PartSink sink) {
  if (engine.run_in_parts == nullptr) {
    const auto show = [&](TrianglePair pair) { return sink(0, {&pair, 1}); };
    return run_engine(engine, query, show);
  }
  if (surely_apart(engine, query)) return Flow::go_on;
  return observed(query, [&](auto& observer) {
    return either(engine.run_in_parts, engine.run_in_parts_counting, observer)(
        query, triangles_of(query), threads, sink, observer);
  });
}

Flow advance_engine(const TandemEngine& engine, const TandemQuery& query, PairSink sink,
                    void* state, std::uint64_t& budget) {
  NullObserver observer;
  LeafPair leaf_pair(triangles_of(query), sink, observer);
  return engine.advance(query, leaf_pair, observer, state, budget);
}

}  // namespace tandem::detail
