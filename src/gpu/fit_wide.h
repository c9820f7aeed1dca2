// Fits a wide tree to triangles in order, on a device: leaves, boxes and slabs.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "gpu/device_meshes.h"
#include "gpu/full_wide_levels.h"
#include "gpu/kernel.h"
#include "gpu/shared_arrays.h"

namespace tandem::detail {

/// Of the triangles of a block of threads: leaves and children of up to 256 triangles. Their slabs
/// are measured corner by corner.
struct FitWideLeaves {
  static constexpr std::uint32_t k_block_size = 256;
  static constexpr bool k_full_blocks = true;
  /// Children of this height have all triangles of a block.
  static constexpr int k_block_height = 3;
  static constexpr std::uint32_t k_warps = k_block_size / k_warp_size;

  struct Shared {
    CornerRow corners[k_block_size];
    BoxBlock boxes[k_block_size / k_block];
    ChildSummary of_warp[k_warps];
    float reach[2][k_warps];
  };

  DeviceMeshes meshes;
  const std::uint32_t* ids;
  FullWideLevels levels;
  DeviceWideTree tree;
  /// Of each block.
  ChildSummary* summaries;
  /// The square of the largest distance of a corner from the centre, as bits; 0 at first.
  std::uint64_t* farthest_sq;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    const std::uint32_t slot = threads.index();
    const bool there = slot < levels.triangle_count;
    Vec3f corner[3] = {};
    ChildSummary own;
    double sq = 0;
    if (there) {
      const std::uint32_t id = ids[slot];
      const TriangleF triangle = meshes.triangle(id, meshes.part_of(id));
      for (int c = 0; c < 3; ++c) {
        corner[c] = tree.frame->stored(triangle.corner[c]);
        const Vec3d from_centre = Vec3d(triangle.corner[c]) - tree.frame->root.centre;
        sq = std::fmax(sq, dot(from_centre, from_centre));
      }
      own = {min(corner[0], min(corner[1], corner[2])), max(corner[0], max(corner[1], corner[2])),
             cross(corner[1] - corner[0], corner[2] - corner[0])};
    }
    if (slot < k_block * levels.leaf_count()) {
      tree.ids[slot] = there ? ids[slot] : k_no_triangle;
    }
    store(threads.thread(), there, corner, own, shared);
    raise_farthest(threads, sq);
    threads.sync_warp();
    copy_slots(threads, shared);
    fit_children(threads, there, corner, own, shared);
  }

 private:
  TANDEM_KERNEL static void store(std::uint32_t thread, bool there, const Vec3f* corner,
                                  const ChildSummary& own, Shared& shared) {
    constexpr float k_nan = std::numeric_limits<float>::quiet_NaN();
    BoxBlock& box = shared.boxes[thread / k_block];
    for (int k = 0; k < 3; ++k) {
      for (int c = 0; c < 3; ++c) {
        shared.corners[thread].value[3 * c + k] = there ? corner[c][k] : k_nan;
      }
      box.lower[k][thread % k_block] = own.lower[k];
      box.upper[k][thread % k_block] = own.upper[k];
    }
  }

  template <class Threads>
  TANDEM_KERNEL void copy_slots(const Threads& threads, const Shared& shared) const {
    const std::uint32_t in_block = threads.thread() - threads.lane();
    const std::uint32_t first = threads.index() - threads.lane();
    const std::uint32_t slot_count = k_block * levels.leaf_count();
    if (first >= slot_count) return;
    const std::uint32_t left = slot_count - first;
    const std::uint32_t count = left < k_warp_size ? left : k_warp_size;
    copy_words<Bytes4>(threads, shared.corners + in_block, tree.corners + first, count);
    copy_words<Bytes16>(threads, shared.boxes + in_block / k_block, tree.boxes + first / k_block,
                        count / k_block);
  }

  template <class Threads>
  TANDEM_KERNEL void raise_farthest(const Threads& threads, double sq) const {
    for (std::uint32_t step = k_warp_size / 2; step > 0; step /= 2) {
      sq = std::fmax(sq, threads.shuffle(sq, threads.lane() ^ step));
    }
    // Numbers that are not negative compare as their bits do. Few are larger than what is there.
    const auto bits = std::bit_cast<std::uint64_t>(sq);
    if (threads.lane() == 0 && bits > *farthest_sq) threads.atomic_max(farthest_sq, bits);
  }

