// From the path to a node to the node: a perfect hash of node keys.
#pragma once

#include <tandem/host_device.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "math/random.h"
#include "tree/ray_tree.h"

namespace tandem::detail {

/// A key is 1 followed by one bit per level: 0 for a first child, 1 for a second one. Depths of up
/// to 62 fit into 64 bits. Two reads find a node; keys that the tree does not have find any node.
///
/// Keys are put into buckets of few; each bucket has a displacement that sends its keys to slots of
/// their own.
struct NodeKeysView {
  static constexpr std::uint64_t k_root = 1;

  std::uint64_t seed;
  int bucket_shift;
  std::uint64_t slot_mask;
  const std::uint32_t* displacements;
  const std::uint32_t* nodes;

  /// How many displacements and nodes there are, in a tree that is not empty.
  std::size_t displacement_count() const { return std::size_t{1} << (64 - bucket_shift); }
  std::size_t slot_count() const { return slot_mask + 1; }

  TANDEM_HD std::uint32_t node_of(std::uint64_t key) const {
    const std::uint64_t hash = Random::mix(key + seed);
    return nodes[slot(hash, displacements[hash >> bucket_shift])];
  }
  TANDEM_HD std::uint64_t slot(std::uint64_t hash, std::uint32_t displacement) const {
    const std::uint64_t step = (hash >> 20) | 1;
    return (hash + displacement * step) & slot_mask;
  }
};

class NodeKeys {
 public:
  using View = NodeKeysView;

  /// O(n) expected time, 4 to 12 bytes per node.
  explicit NodeKeys(const RayTreeView& tree);

  View view() const {
    return {seed_, bucket_shift_, slot_mask_, displacements_.data(), nodes_.data()};
  }
  std::size_t bytes() const {
    return (displacements_.size() + nodes_.size()) * sizeof(std::uint32_t);
  }

 private:
  bool place(const std::vector<std::uint64_t>& keys);

  std::uint64_t seed_ = 0;
  int bucket_shift_ = 63;
  std::uint64_t slot_mask_ = 0;
  std::vector<std::uint32_t> displacements_;
  std::vector<std::uint32_t> nodes_;
};

/// A tree whose nodes are found by key too.
struct KeyedRayTreeView : RayTreeView {
  NodeKeysView keys;

  TANDEM_HD std::uint32_t node_of(std::uint64_t key) const { return keys.node_of(key); }
};

}  // namespace tandem::detail
