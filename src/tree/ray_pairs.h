// The binary tree that devices trace rays through: a node has the boxes of both its children, so
// that one read of 64 bytes decides where a ray goes.
#pragma once

#include <tandem/host_device.h>
#include <tandem/triangle.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace tandem::detail {

/// Boxes are given by their centres and half their sides, which takes fewer comparisons than
/// bounds. They are wider than what they enclose, for tests in float32 (`PairRay`). A missing
/// child, which only the root of a tiny mesh has, is a box with sides below zero.
struct alignas(64) RayPairNode {
  float centre[2][3];
  float half[2][3];
  /// A link to each child.
  std::uint32_t child[2];
  /// The node above; `RayPairView::k_none` for the root.
  std::uint32_t parent;
  /// In the root: the largest magnitude of a coordinate in the tree.
  float largest_coordinate;
};
static_assert(sizeof(RayPairNode) == 64);

/// A triangle of a leaf.
struct alignas(16) RayPairTriangle {
  TriangleF corners;
  std::uint32_t id;
  /// In the first of a leaf: the node that has the leaf, and how many triangles this has; 0 in the
  /// others.
  std::uint32_t parent;
  std::uint32_t leaf_size;
};
static_assert(sizeof(RayPairTriangle) == 48);

/// What traversals see, on the host or on a device: valid as long as the memory behind it.
///
/// A link is the position of a node; or, if its highest bit is set, of the first triangle of a
/// leaf, followed by two bits for how many more there are. The root is node 0; an empty mesh has
/// none.
struct RayPairView {
  static constexpr std::uint32_t k_leaf_bit = std::uint32_t{1} << 31;
  static constexpr std::uint32_t k_none = 0xffffffff;
  static constexpr std::uint32_t k_leaf_size = 4;
  /// So many have links, none of which is `k_none`.
  static constexpr std::uint32_t k_most_triangles = k_leaf_bit / k_leaf_size - k_leaf_size;

  const RayPairNode* nodes = nullptr;
  const RayPairTriangle* triangles = nullptr;
  std::uint32_t node_count = 0;
  std::uint32_t triangle_count = 0;

  TANDEM_HD bool empty() const { return node_count == 0; }
  /// Of a tree that is not empty.
  TANDEM_HD float largest_coordinate() const { return nodes[0].largest_coordinate; }

  TANDEM_HD static bool is_leaf(std::uint32_t link) { return (link & k_leaf_bit) != 0; }
  TANDEM_HD static std::uint32_t first_triangle(std::uint32_t leaf) {
    return (leaf & ~k_leaf_bit) / k_leaf_size;
  }
  TANDEM_HD static std::uint32_t triangle_count_of(std::uint32_t leaf) {
    return leaf % k_leaf_size + 1;
  }
  TANDEM_HD static std::uint32_t leaf(std::uint32_t first, std::uint32_t count) {
    return k_leaf_bit | (first * k_leaf_size + (count - 1));
  }
};

/// The owner of the memory, which the builder fills.
class RayPairTree {
 public:
  static constexpr std::string_view k_name = "ray-pairs";

  RayPairTree() = default;
  RayPairTree(std::vector<RayPairNode> nodes, std::vector<RayPairTriangle> triangles)
      : nodes_(std::move(nodes)), triangles_(std::move(triangles)) {}

  RayPairView view() const {
    return {.nodes = nodes_.data(),
            .triangles = triangles_.data(),
            .node_count = static_cast<std::uint32_t>(nodes_.size()),
            .triangle_count = static_cast<std::uint32_t>(triangles_.size())};
  }
  std::size_t bytes() const {
    return nodes_.size() * sizeof(RayPairNode) + triangles_.size() * sizeof(RayPairTriangle);
  }

 private:
  std::vector<RayPairNode> nodes_;
  std::vector<RayPairTriangle> triangles_;
};

}  // namespace tandem::detail
