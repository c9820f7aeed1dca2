// The tree that rays are traced through by default: up to eight children a node, up to four triangles
// a leaf, each laid out so that one instruction works on all of them.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "volume/aabb.h"

namespace tandem::detail {

struct WideRayTree {
  static constexpr int k_width = 8;
  static constexpr int k_block_size = 4;
  static constexpr std::uint32_t k_leaf_bit = std::uint32_t{1} << 31;

  /// The children's boxes, axis by axis; a child that is not there has an empty box. A child is a
  /// node, or with the leaf bit a block.
  struct alignas(64) Node {
    float lower[3][k_width];
    float upper[3][k_width];
    std::uint32_t child[k_width];
    std::uint32_t child_count;
  };

  /// The corners of triangles by axis and corner; what is not there has NaN corners.
  struct alignas(16) Block {
    float corner[3][3][k_block_size];
    std::uint32_t id[k_block_size];
    std::uint32_t count;
  };

  /// Node 0 is the root; none for an empty mesh.
  std::vector<Node> nodes;
  std::vector<Block> blocks;
  /// Nodes on the longest way from the root: bounds what waits during a traversal.
  int depth = 0;
  /// The largest magnitude of a coordinate.
  double largest_coordinate = 0;

  bool empty() const { return nodes.empty(); }
  /// The most children that can wait.
  std::size_t stack_bound() const { return static_cast<std::size_t>(depth) * (k_width - 1) + 1; }
  std::size_t bytes() const { return nodes.size() * sizeof(Node) + blocks.size() * sizeof(Block); }
};

}  // namespace tandem::detail
