// The loop that all resumable traversals share: take up a pair, descend or go on to the next, until
// the walk is finished, the budget is spent or the sink says stop.
#pragma once

#include <tandem/query.h>

#include <cstdint>

#include "traverse/overlaps.h"
#include "volume/bounding_volume.h"

namespace tandem::detail {

/// Takes up at most `budget` pairs of nodes, which is lowered by as many as were. When the sink
/// says stop the walk has moved on already, so that going on later repeats nothing.
template <class Walk, class Tree, OverlapTest<typename Tree::Volume> Overlap, class LeafPair,
          class Observer>
Flow advance(Walk& walk, const Tree& a, const Tree& b, const Overlap& overlap, LeafPair& leaf_pair,
             Observer& observer, std::uint64_t& budget) {
  while (!walk.finished() && budget > 0) {
    --budget;
    const std::uint32_t node_a = walk.node_a();
    const std::uint32_t node_b = walk.node_b();
    if (!overlaps(a, node_a, b, node_b, overlap, observer)) {
      observer.finished(a.level(node_a) + b.level(node_b));
      walk.next();
      continue;
    }
    if (!a.is_leaf(node_a) || !b.is_leaf(node_b)) {
      walk.descend();
      continue;
    }
    observer.leaf_overlap();
    observer.finished(a.level(node_a) + b.level(node_b));
    walk.next();
    if (leaf_pair(a.triangle(node_a), b.triangle(node_b)) == Flow::stop) return Flow::stop;
  }
  return Flow::go_on;
}

}  // namespace tandem::detail
