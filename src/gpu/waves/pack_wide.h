// Kernels that pack the wide trees that a device has built into the arrays of `WaveModels`.
#pragma once

#include <cstdint>

#include "gpu/device_meshes.h"
#include "gpu/full_wide_levels.h"
#include "gpu/kernel.h"
#include "gpu/waves/half_blocks.h"
#include "gpu/waves/models.h"

namespace tandem::detail {

/// Where packed trees go. Links of blocks count from the first block and leaf of all models.
struct PackedWideTrees {
  HalfBlock* blocks;
  HalfLeaf* leaves;
  WaveTriangle* triangles;
  std::uint32_t blocks_before;
  std::uint32_t leaves_before;
};

/// One thread per block.
struct PackWideBlocks {
  using Shared = NothingShared;

  WideParts parts;
  std::uint32_t block_count;
  const NodeBlock* blocks;
  PackedWideTrees to;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i >= block_count) return;
    const WidePart& part = parts.parts[parts.with_block(i)];
    const FullWideLevels& levels = part.levels;
    int level = 0;
    while (i - part.first_block >= levels.begin[level + 1]) ++level;
    HalfBlock block = half_block(blocks[i]);
    block.first_child += level + 1 == levels.count
                             ? to.leaves_before + part.first_leaf
                             : to.blocks_before + part.first_block + levels.begin[level + 1];
    to.blocks[i] = block;
  }
};

/// One thread per leaf.
struct PackWideLeaves {
  using Shared = NothingShared;

  /// With their triangles in the order of slots.
  DeviceMeshes meshes;
  WideParts parts;
  std::uint32_t leaf_count;
  DeviceWideTrees trees;
  PackedWideTrees to;
  /// For each mesh, set to 1 if a stored corner is not exactly that of the mesh; else left as it
  /// is. Coordinates far below the mesh's size may not be.
  std::uint32_t* inexact;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t leaf = threads.index();
    if (leaf >= leaf_count) return;
    const std::uint32_t number = parts.with_leaf(leaf);
    const WidePart& part = parts.parts[number];
    const std::uint32_t first = k_block * (leaf - part.first_leaf);
    const std::uint32_t left = part.levels.triangle_count - first;
    const std::uint32_t count = left < k_block ? left : std::uint32_t{k_block};
    to.leaves[leaf] = half_leaf(trees.corners + k_block * leaf, count);
    bool exact = true;
    for (std::uint32_t i = 0; i < k_block; ++i) {
      WaveTriangle triangle;
      for (int c = 0; c < 9; ++c) triangle.value[c] = trees.corners[k_block * leaf + i].value[c];
      triangle.id = trees.ids[k_block * leaf + i];
      to.triangles[k_block * leaf + i] = triangle;
      exact = exact && (i >= count || is_exact(number, first + i, triangle));
    }
    if (!exact) threads.atomic_max(&inexact[number], 1U);
  }

 private:
  TANDEM_KERNEL bool is_exact(std::uint32_t number, std::uint32_t slot,
                              const WaveTriangle& stored) const {
    const MeshPart mesh = meshes.part(number);
    const TriangleF own = meshes.triangle(mesh.first + slot, mesh);
    const MeshFrame& frame = trees.frames[number];
    const double unit = power_of_two(frame.exponent);
    for (int v = 0; v < 3; ++v) {
      for (int k = 0; k < 3; ++k) {
        if (frame.origin[k] + unit * stored.value[3 * v + k] != double{own.corner[v][k]}) {
          return false;
        }
      }
    }
    return true;
  }
};

/// The ids of the triangles in slots.
struct IdsOfSlots {
  using Shared = NothingShared;

  const WaveTriangle* slots;
  std::uint32_t* ids;
  std::uint32_t slot_count;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t slot = threads.index();
    if (slot < slot_count) ids[slot] = slots[slot].id;
  }
};

/// The triangles of one mesh, which are in the order of slots, by id.
struct TrianglesById {
  using Shared = NothingShared;

  DeviceMeshes mesh;
  const WaveTriangle* slots;
  TriangleF* triangles;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t slot = threads.index();
    if (slot >= mesh.triangle_count) return;
    triangles[slots[slot].id] = mesh.triangle(slot, mesh.part(0));
  }
};

}  // namespace tandem::detail
