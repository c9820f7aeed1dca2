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

/// One block of threads per chunk: leaves and children of up to 256 triangles. Their slabs are
/// measured corner by corner.
struct FitWideLeaves {
  static constexpr std::uint32_t k_block_size = k_chunk_slots;
  static constexpr bool k_full_blocks = true;
  static constexpr std::uint32_t k_warps = k_block_size / k_warp_size;

  struct Shared {
    CornerRow corners[k_block_size];
    BoxBlock boxes[k_block_size / k_block];
    ChildSummary of_warp[k_warps];
    float reach[2][k_warps];
  };

  /// With their triangles in the order of slots.
  DeviceMeshes meshes;
  WideParts parts;
  DeviceWideTrees trees;
  /// Of each chunk.
  ChildSummary* summaries;
  /// Of each mesh: the square of the largest distance of a corner from the centre, as bits; 0 at
  /// first.
  std::uint64_t* farthest_sq;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    const std::uint32_t number = parts.with_chunk(threads.block());
    const WidePart& part = parts.parts[number];
    const std::uint32_t first = (threads.block() - part.first_chunk) * k_chunk_slots;
    const std::uint32_t slot = first + threads.thread();
    const bool there = slot < part.levels.triangle_count;
    Vec3f corner[3] = {};
    ChildSummary own;
    double sq = 0;
    if (there) {
      const MeshFrame& frame = trees.frames[number];
      const MeshPart mesh = meshes.part(number);
      const TriangleF triangle = meshes.triangle(mesh.first + slot, mesh);
      for (int c = 0; c < 3; ++c) {
        corner[c] = frame.stored(triangle.corner[c]);
        const Vec3d from_centre = Vec3d(triangle.corner[c]) - frame.root.centre;
        sq = std::fmax(sq, dot(from_centre, from_centre));
      }
      own = {min(corner[0], min(corner[1], corner[2])), max(corner[0], max(corner[1], corner[2])),
             cross(corner[1] - corner[0], corner[2] - corner[0])};
    }
    store(threads.thread(), there, corner, own, shared);
    raise_farthest(threads, sq, &farthest_sq[number]);
    threads.sync_warp();
    copy_slots(threads, part, slot - threads.lane(), shared);
    fit_children(threads, there, corner, own, part, shared);
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
  TANDEM_KERNEL void copy_slots(const Threads& threads, const WidePart& part, std::uint32_t first,
                                const Shared& shared) const {
    const std::uint32_t in_block = threads.thread() - threads.lane();
    const std::uint32_t slot_count = k_block * part.levels.leaf_count();
    if (first >= slot_count) return;
    const std::uint32_t left = slot_count - first;
    const std::uint32_t count = left < k_warp_size ? left : k_warp_size;
    copy_words<Bytes4>(threads, shared.corners + in_block,
                       trees.corners + part.first_slot() + first, count);
    copy_words<Bytes16>(threads, shared.boxes + in_block / k_block,
                        trees.boxes + part.first_leaf + first / k_block, count / k_block);
  }

  template <class Threads>
  TANDEM_KERNEL static void raise_farthest(const Threads& threads, double sq, std::uint64_t* to) {
    for (std::uint32_t step = k_warp_size / 2; step > 0; step /= 2) {
      sq = std::fmax(sq, threads.shuffle(sq, threads.lane() ^ step));
    }
    // Numbers that are not negative compare as their bits do. Few are larger than what is there.
    const auto bits = std::bit_cast<std::uint64_t>(sq);
    if (threads.lane() == 0 && bits > *to) threads.atomic_max(to, bits);
  }

  template <class Threads>
  TANDEM_KERNEL void fit_children(const Threads& threads, bool there, const Vec3f* corner,
                                  ChildSummary own, const WidePart& part, Shared& shared) const {
    const std::uint32_t warp = threads.thread() / k_warp_size;
    for (int height = 0; height <= k_chunk_height; ++height) {
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
      if (height < part.levels.count) {
        fit_child(threads, there, corner, own, height, part, shared);
      }
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
                               const ChildSummary& all, int height, const WidePart& part,
                               Shared& shared) const {
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
    const std::uint32_t slot =
        (threads.block() - part.first_chunk) * k_chunk_slots + threads.thread();
    if (slot % group == 0 && slot / group < part.levels.size(height)) {
      child.put(from, to, height, slot / group, part, trees.blocks);
    }
  }
};

/// Children of one height above chunks. Their slabs enclose their boxes. One thread per chunk, of
/// which the first of a child's works, and leaves its summary where that of the chunk was.
struct FitWideLevel {
  using Shared = NothingShared;

  WideParts parts;
  std::uint32_t chunk_count;
  int height;
  ChildSummary* summaries;
  NodeBlock* blocks;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    if (threads.index() >= chunk_count) return;
    const WidePart& part = parts.parts[parts.with_chunk(threads.index())];
    const std::uint32_t chunk = threads.index() - part.first_chunk;
    const std::uint32_t step = std::uint32_t{1} << (2 * (height - 1 - k_chunk_height));
    if (height >= part.levels.count || chunk % (k_block * step) != 0) return;
    const std::uint32_t number = chunk / (k_block * step);
    const std::uint32_t left = part.levels.size(height - 1) - k_block * number;
    ChildSummary& all = summaries[threads.index()];
    for (std::uint32_t i = 1; i < k_block && i < left; ++i) {
      all = ChildSummary::merge(all, summaries[threads.index() + i * step]);
    }
    const WideChild child(all);
    const BoxReach<float> reach(child.normal, child.lower, child.upper);
    child.put(reach.lower, reach.upper, height, number, part, blocks);
  }
};

}  // namespace tandem::detail
