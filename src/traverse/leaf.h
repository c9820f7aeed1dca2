// The leaf traversal (stackless tandem paper, algorithm 1): every leaf of A against B's tree, which
// is walked by escape indices. No stack, but a leaf of A learns nothing from its neighbours.
#pragma once

#include <tandem/query.h>

#include <cstdint>

#include "traverse/overlaps.h"
#include "volume/bounding_volume.h"

namespace tandem::detail {

/// Calls `leaf_pair(triangle_of_a, triangle_of_b)` for every leaf of A and leaf of B whose volumes
/// overlap, as do those of B's ancestors, until it says stop.
template <class Tree, OverlapTest<typename Tree::Volume> Overlap, class LeafPair, class Observer>
Flow traverse_leaf(const Tree& a, const Tree& b, const Overlap& overlap, LeafPair& leaf_pair,
                   Observer& observer) {
  const std::uint32_t end = b.node_count();
  for (std::uint32_t leaf = 0; leaf < a.node_count(); ++leaf) {
    if (!a.is_leaf(leaf)) continue;
    std::uint32_t node = 0;
    while (node != end) {
      if (!overlaps(a, leaf, b, node, overlap, observer)) {
        node = b.escape_index(node);
        continue;
      }
      if (!b.is_leaf(node)) {
        node = b.first_child(node);
        continue;
      }
      observer.leaf_overlap();
      if (leaf_pair(a.triangle(leaf), b.triangle(node)) == Flow::stop) return Flow::stop;
      node = b.escape_index(node);
    }
    observer.share_done(static_cast<double>(leaf + 1) / a.node_count());
  }
  return Flow::go_on;
}

}  // namespace tandem::detail
