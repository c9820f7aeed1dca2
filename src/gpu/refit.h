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
  struct SharedOfWarp {
    RayPairTriangle triangles[k_warp_size];
    FittedSubtree kept[2 * k_warp_size];
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
    return {corners[place], load_constant(parts + 2)};
  }

  /// Moves the triangles of a group, and fits leaves to them.
  template <class Threads>
  TANDEM_KERNEL bool begin(const Threads& threads, const JoinGroup& group, const Source& from,
                           Subtree* own, SharedOfWarp& shared) const {
    const std::uint32_t lane = threads.lane();
    const std::uint32_t first = group.first;
    const bool there = lane < group.count;
    if (there) {
      shared.triangles[lane] = {triangle_of(from.corners), from.fixed.id, from.fixed.parent,
                                from.fixed.leaf_size};
    }
    threads.sync_warp();
    copy_words<Bytes16>(threads, shared.triangles, triangles + first, group.count);
    const bool has_one = there && from.fixed.leaf_size > 0;
    if (has_one) *own = fitted(first + lane, shared.triangles, first, group.count);
    threads.sync_warp();
    return has_one && !is_only_leaf(*own);
  }

  /// Joins the subtrees of the threads that have one.
  template <class Threads>
  TANDEM_KERNEL bool join(const Threads& threads, bool has_one, Subtree* own,
                          const SharedOfWarp&) const {
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
        *own = joint(*own, found);
        has_one = !is_whole(*own);
      } else {
        sibling = found;
        writes = true;
        has_one = false;
      }
    }
    if (writes) write(sibling, *own);
    return has_one;
  }

  TANDEM_KERNEL static std::uint32_t parent_of(const Subtree& subtree) { return subtree.parent; }
  TANDEM_KERNEL static bool is_whole(const Subtree& subtree) {
    return subtree.parent == RayPairView::k_none;
  }

  TANDEM_KERNEL Subtree joined(const Subtree& one, const Subtree& other) const {
    write(one, other);
    return joint(one, other);
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
  TANDEM_KERNEL Subtree joint(const Subtree& one, const Subtree& other) const {
    return {merged(one.box, other.box), one.parent, older.nodes[one.parent].parent};
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

  TANDEM_KERNEL void write(const Subtree& one, const Subtree& other) const {
    const bool in_order = is_first(one);
    RayPairNode node{};
    store_child(in_order ? one.box : other.box, in_order ? one.link : other.link, 0, &node);
    store_child(in_order ? other.box : one.box, in_order ? other.link : one.link, 1, &node);
    node.parent = older.nodes[one.parent].parent;
    if (node.parent == RayPairView::k_none) {
      const Aabb box = merged(one.box, other.box);
      node.largest_coordinate = static_cast<float>(box.largest_coordinate());
    }
    nodes[one.parent] = node;
  }

  TANDEM_KERNEL bool is_first(const Subtree& subtree) const {
    return older.nodes[subtree.parent].child[0] == subtree.link;
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
  using Arrival = RefitPairs::Arrival;
  const auto arrived = on.template zeros<Arrival>(older.node_count);
  on.launch(RefitPairs{older, vertices, corners, arrived.data(), nodes, triangles},
            joining_threads(older.triangle_count));
}

}  // namespace tandem::detail
