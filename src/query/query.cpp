#include <tandem/query.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <span>

#include "engine/tandem_engine.h"
#include "geometry/triangle_intersection.h"
#include "parallel/parallel_for.h"
#include "query/find_engine.h"
#include "query/model_access.h"
#include "query/pair_triangles.h"
#include "query/sort_pairs.h"
#include "traverse/checked_flow.h"

namespace tandem {
namespace {

enum class Wanted { all_pairs, first_pair };

/// Calls `run(engine, query)`, unless one of the meshes is empty. The statistics are those of the
/// caller's result: a query that takes 30 ns has no time to copy them.
template <class Run>
Flow with_engine(const Model& a, const Model& b, const Pose& b_in_a, const QueryOptions& options,
                 Wanted wanted, Statistics& statistics, const Run& run) {
  const detail::TandemEngine& engine = detail::find_engine(a, b, b_in_a, options.engine);
  const detail::Structures& in_a = detail::structures_of(a);
  const detail::Structures& in_b = detail::structures_of(b);
  if (in_a.mesh().empty() || in_b.mesh().empty()) return Flow::go_on;
  return run(engine, detail::TandemQuery{.a = in_a,
                                         .b = in_b,
                                         .b_in_a = b_in_a,
                                         .triangle_test = detail::triangle_test_of(options.engine),
                                         .first_pair = wanted == Wanted::first_pair,
                                         .statistics = options.statistics ? &statistics : nullptr,
                                         .progress = options.progress});
}

/// Streams pairs into a sink, which stops at the first one if that is all that is wanted.
Flow stream(const Model& a, const Model& b, const Pose& b_in_a, PairSink sink,
            const QueryOptions& options, Wanted wanted, Statistics& statistics) {
  return with_engine(a, b, b_in_a, options, wanted, statistics,
                     [&](const detail::TandemEngine& engine, const detail::TandemQuery& query) {
                       return run_engine(engine, query, sink);
                     });
}

/// Streams all pairs into a sink on several threads.
Flow stream_on_threads(const Model& a, const Model& b, const Pose& b_in_a, detail::PartSink sink,
                       const QueryOptions& options, Statistics& statistics) {
  return with_engine(a, b, b_in_a, options, Wanted::all_pairs, statistics,
                     [&](const detail::TandemEngine& engine, const detail::TandemQuery& query) {
                       return run_engine_on_threads(engine, query, options.threads, sink);
                     });
}

/// Whether a query for all pairs may use more than the calling thread. Throws for a number of
/// threads that makes no sense.
bool has_threads(const QueryOptions& options) {
  return options.threads != 1 && detail::resolve_thread_count(options.threads) > 1;
}

}  // namespace

StreamResult collide(const Model& a, const Model& b, const Pose& b_in_a, PairSink sink,
                     const QueryOptions& options) {
  StreamResult result;
  Flow flow = Flow::go_on;
  if (has_threads(options)) {
    std::mutex showing;
    Flow shown = Flow::go_on;
    const auto show = [&](std::size_t, std::span<const TrianglePair> pairs) {
      const std::lock_guard lock(showing);
      for (const TrianglePair& pair : pairs) {
        // Another thread may have been told to stop meanwhile.
        if (shown == Flow::stop) return shown;
        shown = detail::checked(sink(pair));
      }
      return shown;
    };
    flow = stream_on_threads(a, b, b_in_a, show, options, result.statistics);
  } else {
    flow = stream(a, b, b_in_a, sink, options, Wanted::all_pairs, result.statistics);
  }
  result.stopped = flow == Flow::stop;
  return result;
}

CollideResult collide(const Model& a, const Model& b, const Pose& b_in_a,
                      const QueryOptions& options) {
  CollideResult result;
  if (has_threads(options)) {
    detail::with_threads(options.threads, [&] {
      std::vector<std::vector<TrianglePair>> parts(detail::k_most_parts);
      const auto append = [&](std::size_t part, std::span<const TrianglePair> pairs) {
        parts[part].insert(parts[part].end(), pairs.begin(), pairs.end());
        return Flow::go_on;
      };
      stream_on_threads(a, b, b_in_a, append, options, result.statistics);
      result.pairs = detail::sorted_pairs(std::span(parts), options.threads);
    });
    return result;
  }
  const auto append = [&](TrianglePair pair) {
    result.pairs.push_back(pair);
    return Flow::go_on;
  };
  stream(a, b, b_in_a, append, options, Wanted::all_pairs, result.statistics);
  detail::sort_pairs(std::span(result.pairs));
  return result;
}

IntersectsResult intersects(const Model& a, const Model& b, const Pose& b_in_a,
                            const QueryOptions& options) {
  IntersectsResult result;
  if (options.threads < 0) [[unlikely]]
    detail::resolve_thread_count(options.threads);
  const auto keep_first = [&](TrianglePair pair) {
    result.pair = pair;
    return Flow::stop;
  };
  stream(a, b, b_in_a, keep_first, options, Wanted::first_pair, result.statistics);
  return result;
}

CountResult count(const Model& a, const Model& b, const Pose& b_in_a, const QueryOptions& options) {
  CountResult result;
  if (has_threads(options)) {
    std::vector<std::uint64_t> counts(detail::k_most_parts);
    const auto add = [&](std::size_t part, std::span<const TrianglePair> pairs) {
      counts[part] += pairs.size();
      return Flow::go_on;
    };
    stream_on_threads(a, b, b_in_a, add, options, result.statistics);
    result.count = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    return result;
  }
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
