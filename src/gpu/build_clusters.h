// Builds trees of pairs on a device from clusters: the trees are nearly as good for rays as those
// of the host (Benthin, Meister, Barczak, Mehalwal, Tsakok and Kensler: H-PLOC: Hierarchical
// Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy Construction, 2024).
//
// Ranges of triangles are joined along a space-filling curve as in gpu/build_curve.h, but do not
// become nodes. A range is a list of clusters, at first of one triangle each. When more than 16
// come together, a warp merges them: each cluster with its nearest one among its neighbours in the
// list, where that is the nearest of both, until at most 16 are left. These go on to the next
// range.
//
// A cluster is known by one place, that of its first triangle. Of two clusters that merge, the
// second one's place becomes that of the node, and the first one's stays that of the cluster. So
// every node has a place that no order of threads changes.
//
// The triangles of a cluster need not be neighbours on the curve, but those of a leaf must be in
// the tree. So the sizes of leaves, at the places of their clusters, are added up, and each sum is
// where the triangles of a leaf go.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "build/ray_pair_parts.h"
#include "gpu/block_places.h"
#include "gpu/curve_order.h"
#include "gpu/device_meshes.h"
#include "gpu/kernel.h"
#include "math/bits.h"
#include "math/power_of_two.h"

namespace tandem::detail {

/// A subtree that has no parent yet. It is copied by eight bytes at a time.
struct alignas(8) Cluster {
  Aabb box;
  /// For rays, as a node or as a leaf.
  float cost;
  std::uint32_t first;
  /// Its node in the mesh; or a leaf, whose place is not known yet.
  std::uint32_t link;
  std::uint16_t height;
  /// Up to `k_many`.
  std::uint8_t triangle_count;
  /// In the first of a list: how many there are.
  std::uint8_t listed;

  static constexpr std::uint8_t k_many = RayPairView::k_leaf_size + 1;
};
static_assert(sizeof(Cluster) == 40);

/// What is known of the leaves of a tree, at the places of their clusters, before triangles are in
/// order.
struct ClusterLeaves {
  /// How many triangles; 0 where no leaf begins.
  std::uint32_t* sizes;
  /// Twice the node that has the leaf, and one more for its second child.
  std::uint32_t* parents;
  /// For each triangle of a small cluster, but the last, the next one.
  std::uint32_t* next;
};

/// Makes all nodes. Threads join ranges as those of `JoinRanges` do, but those of a warp stay
/// together until all their ranges have been joined by others.
template <class Key>
struct MergeClusters {
  /// The range that a warp works on, whose second part begins at `split`.
  struct Work {
    CurveRange range;
    std::uint32_t split;
    /// So many levels at most has a tree of all its clusters.
    int most_levels;
  };
  struct Shared {
    BlockPlaces places;
    Work work[k_build_block_size / k_warp_size];
    Cluster lists[k_build_block_size / k_warp_size][k_warp_size];
    /// Of each cluster, where depth is short: the one that it is to merge with.
    std::uint8_t partners[k_build_block_size / k_warp_size][k_warp_size];
  };

  DeviceMeshes meshes;
  const CentreBounds* bounds;
  CurveOrder<Key> order;
  /// No leaf is deeper. At least as many as the curve's own levels.
  int depth_limit;
  /// At each place between two ranges: one more than the far end of the one that came first; 0
  /// before.
  std::uint32_t* arrived;
  /// The list of a range begins where the range does.
  Cluster* lists;
  ClusterLeaves leaves;
  RayPairNode* nodes;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    shared.places.clear(threads);
    threads.sync();
    const std::uint32_t start = threads.index();
    const bool there = start < meshes.triangle_count;
    Work own{};
    if (there) {
      own.range = {meshes.part_of(start), start, start};
      own.split = start + 1;
      own.most_levels = depth_limit;
      begin(own.range);
    }
    join_all<true>(threads, there, &own, shared);
    threads.sync();
    join_all<false>(threads, there && waits(threads, own.range, shared), &own, shared);
  }

 private:
  /// Lists are cut down to so many, so that two of them have one cluster for each thread of a warp.
  static constexpr std::uint32_t k_most_listed = k_warp_size / 2;
  /// How far from each other in a list clusters look for the nearest.
  static constexpr std::uint32_t k_radius = 8;

