// Builds trees of pairs on a device: triangles are sorted along a space-filling curve, and each
// range of keys that begin alike becomes a node.
//
// Nodes are made from the bottom up in one launch (Apetrei 2014). Each thread begins with one
// triangle. Of the two neighbours of its range it joins the one with which it has more leading bits
// in common; whichever of the two comes later goes on with the joint range.
#pragma once

#include <tandem/mesh.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "build/ray_pair_parts.h"
#include "gpu/curve.h"
#include "gpu/kernel.h"
#include "tree/tree.h"

namespace tandem::detail {

/// A mesh in the memory of a device.
struct DeviceMesh {
  const Vec3f* vertices;
  const TriangleIndices* triangles;
  std::uint32_t triangle_count;

  TANDEM_HD TriangleF triangle(std::uint32_t id) const {
    const TriangleIndices& corners = triangles[id];
    return {{vertices[corners[0]], vertices[corners[1]], vertices[corners[2]]}};
  }
  TANDEM_HD Aabb box(std::uint32_t id) const { return box_of(triangle(id)); }

  TANDEM_HD static Aabb box_of(const TriangleF& t) {
    return {min(t.corner[0], min(t.corner[1], t.corner[2])),
            max(t.corner[0], max(t.corner[1], t.corner[2]))};
  }
};

/// The bounds of the centres of all boxes, and the largest magnitude of a coordinate, found by many
/// threads at once. All zero at first: everything is a maximum of bits that compare as the numbers
/// do.
struct CentreBounds {
  std::uint32_t highest[3];
  /// Of the complements.
  std::uint32_t lowest[3];
  std::uint32_t largest;

  TANDEM_HD static std::uint32_t ordered(float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    return (bits >> 31) != 0 ? ~bits : bits | 0x80000000;
  }
  TANDEM_HD static float number(std::uint32_t ordered) {
    return std::bit_cast<float>((ordered >> 31) != 0 ? ordered & 0x7fffffff : ~ordered);
  }
  TANDEM_HD static Vec3f centre(const Aabb& box) { return 0.5F * box.lower + 0.5F * box.upper; }

  TANDEM_HD float lower(int axis) const { return number(~lowest[axis]); }
  TANDEM_HD float upper(int axis) const { return number(highest[axis]); }
  TANDEM_HD float largest_coordinate() const { return std::bit_cast<float>(largest); }
};

/// Each thread looks at several triangles, and each warp adds what it has found.
struct FindCentreBounds {
  using Shared = NothingShared;

  DeviceMesh mesh;
  CentreBounds* bounds;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    CentreBounds own{};
    for (std::uint32_t id = threads.index(); id < mesh.triangle_count;
         id += threads.thread_count()) {
      const Aabb box = mesh.box(id);
      const Vec3f centre = CentreBounds::centre(box);
      for (int axis = 0; axis < 3; ++axis) {
        const std::uint32_t place = CentreBounds::ordered(centre[axis]);
        own.highest[axis] = std::max(own.highest[axis], place);
        own.lowest[axis] = std::max(own.lowest[axis], ~place);
        // Without their signs, numbers compare as their bits do.
        const float size = std::fmax(std::fabs(box.lower[axis]), std::fabs(box.upper[axis]));
        own.largest = std::max(own.largest, std::bit_cast<std::uint32_t>(size));
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      add(threads, own.highest[axis], &bounds->highest[axis]);
      add(threads, own.lowest[axis], &bounds->lowest[axis]);
    }
    add(threads, own.largest, &bounds->largest);
  }

 private:
  template <class Threads>
  TANDEM_KERNEL static void add(const Threads& threads, std::uint32_t most, std::uint32_t* to) {
    for (std::uint32_t step = k_warp_size / 2; step > 0; step /= 2) {
      most = std::max(most, threads.shuffle(most, threads.lane() ^ step));
    }
    if (threads.lane() == 0) threads.atomic_max(to, most);
  }
};

/// Where each triangle is on the curve.
struct FindCurveKeys {
  using Shared = NothingShared;

  DeviceMesh mesh;
  const CentreBounds* bounds;
  int levels;
  std::uint64_t* keys;
  std::uint32_t* ids;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t id = threads.index();
    if (id >= mesh.triangle_count) return;
    const Vec3f centre = CentreBounds::centre(mesh.box(id));
    // One scale for all axes, so that cells are cubes. In double, in which no size overflows.
    double largest_side = 0;
    for (int axis = 0; axis < 3; ++axis) {
      largest_side =
          std::fmax(largest_side, double{bounds->upper(axis)} - double{bounds->lower(axis)});
    }
    const double cells = std::uint32_t{1} << levels;
    const double scale = largest_side > 0 ? cells / largest_side : 0;
    std::uint32_t cell[3];
    for (int axis = 0; axis < 3; ++axis) {
      const double place = (double{centre[axis]} - double{bounds->lower(axis)}) * scale;
      cell[axis] = static_cast<std::uint32_t>(std::fmin(place, cells - 1));
    }
    keys[id] = hilbert_key(cell[0], cell[1], cell[2], levels);
    ids[id] = id;
  }
};

/// A range of triangles that was joined, as the thread sees it that comes later.
struct JoinedRange {
  Aabb box;
  std::uint32_t link;
  float cost;
};

/// Makes the tree of triangles that are sorted by their keys. Nodes take their places among the n
/// of an array, of which some stay unused.
struct JoinRanges {
  using Shared = NothingShared;

