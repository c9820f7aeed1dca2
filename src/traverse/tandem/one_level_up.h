// One level up (restricted boxtree paper, section 3.2.5): both trees are descended at once, and the
// work that concerns a child alone is done while still at its parent and shared by all pairs that
// it is in. With two children each, that halves the transforms.
#pragma once

#include <tandem/sink.h>

#include <array>
#include <cstddef>
#include <string_view>

#include "traverse/tandem/offer.h"

namespace tandem::detail {

/// Gives `leaf_pair` every pair of leaves whose volumes and whose ancestors' volumes overlap, until
/// it says stop. Recurses as deep as the deeper tree.
template <class Descent, class LeafPair, class Observer>
class OneLevelUpTraversal {
 public:
  using NodeA = typename Descent::NodeA;
  using NodeB = typename Descent::NodeB;

  OneLevelUpTraversal(const Descent& descent, LeafPair& leaf_pair, Observer& observer)
      : descent_(descent), leaf_pair_(leaf_pair), observer_(observer) {}

  Flow run() {
    const NodeA a = descent_.root_a();
    const NodeB b = descent_.root_b();
    return descent_.meets(a, b) ? visit(a, b, 0) : Flow::go_on;
  }

 private:
  /// The children of a node; they are few, and what is known of each is worked out once.
  template <class Node>
  class Children {
   public:
    Flow add(const Node& node) {
      nodes_[count_++] = node;
      return Flow::go_on;
    }
    const Node* begin() const { return nodes_.data(); }
    const Node* end() const { return nodes_.data() + count_; }

   private:
    static constexpr std::size_t k_max_arity = 16;
    std::array<Node, k_max_arity> nodes_;
    std::size_t count_ = 0;
  };

  /// A pair that overlaps.
  Flow visit(const NodeA& a, const NodeB& b, int descents) {
    const bool leaf_a = descent_.leaf_a(a);
    const bool leaf_b = descent_.leaf_b(b);
    if (leaf_a && leaf_b) {
      observer_.finished(descents);
      return descent_.leaves(a, b, leaf_pair_);
    }
    if (leaf_b) {
      return descent_.children_a(
          a, [&](const NodeA& child) { return test_and_visit(child, b, descents + 1); });
    }
    if (leaf_a) {
      return descent_.children_b(
          b, [&](const NodeB& child) { return test_and_visit(a, child, descents + 1); });
    }
    Children<NodeA> children_a;
    descent_.children_a(a, [&](const NodeA& child) { return children_a.add(child); });
    return descent_.children_b(b, [&](const NodeB& child_b) {
      for (const NodeA& child_a : children_a) {
        if (test_and_visit(child_a, child_b, descents + 2) == Flow::stop) return Flow::stop;
      }
      return Flow::go_on;
    });
  }

  Flow test_and_visit(const NodeA& a, const NodeB& b, int descents) {
    if (descent_.meets(a, b)) return visit(a, b, descents);
    observer_.finished(descents);
    return Flow::go_on;
  }

  const Descent& descent_;
  LeafPair& leaf_pair_;
  Observer& observer_;
};

struct OneLevelUp {
  static constexpr std::string_view k_name = "one-level-up";
  static constexpr std::string_view k_description =
      "both trees at once; B's children are transformed once at their parent";
  static constexpr Offer k_needs = Offer::nodes;

  template <class Trees, class LeafPair, class Observer>
  static Flow run(const Trees& trees, LeafPair& leaf_pair, Observer& observer) {
    const auto descent = trees.nodes(observer);
    return OneLevelUpTraversal(descent, leaf_pair, observer).run();
  }
};

}  // namespace tandem::detail