  TANDEM_KERNEL void begin(const CurveRange& range) const {
    const std::uint32_t place = range.left;
    const Aabb box = box_of(meshes.triangle(order.ids[place], range.part));
    const double cost = RayPairChoice::leaf_cost(half_area(box), 1);
    lists[place] = {box, static_cast<float>(cost), place, RayPairView::leaf(0, 1), 0, 1, 1};
    leaves.sizes[place] = 0;
  }

  /// Joins the ranges of a warp with their neighbours, and merges their clusters, until all wait
  /// for neighbours that are still to come. In the block, or everywhere.
  template <bool k_in_block, class Threads>
  TANDEM_KERNEL void join_all(const Threads& threads, bool active, Work* own,
                              Shared& shared) const {
    while (threads.ballot(active) != 0) {
      if (active && !own->range.whole()) active = join<k_in_block>(threads, own, shared);
      const bool whole = active && own->range.whole();
      std::uint32_t due = threads.ballot(whole || (active && own->range.count() > k_most_listed));
      // All threads see the lists that some of them have come to.
      threads.sync_warp();
      for (; due != 0; due &= due - 1) {
        Work& work = shared.work[threads.thread() / k_warp_size];
        if (threads.lane() == static_cast<std::uint32_t>(lowest_bit(due))) work = *own;
        threads.sync_warp();
        merge(threads, Work(work), shared);
        threads.sync_warp();
      }
      active = active && !whole;
    }
  }

  /// Whether the range of a thread has not been joined in the block, nor is all there is.
  template <class Threads>
  TANDEM_KERNEL bool waits(const Threads& threads, const CurveRange& range,
                           const Shared& shared) const {
    if (range.whole()) return false;
    const BlockSpan block(threads, meshes.triangle_count);
    const std::uint32_t place = range.meets_at(order);
    return !block.has(place) || !shared.places.joined[place - block.first];
  }

  /// Joins a range with its neighbour, unless that is still to come.
  template <bool k_in_block, class Threads>
  TANDEM_KERNEL bool join(const Threads& threads, Work* work, Shared& shared) const {
    CurveRange& range = work->range;
    const bool right = range.goes_right(order);
    const std::uint32_t place = range.meets_at(order);
    const std::uint32_t far_end = right ? range.left : range.right;
    std::uint32_t other = 0;
    if constexpr (k_in_block) {
      const BlockSpan block(threads, meshes.triangle_count);
      if (!block.has(place)) return false;
      other = shared.places.arrive(threads, place - block.first, far_end + 1);
    } else {
      other = threads.arrive(&arrived[place], far_end + 1);
    }
    if (other == 0) return false;
    (right ? range.right : range.left) = other - 1;
    work->split = place + 1;
    const CurveLevels levels(range.part.count());
    const int above = levels.tree_levels() - order.levels_below(place, range.part, levels);
    work->most_levels = range.whole() ? depth_limit : depth_limit - above;
    return true;
  }

  /// How many clusters a range from `begin` to `end` has.
  TANDEM_KERNEL std::uint32_t listed(std::uint32_t begin, std::uint32_t end) const {
    return end - begin > k_most_listed ? lists[begin].listed : end - begin;
  }

  /// Merges the clusters of a range, by all threads of a warp.
  template <class Threads>
  TANDEM_KERNEL void merge(const Threads& threads, const Work& work, Shared& shared) const {
    const std::uint32_t lane = threads.lane();
    const std::uint32_t warp = threads.thread() / k_warp_size;
    Cluster* const list = shared.lists[warp];
    const CurveRange& range = work.range;
    const std::uint32_t first_count = listed(range.left, work.split);
    std::uint32_t count = first_count + listed(work.split, range.right + 1);
    if (lane < count) {
      list[lane] =
          lane < first_count ? lists[range.left + lane] : lists[work.split + lane - first_count];
    }
    threads.sync_warp();
    const std::uint32_t most = range.whole() ? 1 : k_most_listed;
    const float scale = scale_of(range.part);
    int height = highest(threads, lane < count ? list[lane].height : 0);
    while (count > most) {
      std::uint32_t partner = nearest(threads, list, count, scale);
      if (threads.shuffle(partner, partner) != lane) partner = lane;
      // Up to 32 clusters need at most five levels above the highest, and each round adds one.
      if (height + 6 > work.most_levels) {
        partner = keep_low(threads, list, count, partner, work.most_levels, shared.partners[warp]);
      }
      ++height;
      Cluster result{};
      if (lane < count) result = list[lane];
      const bool stays = lane < count && partner >= lane;
      if (stays && partner != lane) {
        result = merged(result, list[partner], range.part, range.whole() && count == 2);
      }
      const std::uint32_t staying = threads.ballot(stays);
      threads.sync_warp();
      if (stays) list[count_bits(staying & ((1U << lane) - 1))] = result;
      count = count_bits(staying);
      threads.sync_warp();
    }
    if (range.whole()) {
      if (lane == 0) finish(list[0], range.part);
    } else if (lane < count) {
      list[lane].listed = static_cast<std::uint8_t>(count);
      lists[range.left + lane] = list[lane];
    }
  }

