// From the path to a node to the node: a perfect hash of node keys.
#pragma once

#include <cstdint>
#include <vector>

#include "math/random.h"
#include "tree/ray_tree.h"

namespace tandem::detail {

/// A key is 1 followed by one bit a level: 0 for a first child, 1 for a second one. Depths of up to
/// 62 fit into 64 bits. Two reads find a node; keys that the tree does not have find any node.
class NodeKeys {
 public:
  static constexpr std::uint64_t k_root = 1;

  NodeKeys() = default;
  /// O(n) expected time, 4 to 12 bytes a node.
  explicit NodeKeys(const RayTree& tree);

  std::uint32_t node_of(std::uint64_t key) const {
    const std::uint64_t hash = Random::mix(key + seed_);
    return nodes_[slot(hash, displacements_[hash >> bucket_shift_])];
  }

 private:
  // Buckets of few keys; each bucket has a displacement that sends its keys to slots of their own.
  std::uint64_t slot(std::uint64_t hash, std::uint32_t displacement) const {
    const std::uint64_t step = (hash >> 20) | 1;
    return (hash + displacement * step) & slot_mask_;
  }
  bool place(const std::vector<std::uint64_t>& keys);

  std::uint64_t seed_ = 0;
  int bucket_shift_ = 63;
  std::uint64_t slot_mask_ = 0;
  std::vector<std::uint32_t> displacements_;
  std::vector<std::uint32_t> nodes_;
};

/// A tree whose nodes are found by key too. Refers to both.
class KeyedRayTree {
 public:
  KeyedRayTree(const RayTree& tree, const NodeKeys& keys) : tree_(tree), keys_(keys) {}

  bool empty() const { return tree_.empty(); }
  bool is_leaf(std::uint32_t node) const { return tree_.is_leaf(node); }
  const Aabb& box(std::uint32_t node) const { return tree_.box(node); }
  std::uint32_t triangle(std::uint32_t leaf) const { return tree_.triangle(leaf); }
  std::uint32_t first_child(std::uint32_t node) const { return tree_.first_child(node); }
  std::uint32_t second_child(std::uint32_t node) const { return tree_.second_child(node); }
  std::uint32_t node_of(std::uint64_t key) const { return keys_.node_of(key); }

 private:
  const RayTree& tree_;
  const NodeKeys& keys_;
};

}  // namespace tandem::detail
