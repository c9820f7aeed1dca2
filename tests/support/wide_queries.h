// Queries between wide trees, however they were built.
#pragma once

#include <tandem/tandem.h>

#include <algorithm>
#include <vector>

#include "engine/leaf_pair.h"
#include "traverse/observer.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/traversal.h"
#include "tree/wide/tree.h"

namespace tandem::test {

struct WideResult {
  std::vector<TrianglePair> pairs;
  Statistics statistics;
};

/// A whole query, a search that stops at the first pair, or one that does not.
enum class WideKind { all, first, search_all };

/// With the instruction set that is in use.
inline WideResult run_wide(const Mesh& mesh_a, const detail::WideTree& a, const Mesh& mesh_b,
                           const detail::WideTree& b, const Pose& pose,
                           WideKind kind = WideKind::all) {
  WideResult result;
  const auto sink = [&](TrianglePair pair) {
    result.pairs.push_back(pair);
    return kind == WideKind::first ? Flow::stop : Flow::go_on;
  };
  const Progress no_progress = nullptr;
  detail::CountingObserver observer(no_progress);
  detail::LeafPair leaf_pair({mesh_a, mesh_b, pose}, sink, observer);
  const auto query =
      kind == WideKind::all ? detail::WideQuery::all_pairs : detail::WideQuery::first_pair;
  detail::traverse_wide(detail::wide_kernels(), a.view(), b.view(), pose, query, leaf_pair,
                        observer);
  std::sort(result.pairs.begin(), result.pairs.end());
  result.statistics = observer.statistics();
  return result;
}

}  // namespace tandem::test
