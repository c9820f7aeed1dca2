// Builds trees of pairs on a device along a space-filling curve: each range of keys that begin
// alike becomes a node.
//
// Nodes are made from the bottom up in one launch (Apetrei: Fast and Simple Agglomerative LBVH
// Construction, 2014). Each thread begins with one triangle. Of the two neighbours of its range it
// joins the one with which it has more leading bits in common; whichever of the two comes later
// goes on with the joint range. The threads of a block join what they can in the memory that they
// share, which is most of it. What is left of the block then waits for its neighbours in the memory
// of the device.
#pragma once

#include <cstdint>

#include "build/ray_pair_parts.h"
#include "gpu/block_places.h"
#include "gpu/curve_order.h"
#include "gpu/device_meshes.h"
#include "gpu/kernel.h"

namespace tandem::detail {

/// What a range has become, for the thread that joins it. It is copied by eight bytes at a time.
struct alignas(8) JoinedRange {
  Aabb box;
  std::uint32_t link;
  float cost;
  std::uint32_t left;
  std::uint32_t right;
};
static_assert(sizeof(JoinedRange) == 40);

/// Makes the trees of triangles that are sorted by their keys.
template <class Key>
struct JoinRanges {
  struct Shared {
    BlockPlaces places;
    /// What each thread waits with.
    JoinedRange waiting[k_build_block_size];
  };

  DeviceMeshes meshes;
  const CentreBounds* bounds;
  CurveOrder<Key> order;
  /// At each place one more than the thread whose range came to it first; 0 before. And what each
  /// thread waits with.
  std::uint32_t* arrived;
  JoinedRange* waiting;
  DeviceTrees trees;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    const std::uint32_t start = threads.index();
    const std::uint32_t thread = threads.thread();
    shared.places.clear(threads);
    threads.sync();
    if (start >= meshes.triangle_count) return;
    CurveRange range{meshes.part_of(start), start, start};
    JoinedRange own = begin(range);

    const BlockSpan block(threads, meshes.triangle_count);
    while (!range.whole()) {
      const bool right = range.goes_right(order);
      const std::uint32_t place = right ? range.right : range.left - 1;
      if (!block.has(place)) break;
      shared.waiting[thread] = own;
      const std::uint32_t other = shared.places.arrive(threads, place - block.first);
      if (other == 0) break;
      join(shared.waiting[other - 1], place, right, &own, &range);
    }
    threads.sync();
    if (shared.places.joined[thread]) return;

    while (!range.whole()) {
      const bool right = range.goes_right(order);
      const std::uint32_t place = right ? range.right : range.left - 1;
      waiting[start] = own;
      const std::uint32_t other = threads.arrive(&arrived[place], start + 1);
      if (other == 0) return;
      join(waiting[other - 1], place, right, &own, &range);
    }
    finish(own, range.part);
  }

 private:
  TANDEM_KERNEL JoinedRange begin(const CurveRange& range) const {
    const std::uint32_t place = range.left;
    const std::uint32_t id = order.ids[place];
    const TriangleF triangle = meshes.triangle(id, range.part);
    trees.put(meshes, range.part, place, id, triangle);
    const Aabb box = box_of(triangle);
    const double cost = RayPairChoice::leaf_cost(half_area(box), 1);
    return {box, RayPairView::leaf(place - range.part.first, 1), static_cast<float>(cost), place,
            place};
  }

  /// Joins a range with the one to its right or to its left, which meet at a place.
  TANDEM_KERNEL void join(const JoinedRange& other, std::uint32_t place, bool right,
                          JoinedRange* own, CurveRange* range) const {
    if (right) {
      range->right = other.right;
      *own = joint(*own, other, *range, place);
    } else {
      range->left = other.left;
      *own = joint(other, *own, *range, place);
    }
  }

  TANDEM_KERNEL JoinedRange joint(const JoinedRange& first, const JoinedRange& second,
                                  const CurveRange& range, std::uint32_t place) const {
    JoinedRange result{Aabb::merge(first.box, second.box), 0, 0, range.left, range.right};
    const RayPairChoice choice(half_area(result.box), range.count(), first.cost, second.cost);
    result.cost = static_cast<float>(choice.cost);
    if (choice.as_leaf) {
      result.link = RayPairView::leaf(range.left - range.part.first, range.count());
      if (!RayPairView::is_leaf(first.link) || !RayPairView::is_leaf(second.link)) {
        // There were leaves below, in a node that is no more.
        for (std::uint32_t i = range.left; i <= range.right; ++i) trees.triangles[i].leaf_size = 0;
      }
      return result;
    }
    // The root is the first of all nodes.
    result.link = range.whole() ? 0 : place + 1 - range.part.first;
    RayPairNode node{};
    node.parent = RayPairView::k_none;
    if (range.whole()) node.largest_coordinate = bounds[range.part.number].largest_coordinate();
    adopt(first, 0, result.link, range.part, &node);
    adopt(second, 1, result.link, range.part, &node);
    trees.nodes[range.part.first + result.link] = node;
    return result;
  }

  TANDEM_KERNEL void adopt(const JoinedRange& child, int side, std::uint32_t parent,
                           const MeshPart& part, RayPairNode* node) const {
    store_child(child.box, child.link, side, node);
    if (RayPairView::is_leaf(child.link)) {
      RayPairTriangle& first =
          trees.triangles[part.first + RayPairView::first_triangle(child.link)];
      first.parent = parent;
      first.leaf_size = RayPairView::triangle_count_of(child.link);
    } else {
      trees.nodes[part.first + child.link].parent = parent;
    }
  }

  /// A mesh that fits into one leaf has a root of its own.
  TANDEM_KERNEL void finish(const JoinedRange& all, const MeshPart& part) const {
    if (!RayPairView::is_leaf(all.link)) return;
    RayPairNode root = root_of_one_leaf(bounds[part.number].largest_coordinate());
    adopt(all, 0, 0, part, &root);
    trees.nodes[part.first] = root;
  }
};

}  // namespace tandem::detail
