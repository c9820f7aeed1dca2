// Blocks and leaves of wide trees in half precision.
#pragma once

#include <tandem/host_device.h>

#include <cstdint>

#include "math/half2.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// A `NodeBlock` in half precision. Numbers are relative to an origin of the block and divided by a
/// scale of it, so that the children fill [-1, 1]. Each two numbers are those of children 0 and 1,
/// then 2 and 3. What rounding moves is part of half sides and thicknesses: all points of a child
/// of the `NodeBlock` are in the box and in the slab here.
///
/// Tests rely on: magnitudes of centres are at most 1, half sides at most 1.001, normals at most
/// 1.002 long, and of a slab |offset| + thickness is at most 1.75.
struct alignas(16) HalfBlock {
  float origin[3];
  float scale;
  Half2 centre[3][2];
  /// NaN for missing children.
  Half2 half[3][2];
  Half2 normal[3][2];
  Half2 offset[2];
  Half2 thickness[2];
  std::uint32_t first_child;
  std::uint32_t child_count;
};
static_assert(sizeof(HalfBlock) == 112);

/// The triangles of a leaf, in the same way. Corners are rounded: they are off by at most 2^-12.
/// All points x of a triangle obey |normal·x - distance| <= 3 · 2^-11, where the normal may be
/// zero.
struct alignas(16) HalfLeaf {
  float origin[3];
  float scale;
  /// By corner, then axis; NaN for missing triangles.
  Half2 corner[3][3][2];
  Half2 normal[3][2];
  Half2 distance[2];
  std::uint32_t triangle_count;
  std::uint32_t unused;
};
static_assert(sizeof(HalfLeaf) == 128);

/// The bits of all pairs of the first so many children.
TANDEM_HD inline std::uint32_t all_pairs(std::uint32_t count_a, std::uint32_t count_b) {
  const std::uint32_t rows = (std::uint32_t{1} << k_block * count_a) - 1;
  return (rows & 0x1111) * ((std::uint32_t{1} << count_b) - 1);
}

}  // namespace tandem::detail
