// Fits the boxes of a tree of pairs to new positions of its vertices, on a device.
#pragma once

#include <cstdint>

#include "build/ray_pair_parts.h"
#include "gpu/device_meshes.h"
#include "gpu/join_subtrees.h"
#include "gpu/kernel.h"
#include "gpu/shared_arrays.h"

namespace tandem::detail {

/// A subtree with its new box, and the node above it.
struct FittedSubtree {
  Aabb box;
  std::uint32_t link;
  std::uint32_t parent;
};

/// One thread per triangle, of which the first one of each leaf goes on, from the bottom up
/// (gpu/join_subtrees.h). Until both children of a node have come, it holds the bounds of the first
/// one where its box will be.
struct RefitPairs {
  using Subtree = FittedSubtree;
  struct SharedOfWarp {
    RayPairTriangle triangles[k_warp_size];
    FittedSubtree kept[2 * k_warp_size];
  };
  struct Shared {
    SharedOfWarp warps[k_build_block_size / k_warp_size];
  };
  static constexpr int k_blocks_per_processor = 10;

  RayPairView older;
  const Vec3f* vertices;
  /// Of each triangle of the tree.
  const TriangleIndices* corners;
  /// For each node, 0.
  std::uint32_t* arrived;
  RayPairNode* nodes;
  RayPairTriangle* triangles;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared_of_block) const {
    SharedOfWarp& shared = shared_of_block.warps[threads.thread() / k_warp_size];
    SubtreeJoin join(*this, threads, shared.kept);
    TriangleIndices next = first_read(JoinGroup(threads, 0, older.triangle_count), threads.lane());
    for (std::uint32_t number = 0; number < k_groups_per_warp; ++number) {
      const JoinGroup group(threads, number, older.triangle_count);
      if (group.count == 0) break;
      const std::uint32_t first = group.first;
      const bool there = threads.lane() < group.count;
      RayPairTriangle& own_triangle = shared.triangles[threads.lane()];
      // Read early what the next group needs first.
      const TriangleIndices own_corners = next;
      next = first_read(JoinGroup(threads, number + 1, older.triangle_count), threads.lane());
      if (there) own_triangle = moved(first + threads.lane(), own_corners);
      threads.sync_warp();
      copy_words<Bytes16>(threads, shared.triangles, triangles + first, group.count);
      Subtree own{};
      bool has_one = there && own_triangle.leaf_size > 0;
      if (has_one) {
        own = fitted(first + threads.lane(), shared.triangles, first, group.count);
        has_one = !is_only_leaf(own);
      }
      has_one = join.join(has_one, &own, NothingShared());
      join.keep(has_one, own, NothingShared());
    }
    join.finish(NothingShared());
  }

  TANDEM_KERNEL static std::uint32_t parent_of(const Subtree& subtree) { return subtree.parent; }
  TANDEM_KERNEL static bool is_whole(const Subtree& subtree) {
    return subtree.parent == RayPairView::k_none;
  }

  TANDEM_KERNEL static bool goes_on(const Subtree&, bool is_lower) { return is_lower; }

  TANDEM_KERNEL Subtree joint(const Subtree& one, const Subtree& other) const {
    return {Aabb::merge(one.box, other.box), one.parent, older.nodes[one.parent].parent};
  }

  TANDEM_KERNEL void write(const Subtree& one, const Subtree& other, NothingShared) const {
    RayPairNode node{};
    if (is_first(one)) {
      store_child(one.box, one.link, 0, &node);
      store_child(other.box, other.link, 1, &node);
    } else {
      store_child(other.box, other.link, 0, &node);
      store_child(one.box, one.link, 1, &node);
    }
    node.parent = older.nodes[one.parent].parent;
    if (node.parent == RayPairView::k_none) {
      const Aabb box = Aabb::merge(one.box, other.box);
      node.largest_coordinate = static_cast<float>(box.largest_coordinate());
    }
    nodes[one.parent] = node;
  }

  TANDEM_KERNEL void leave(const Subtree& subtree) const {
    RayPairNode& node = nodes[subtree.parent];
    const int side = is_first(subtree) ? 0 : 1;
    for (int axis = 0; axis < 3; ++axis) {
      node.centre[side][axis] = subtree.box.lower[axis];
      node.half[side][axis] = subtree.box.upper[axis];
    }
  }
  TANDEM_KERNEL Subtree find(const Subtree& subtree) const {
    const RayPairNode& node = nodes[subtree.parent];
    const int side = is_first(subtree) ? 1 : 0;
    Subtree result{{}, older.nodes[subtree.parent].child[side], subtree.parent};
    for (int axis = 0; axis < 3; ++axis) {
      result.box.lower[axis] = node.centre[side][axis];
      result.box.upper[axis] = node.half[side][axis];
    }
    return result;
  }

 private:
  TANDEM_KERNEL bool is_first(const Subtree& subtree) const {
    return older.nodes[subtree.parent].child[0] == subtree.link;
  }

  /// The vertices of a thread's triangle in a group; anything for those without one.
  TANDEM_KERNEL TriangleIndices first_read(const JoinGroup& group, std::uint32_t lane) const {
    return lane < group.count ? corners[group.first + lane] : TriangleIndices{};
  }

  TANDEM_KERNEL TriangleF triangle_of(const TriangleIndices& own) const {
    return {{vertices[own[0]], vertices[own[1]], vertices[own[2]]}};
  }

  TANDEM_KERNEL RayPairTriangle moved(std::uint32_t place, const TriangleIndices& own) const {
    const RayPairTriangle& triangle = older.triangles[place];
    return {triangle_of(own), triangle.id, triangle.parent, triangle.leaf_size};
  }

  /// The leaf that begins at a place. The group has some triangles, from `first` on; the leaf may
  /// end behind them.
  TANDEM_KERNEL Subtree fitted(std::uint32_t place, const RayPairTriangle* in_group,
                               std::uint32_t first, std::uint32_t count) const {
    const RayPairTriangle& triangle = in_group[place - first];
    Aabb box = box_of(triangle.corners);
    for (std::uint32_t i = place + 1; i < place + triangle.leaf_size; ++i) {
      box = Aabb::merge(
          box, box_of(i - first < count ? in_group[i - first].corners : triangle_of(corners[i])));
    }
    return {box, RayPairView::leaf(place, triangle.leaf_size), triangle.parent};
  }

  /// The root of a tree of one leaf has no other child to wait for.
  TANDEM_KERNEL bool is_only_leaf(const Subtree& leaf) const {
    if (older.nodes[0].child[1] != RayPairView::k_none) return false;
    RayPairNode root = root_of_one_leaf(static_cast<float>(leaf.box.largest_coordinate()));
    store_child(leaf.box, leaf.link, 0, &root);
    nodes[0] = root;
    return true;
  }
};

/// Fits a tree, which is not empty, into arrays of the same sizes. `On` is as in gpu/build.h.
template <class On>
void refit_tree(On& on, const RayPairView& older, const Vec3f* vertices,
                const TriangleIndices* corners, RayPairNode* nodes, RayPairTriangle* triangles) {
  const auto arrived = on.template zeros<std::uint32_t>(older.node_count);
  on.launch(RefitPairs{older, vertices, corners, arrived.data(), nodes, triangles},
            joining_threads(older.triangle_count));
}

}  // namespace tandem::detail
