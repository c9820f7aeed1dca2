// Fits the boxes of a tree of pairs to new positions of its vertices, on a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

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
/// (gpu/join_subtrees.h). The threads of a warp find siblings by votes; one thread of a pair goes
/// on with the parent, and the other writes the parent's node when all are joined, so that most
/// threads write at the same time. Until both children of a node have come, it holds the bounds of
/// the first one where its box will be.
struct RefitPairs {
  using Subtree = FittedSubtree;
  using Arrival = std::uint32_t;
  /// What of a node does not move.
  struct NodeLinks {
    std::uint32_t first_child;
    std::uint32_t parent;
  };
  struct SharedOfWarp {
    RayPairTriangle triangles[k_warp_size];
    FittedSubtree kept[2 * k_warp_size];
    /// Of the nodes at the places of the warp's triangles. In trees that devices build, most nodes
    /// above triangles are near their places. So their links are read early and at once, rather
    /// than one after the other on the way up.
    NodeLinks links[k_groups_per_warp * k_warp_size];
  };
  struct Shared {
    SharedOfWarp warps[k_build_block_size / k_warp_size];
  };
  static constexpr int k_blocks_per_processor = 9;

  RayPairView older;
  const Vec3f* vertices;
  /// Of each triangle of the tree.
  const TriangleIndices* corners;
  /// For each node, 0.
  Arrival* arrived;
  RayPairNode* nodes;
  RayPairTriangle* triangles;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared_of_block) const {
    SharedOfWarp& shared = shared_of_block.warps[threads.thread() / k_warp_size];
    SubtreeJoin join_all(*this, threads, shared);
    const bool one_leaf = older.nodes[0].child[1] == RayPairView::k_none;
    LinksAtHand links{shared.links, JoinGroup(threads, 0, older.triangle_count).first, 0};
    Source next = source(JoinGroup(threads, 0, older.triangle_count), threads.lane());
    for (std::uint32_t number = 0; number < k_groups_per_warp; ++number) {
      const JoinGroup group(threads, number, older.triangle_count);
      if (group.count == 0) break;
      const std::uint32_t first = group.first;
      // Read early what the next group needs first.
      const Source own = next;
      next = source(JoinGroup(threads, number + 1, older.triangle_count), threads.lane());
      if (threads.lane() < group.count) {
        shared.triangles[threads.lane()] = {triangle_of(own.corners), own.fixed.id,
                                            own.fixed.parent, own.fixed.leaf_size};
        shared.links[first - links.first + threads.lane()] = own.links;
      }
      if (nodes_have_places()) links.count = first - links.first + group.count;
      threads.sync_warp();
      copy_words<Bytes16>(threads, shared.triangles, triangles + first, group.count);
      Subtree leaf{};
      bool has_one = threads.lane() < group.count && own.fixed.leaf_size > 0;
      if (has_one) {
        leaf = fitted(first + threads.lane(), shared.triangles, first, group.count);
        if (one_leaf) write_only_leaf(leaf);
        has_one = !one_leaf;
      }
      has_one = join_siblings(threads, has_one, &leaf, links);
      join_all.keep(has_one, leaf, links);
    }
    join_all.finish(links);
  }

  /// The links of nodes: those that the warp has read, and all others in memory.
  struct LinksAtHand {
    const NodeLinks* links;
    std::uint32_t first;
    std::uint32_t count;
  };

  template <class Threads>
  TANDEM_KERNEL bool join(const Threads& threads, std::uint32_t count, Subtree* own,
                          const LinksAtHand& links, SharedOfWarp&) const {
    return join_siblings(threads, threads.lane() < count, own, links);
  }

  TANDEM_KERNEL static std::uint32_t parent_of(const Subtree& subtree) { return subtree.parent; }
  TANDEM_KERNEL static bool is_whole(const Subtree& subtree) {
    return subtree.parent == RayPairView::k_none;
  }

  TANDEM_KERNEL Subtree joined(const Subtree& one, const Subtree& other,
                               const LinksAtHand& links) const {
    write(one, other, links);
    return {merged(one.box, other.box), one.parent, links_of(one.parent, links).parent};
  }

  TANDEM_KERNEL Arrival leave(const Subtree& subtree) const {
    RayPairNode& node = nodes[subtree.parent];
    const int side = is_first(subtree) ? 0 : 1;
    for (int axis = 0; axis < 3; ++axis) {
      node.centre[side][axis] = subtree.box.lower[axis];
      node.half[side][axis] = subtree.box.upper[axis];
    }
    return 1;
  }
  TANDEM_KERNEL Subtree find(const Subtree& subtree, Arrival) const {
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
  /// The second half of a triangle's last 16 bytes, which does not move.
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
    NodeLinks links;
  };

  /// Joins the subtrees of the threads that have one. Returns whether the thread still has.
  template <class Threads>
  TANDEM_KERNEL bool join_siblings(const Threads& threads, bool has_one, Subtree* own,
                                   const LinksAtHand& links) const {
    const std::uint32_t lane = threads.lane();
    bool writes = false;
    Subtree sibling{};
    while (true) {
      // Numbers that no other thread has stand for none.
      const std::uint32_t parent = has_one ? own->parent : ~lane;
      const std::uint32_t others = threads.match(parent) & ~(std::uint32_t{1} << lane);
      const bool met = others != 0;
      if (threads.ballot(met) == 0) break;
      const std::uint32_t other = met ? static_cast<std::uint32_t>(lowest_bit(others)) : lane;
      const Subtree found = shuffled(threads, *own, other);
      if (!met) continue;
      if (lane < other) {
        *own = {merged(own->box, found.box), parent, links_of(parent, links).parent};
        has_one = !is_whole(*own);
      } else {
        sibling = found;
        writes = true;
        has_one = false;
      }
    }
    if (writes) write(sibling, *own, links);
    return has_one;
  }

  template <class Threads>
  TANDEM_KERNEL static Subtree shuffled(const Threads& threads, const Subtree& own,
                                        std::uint32_t lane) {
    constexpr std::size_t k_words = sizeof(Subtree) / sizeof(std::uint32_t);
    std::uint32_t words[k_words];
    std::memcpy(words, &own, sizeof own);
    for (std::uint32_t& word : words) word = threads.shuffle(word, lane);
    Subtree result;
    std::memcpy(&result, words, sizeof result);
    return result;
  }

  TANDEM_KERNEL void write(const Subtree& one, const Subtree& other,
                           const LinksAtHand& at_hand) const {
    const NodeLinks links = links_of(one.parent, at_hand);
    const bool in_order = links.first_child == one.link;
    RayPairNode node{};
    store_child(in_order ? one.box : other.box, in_order ? one.link : other.link, 0, &node);
    store_child(in_order ? other.box : one.box, in_order ? other.link : one.link, 1, &node);
    node.parent = links.parent;
    if (node.parent == RayPairView::k_none) {
      const Aabb box = merged(one.box, other.box);
      node.largest_coordinate = static_cast<float>(box.largest_coordinate());
    }
    nodes[one.parent] = node;
  }

  TANDEM_KERNEL bool is_first(const Subtree& subtree) const {
    return older.nodes[subtree.parent].child[0] == subtree.link;
  }

  /// Where a tree has as many nodes as triangles, nodes have the places of these.
  TANDEM_KERNEL bool nodes_have_places() const { return older.node_count == older.triangle_count; }
  TANDEM_KERNEL NodeLinks links_of(std::uint32_t node, const LinksAtHand& at_hand) const {
    if (node - at_hand.first < at_hand.count) return at_hand.links[node - at_hand.first];
    return {older.nodes[node].child[0], older.nodes[node].parent};
  }

  /// For one of the threads of a group; anything for those without a triangle.
  TANDEM_KERNEL Source source(const JoinGroup& group, std::uint32_t lane) const {
    if (lane >= group.count) return {};
    const std::uint32_t place = group.first + lane;
    Source result{corners[place], {}, {}};
    result.fixed = load_constant(reinterpret_cast<const FixedPart*>(&older.triangles[place]) + 2);
    if (nodes_have_places()) {
      result.links = {older.nodes[place].child[0], older.nodes[place].parent};
    }
    return result;
  }

  TANDEM_KERNEL TriangleF triangle_of(const TriangleIndices& own) const {
    return {{vertices[own[0]], vertices[own[1]], vertices[own[2]]}};
  }

  /// The leaf that begins at a place. The group has some triangles, from `first` on; the leaf may
  /// end behind them.
  TANDEM_KERNEL Subtree fitted(std::uint32_t place, const RayPairTriangle* in_group,
                               std::uint32_t first, std::uint32_t count) const {
    const RayPairTriangle& triangle = in_group[place - first];
    Aabb box = box_of(triangle.corners);
    for (std::uint32_t i = place + 1; i < place + triangle.leaf_size; ++i) {
      box = merged(
          box, box_of(i - first < count ? in_group[i - first].corners : triangle_of(corners[i])));
    }
    return {box, RayPairView::leaf(place, triangle.leaf_size), triangle.parent};
  }

  /// The root of a tree of one leaf has no other child to wait for.
  TANDEM_KERNEL void write_only_leaf(const Subtree& leaf) const {
    RayPairNode root = root_of_one_leaf(static_cast<float>(leaf.box.largest_coordinate()));
    store_child(leaf.box, leaf.link, 0, &root);
    nodes[0] = root;
  }
};

/// Fits a tree, which is not empty, into arrays of the same sizes. `On` is as in gpu/build.h.
template <class On>
void refit_tree(On& on, const RayPairView& older, const Vec3f* vertices,
                const TriangleIndices* corners, RayPairNode* nodes, RayPairTriangle* triangles) {
  using Arrival = RefitPairs::Arrival;
  const auto arrived = on.template zeros<Arrival>(older.node_count);
  on.launch(RefitPairs{older, vertices, corners, arrived.data(), nodes, triangles},
            joining_threads(older.triangle_count));
}

}  // namespace tandem::detail
