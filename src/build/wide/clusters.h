// The binary tree that ray trees are made of: its leaves are clusters of triangles.
#pragma once

#include <tandem/mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "volume/aabb.h"

namespace tandem::detail {

struct ClusterNode {
  Aabb box;
  /// Of an inner node: its children are this one and the next. Of a leaf: where its triangles
  /// begin.
  std::uint32_t first = 0;
  /// How many triangles a leaf has; 0 for an inner node.
  std::uint32_t count = 0;

  bool is_leaf() const { return count != 0; }
};

/// The root is node 0, and nodes come before their children; there are none for an empty mesh. No
/// leaf is deeper than `k_max_depth`.
struct ClusterTree {
  std::vector<ClusterNode> nodes;
  /// The triangles' ids, leaf by leaf.
  std::vector<std::uint32_t> triangles;
  /// From each of these nodes on up to the next one, or the end, nodes have their children among
  /// themselves, so that threads can share the tree; the nodes before the first are above them all.
  std::vector<std::uint32_t> parts;
};

/// Splits sets of triangles where the surface area heuristic costs least, over 16 bins per axis
/// (Wald 2007), down to what fits into a leaf, and further where that makes boxes smaller. The size
/// of a leaf is a power of two. With up to so many threads, 0 for all cores; the tree does not
/// depend on it. O(n log n).
ClusterTree build_clusters(const Mesh& mesh, std::uint32_t leaf_size, int threads);

}  // namespace tandem::detail
