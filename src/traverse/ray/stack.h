// Rays with a stack: the axis-based order, in which a box is tested when it is popped, and the
// distance-based order of Aila and Laine 2009, in which both children are tested at their parent.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "traverse/ray/query.h"
#include "tree/tree.h"

namespace tandem::detail {

/// Nodes that wait. A descent leaves one sibling per level behind, so the depth bounds the size.
class NodeStack {
 public:
  TANDEM_HD bool empty() const { return count_ == 0; }
  TANDEM_HD void push(std::uint32_t node) { nodes_[count_++] = node; }
  TANDEM_HD std::uint32_t pop() { return nodes_[--count_]; }

 private:
  std::array<std::uint32_t, k_max_depth + 1> nodes_;
  std::uint32_t count_ = 0;
};

class AxisStackState {
 public:
  static constexpr std::string_view k_name = "stack";
  static constexpr std::string_view k_description = "with a stack, near child by axis";

  /// Of no tree yet.
  AxisStackState() = default;
  template <class Tree, class Slabs>
  TANDEM_HD AxisStackState(const Tree& tree, const Slabs& slabs) {
    push_children(tree, slabs, 0);
  }

  TANDEM_HD bool finished() const { return stack_.empty(); }

  template <class Tree, class Triangles, class Slabs, class Query, class Observer, class Budget>
  TANDEM_HD Flow advance(const Tree& tree, const Triangles& triangles, const Slabs& slabs,
                         Query& query, Observer& observer, Budget budget) {
    while (!stack_.empty() && budget.spend()) {
      const std::uint32_t node = stack_.pop();
      observer.node_visit(node);
      if (!test_box(tree, node, slabs, query, observer)) continue;
      if (!tree.is_leaf(node)) {
        push_children(tree, slabs, node);
      } else if (visit_leaf(tree, triangles, node, query, observer) == Flow::stop) {
        return Flow::stop;
      }
    }
    return Flow::go_on;
  }

 private:
  template <class Tree, class Slabs>
  TANDEM_HD void push_children(const Tree& tree, const Slabs& slabs, std::uint32_t node) {
    const AxisOrder<Tree> order{tree, slabs.octant()};
    stack_.push(order.far_child(node));
    stack_.push(order.near_child(node));
  }

  NodeStack stack_;
};

inline constexpr std::uint32_t k_no_node = 0xffffffff;

/// The two children of a node, tested.
struct TestedChildren {
  bool any;
  bool both;
  /// The closer one of both, or the one that was hit; equally close ones in their order.
  std::uint32_t closer;
  std::uint32_t farther;
  /// Whether the closer one is the second child.
  bool swapped;
};

template <class Tree, class Slabs, class Query, class Observer>
TANDEM_HD TestedChildren test_children(const Tree& tree, std::uint32_t node, const Slabs& slabs,
                                       const Query& query, Observer& observer) {
  const std::uint32_t first = tree.first_child(node);
  const std::uint32_t second = tree.second_child(node);
  observer.box_test(first);
  observer.box_test(second);
  const auto first_entry = slabs.entry(tree.box(first), query.limit());
  const auto second_entry = slabs.entry(tree.box(second), query.limit());
  constexpr auto k_missed = std::numeric_limits<decltype(slabs.entry({}, 0))>::infinity();
  const bool swapped = second_entry < first_entry;
  return {first_entry < k_missed || second_entry < k_missed,
          first_entry < k_missed && second_entry < k_missed, swapped ? second : first,
          swapped ? first : second, swapped};
}

/// The closer child first, both tested at their parent. `Memory` keeps what waits:
/// `remember(children)` is told of those of a node that is left for the closer one, `next(tree)`
/// gives the node to go back to, or k_no_node.
template <class Memory>
class DistanceState {
 public:
  static constexpr std::string_view k_name = Memory::k_name;
  static constexpr std::string_view k_description = Memory::k_description;

  /// Of no tree yet.
  DistanceState() = default;
  template <class Tree, class Slabs>
  TANDEM_HD DistanceState(const Tree&, const Slabs&) {}

  TANDEM_HD bool finished() const { return node_ == k_no_node; }

  template <class Tree, class Triangles, class Slabs, class Query, class Observer, class Budget>
  TANDEM_HD Flow advance(const Tree& tree, const Triangles& triangles, const Slabs& slabs,
                         Query& query, Observer& observer, Budget budget) {
    while (!finished() && budget.spend()) {
      if (tree.is_leaf(node_)) {
        if (visit_leaf(tree, triangles, node_, query, observer) == Flow::stop) return Flow::stop;
        node_ = memory_.next(tree);
        continue;
      }
      observer.node_visit(node_);
      const TestedChildren children = test_children(tree, node_, slabs, query, observer);
      if (!children.any) {
        node_ = memory_.next(tree);
        continue;
      }
      memory_.remember(children);
      node_ = children.closer;
    }
    return Flow::go_on;
  }

 private:
  Memory memory_;
  std::uint32_t node_ = 0;
};

class StackMemory {
 public:
  static constexpr std::string_view k_name = "stack-distance";
  static constexpr std::string_view k_description =
      "with a stack, both children tested at their parent, closer one first";

  TANDEM_HD void remember(const TestedChildren& children) {
    if (children.both) stack_.push(children.farther);
  }
  template <class Tree>
  TANDEM_HD std::uint32_t next(const Tree&) {
    return stack_.empty() ? k_no_node : stack_.pop();
  }

 private:
  NodeStack stack_;
};

using DistanceStackState = DistanceState<StackMemory>;

}  // namespace tandem::detail
