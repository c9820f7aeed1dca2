// Builds trees of pairs on a device along a space-filling curve: each range of keys that begin
// alike becomes a node.
//
// Nodes are made from the bottom up in one launch (Apetrei: Fast and Simple Agglomerative LBVH
// Construction, 2014). A range begins with one triangle. Of its two neighbours it joins the one
// with which it has more leading bits in common (gpu/join_subtrees.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "build/ray_pair_parts.h"
#include "gpu/curve_order.h"
#include "gpu/device_meshes.h"
#include "gpu/join_subtrees.h"
#include "gpu/kernel.h"
#include "gpu/shared_arrays.h"

namespace tandem::detail {

/// What a range of triangles has become.
struct JoinedRange {
  Aabb box;
  std::uint32_t left;
  std::uint32_t right;
  /// In a node, where its two parts meet; in a leaf what it costs rays, as bits, with `k_leaf_bit`.
  std::uint32_t what;
  /// How early keys differ before the range; and after it, in the second byte.
  std::uint32_t levels;

  static constexpr std::uint32_t k_leaf_bit = std::uint32_t{1} << 31;

  TANDEM_HD static std::uint32_t leaf(float cost) {
    return std::bit_cast<std::uint32_t>(cost) | k_leaf_bit;
  }
  TANDEM_HD std::uint32_t count() const { return right - left + 1; }
  TANDEM_HD bool is_leaf() const { return (what & k_leaf_bit) != 0; }
  TANDEM_HD float leaf_cost() const { return std::bit_cast<float>(what & ~k_leaf_bit); }
  TANDEM_HD std::uint32_t split() const { return what; }
  TANDEM_HD std::uint32_t level_before() const { return levels & 0xff; }
  TANDEM_HD std::uint32_t level_after() const { return levels >> 8; }
  TANDEM_HD bool goes_right() const { return level_after() < level_before(); }
  /// Where it meets the range that it is joined with.
  TANDEM_HD std::uint32_t meets_at() const { return goes_right() ? right : left - 1; }
};

/// Makes the trees of triangles that are sorted by their keys.
template <class Key>
struct JoinRanges {
  using Subtree = JoinedRange;
  struct SharedOfWarp {
    RayPairTriangle triangles[k_warp_size];
    TriangleIndices corners[k_warp_size];
    JoinedRange kept[2 * k_warp_size];
  };
  struct Shared {
    SharedOfWarp warps[k_build_block_size / k_warp_size];
  };
  static constexpr int k_blocks_per_processor = 8;

  DeviceMeshes meshes;
  const CentreBounds* bounds;
  CurveOrder<Key> order;
  /// For each place 0.
  std::uint32_t* arrived;
  DeviceTrees trees;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared_of_block) const {
    SharedOfWarp& shared = shared_of_block.warps[threads.thread() / k_warp_size];
    SubtreeJoin join(*this, threads, shared.kept);
    Source next = source(JoinGroup(threads, 0, meshes.triangle_count), threads.lane());
    for (std::uint32_t number = 0; number < k_groups_per_warp; ++number) {
      const JoinGroup group(threads, number, meshes.triangle_count);
      if (group.count == 0) break;
      const std::uint32_t first = group.first;
      bool has_one = threads.lane() < group.count;
      // Read early what the next group needs first.
      const Source from = next;
      next = source(JoinGroup(threads, number + 1, meshes.triangle_count), threads.lane());
      JoinedRange own{};
      if (has_one) {
        shared.corners[threads.lane()] = from.corners;
        own = begin_range(first + threads.lane(), from, &shared.triangles[threads.lane()]);
      }
      threads.sync_warp();
      const LeafParents in_group{shared.triangles, first};
      if (has_one && is_whole(own)) {
        finish(own, in_group);
        has_one = false;
      }
      has_one = join.join(has_one, &own, in_group);
      threads.sync_warp();
      copy_words<Bytes16>(threads, shared.triangles, trees.triangles + first, group.count);
      copy_words<Bytes4>(threads, shared.corners, trees.corners + first, group.count);
      threads.sync_warp();
      join.keep(has_one, own, LeafParents{trees.triangles, 0});
    }
    join.finish(LeafParents{trees.triangles, 0});
  }

  TANDEM_KERNEL static std::uint32_t parent_of(const JoinedRange& range) {
    return range.meets_at();
  }
  TANDEM_KERNEL static bool is_whole(const JoinedRange& range) {
    return range.levels == (CurveOrder<Key>::k_end << 8 | CurveOrder<Key>::k_end);
  }

  /// The first of both.
  TANDEM_KERNEL static bool goes_on(const JoinedRange& range, bool) { return range.goes_right(); }

