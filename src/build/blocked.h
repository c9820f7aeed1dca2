// Builds blocked hierarchies (tree/blocked.h).
#pragma once

#include <tandem/mesh.h>

#include <cstdint>
#include <vector>

#include "tree/blocked.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// A blocked hierarchy without volumes.
struct BlockedShape {
  struct Block {
    bool is_leaf = false;
    /// One to four; the other nodes are imaginary.
    std::uint32_t count = 0;
    /// The blocks of children, or triangles of the mesh.
    std::uint32_t entry[k_blocked_nodes] = {};
  };
  /// The root first, and each block before those of its children.
  std::vector<Block> blocks;
};

/// The plain way, as the paper seems to have gone: a binary tree by the surface area heuristic, of
/// which some levels are left out. Leaves whose siblings are inner nodes get a block of their own.
/// A third to one half of the nodes is imaginary.
BlockedShape plain_blocked_shape(const Mesh& mesh);

/// The shape of a wide tree, whose leaves are all at the same depth and full. Few nodes are
/// imaginary, but for meshes of a few triangles.
BlockedShape full_blocked_shape(const WideTreeView& tree);

/// Fits the volumes, for V = BlockedBox or BlockedObb. O(n · depth).
template <class V>
BlockedTree<V> fit_blocked(const Mesh& mesh, const BlockedShape& shape);

}  // namespace tandem::detail