  template <class Threads>
  TANDEM_KERNEL void fit_children(const Threads& threads, bool there, const Vec3f* corner,
                                  ChildSummary own, Shared& shared) const {
    const std::uint32_t warp = threads.thread() / k_warp_size;
    for (int height = 0; height <= k_block_height; ++height) {
      if (height < 2) {
        for (std::uint32_t step = 1U << (2 * height); step < 4U << (2 * height); step *= 2) {
          own = merged(threads, own, step);
        }
      } else if (height == 2) {
        own = merged(threads, own, k_warp_size / 2);
        if (threads.lane() == 0) shared.of_warp[warp] = own;
        threads.sync();
        own = ChildSummary::merge(shared.of_warp[warp & ~1U], shared.of_warp[warp | 1U]);
      } else {
        own = shared.of_warp[0];
        for (std::uint32_t i = 1; i < k_warps; ++i)
          own = ChildSummary::merge(own, shared.of_warp[i]);
      }
      if (height < levels.count) fit_child(threads, there, corner, own, height, shared);
    }
    if (threads.thread() == 0) summaries[threads.block()] = own;
  }

  /// That of a group of threads and the next one.
  template <class Threads>
  TANDEM_KERNEL static ChildSummary merged(const Threads& threads, const ChildSummary& own,
                                           std::uint32_t step) {
    ChildSummary other;
    for (int k = 0; k < 3; ++k) {
      other.lower[k] = threads.shuffle(own.lower[k], threads.lane() ^ step);
      other.upper[k] = threads.shuffle(own.upper[k], threads.lane() ^ step);
      other.normal[k] = threads.shuffle(own.normal[k], threads.lane() ^ step);
    }
    return ChildSummary::merge(own, other);
  }

  /// The children of one height, of which each is a group of threads.
  template <class Threads>
  TANDEM_KERNEL void fit_child(const Threads& threads, bool there, const Vec3f* corner,
                               const ChildSummary& all, int height, Shared& shared) const {
    const WideChild child(all);
    float from = ChildSummary::k_infinity;
    float to = -ChildSummary::k_infinity;
    for (int c = 0; c < 3 && there; ++c) {
      const float along = child.along(corner[c]);
      from = std::fmin(from, along);
      to = std::fmax(to, along);
    }
    const std::uint32_t group = std::uint32_t{k_block} << (2 * height);
    for (std::uint32_t step = 1; step < group && step < k_warp_size; step *= 2) {
      from = std::fmin(from, threads.shuffle(from, threads.lane() ^ step));
      to = std::fmax(to, threads.shuffle(to, threads.lane() ^ step));
    }
    if (group > k_warp_size) {
      const std::uint32_t warp = threads.thread() / k_warp_size;
      threads.sync();
      if (threads.lane() == 0) {
        shared.reach[0][warp] = from;
        shared.reach[1][warp] = to;
      }
      threads.sync();
      const std::uint32_t warps = group / k_warp_size;
      for (std::uint32_t i = 0; i < warps; ++i) {
        from = std::fmin(from, shared.reach[0][warp / warps * warps + i]);
        to = std::fmax(to, shared.reach[1][warp / warps * warps + i]);
      }
    }
    const std::uint32_t number = threads.index() / group;
    if (threads.thread() % group == 0 && number < levels.size(height)) {
      child.put(from, to, height, number, levels, tree.blocks);
    }
  }
};

/// Children above those of whole blocks of threads, one per thread. Their slabs enclose their
/// boxes.
struct FitWideLevel {
  using Shared = NothingShared;

  FullWideLevels levels;
  int height;
  /// Of the children below, and of these.
  const ChildSummary* below;
  ChildSummary* summaries;
  NodeBlock* blocks;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t number = threads.index();
    if (number >= levels.size(height)) return;
    const std::uint32_t end = std::min(k_block * number + k_block, levels.size(height - 1));
    ChildSummary all = below[k_block * number];
    for (std::uint32_t i = k_block * number + 1; i < end; ++i) {
      all = ChildSummary::merge(all, below[i]);
    }
    summaries[number] = all;
    const WideChild child(all);
    const BoxReach<float> reach(child.normal, child.lower, child.upper);
    child.put(reach.lower, reach.upper, height, number, levels, blocks);
  }
};

}  // namespace tandem::detail
