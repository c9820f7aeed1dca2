// The stack traversals (stackless tandem paper, algorithms 2 and 3), which differ in the descent
// rule alone: larger volume first is the dynamic one, by turns is the alternating one.
#pragma once

#include <tandem/query.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "traverse/overlaps.h"
#include "traverse/rules.h"
#include "volume/bounding_volume.h"

namespace tandem::detail {

/// Pairs of nodes that wait to be taken up. Each descent leaves at most all but one child of a node
/// behind and goes one level down, so the depths of the trees bound the size: it never grows.
class PairStack {
 public:
  struct Pair {
    std::uint32_t a;
    std::uint32_t b;
  };

  explicit PairStack(std::size_t capacity) { pairs_.reserve(capacity); }

  bool empty() const { return pairs_.empty(); }
  Pair pop() {
    const Pair top = pairs_.back();
    pairs_.pop_back();
    return top;
  }

  /// The later children of `node` in `tree`, so that the next one comes off first; `pair_with`
  /// makes the pair. Returns the first child, which is taken up at once.
  template <class Tree, class PairWith>
  std::uint32_t push_siblings(const Tree& tree, std::uint32_t node, PairWith pair_with) {
    const std::uint32_t first = tree.first_child(node);
    const std::uint32_t end = tree.escape_index(node);
    const auto size = static_cast<std::ptrdiff_t>(pairs_.size());
    for (std::uint32_t child = tree.escape_index(first); child != end;
         child = tree.escape_index(child)) {
      pairs_.push_back(pair_with(child));
    }
    std::reverse(pairs_.begin() + size, pairs_.end());
    return first;
  }

 private:
  std::vector<Pair> pairs_;
};

/// Calls `leaf_pair(triangle_of_a, triangle_of_b)` for every pair of leaves that the rule leads to,
/// until it says stop.
template <class Rule, class Tree, OverlapTest<typename Tree::Volume> Overlap, class LeafPair,
          class Observer>
Flow traverse_stack(const Rule& rule, const Tree& a, const Tree& b, const Overlap& overlap,
                    LeafPair& leaf_pair, Observer& observer) {
  if (a.empty() || b.empty()) return Flow::go_on;
  PairStack stack(a.sibling_bound() + b.sibling_bound());
  PairStack::Pair pair{0, 0};
  while (true) {
    if (overlaps(a, pair.a, b, pair.b, overlap, observer)) {
      if (!a.is_leaf(pair.a) || !b.is_leaf(pair.b)) {
        if (rule.choose(a, pair.a, b, pair.b) == Side::b) {
          pair.b = stack.push_siblings(b, pair.b, [&](std::uint32_t child) {
            return PairStack::Pair{pair.a, child};
          });
        } else {
          pair.a = stack.push_siblings(a, pair.a, [&](std::uint32_t child) {
            return PairStack::Pair{child, pair.b};
          });
        }
        continue;
      }
      observer.leaf_overlap();
      if (leaf_pair(a.triangle(pair.a), b.triangle(pair.b)) == Flow::stop) return Flow::stop;
    }
    observer.finished(a.level(pair.a) + b.level(pair.b));
    if (stack.empty()) return Flow::go_on;
    pair = stack.pop();
  }
}

}  // namespace tandem::detail
