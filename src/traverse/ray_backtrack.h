// Rays that backtrack in constant time (Binder and Keller 2016): a node's key is its path from the
// root, one bit a level below a leading one. A bit for each level tells whether the sibling there
// still waits; the lowest such bit gives the sibling's key by shifting, and a perfect hash its node.
// The order is that of the stack with the closer child first, and so is every test.
#pragma once

#include <bit>
#include <cstdint>

#include "traverse/ray_stack.h"
#include "tree/node_keys.h"

namespace tandem::detail {

class BacktrackState {
 public:
  template <class Tree>
  BacktrackState(const Tree&, const RaySlabs&) {}

  bool finished() const { return node_ == k_finished; }

  /// `Tree` also has `node_of(key)`.
  template <class Tree, class Triangles, class Observer>
  Flow advance(const Tree& tree, const Triangles& triangles, const RaySlabs& slabs, RayQuery& query,
               Observer& observer, std::uint64_t budget) {
    for (; node_ != k_finished && budget > 0; --budget) {
      if (tree.is_leaf(node_)) {
        if (visit_leaf(tree, triangles, node_, query, observer) == Flow::stop) return Flow::stop;
        backtrack(tree);
        continue;
      }
      observer.node_visit(node_);
      const TestedChildren children = test_children(tree, node_, slabs, query, observer);
      if (!children.any) {
        backtrack(tree);
        continue;
      }
      node_ = children.closer;
      key_ = 2 * key_ + (children.swapped ? 1 : 0);
      waiting_ = 2 * waiting_ + (children.both ? 1 : 0);
    }
    return Flow::go_on;
  }

 private:
  static constexpr std::uint32_t k_finished = 0xffffffff;

  template <class Tree>
  void backtrack(const Tree& tree) {
    if (waiting_ == 0) {
      node_ = k_finished;
      return;
    }
    const int levels = std::countr_zero(waiting_);
    key_ = (key_ >> levels) ^ 1;
    waiting_ = (waiting_ >> levels) ^ 1;
    node_ = tree.node_of(key_);
  }

  std::uint64_t key_ = NodeKeys::k_root;
  std::uint64_t waiting_ = 0;
  std::uint32_t node_ = 0;
};

}  // namespace tandem::detail
