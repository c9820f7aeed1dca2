// Hierarchies in blocks of four nodes, as devices walk them (blocked tandem paper, section 2).
//
// All nodes of a hierarchy stand in one array, and four consecutive ones are a block. A node refers
// to the block of its children, or to a triangle. A block without four of them is filled up with
// imaginary nodes. Its other nodes are all inner nodes or all leaves: were there both, a leaf could
// be paired with the same block on two ways (figure 4 of the paper).
#pragma once

#include <tandem/host_device.h>
#include <tandem/triangle.h>
#include <tandem/vec.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tree/units.h"

namespace tandem::detail {

/// The number of nodes in a block.
inline constexpr std::uint32_t k_blocked_nodes = 4;

enum class BlockedKind : std::uint32_t { imaginary, inner, leaf };

/// What one thread loads at once: 16 bytes. Nodes are made of these.
struct alignas(16) NodeQuad {
  float x;
  float y;
  float z;
  std::uint32_t word;

  TANDEM_HD Vec3f vector() const { return {x, y, z}; }
};
static_assert(sizeof(NodeQuad) == 16);

/// Half the sides of a node's volume are larger than its triangles need: by this much of the sum of
/// the three, by this much of the largest magnitude of a coordinate, and by FLT_MIN. See
/// gpu/blocked/overlap.h for the reasons.
inline constexpr double k_blocked_stretch = 8e-6;
inline constexpr double k_blocked_rounding = 128 * 0x1p-24;

/// A box along the axes: two quads, as in the paper. The first has the centre and the index of the
/// block of children or of the triangle, the second half the sides and the kind of the node.
struct BlockedBox {
  static constexpr std::string_view k_name = "aabb";
  static constexpr std::size_t k_quads = 2;

  Vec3f centre;
  Vec3f half;

  TANDEM_HD static BlockedBox load(const NodeQuad* quads) {
    return {quads[0].vector(), quads[1].vector()};
  }
  void store(NodeQuad*) const {}
};

/// An oriented box: four quads. Two more have its first two axes; the third is their cross product.
struct BlockedObb {
  static constexpr std::string_view k_name = "obb";
  static constexpr std::size_t k_quads = 4;

  Vec3f centre;
  Vec3f half;
  Vec3f axis[2];

  TANDEM_HD static BlockedObb load(const NodeQuad* quads) {
    return {quads[0].vector(), quads[1].vector(), {quads[2].vector(), quads[3].vector()}};
  }
  void store(NodeQuad* quads) const {
    for (int i = 0; i < 2; ++i) quads[2 + i] = {axis[i].x, axis[i].y, axis[i].z, 0};
  }

  TANDEM_HD Vec3f third_axis() const { return cross(axis[0], axis[1]); }
};

/// What a node refers to, whatever its volume.
struct BlockedLink {
  BlockedKind kind = BlockedKind::imaginary;
  std::uint32_t index = 0;

  TANDEM_HD static BlockedLink load(const NodeQuad* quads) {
    return {static_cast<BlockedKind>(quads[1].word), quads[0].word};
  }
};

template <class V>
void store_node(const V& volume, const BlockedLink& link, NodeQuad* quads) {
  quads[0] = {volume.centre.x, volume.centre.y, volume.centre.z, link.index};
  quads[1] = {volume.half.x, volume.half.y, volume.half.z, static_cast<std::uint32_t>(link.kind)};
  volume.store(quads);
}

/// As in the mesh, for the triangle test.
struct alignas(16) BlockedTriangle {
  TriangleF corners;
  /// In the mesh.
  std::uint32_t id;
  std::uint32_t unused[2];
};
static_assert(sizeof(BlockedTriangle) == 48);

/// The hierarchy of one mesh; block 0 is the root. Empty for an empty mesh.
template <class V>
struct BlockedTree {
  std::vector<NodeQuad> quads;
  std::vector<BlockedTriangle> triangles;
  TreeUnits units;

  bool empty() const { return quads.empty(); }
  std::size_t node_count() const { return quads.size() / V::k_quads; }
  BlockedLink link(std::size_t node) const {
    return BlockedLink::load(quads.data() + V::k_quads * node);
  }
  /// How many of the nodes are imaginary.
  std::size_t imaginary_count() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < node_count(); ++i) {
      count += link(i).kind == BlockedKind::imaginary ? 1 : 0;
    }
    return count;
  }
};

/// Where one of many hierarchies begins.
struct BlockedRoot {
  std::uint32_t block = 0;
  TreeUnits units;
};

/// Many hierarchies in one array, on the host or on a device.
struct BlockedForestView {
  const NodeQuad* quads = nullptr;
  const BlockedTriangle* triangles = nullptr;
  const BlockedRoot* roots = nullptr;
};

/// Hierarchies one behind the other: indices count from the first. Block 0 has four imaginary
/// nodes, and is the root of empty hierarchies.
template <class V>
class BlockedForest {
 public:
  BlockedForest() : quads(k_blocked_nodes * V::k_quads, NodeQuad{0, 0, 0, 0}) {}

  std::vector<NodeQuad> quads;
  std::vector<BlockedTriangle> triangles;
  std::vector<BlockedRoot> roots;

  /// Adds a hierarchy and its root.
  void add(const BlockedTree<V>& tree) {
    const auto first_triangle = static_cast<std::uint32_t>(triangles.size());
    const std::uint32_t first_block = block_count();
    roots.push_back({tree.empty() ? 0 : first_block, tree.units});
    for (std::size_t i = 0; i < tree.quads.size(); ++i) {
      NodeQuad quad = tree.quads[i];
      if (i % V::k_quads == 0) {
        const BlockedKind kind = tree.link(i / V::k_quads).kind;
        if (kind == BlockedKind::inner) quad.word += first_block;
        if (kind == BlockedKind::leaf) quad.word += first_triangle;
      }
      quads.push_back(quad);
    }
    triangles.insert(triangles.end(), tree.triangles.begin(), tree.triangles.end());
  }
  /// Adds a root: that of a hierarchy that is there already.
  void add_again(std::size_t root) { roots.push_back(BlockedRoot(roots[root])); }

  std::uint32_t block_count() const {
    return static_cast<std::uint32_t>(quads.size() / (k_blocked_nodes * V::k_quads));
  }
  std::size_t bytes() const {
    return quads.size() * sizeof(NodeQuad) + triangles.size() * sizeof(BlockedTriangle) +
           roots.size() * sizeof(BlockedRoot);
  }
  BlockedForestView view() const { return {quads.data(), triangles.data(), roots.data()}; }
};

}  // namespace tandem::detail
