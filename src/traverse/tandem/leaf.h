// The leaf traversal (stackless tandem paper, algorithm 1): every leaf of A against B's tree, which
// is walked by escape indices. No stack, but a leaf of A learns nothing from its neighbours.
#pragma once

#include <tandem/sink.h>

#include <cstdint>
#include <string_view>

#include "traverse/tandem/offer.h"
#include "traverse/tandem/overlaps.h"

namespace tandem::detail {

struct Leaf {
  static constexpr std::string_view k_name = "leaf";
  static constexpr std::string_view k_description =
      "each leaf of A against B's tree, along escape indices";
  static constexpr Offer k_needs = Offer::lean;

  /// Gives `leaf_pair` every leaf of A and leaf of B whose volumes overlap, as do those of the leaf
  /// of A and the ancestors of the leaf of B, until it says stop.
  template <class Trees, class LeafPair, class Observer>
  static Flow run(const Trees& trees, LeafPair& leaf_pair, Observer& observer) {
    const auto a = trees.lean_a();
    const auto b = trees.lean_b();
    const std::uint32_t end = b.node_count();
    for (std::uint32_t leaf = 0; leaf < a.node_count(); ++leaf) {
      if (!a.is_leaf(leaf)) continue;
      std::uint32_t node = 0;
      while (node != end) {
        if (!overlaps(a, leaf, b, node, trees.overlap(), observer)) {
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
};

}  // namespace tandem::detail