  template <class Threads>
  TANDEM_KERNEL static int highest(const Threads& threads, int height) {
    for (std::uint32_t step = k_warp_size / 2; step > 0; step /= 2) {
      height = std::max(height, threads.shuffle(height, threads.lane() ^ step));
    }
    return height;
  }

  /// A power of two that brings the surfaces of boxes into the range of float32.
  TANDEM_KERNEL float scale_of(const MeshPart& part) const {
    const int exponent = exponent_of(bounds[part.number].largest_coordinate());
    return static_cast<float>(power_of_two(-std::clamp(exponent, -126, 127)));
  }

  /// The cluster with which this one has the smallest box; k_warp_size where there is none. Of
  /// equally small ones the nearer one in the list; then, so that a list of equal ones becomes a
  /// balanced tree, the pair whose first number is even; then the first pair. That is one order of
  /// all pairs, so the first of all is nearest for both, and something merges.
  template <class Threads>
  TANDEM_KERNEL static std::uint32_t nearest(const Threads& threads, const Cluster* list,
                                             std::uint32_t count, float scale) {
    const std::uint32_t lane = threads.lane();
    const Aabb own = list[lane < count ? lane : 0].box;
    constexpr float k_far = std::numeric_limits<float>::infinity();
    float best = k_far;
    std::uint32_t result = k_warp_size;
    const auto look_at = [&](float size, std::uint32_t other, bool there) {
      if (!there || (size >= best && result != k_warp_size)) return;
      best = size;
      result = other;
    };
    for (std::uint32_t step = 1; step <= k_radius; ++step) {
      const bool has_next = lane + step < count;
      const bool has_previous = lane >= step && lane < count;
      // Never NaN, even if a coordinate is, so that pairs have an order.
      const float next =
          has_next ? std::fmin(surface(Aabb::merge(own, list[lane + step].box), scale), k_far)
                   : k_far;
      const float previous = threads.shuffle(next, lane - step);
      const bool next_first = step % 2 == 1 && lane % 2 == 0;
      if (next_first) look_at(next, lane + step, has_next);
      look_at(previous, lane - step, has_previous);
      if (!next_first) look_at(next, lane + step, has_next);
    }
    return result;
  }

  TANDEM_KERNEL static float surface(const Aabb& box, float scale) {
    const Vec3f sides = scale * box.upper - scale * box.lower;
    return sides.x * sides.y + sides.y * sides.z + sides.z * sides.x;
  }

