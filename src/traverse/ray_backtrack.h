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

/// `Tree` also has `node_of(key)`.
class KeyMemory {
 public:
  void remember(const TestedChildren& children) {
    key_ = 2 * key_ + (children.swapped ? 1 : 0);
    waiting_ = 2 * waiting_ + (children.both ? 1 : 0);
  }
  template <class Tree>
  std::uint32_t next(const Tree& tree) {
    if (waiting_ == 0) return k_no_node;
    const int levels = std::countr_zero(waiting_);
    key_ = (key_ >> levels) ^ 1;
    waiting_ = (waiting_ >> levels) ^ 1;
    return tree.node_of(key_);
  }

 private:
  std::uint64_t key_ = NodeKeys::k_root;
  std::uint64_t waiting_ = 0;
};

using BacktrackState = DistanceState<KeyMemory>;

}  // namespace tandem::detail