  DeviceMesh mesh;
  const CentreBounds* bounds;
  const std::uint64_t* keys;
  const std::uint32_t* ids;
  /// Between any two neighbours: 0 at first; then one more than the far end of the range that came
  /// to it first.
  std::uint32_t* arrived;
  /// The ranges to the left and to the right of each of these places.
  JoinedRange* waiting;
  RayPairNode* nodes;
  RayPairTriangle* triangles;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t last = mesh.triangle_count - 1;
    std::uint32_t left = threads.index();
    if (left > last) return;
    std::uint32_t right = left;
    const TriangleF triangle = mesh.triangle(ids[left]);
    triangles[left] = {triangle, ids[left], 0, 0};
    JoinedRange own{DeviceMesh::box_of(triangle), RayPairView::leaf(left, 1), 0};
    own.cost = static_cast<float>(RayPairChoice::leaf_cost(half_area(own.box), 1));
    while (left != 0 || right != last) {
      const bool is_left = left == 0 || (right != last && difference(right) < difference(left - 1));
      const std::uint32_t place = is_left ? right : left - 1;
      waiting[2 * place + (is_left ? 0 : 1)] = own;
      threads.fence();
      const std::uint32_t other = threads.exchange(&arrived[place], (is_left ? left : right) + 1);
      if (other == 0) return;
      threads.fence();
      (is_left ? right : left) = other - 1;
      const JoinedRange sibling = waiting[2 * place + (is_left ? 1 : 0)];
      own = join(is_left ? own : sibling, is_left ? sibling : own, left, right, place);
    }
    finish(own);
  }

 private:
  /// How much the keys of two neighbours differ: more, the earlier their first different bit is.
  /// Equal keys are told apart by their places.
  TANDEM_KERNEL std::uint64_t difference(std::uint32_t place) const {
    const std::uint64_t bits = keys[place] ^ keys[place + 1];
    return bits != 0 ? bits + (std::uint64_t{1} << 32) : std::uint64_t{place ^ (place + 1)};
  }

  TANDEM_KERNEL JoinedRange join(const JoinedRange& first, const JoinedRange& second,
                                 std::uint32_t left, std::uint32_t right,
                                 std::uint32_t place) const {
    JoinedRange joint{Aabb::merge(first.box, second.box), 0, 0};
    const std::uint32_t count = right - left + 1;
    const RayPairChoice choice(half_area(joint.box), count, first.cost, second.cost);
    joint.cost = static_cast<float>(choice.cost);
    if (choice.as_leaf) {
      joint.link = RayPairView::leaf(left, count);
      // There may have been leaves below, in a node that is no more.
      for (std::uint32_t i = left; i <= right; ++i) triangles[i].leaf_size = 0;
      return joint;
    }
    // The root is the first of all nodes.
    joint.link = count == mesh.triangle_count ? 0 : place + 1;
    RayPairNode node{};
    node.parent = RayPairView::k_none;
    adopt(first, 0, joint.link, &node);
    adopt(second, 1, joint.link, &node);
    nodes[joint.link] = node;
    return joint;
  }

  TANDEM_KERNEL void adopt(const JoinedRange& child, int side, std::uint32_t parent,
                           RayPairNode* node) const {
    store_child(child.box, child.link, side, node);
    if (RayPairView::is_leaf(child.link)) {
      RayPairTriangle& first = triangles[RayPairView::first_triangle(child.link)];
      first.parent = parent;
      first.leaf_size = RayPairView::triangle_count_of(child.link);
    } else {
      nodes[child.link].parent = parent;
    }
  }

  TANDEM_KERNEL void finish(const JoinedRange& all) const {
    if (RayPairView::is_leaf(all.link)) {
      RayPairNode root{};
      root.parent = RayPairView::k_none;
      adopt(all, 0, 0, &root);
      store_nothing(1, &root);
      nodes[0] = root;
    }
    nodes[0].largest_coordinate = bounds->largest_coordinate();
  }
};

/// Builds a tree of `mesh`, which is not empty, into arrays with room for as many nodes and
/// triangles. `On` runs kernels and owns scratch memory, on a device or on the CPU:
///
///   on.zeros<T>(count)                an array of zeros; `data()` points to it
///   on.array<T>(count)                one of anything
///   on.launch(kernel, thread_count)   runs a kernel with at least so many threads
///   on.sort(keys, ids, to_keys, to_ids, count, bits)
///                                     puts both there in the order of the keys' lowest bits; equal
///                                     ones stay in order
template <class On>
void build_curve_tree(On& on, const DeviceMesh& mesh, RayPairNode* nodes,
                      RayPairTriangle* triangles) {
  const std::uint32_t count = mesh.triangle_count;
  // Surfaces fill about as many cells as the square of how many there are along an axis. Each bit
  // of a key is at most one level of the tree, and so is each bit of the places of equal keys.
  const auto bits = static_cast<int>(std::bit_width(count));
  const int levels = std::min({bits / 2 + 3, (k_max_depth - bits) / 3, k_most_curve_levels});
  const auto bounds = on.template zeros<CentreBounds>(1);
  const auto first_keys = on.template array<std::uint64_t>(count);
  const auto first_ids = on.template array<std::uint32_t>(count);
  const auto keys = on.template array<std::uint64_t>(count);
  const auto ids = on.template array<std::uint32_t>(count);
  const auto arrived = on.template zeros<std::uint32_t>(count);
  const auto waiting = on.template array<JoinedRange>(2 * std::size_t{count});
  on.launch(FindCentreBounds{mesh, bounds.data()}, std::min(count, std::uint32_t{1} << 16));
  on.launch(FindCurveKeys{mesh, bounds.data(), levels, first_keys.data(), first_ids.data()}, count);
  on.sort(first_keys.data(), first_ids.data(), keys.data(), ids.data(), count, 3 * levels);
  on.launch(JoinRanges{mesh, bounds.data(), keys.data(), ids.data(), arrived.data(), waiting.data(),
                       nodes, triangles},
            count);
}

}  // namespace tandem::detail
