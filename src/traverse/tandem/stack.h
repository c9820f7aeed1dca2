// The stack traversals (stackless tandem paper, algorithms 2 and 3), which differ in the descent
// rule alone: the dynamic one descends the larger volume first, the alternating one B and A
// alternately.
#pragma once

#include <tandem/sink.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "traverse/tandem/offer.h"
#include "traverse/tandem/rules.h"

namespace tandem::detail {

/// Pairs of nodes that wait to be visited. Each descent leaves at most all but one child of a node
/// behind and goes one level down, so the depths of the trees bound the size: it never grows.
template <class Pair>
class PairStack {
 public:
  explicit PairStack(std::size_t capacity) { pairs_.reserve(capacity); }

  bool empty() const { return pairs_.empty(); }
  Pair pop() {
    const Pair top = pairs_.back();
    pairs_.pop_back();
    return top;
  }

  /// Goes one level down in the tree of that side: `pair` becomes the first pair below, which is
  /// visited at once; the others are pushed so that the next one comes off first. One copy serves
  /// all rules.
  template <class Descent>
  void descend(const Descent& descent, Pair& pair, Side side) {
    const auto size = static_cast<std::ptrdiff_t>(pairs_.size());
    const Pair parent = pair;
    bool is_first = true;
    const auto visit = [&](const Pair& child) {
      if (is_first) {
        pair = child;
        is_first = false;
      } else {
        pairs_.push_back(child);
      }
      return Flow::go_on;
    };
    side == Side::b ? descent.children_b(parent, visit) : descent.children_a(parent, visit);
    std::reverse(pairs_.begin() + size, pairs_.end());
  }

 private:
  std::vector<Pair> pairs_;
};

/// Gives `leaf_pair` every pair of leaves that the rule leads to, until it says stop.
template <class Rule, class Descent, class LeafPair, class Observer>
Flow traverse_stack(const Rule& rule, const Descent& descent, LeafPair& leaf_pair,
                    Observer& observer) {
  using Pair = typename Descent::Pair;
  PairStack<Pair> stack(descent.waiting_bound());
  Pair pair = descent.root();
  while (true) {
    if (descent.meets(pair)) {
      if (!descent.leaf_a(pair) || !descent.leaf_b(pair)) {
        stack.descend(descent, pair, rule.choose(descent, pair));
        continue;
      }
      observer.leaf_overlap();
      if (descent.leaves(pair, leaf_pair) == Flow::stop) return Flow::stop;
    }
    observer.finished(descent.level_a(pair) + descent.level_b(pair));
    if (stack.empty()) return Flow::go_on;
    pair = stack.pop();
  }
}

template <class Rule>
struct StackOf {
  static constexpr Offer k_needs = Offer::levelled_pairs;

  template <class Trees, class LeafPair, class Observer>
  static Flow run(const Trees& trees, LeafPair& leaf_pair, Observer& observer) {
    return traverse_stack(Rule(), trees.levelled_pairs(observer), leaf_pair, observer);
  }
};

struct DynamicStack : StackOf<LargerVolumeFirst> {
  static constexpr std::string_view k_name = "dynamic-stack";
  static constexpr std::string_view k_description = "the larger volume first, with a stack";
};
struct AlternatingStack : StackOf<Alternating> {
  static constexpr std::string_view k_name = "alternating-stack";
  static constexpr std::string_view k_description = "B and A alternately, with a stack";
};

}  // namespace tandem::detail
