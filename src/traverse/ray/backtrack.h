// Rays that backtrack in constant time (Binder and Keller 2016): a node's key is its path from the
// root, one bit per level below a leading one. One bit per level tells whether the sibling there
// still waits; the lowest such bit gives the sibling's key by shifting, and a perfect hash its
// node. The order is that of the stack with the closer child first, and so is every test.
#pragma once

#include <cstdint>
#include <string_view>

#include "math/bits.h"
#include "traverse/ray/stack.h"
#include "tree/node_keys.h"

namespace tandem::detail {

/// `Tree` also has `node_of(key)`.
class KeyMemory {
 public:
  static constexpr std::string_view k_name = "backtrack";
  static constexpr std::string_view k_description =
      "one bit per level, back in constant time by a hash, closer child first";

  TANDEM_HD void remember(const TestedChildren& children) {
    key_ = 2 * key_ + (children.swapped ? 1 : 0);
    waiting_ = 2 * waiting_ + (children.both ? 1 : 0);
  }
  template <class Tree>
  TANDEM_HD std::uint32_t next(const Tree& tree) {
    if (waiting_ == 0) return k_no_node;
    const int levels = lowest_bit(waiting_);
    key_ = (key_ >> levels) ^ 1;
    waiting_ = (waiting_ >> levels) ^ 1;
    return tree.node_of(key_);
  }

 private:
  std::uint64_t key_ = NodeKeysView::k_root;
  std::uint64_t waiting_ = 0;
};

using BacktrackState = DistanceState<KeyMemory>;

}  // namespace tandem::detail
