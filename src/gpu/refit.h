// Fits the boxes of a tree of pairs to new positions of its vertices, on a device.
#pragma once

#include <cstdint>

#include "build/ray_pair_parts.h"
#include "gpu/device_meshes.h"
#include "gpu/kernel.h"

namespace tandem::detail {

/// One thread per leaf, from the bottom up: whichever thread comes to a node later goes on. Until
/// then the node holds the bounds of a child where its box will be.
struct RefitPairs {
  using Shared = NothingShared;

  RayPairView older;
  const Vec3f* vertices;
  /// Of each triangle of the tree.
  const TriangleIndices* corners;
  /// For each node, 0.
  std::uint32_t* arrived;
  RayPairNode* nodes;
  RayPairTriangle* triangles;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t first = threads.index();
    if (first >= older.triangle_count) return;
    const std::uint32_t size = older.triangles[first].leaf_size;
    if (size == 0) return;
    std::uint32_t parent = older.triangles[first].parent;
    std::uint32_t link = RayPairView::leaf(first, size);
    Aabb box = fit_leaf(first, size);
    while (true) {
      // What both versions share.
      RayPairNode node{};
      node.child[0] = older.nodes[parent].child[0];
      node.child[1] = older.nodes[parent].child[1];
      node.parent = older.nodes[parent].parent;
      if (node.child[1] == RayPairView::k_none) {
        store_child(box, link, 0, &node);
        store_nothing(1, &node);
      } else {
        const int side = node.child[0] == link ? 0 : 1;
        leave(box, side, &nodes[parent]);
        if (threads.arrive(&arrived[parent], std::uint32_t{1}) == 0) return;
        const Aabb other = found(nodes[parent], 1 - side);
        const Aabb first_box = side == 0 ? box : other;
        const Aabb second_box = side == 0 ? other : box;
        store_child(first_box, node.child[0], 0, &node);
        store_child(second_box, node.child[1], 1, &node);
        box = Aabb::merge(first_box, second_box);
      }
      const bool is_root = node.parent == RayPairView::k_none;
      if (is_root) node.largest_coordinate = static_cast<float>(box.largest_coordinate());
      nodes[parent] = node;
      if (is_root) return;
      link = parent;
      parent = node.parent;
    }
  }

 private:
  TANDEM_KERNEL Aabb fit_leaf(std::uint32_t first, std::uint32_t size) const {
    Aabb all{};
    for (std::uint32_t i = first; i < first + size; ++i) {
      RayPairTriangle triangle = older.triangles[i];
      for (int k = 0; k < 3; ++k) triangle.corners.corner[k] = vertices[corners[i][k]];
      triangles[i] = triangle;
      const Aabb box = box_of(triangle.corners);
      all = i == first ? box : Aabb::merge(all, box);
    }
    return all;
  }

  TANDEM_KERNEL static void leave(const Aabb& box, int side, RayPairNode* node) {
    for (int axis = 0; axis < 3; ++axis) {
      node->centre[side][axis] = box.lower[axis];
      node->half[side][axis] = box.upper[axis];
    }
  }
  TANDEM_KERNEL static Aabb found(const RayPairNode& node, int side) {
    Aabb box{};
    for (int axis = 0; axis < 3; ++axis) {
      box.lower[axis] = node.centre[side][axis];
      box.upper[axis] = node.half[side][axis];
    }
    return box;
  }
};

/// Fits a tree, which is not empty, into arrays of the same sizes. `On` is as in gpu/build.h.
template <class On>
void refit_tree(On& on, const RayPairView& older, const Vec3f* vertices,
                const TriangleIndices* corners, RayPairNode* nodes, RayPairTriangle* triangles) {
  const auto arrived = on.template zeros<std::uint32_t>(older.node_count);
  on.launch(RefitPairs{older, vertices, corners, arrived.data(), nodes, triangles},
            older.triangle_count);
}

}  // namespace tandem::detail
