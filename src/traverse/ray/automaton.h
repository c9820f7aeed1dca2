// Rays without a stack (stackless ray paper): a node is reached from its parent, from its sibling
// or from a child, and that decides where to go next.
#pragma once

#include <cstdint>
#include <string_view>

#include "traverse/ray/query.h"

namespace tandem::detail {

/// Listing 1: the node and one of three states. The listing visits every inner node once more on
/// the way back, a near one only to go on to its sibling. Here a node knows its parent's sibling,
/// and the step goes there at once: on the way back only far nodes are visited.
class AutomatonState {
 public:
  static constexpr std::string_view k_name = "automaton";
  static constexpr std::string_view k_description =
      "without a stack: three states, near child by axis";

  /// Of no tree yet.
  AutomatonState() = default;
  template <class Tree, class Slabs>
  TANDEM_HD AutomatonState(const Tree& tree, const Slabs& slabs)
      : node_(AxisOrder<Tree>{tree, slabs.octant()}.near_child(0)) {}

  TANDEM_HD bool finished() const { return reached_ == Reached::from_child && node_ == 0; }

  template <class Tree, class Triangles, class Slabs, class Query, class Observer, class Budget>
  TANDEM_HD Flow advance(const Tree& tree, const Triangles& triangles, const Slabs& slabs,
                         Query& query, Observer& observer, Budget budget) {
    const AxisOrder<Tree> order{tree, slabs.octant()};
    while (!finished() && budget.spend()) {
      const std::uint32_t node = node_;
      observer.node_visit(node);
      bool hit = false;
      if (reached_ != Reached::from_child) {
        hit = test_box(tree, node, slabs, query, observer);
        if (hit && !tree.is_leaf(node)) {
          go(order.near_child(node), Reached::from_parent);
          continue;
        }
      }
      // All of the node is done, or none of it wanted.
      if (reached_ == Reached::from_parent) {
        go(tree.sibling(node), Reached::from_sibling);  // (3a), (3b)
      } else if (order.parent_is_near(node)) {
        go(tree.sibling_of_parent(node), Reached::from_sibling);  // (1b), (2a) or (2b), then (1a)
      } else {
        go(tree.parent(node), Reached::from_child);  // (1b), (2a), (2b)
      }
      if (hit && visit_leaf(tree, triangles, node, query, observer) == Flow::stop) {
        return Flow::stop;
      }
    }
    return Flow::go_on;
  }

 private:
  enum class Reached : std::uint8_t { from_parent, from_sibling, from_child };

  TANDEM_HD void go(std::uint32_t node, Reached reached) {
    node_ = node;
    reached_ = reached;
  }

  std::uint32_t node_ = 0;
  Reached reached_ = Reached::from_parent;
};

/// Listing 2: the inner node that is being visited and the one before it. The box of the child that
/// is tried is tested (the listing prints that of the node itself), so that each is tested once and
/// the root never; leaves are processed on arrival.
class CompactState {
 public:
  static constexpr std::string_view k_name = "compact";
  static constexpr std::string_view k_description =
      "the same as two node indices: the paper's second listing";

  /// Of no tree yet.
  CompactState() = default;
  template <class Tree, class Slabs>
  TANDEM_HD CompactState(const Tree&, const Slabs&) {}

  TANDEM_HD bool finished() const { return node_ == k_finished; }

  template <class Tree, class Triangles, class Slabs, class Query, class Observer, class Budget>
  TANDEM_HD Flow advance(const Tree& tree, const Triangles& triangles, const Slabs& slabs,
                         Query& query, Observer& observer, Budget budget) {
    const AxisOrder<Tree> order{tree, slabs.octant()};
    while (node_ != k_finished && budget.spend()) {
      observer.node_visit(node_);
      const std::uint32_t near = order.near_child(node_);
      const std::uint32_t far = order.far_child(node_);
      if (last_ == far) {
        go_up(tree);
        continue;
      }
      // The root counts as its own parent, which is where a ray comes from first.
      const std::uint32_t child = last_ == tree.parent(node_) ? near : far;
      const bool hit = test_box(tree, child, slabs, query, observer);
      if (hit && !tree.is_leaf(child)) {
        last_ = node_;
        node_ = child;
        continue;
      }
      if (child == near) {
        last_ = near;
      } else {
        go_up(tree);
      }
      if (hit && visit_leaf(tree, triangles, child, query, observer) == Flow::stop) {
        return Flow::stop;
      }
    }
    return Flow::go_on;
  }

 private:
  static constexpr std::uint32_t k_finished = 0xffffffff;

  template <class Tree>
  TANDEM_HD void go_up(const Tree& tree) {
    last_ = node_;
    node_ = node_ == 0 ? k_finished : tree.parent(node_);
  }

  std::uint32_t last_ = 0;
  std::uint32_t node_ = 0;
};

}  // namespace tandem::detail
