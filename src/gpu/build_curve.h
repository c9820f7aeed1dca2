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
#include "gpu/ranges_of_warp.h"
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
  TANDEM_HD static float leaf_cost(std::uint32_t leaf) {
    return std::bit_cast<float>(leaf & ~k_leaf_bit);
  }
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
  /// What a range brings to the place where it meets another one.
  using Arrival = std::uint64_t;
  struct TrianglesOfWarp {
    RayPairTriangle triangles[k_warp_size];
    TriangleIndices corners[k_warp_size];
  };
  struct SharedOfWarp {
    /// Triangles on their way to memory; then the boxes of their ranges.
    union Scratch {
      Scratch() : boxes() {}
      TrianglesOfWarp group;
      BoxesOfWarp boxes;
    };
    Scratch scratch;
    JoinedRange kept[2 * k_warp_size];
    /// What the two parts of each node have become.
    std::uint32_t parts[2][k_warp_size];
  };
  using Shared = SharedOfJoin<SharedOfWarp>;
  static constexpr int k_blocks_per_processor = 8;

  DeviceMeshes meshes;
  const CentreBounds* bounds;
  CurveOrder<Key> order;
  /// For each place 0.
  Arrival* arrived;
  DeviceTrees trees;
  std::uint32_t groups;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    SubtreeJoin(*this, threads, shared).run();
  }

  TANDEM_KERNEL std::uint32_t triangle_count() const { return meshes.triangle_count; }

  /// A triangle of the mesh.
  struct Source {
    std::uint32_t id;
    TriangleIndices corners;
  };
  TANDEM_KERNEL Source source(std::uint32_t place) const {
    const std::uint32_t id = order.ids[place];
    return {id, meshes.corners(id)};
  }

  /// Puts the triangles of a group where they belong.
  template <class Threads>
  TANDEM_KERNEL bool begin(const Threads& threads, const JoinGroup& group, const Source& from,
                           JoinedRange* own, SharedOfWarp& shared) const {
    const std::uint32_t lane = threads.lane();
    const bool has_one = lane < group.count;
    if (has_one) {
      shared.scratch.group.corners[lane] = from.corners;
      *own = begin_range(group.first + lane, from, &shared.scratch.group.triangles[lane]);
    }
    threads.sync_warp();
    copy_words<Bytes16>(threads, shared.scratch.group.triangles, trees.triangles + group.first,
                        group.count);
    copy_words<Bytes4>(threads, shared.scratch.group.corners, trees.corners + group.first,
                       group.count);
    threads.sync_warp();
    if (has_one && is_whole(*own)) finish(*own);
    return has_one;
  }

  /// Joins ranges that follow each other, those of the first threads. What is left is not a whole
  /// tree.
  template <class Threads>
  TANDEM_KERNEL bool join(const Threads& threads, bool has_one, JoinedRange* own,
                          SharedOfWarp& shared) const {
    const std::uint32_t lane = threads.lane();
    const std::uint32_t count = count_bits(threads.ballot(has_one));
    const RangesOfWarp ranges(threads, count, own->level_before(), own->level_after());
    const NodeOfWarp& node = ranges.node;
    const Aabb next_box = shared.scratch.boxes.fill(threads, own->box);
    const std::uint32_t left = threads.shuffle(own->left, node.first);
    const std::uint32_t right = threads.shuffle(own->right, node.last);
    if (ranges.above_range.there()) tell(ranges.above_range, own->what, shared);
    JoinedRange all{{}, left, right, own->right, node.level_before | node.level_after << 8};
    if (ranges.above_node.there() && node.complete) tell(ranges.above_node, all.what, shared);
    threads.sync_warp();
    JoinedRange first{own->box, left, own->right, 0, 0};
    JoinedRange second{next_box, own->right + 1, right, 0, 0};
    if (node.complete) {
      if (node.first < lane) first.box = shared.scratch.boxes.of(node.first, lane);
      if (lane + 1 < node.last) second.box = shared.scratch.boxes.of(lane + 1, node.last);
      all.box = merged(first.box, second.box);
    }
    // Parts that may be leaves are known before the nodes above them.
    for (std::uint32_t size = 2; size <= RayPairView::k_leaf_size; ++size) {
      if (node.complete && node.last - node.first + 1 == size &&
          all.count() <= RayPairView::k_leaf_size) {
        all.what = joint_what(all, shared.parts[0][lane], shared.parts[1][lane]);
        if (all.is_leaf() && ranges.above_node.there()) tell(ranges.above_node, all.what, shared);
      }
      threads.sync_warp();
    }
    has_one = has_one && !ranges.above_range.there() && !is_whole(*own);
    if (node.complete) {
      first.what = shared.parts[0][lane];
      second.what = shared.parts[1][lane];
      write(all, first, second);
      has_one = !ranges.above_node.there() && !is_whole(all);
      *own = all;
    }
    threads.sync_warp();
    return has_one;
  }

  TANDEM_KERNEL static std::uint32_t parent_of(const JoinedRange& range) {
    return range.meets_at();
  }
  TANDEM_KERNEL static bool is_whole(const JoinedRange& range) {
    return range.levels == (CurveOrder<Key>::k_end << 8 | CurveOrder<Key>::k_end);
  }

  /// Two ranges of which the first one or the second one is `own`.
  TANDEM_KERNEL JoinedRange joined(const JoinedRange& own, const JoinedRange& other) const {
    // Copies, as things that are referred to would not stay in registers.
    JoinedRange first = own;
    JoinedRange second = other;
    if (!own.goes_right()) {
      first = other;
      second = own;
    }
    JoinedRange all{merged(first.box, second.box), first.left, second.right, first.right,
                    first.level_before() | second.level_after() << 8};
    all.what = joint_what(all, first.what, second.what);
    write(all, first, second);
    return all;
  }

  /// Leaves the range where it meets another one. Returns what that is to know at once.
  TANDEM_KERNEL Arrival leave(const JoinedRange& range) const {
    const bool right = range.goes_right();
    *room(range.meets_at(), right) = {range.box, range.what};
    const std::uint32_t far_end = right ? range.left : range.right;
    const std::uint32_t far_level = right ? range.level_before() : range.level_after();
    return (Arrival{far_level} << 32 | far_end) + 1;
  }
  /// The one that this one meets, which has brought that.
  TANDEM_KERNEL JoinedRange find(const JoinedRange& range, Arrival brought) const {
    const bool right = range.goes_right();
    const std::uint32_t place = range.meets_at();
    const Room other = *room(place, !right);
    const auto far_end = static_cast<std::uint32_t>(brought - 1);
    const auto far_level = static_cast<std::uint32_t>((brought - 1) >> 32);
    const std::uint32_t level = right ? range.level_after() : range.level_before();
    if (right) return {other.box, place + 1, far_end, other.what, level | far_level << 8};
    return {other.box, far_end, place, other.what, far_level | level << 8};
  }

 private:
  /// Ranges that meet at a place leave this in the node that they become, one in each half.
  struct alignas(16) Room {
    Aabb box;
    std::uint32_t what;
  };
  static_assert(2 * sizeof(Room) == sizeof(RayPairNode));

  TANDEM_KERNEL Room* room(std::uint32_t place, bool first) const {
    return reinterpret_cast<Room*>(&trees.nodes[place + 1]) + (first ? 0 : 1);
  }

  /// Tells the thread of the node above what one of its parts has become.
  TANDEM_KERNEL static void tell(const ParentOfWarp& above, std::uint32_t what,
                                 SharedOfWarp& shared) {
    shared.parts[above.is_first ? 0 : 1][above.lane] = what;
  }

  /// What two ranges become together: two leaves are a larger one where that costs rays less.
  TANDEM_KERNEL static std::uint32_t joint_what(const JoinedRange& all, std::uint32_t first,
                                                std::uint32_t second) {
    if (all.count() > RayPairView::k_leaf_size || (first & second & JoinedRange::k_leaf_bit) == 0) {
      return all.what;
    }
    const RayPairChoice choice(half_area(all.box), all.count(), JoinedRange::leaf_cost(first),
                               JoinedRange::leaf_cost(second));
    return choice.as_leaf ? JoinedRange::leaf(static_cast<float>(choice.cost)) : all.what;
  }

  TANDEM_KERNEL void write(const JoinedRange& all, const JoinedRange& first,
                           const JoinedRange& second) const {
    if (all.is_leaf()) {
      if (is_whole(all)) finish(all);
      return;
    }
    const MeshPart part = meshes.part_of(all.left);
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
    adopt(first, 0, link, part, &node);
    adopt(second, 1, link, part, &node);
    trees.nodes[part.first + link] = node;
  }

  TANDEM_KERNEL JoinedRange begin_range(std::uint32_t place, const Source& from,
                                        RayPairTriangle* triangle) const {
    const MeshPart part = meshes.part_of(place);
    const TriangleF corners = meshes.triangle(from.corners, part);
    *triangle = {corners, from.id - part.first, 0, 0};
    const std::uint32_t levels = order.level_before(place, part) | order.level(place, part) << 8;
    const Aabb box = box_of(corners);
    const double cost = RayPairChoice::leaf_cost(half_area(box), 1);
    return {box, place, place, JoinedRange::leaf(static_cast<float>(cost)), levels};
  }

  TANDEM_KERNEL void adopt(const JoinedRange& child, int side, std::uint32_t parent,
                           const MeshPart& part, RayPairNode* node) const {
    if (child.is_leaf()) {
      store_child(child.box, RayPairView::leaf(child.left - part.first, child.count()), side, node);
      RayPairTriangle& first_triangle = trees.triangles[child.left];
      first_triangle.parent = parent;
      first_triangle.leaf_size = child.count();
    } else {
      store_child(child.box, child.split() + 1 - part.first, side, node);
    }
  }

  /// A mesh that fits into one leaf has a root of its own.
  TANDEM_KERNEL void finish(const JoinedRange& all) const {
    const MeshPart part = meshes.part_of(all.left);
    RayPairNode root = root_of_one_leaf(bounds[part.number].largest_coordinate());
    adopt(all, 0, 0, part, &root);
    trees.nodes[part.first] = root;
  }
};

}  // namespace tandem::detail
