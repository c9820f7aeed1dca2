// Walks: traversals that can be stopped after any pair of nodes and resumed from a small state.
//
// A walk knows its two trees (`a`, `b`), its state, the pair of nodes that it is at, and two steps:
// `descend`, to the first pair below, and `next`, to the pair after this one and all below it. One
// loop serves all walks. A traversal that walks is a struct with
//
//   State                    what it remembers, a plain value
//   walk(trees, state)       the walk at that state
//   can_be_at(trees, state)  whether the walk can be at a state that comes from elsewhere
#pragma once

#include <tandem/sink.h>

#include <concepts>
#include <cstdint>

#include "traverse/tandem/overlaps.h"

namespace tandem::detail {

/// Visits at most `budget` pairs of nodes and lowers it by as many. When the sink says stop the
/// walk has moved on already, so that resuming it repeats nothing.
template <class Walk, class Overlap, class LeafPair, class Observer>
TANDEM_HD Flow advance(Walk& walk, const Overlap& overlap, LeafPair& leaf_pair, Observer& observer,
                       std::uint64_t& budget) {
  const auto& a = walk.a;
  const auto& b = walk.b;
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

/// Whether a traversal walks.
template <class Traversal>
concept Resumable = requires {
  typename Traversal::State;
};

}  // namespace tandem::detail
