// Fits the boxes of a tree of pairs to new positions of its vertices, on a device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "build/ray_pair_parts.h"
#include "gpu/device_meshes.h"
#include "gpu/join_subtrees.h"
#include "gpu/kernel.h"
#include "gpu/ranges_of_warp.h"
#include "gpu/shared_arrays.h"
#include "gpu/warp.h"

namespace tandem::detail {

/// A subtree with its new box, and the node above it.
struct FittedSubtree {
  Aabb box;
  std::uint32_t link;
  std::uint32_t parent;
};

/// One thread per triangle, of which the first one of each leaf goes on, from the bottom up
/// (gpu/join_subtrees.h). One thread of two siblings goes on with the parent, and the other writes
/// the parent's node when all are joined, so that most threads write at the same time. Until both
/// children of a node have come, it holds the bounds of the first one where its box will be.
struct RefitPairs {
  using Subtree = FittedSubtree;
  using Arrival = std::uint32_t;
  /// The last 16 bytes of a node, most of which do not move.
  struct alignas(16) Links {
    std::uint32_t child[2];
    std::uint32_t parent;
    float largest_coordinate;
  };
  static_assert(offsetof(RayPairNode, child) == sizeof(RayPairNode) - sizeof(Links));
  struct SharedOfWarp {
    RayPairTriangle triangles[k_warp_size];
    FittedSubtree kept[2 * k_warp_size];
    /// Of the nodes from `first_node` on, as far as there are any.
    Links links[k_warp_size];
    std::uint32_t first_node;
  };
  using Shared = SharedOfJoin<SharedOfWarp>;
  static constexpr int k_blocks_per_processor = 9;

  RayPairView older;
  const Vec3f* vertices;
  /// Of each triangle of the tree.
  const TriangleIndices* corners;
  /// For each node, 0.
  Arrival* arrived;
  RayPairNode* nodes;
  RayPairTriangle* triangles;
  std::uint32_t groups;
  /// Whether the triangles of each subtree follow each other, and nodes but the root are at the
  /// places where those of their second children begin, as in trees along the curve. Then siblings
  /// are neighbours, and a warp reads early what it needs of the nodes.
  bool nodes_in_order;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    SubtreeJoin(*this, threads, shared).run();
  }

  TANDEM_KERNEL std::uint32_t triangle_count() const { return older.triangle_count; }

  /// The last 16 bytes of a triangle, most of which do not move.
  struct alignas(16) FixedPart {
    float coordinate;
    std::uint32_t id;
    std::uint32_t parent;
    std::uint32_t leaf_size;
  };
  static_assert(offsetof(RayPairTriangle, id) == sizeof(RayPairTriangle) - 12);

  /// What is read of the older tree for one triangle.
  struct Source {
    TriangleIndices corners;
    FixedPart fixed;
  };
  TANDEM_KERNEL Source source(std::uint32_t place) const {
    const auto* const parts = reinterpret_cast<const FixedPart*>(&older.triangles[place]);
    return {load_three_words(corners + place), load_constant(parts + 2)};
  }

  /// Moves the triangles of a group, and fits leaves to them.
  template <class Threads>
  TANDEM_KERNEL bool begin(const Threads& threads, const JoinGroup& group, const Source& from,
                           Subtree* own, SharedOfWarp& shared) const {
    const std::uint32_t lane = threads.lane();
    const std::uint32_t place = group.first + lane;
    const bool there = lane < group.count;
    const bool has_one = there && from.fixed.leaf_size > 0;
    // No node begins within a leaf.
    if (nodes_in_order && has_one) shared.links[lane] = links(place);
    // Without an order none of these is asked for.
    if (lane == 0) {
      shared.first_node = nodes_in_order ? place : RayPairView::k_none - 2 * k_warp_size;
    }
    Aabb box{};
    if (there) {
      const TriangleF triangle = triangle_at(from.corners, vertices);
      box = box_of(triangle);
      shared.triangles[lane] = {triangle, from.fixed.id, from.fixed.parent, from.fixed.leaf_size};
    }
    threads.sync_warp();
    copy_words<Bytes16>(threads, shared.triangles, triangles + group.first, group.count);
    if (has_one) *own = fitted(place, box, shared.triangles, group);
    threads.sync_warp();
    return has_one && !(place == 0 && is_only_leaf(*own));
  }

  /// Joins the subtrees of the threads that have one.
  template <class Threads>
  TANDEM_KERNEL bool join(const Threads& threads, bool has_one, Subtree* own,
                          const SharedOfWarp& shared) const {
    const std::uint32_t lane = threads.lane();
    bool writes = false;
    Subtree sibling{};
    Links links_above{};
    while (true) {
      // Numbers that no other thread has stand for none.
      const std::uint32_t parent = has_one ? own->parent : ~lane;
      const std::uint32_t other = sibling_of(threads, has_one, parent);
      const bool met = other != lane;
      if (threads.ballot(met) == 0) break;
      const Subtree found{shuffled(threads, own->box, other), threads.shuffle(own->link, other),
                          parent};
      if (!met) continue;
      const Links above = links(parent, shared);
      if (lane < other) {
        *own = joint(*own, found, above);
        has_one = !is_whole(*own);
      } else {
        sibling = found;
        links_above = above;
        writes = true;
        has_one = false;
      }
    }
    if (writes) write(sibling, *own, links_above);
    return has_one;
  }

