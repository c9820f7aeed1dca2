// The stack traversals (stackless tandem paper, algorithms 2 and 3), which differ in the descent
// rule alone: larger volume first is the dynamic one, by turns is the alternating one.
#pragma once

#include <tandem/query.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "traverse/rules.h"

namespace tandem::detail {

/// Pairs of nodes that wait to be taken up. Each descent leaves at most all but one child of a node
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

  /// Pushes all but the first of the pairs that `for_each` visits, so that the next one comes off
  /// first. Returns the first, which is taken up at once.
  template <class ForEach>
  Pair push_siblings(Pair first, ForEach for_each) {
    const auto size = static_cast<std::ptrdiff_t>(pairs_.size());
    bool is_first = true;
    for_each([&](const Pair& pair) {
      if (is_first) {
        first = pair;
        is_first = false;
      } else {
        pairs_.push_back(pair);
      }
      return Flow::go_on;
    });
    std::reverse(pairs_.begin() + size, pairs_.end());
    return first;
  }

 private:
  std::vector<Pair> pairs_;
};

/// Calls `leaf_pair(triangle_of_a, triangle_of_b)` for every pair of leaves that the rule leads to,
/// until it says stop. The trees are not empty.
template <class Rule, class Descent, class LeafPair, class Observer>
Flow traverse_stack(const Rule& rule, const Descent& descent, LeafPair& leaf_pair,
                    Observer& observer) {
  using Pair = typename Descent::Pair;
  PairStack<Pair> stack(descent.waiting_bound());
  Pair pair = descent.root();
  while (true) {
    if (descent.meets(pair)) {
      if (!descent.leaf_a(pair) || !descent.leaf_b(pair)) {
        const Side side = rule.choose(descent, pair);
        pair = stack.push_siblings(pair, [&](auto push) {
          return side == Side::b ? descent.children_b(pair, push) : descent.children_a(pair, push);
        });
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

}  // namespace tandem::detail
