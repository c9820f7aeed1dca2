// What the builders of trees of pairs share, on the host and on devices.
#pragma once

#include <tandem/host_device.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "tree/ray_pairs.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// A box and the link to what is in it become a child of a node. The box is stored wider than it
/// is: `PairRay` asks for 12.4·2^-24 of its largest coordinate on each side, and for 2^-60. Half a
/// side and its sum with the margin are rounded, by at most 2^-24 of that coordinate each.
TANDEM_HD inline void store_child(const Aabb& box, std::uint32_t link, int side,
                                  RayPairNode* node) {
  for (int axis = 0; axis < 3; ++axis) {
    const float lower = box.lower[axis];
    const float upper = box.upper[axis];
    const float margin = 16 * 0x1p-24F * std::fmax(std::fabs(lower), std::fabs(upper)) + 0x1p-60F;
    // Nothing overflows here but the last sum, where a box is about as large as float32 allows.
    // A centre is never -0, so it does not matter which of two zeros is a bound.
    const float centre = 0.5F * lower + 0.5F * upper + 0.0F;
    node->centre[side][axis] = centre;
    node->half[side][axis] = std::fmax(upper - centre, centre - lower) + margin;
  }
  node->child[side] = link;
}

/// A box that no ray hits.
TANDEM_HD inline void store_nothing(int side, RayPairNode* node) {
  for (int axis = 0; axis < 3; ++axis) {
    node->centre[side][axis] = 0;
    node->half[side][axis] = -std::numeric_limits<float>::max();
  }
  node->child[side] = RayPairView::k_none;
}

/// Whether a subtree becomes a node or a leaf, and what it costs rays then: the sum over nodes and
/// triangles of the surface of the box through which rays come to them.
struct RayPairChoice {
  bool as_leaf;
  double cost;

  /// Of the subtree's box, with its triangles, and its two halves.
  TANDEM_HD RayPairChoice(double half_area, std::uint32_t triangle_count, double first_cost,
                          double second_cost) {
    const double as_node = half_area * k_node_cost + first_cost + second_cost;
    const double leaf = leaf_cost(half_area, triangle_count);
    as_leaf = triangle_count <= RayPairView::k_leaf_size && leaf <= as_node;
    cost = as_leaf ? leaf : as_node;
  }

  TANDEM_HD static double leaf_cost(double half_area, std::uint32_t triangle_count) {
    return half_area * k_triangle_cost * triangle_count;
  }

 private:
  // The costs of testing both boxes of a node and one triangle, relative to each other.
  static constexpr double k_node_cost = 1;
  static constexpr double k_triangle_cost = 0.5;
};

/// The root of a mesh that fits into one leaf, which is to become its first child.
TANDEM_HD inline RayPairNode root_of_one_leaf(float largest_coordinate) {
  RayPairNode root{};
  root.parent = RayPairView::k_none;
  root.largest_coordinate = largest_coordinate;
  store_nothing(1, &root);
  return root;
}

}  // namespace tandem::detail