  /// Leaves out merges after which there might be too few levels for the clusters of a range and
  /// those above it. Clusters of heights h fit into a tree of so many levels if the sum of 2^h is
  /// no more than 2^levels. That holds for two ranges together when it holds for each, with one
  /// level less; and whenever it holds, it still does after the two lowest ones are merged.
  template <class Threads>
  TANDEM_KERNEL static std::uint32_t keep_low(const Threads& threads, const Cluster* list,
                                              std::uint32_t count, std::uint32_t partner,
                                              int most_levels, std::uint8_t* partners) {
    const std::uint32_t lane = threads.lane();
    partners[lane] = static_cast<std::uint8_t>(partner);
    threads.sync_warp();
    // Every thread does the same.
    const auto width = [&](std::uint32_t i) { return std::uint64_t{1} << list[i].height; };
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) sum += width(i);
    std::uint32_t result = lane;
    bool any = false;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t other = partners[i];
      if (other <= i) continue;
      const std::uint64_t more = 2 * std::max(width(i), width(other)) - width(i) - width(other);
      if (sum + more > std::uint64_t{1} << most_levels) continue;
      sum += more;
      any = true;
      if (lane == i || lane == other) result = partner;
    }
    if (any) return result;
    std::uint32_t lowest = 0;
    for (std::uint32_t i = 1; i < count; ++i) {
      if (list[i].height < list[lowest].height) lowest = i;
    }
    std::uint32_t second = lowest == 0 ? 1 : 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i != lowest && list[i].height < list[second].height) second = i;
    }
    return lane == lowest ? second : lane == second ? lowest : lane;
  }

  TANDEM_KERNEL Cluster merged(const Cluster& first, const Cluster& second, const MeshPart& part,
                               bool is_root) const {
    Cluster result{Aabb::merge(first.box, second.box), 0, first.first, 0, 0, 0, 0};
    result.triangle_count = static_cast<std::uint8_t>(
        std::min<int>(first.triangle_count + second.triangle_count, Cluster::k_many));
    const RayPairChoice choice(half_area(result.box), result.triangle_count, first.cost,
                               second.cost);
    result.cost = static_cast<float>(choice.cost);
    if (result.triangle_count < Cluster::k_many) {
      std::uint32_t last = first.first;
      for (int i = 1; i < first.triangle_count; ++i) last = leaves.next[last];
      leaves.next[last] = second.first;
    }
    if (choice.as_leaf) {
      result.link = RayPairView::leaf(0, result.triangle_count);
      if (!RayPairView::is_leaf(first.link) || !RayPairView::is_leaf(second.link)) {
        // There were leaves below, in a node that is no more.
        std::uint32_t place = first.first;
        leaves.sizes[place] = 0;
        for (int i = 1; i < result.triangle_count; ++i) {
          place = leaves.next[place];
          leaves.sizes[place] = 0;
        }
      }
      return result;
    }
    result.height = static_cast<std::uint16_t>(1 + std::max(first.height, second.height));
    // The root is the first of all nodes.
    result.link = is_root ? 0 : second.first - part.first;
    RayPairNode node{};
    node.parent = RayPairView::k_none;
    if (is_root) node.largest_coordinate = bounds[part.number].largest_coordinate();
    adopt(first, 0, result.link, part, &node);
    adopt(second, 1, result.link, part, &node);
    nodes[part.first + result.link] = node;
    return result;
  }

  TANDEM_KERNEL void adopt(const Cluster& child, int side, std::uint32_t parent,
                           const MeshPart& part, RayPairNode* node) const {
    store_child(child.box, child.link, side, node);
    if (RayPairView::is_leaf(child.link)) {
      leaves.sizes[child.first] = child.triangle_count;
      leaves.parents[child.first] = 2 * parent + static_cast<std::uint32_t>(side);
    } else {
      nodes[part.first + child.link].parent = parent;
    }
  }

  /// A mesh that fits into one leaf has a root of its own.
  TANDEM_KERNEL void finish(const Cluster& all, const MeshPart& part) const {
    if (!RayPairView::is_leaf(all.link)) return;
    RayPairNode root = root_of_one_leaf(bounds[part.number].largest_coordinate());
    adopt(all, 0, 0, part, &root);
    nodes[part.first] = root;
  }
};

/// Puts the triangles of each leaf where they belong, and tells the leaf's parent.
struct PlaceLeaves {
  using Shared = NothingShared;

  DeviceMeshes meshes;
  const std::uint32_t* ids;
  ClusterLeaves leaves;
  /// How many triangles there are in leaves before each place.
  const std::uint32_t* offsets;
  DeviceTrees trees;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    std::uint32_t place = threads.index();
    if (place >= meshes.triangle_count) return;
    const std::uint32_t size = leaves.sizes[place];
    if (size == 0) return;
    const MeshPart part = meshes.part_of(place);
    const std::uint32_t parent = leaves.parents[place];
    const std::uint32_t to = offsets[place];
    for (std::uint32_t i = 0; i < size; ++i) {
      if (i > 0) place = leaves.next[place];
      const std::uint32_t id = ids[place];
      trees.put(meshes, part, to + i, id, meshes.triangle(id, part));
    }
    trees.triangles[to].parent = parent / 2;
    trees.triangles[to].leaf_size = size;
    trees.nodes[part.first + parent / 2].child[parent % 2] =
        RayPairView::leaf(to - part.first, size);
  }
};

}  // namespace tandem::detail
