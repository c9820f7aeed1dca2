// The reference traversal of trees: both descended together by recursion, the larger volume first.
#pragma once

#include <tandem/sink.h>

#include <string_view>

#include "traverse/tandem/offer.h"
#include "traverse/tandem/rules.h"

namespace tandem::detail {

template <class Descent, class LeafPair, class Observer>
class RecursiveTraversal {
 public:
  using Pair = typename Descent::Pair;

  RecursiveTraversal(const Descent& descent, LeafPair& leaf_pair, Observer& observer)
      : descent_(descent), leaf_pair_(leaf_pair), observer_(observer) {}

  /// Visits the pair of subtrees below these nodes; `descents` led here.
  Flow visit(const Pair& pair, int descents) {
    if (!descent_.meets(pair)) {
      observer_.finished(descents);
      return Flow::go_on;
    }
    if (descent_.leaf_a(pair) && descent_.leaf_b(pair)) {
      observer_.leaf_overlap();
      observer_.finished(descents);
      return descent_.leaves(pair, leaf_pair_);
    }
    const auto down = [&](const Pair& child) { return visit(child, descents + 1); };
    return LargerVolumeFirst::choose(descent_, pair) == Side::b ? descent_.children_b(pair, down)
                                                                : descent_.children_a(pair, down);
  }

 private:
  const Descent& descent_;
  LeafPair& leaf_pair_;
  Observer& observer_;
};

/// Gives `leaf_pair` every pair of leaves whose volumes and whose ancestors' volumes overlap, until
/// it says stop. Recurses as deep as both trees together.
template <class Descent, class LeafPair, class Observer>
Flow traverse_recursive(const Descent& descent, LeafPair& leaf_pair, Observer& observer) {
  return RecursiveTraversal(descent, leaf_pair, observer).visit(descent.root(), 0);
}

struct Recursive {
  static constexpr std::string_view k_name = "recursive";
  static constexpr std::string_view k_description = "the larger volume first, by recursion";
  static constexpr Offer k_needs = Offer::pairs;

  template <class Trees, class LeafPair, class Observer>
  static Flow run(const Trees& trees, LeafPair& leaf_pair, Observer& observer) {
    return traverse_recursive(trees.pairs(observer), leaf_pair, observer);
  }
};

}  // namespace tandem::detail
