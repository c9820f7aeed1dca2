// Searches for pairs of two models.
#pragma once

#include <tandem/error.h>
#include <tandem/query.h>

#include "engine/tandem_engine.h"
#include "query/find_engine.h"
#include "query/model_access.h"
#include "query/search.h"

namespace tandem::detail {

/// A search as search.h asks for it, for the pairs that touch, or those that are at most `within`
/// apart. Throws for an engine that cannot find these.
inline auto search_for(const Model& a, const Model& b, const Pose& b_in_a,
                       const QueryOptions& options, double within = 0) {
  return
      [&a, &b, &b_in_a, &options, within](Wanted wanted, Statistics& statistics, const auto& run) {
        const TandemEngine& engine = find_engine(a, b, b_in_a, options.engine);
        const Structures& in_a = structures_of(a);
        const Structures& in_b = structures_of(b);
        if (within > 0 && !engine.finds_within) [[unlikely]]
          refuse_distances(engine);
        if (in_a.mesh().empty() || in_b.mesh().empty()) return Flow::go_on;
        return run(engine, TandemQuery{.a = in_a,
                                       .b = in_b,
                                       .b_in_a = b_in_a,
                                       .triangle_test = triangle_test_of(options.engine),
                                       .first_pair = wanted == Wanted::first_pair,
                                       .within = within,
                                       .statistics = options.statistics ? &statistics : nullptr,
                                       .progress = options.progress});
      };
}

}  // namespace tandem::detail
