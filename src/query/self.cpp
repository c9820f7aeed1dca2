#include <tandem/error.h>
#include <tandem/query.h>

#include <string>

#include "engine/tandem_engine.h"
#include "query/find_engine.h"
#include "query/model_access.h"
#include "query/search.h"

namespace tandem {
namespace {

/// A search for pairs of one model, where it stands.
auto search_within(const Model& model, const QueryOptions& options) {
  return [&](detail::Wanted wanted, Statistics& statistics, const auto& run) {
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
    return run(engine, detail::TandemQuery{.a = structures,
                                           .b = structures,
                                           .b_in_a = same_place,
                                           .first_pair = wanted == detail::Wanted::first_pair,
                                           .self = true,
                                           .statistics = options.statistics ? &statistics : nullptr,
                                           .progress = options.progress});
  };
}

}  // namespace

StreamResult self_collide(const Model& model, PairSink sink, const QueryOptions& options) {
  return detail::search_and_show(search_within(model, options), sink, options);
}

CollideResult self_collide(const Model& model, const QueryOptions& options) {
  return detail::search_and_sort(search_within(model, options), options);
}

IntersectsResult self_intersects(const Model& model, const QueryOptions& options) {
  return detail::search_first(search_within(model, options), options);
}

CountResult self_count(const Model& model, const QueryOptions& options) {
  return detail::search_and_count(search_within(model, options), options);
}

}  // namespace tandem
