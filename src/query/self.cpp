#include <tandem/error.h>
#include <tandem/query.h>

#include <span>
#include <string>

#include "engine/tandem_engine.h"
#include "query/find_engine.h"
#include "query/model_access.h"
#include "query/sort_pairs.h"

namespace tandem {
namespace {

enum class Wanted { all_pairs, first_pair };

/// The model with itself, where it stands.
Flow stream(const Model& model, PairSink sink, const QueryOptions& options, Wanted wanted,
            Statistics& statistics) {
  const Pose same_place;
  const detail::TandemEngine& engine =
      detail::find_engine(model, model, same_place, options.engine);
  if (detail::triangle_test_of(options.engine) != detail::TriangleTestKind::exact) {
    throw Error(
        "a mesh is searched for pairs that meet within it by the exact triangle test "
        "alone, not by " +
        std::string(options.engine.triangle_test.name()));
  }
  const detail::Structures& structures = detail::structures_of(model);
  if (structures.mesh().empty()) return Flow::go_on;
  return run_engine(engine,
                    {.a = structures,
                     .b = structures,
                     .b_in_a = same_place,
                     .first_pair = wanted == Wanted::first_pair,
                     .self = true,
                     .statistics = options.statistics ? &statistics : nullptr,
                     .progress = options.progress},
                    sink);
}

}  // namespace

StreamResult self_collide(const Model& model, PairSink sink, const QueryOptions& options) {
  StreamResult result;
  result.stopped = stream(model, sink, options, Wanted::all_pairs, result.statistics) == Flow::stop;
  return result;
}

CollideResult self_collide(const Model& model, const QueryOptions& options) {
  CollideResult result;
  const auto append = [&](TrianglePair pair) {
    result.pairs.push_back(pair);
    return Flow::go_on;
  };
  stream(model, append, options, Wanted::all_pairs, result.statistics);
  detail::sort_pairs(std::span(result.pairs));
  return result;
}

IntersectsResult self_intersects(const Model& model, const QueryOptions& options) {
  IntersectsResult result;
  const auto keep_first = [&](TrianglePair pair) {
    result.pair = pair;
    return Flow::stop;
  };
  stream(model, keep_first, options, Wanted::first_pair, result.statistics);
  return result;
}

CountResult self_count(const Model& model, const QueryOptions& options) {
  CountResult result;
  const auto add = [&](TrianglePair) {
    ++result.count;
    return Flow::go_on;
  };
  stream(model, add, options, Wanted::all_pairs, result.statistics);
  return result;
}

}  // namespace tandem