  /// Two leaves become a larger one where that costs rays less.
  TANDEM_KERNEL static JoinedRange joint(const JoinedRange& first, const JoinedRange& second) {
    JoinedRange all{Aabb::merge(first.box, second.box), first.left, second.right, first.right,
                    first.level_before() | second.level_after() << 8};
    if (first.is_leaf() && second.is_leaf() && all.count() <= RayPairView::k_leaf_size) {
      const RayPairChoice choice(half_area(all.box), all.count(), first.leaf_cost(),
                                 second.leaf_cost());
      if (choice.as_leaf) all.what = JoinedRange::leaf(static_cast<float>(choice.cost));
    }
    return all;
  }

  TANDEM_KERNEL void write(const JoinedRange& first, const JoinedRange& second,
                           const LeafParents& leaves) const {
    const JoinedRange all = joint(first, second);
    const MeshPart part = meshes.part_of(all.left);
    if (all.is_leaf()) {
      if (is_whole(all)) finish(all, leaves);
      return;
    }
    RayPairNode node{};
    node.parent = RayPairView::k_none;
    std::uint32_t link = 0;
    if (is_whole(all)) {
      // The root is the first of all nodes.
      node.largest_coordinate = bounds[part.number].largest_coordinate();
    } else {
      link = all.split() + 1 - part.first;
      const std::uint32_t root_level = order.level(part.first, part.end - 1, part);
      const bool below_root = std::min(all.level_before(), all.level_after()) == root_level;
      node.parent = below_root ? 0 : all.meets_at() + 1 - part.first;
    }
    adopt(first, 0, link, part, leaves, &node);
    adopt(second, 1, link, part, leaves, &node);
    trees.nodes[part.first + link] = node;
  }

  TANDEM_KERNEL void leave(const JoinedRange& range) const {
    const bool right = range.goes_right();
    *room(range.meets_at(), right) = {range.box, range.what, right ? range.left : range.right};
  }
  TANDEM_KERNEL JoinedRange find(const JoinedRange& range) const {
    const bool right = range.goes_right();
    const std::uint32_t place = range.meets_at();
    const Room other = *room(place, !right);
    JoinedRange result{other.box, right ? place + 1 : other.far_end, right ? other.far_end : place,
                       other.what, 0};
    const MeshPart part = meshes.part_of(place);
    result.levels = order.level_before(result.left, part) | order.level(result.right, part) << 8;
    return result;
  }

 private:
  /// Ranges that meet at a place leave this in the node that they become, one in each half.
  struct alignas(16) Room {
    Aabb box;
    std::uint32_t what;
    std::uint32_t far_end;
  };
  static_assert(2 * sizeof(Room) == sizeof(RayPairNode));

  TANDEM_KERNEL Room* room(std::uint32_t place, bool first) const {
    return reinterpret_cast<Room*>(&trees.nodes[place + 1]) + (first ? 0 : 1);
  }

  /// A triangle of the mesh.
  struct Source {
    std::uint32_t id;
    TriangleIndices corners;
  };

  /// For one of the threads of a group; anything for those without a triangle.
  TANDEM_KERNEL Source source(const JoinGroup& group, std::uint32_t lane) const {
    if (lane >= group.count) return {};
    const std::uint32_t id = order.ids[group.first + lane];
    return {id, meshes.triangles[id]};
  }

  TANDEM_KERNEL JoinedRange begin_range(std::uint32_t place, const Source& from,
                                        RayPairTriangle* triangle) const {
    const MeshPart part = meshes.part_of(place);
    *triangle = {meshes.triangle(from.corners, part), from.id - part.first, 0, 0};
    const std::uint32_t levels = order.level_before(place, part) | order.level(place, part) << 8;
    const Aabb box = box_of(triangle->corners);
    const double cost = RayPairChoice::leaf_cost(half_area(box), 1);
    return {box, place, place, JoinedRange::leaf(static_cast<float>(cost)), levels};
  }

  TANDEM_KERNEL static void adopt(const JoinedRange& child, int side, std::uint32_t parent,
                                  const MeshPart& part, const LeafParents& leaves,
                                  RayPairNode* node) {
    if (child.is_leaf()) {
      store_child(child.box, RayPairView::leaf(child.left - part.first, child.count()), side, node);
      leaves.put(child.left, parent, child.count());
    } else {
      store_child(child.box, child.split() + 1 - part.first, side, node);
    }
  }

  /// A mesh that fits into one leaf has a root of its own.
  TANDEM_KERNEL void finish(const JoinedRange& all, const LeafParents& leaves) const {
    const MeshPart part = meshes.part_of(all.left);
    RayPairNode root = root_of_one_leaf(bounds[part.number].largest_coordinate());
    adopt(all, 0, 0, part, leaves, &root);
    trees.nodes[part.first] = root;
  }
};

}  // namespace tandem::detail
