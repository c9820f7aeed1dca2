// From run-time choices to the types that traversals are made of: the overlap test for a pose, and
// the walk of a resumable algorithm.
#pragma once

#include <tandem/cursor.h>
#include <tandem/query.h>

#include <type_traits>
#include <variant>

#include "query/model_data.h"
#include "traverse/scheduled.h"
#include "traverse/stackless.h"
#include "traverse/trail.h"
#include "volume/aabb_overlap.h"

namespace tandem::detail {

using AnyOverlap = std::variant<AlignedAabbOverlap, OrientedAabbOverlap>;

/// The cheapest overlap test that the pose allows. The trees are not empty.
inline AnyOverlap overlap_for(const Tree<Aabb>& a, const Tree<Aabb>& b, const Pose& b_in_a) {
  if (b_in_a.is_translation()) return AlignedAabbOverlap(b_in_a);
  return OrientedAabbOverlap(b_in_a, a.volume(0), b.volume(0));
}

/// Calls `use(walk, tree_a, tree_b)` with the algorithm's walk, at `state`.
template <class Use>
Flow with_walk(Algorithm algorithm, const ModelData& a, const ModelData& b,
               const StacklessState& state, Use use) {
  if (algorithm == Algorithm::stackless_post) {
    const auto& tree_a = a.post_indexed();
    const auto& tree_b = b.post_indexed();
    const AlternatingOrder order;
    return use(StacklessWalk(tree_a, tree_b, order, state), tree_a, tree_b);
  }
  const auto& tree_a = a.pre_indexed();
  const auto& tree_b = b.pre_indexed();
  if (algorithm == Algorithm::scheduled) {
    const ScheduledOrder order(tree_a.mean_sizes(), tree_b.mean_sizes());
    return use(StacklessWalk(tree_a, tree_b, order, state), tree_a, tree_b);
  }
  const AlternatingOrder order;
  return use(StacklessWalk(tree_a, tree_b, order, state), tree_a, tree_b);
}

template <class Use>
Flow with_walk(Algorithm, const ModelData& a, const ModelData& b, const TrailState& state,
               Use use) {
  const auto& tree_a = a.pre_indexed();
  const auto& tree_b = b.pre_indexed();
  return use(TrailWalk(tree_a, tree_b, state), tree_a, tree_b);
}

}  // namespace tandem::detail