  TANDEM_KERNEL static std::uint32_t parent_of(const Subtree& subtree) { return subtree.parent; }
  TANDEM_KERNEL static bool is_whole(const Subtree& subtree) {
    return subtree.parent == RayPairView::k_none;
  }

  TANDEM_KERNEL Subtree joined(const Subtree& one, const Subtree& other) const {
    const Links above = links(one.parent);
    write(one, other, above);
    return joint(one, other, above);
  }

  TANDEM_KERNEL Arrival leave(const Subtree& subtree) const {
    RayPairNode& node = nodes[subtree.parent];
    const int side = is_first(subtree, links(subtree.parent)) ? 0 : 1;
    for (int axis = 0; axis < 3; ++axis) {
      node.centre[side][axis] = subtree.box.lower[axis];
      node.half[side][axis] = subtree.box.upper[axis];
    }
    return 1;
  }
  TANDEM_KERNEL Subtree find(const Subtree& subtree, Arrival) const {
    const RayPairNode& node = nodes[subtree.parent];
    const Links above = links(subtree.parent);
    const bool first = is_first(subtree, above);
    const int side = first ? 1 : 0;
    Subtree result{{}, first ? above.child[1] : above.child[0], subtree.parent};
    for (int axis = 0; axis < 3; ++axis) {
      result.box.lower[axis] = node.centre[side][axis];
      result.box.upper[axis] = node.half[side][axis];
    }
    return result;
  }

 private:
  /// The thread that has the sibling of a thread's subtree; the thread itself where none has.
  template <class Threads>
  TANDEM_KERNEL std::uint32_t sibling_of(const Threads& threads, bool has_one,
                                         std::uint32_t parent) const {
    const std::uint32_t lane = threads.lane();
    if (!nodes_in_order) {
      const std::uint32_t others = threads.match(parent) & ~(std::uint32_t{1} << lane);
      return others != 0 ? static_cast<std::uint32_t>(lowest_bit(others)) : lane;
    }
    // Siblings follow each other.
    const std::uint32_t there = threads.ballot(has_one);
    const std::uint32_t before = there & lanes_before(lane);
    const std::uint32_t behind = there >> lane >> 1;
    const std::uint32_t next =
        behind != 0 ? lane + 1 + static_cast<std::uint32_t>(lowest_bit(behind)) : lane;
    const bool is_first = threads.shuffle(parent, next) == parent && next != lane;
    const std::uint32_t first_ones = threads.ballot(is_first);
    if (is_first) return next;
    const std::uint32_t previous = before != 0 ? lanes_up_to(before) - 1 : lane;
    return has_one && (first_ones >> previous & 1) != 0 ? previous : lane;
  }

  TANDEM_KERNEL Links links(std::uint32_t node) const {
    return load_constant(reinterpret_cast<const Links*>(&older.nodes[node]) + 3);
  }
  TANDEM_KERNEL Links links(std::uint32_t node, const SharedOfWarp& shared) const {
    const std::uint32_t number = node - shared.first_node;
    return number < k_warp_size ? shared.links[number] : links(node);
  }

  TANDEM_KERNEL static Subtree joint(const Subtree& one, const Subtree& other, const Links& above) {
    return {merged(one.box, other.box), one.parent, above.parent};
  }

  TANDEM_KERNEL void write(const Subtree& one, const Subtree& other, const Links& above) const {
    const bool in_order = is_first(one, above);
    RayPairNode node{};
    store_child(in_order ? one.box : other.box, in_order ? one.link : other.link, 0, &node);
    store_child(in_order ? other.box : one.box, in_order ? other.link : one.link, 1, &node);
    node.parent = above.parent;
    if (node.parent == RayPairView::k_none) {
      const Aabb box = merged(one.box, other.box);
      node.largest_coordinate = static_cast<float>(box.largest_coordinate());
    }
    nodes[one.parent] = node;
  }

  TANDEM_KERNEL static bool is_first(const Subtree& subtree, const Links& above) {
    return above.child[0] == subtree.link;
  }

  /// The leaf that begins with a triangle of a group, whose box is known. It may end behind the
  /// group.
  TANDEM_KERNEL Subtree fitted(std::uint32_t place, Aabb box, const RayPairTriangle* in_group,
                               const JoinGroup& group) const {
    const RayPairTriangle& first = in_group[place - group.first];
    for (std::uint32_t i = place + 1; i < place + first.leaf_size; ++i) {
      const std::uint32_t number = i - group.first;
      box = merged(box, box_of(number < group.count ? in_group[number].corners
                                                    : triangle_at(corners[i], vertices)));
    }
    return {box, RayPairView::leaf(place, first.leaf_size), first.parent};
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
                const TriangleIndices* corners, bool nodes_in_order, RayPairNode* nodes,
                RayPairTriangle* triangles) {
  using Arrival = RefitPairs::Arrival;
  const auto arrived = on.template zeros<Arrival>(older.node_count);
  const std::uint32_t groups =
      groups_per_warp(older.triangle_count, on.template threads_at_once<RefitPairs>());
  on.launch(RefitPairs{older, vertices, corners, arrived.data(), nodes, triangles, groups,
                       nodes_in_order},
            joining_threads(older.triangle_count, groups));
}

}  // namespace tandem::detail
