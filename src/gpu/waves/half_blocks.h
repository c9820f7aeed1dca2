// Makes blocks and leaves in half precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "gpu/waves/blocks.h"
#include "math/half2.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// The least number in half precision that is at least x, which is not negative.
TANDEM_HD inline std::uint16_t half_above(double x) {
  std::uint16_t half = to_half_bits(x);
  while (from_half_bits(half) < x) ++half;
  return half;
}

/// Where the numbers of a block are relative to, and what they are divided by.
struct HalfUnits {
  float origin[3];
  float scale;

  TANDEM_HD HalfUnits(const double lower[3], const double upper[3]) {
    double extent = 0x1p-100;
    for (int k = 0; k < 3; ++k) {
      origin[k] = static_cast<float>(0.5 * (lower[k] + upper[k]));
      extent = std::max(extent, std::max(upper[k] - origin[k], origin[k] - lower[k]));
    }
    scale = static_cast<float>(extent);
    if (scale < extent) scale = std::nextafter(scale, std::numeric_limits<float>::infinity());
  }
  TANDEM_HD double inside(double x, int axis) const { return (x - origin[axis]) / scale; }
};

/// The child's slab, for the rounded centre `centre` (in the tree's coordinates) and normal.
TANDEM_HD inline void set_half_slab(const NodeBlock& block, int i, const HalfUnits& units,
                                    const double centre[3], HalfBlock* result) {
  const int g = i / 2;
  double offset = block.offset[i];
  double thickness = block.thickness[i];
  double length_sq = 0;
  for (int k = 0; k < 3; ++k) {
    const std::uint16_t normal = to_half_bits(block.normal[k][i]);
    result->normal[k][g].set(i % 2, normal);
    const double rounded = from_half_bits(normal);
    offset += rounded * (block.centre[k][i] - centre[k]);
    thickness += std::fabs(rounded - block.normal[k][i]) * block.half[k][i];
    length_sq += rounded * rounded;
  }
  const std::uint16_t half_offset = to_half_bits(offset / units.scale);
  const double error = std::fabs(offset / units.scale - from_half_bits(half_offset));
  const double half_thickness = (thickness / units.scale + error) * (1 + 1e-9);
  result->offset[g].set(i % 2, half_offset);
  result->thickness[g].set(i % 2, half_above(half_thickness));
  if (length_sq <= 1.002 * 1.002 &&
      std::fabs(from_half_bits(half_offset)) + half_thickness <= 1.749) {
    return;
  }
  // A slab that tells nothing.
  for (auto& axis : result->normal) axis[g].set(i % 2, 0);
  result->offset[g].set(i % 2, 0);
  result->thickness[g].set(i % 2, 0);
}

TANDEM_HD inline HalfBlock half_block(const NodeBlock& block) {
  double lower[3];
  double upper[3];
  for (int k = 0; k < 3; ++k) {
    lower[k] = std::numeric_limits<double>::infinity();
    upper[k] = -lower[k];
    for (std::uint32_t i = 0; i < block.child_count; ++i) {
      lower[k] = std::min(lower[k], double{block.centre[k][i]} - block.half[k][i]);
      upper[k] = std::max(upper[k], double{block.centre[k][i]} + block.half[k][i]);
    }
  }
  const HalfUnits units(lower, upper);
  HalfBlock result{};
  result.scale = units.scale;
  result.first_child = block.first_child;
  result.child_count = block.child_count;
  for (int k = 0; k < 3; ++k) result.origin[k] = units.origin[k];
  for (int i = 0; i < k_block; ++i) {
    const int g = i / 2;
    if (static_cast<std::uint32_t>(i) >= block.child_count) {
      for (auto& axis : result.half) axis[g].set(i % 2, to_half_bits(NAN));
      continue;
    }
    double centre[3];
    for (int k = 0; k < 3; ++k) {
      const std::uint16_t half_centre = to_half_bits(units.inside(block.centre[k][i], k));
      result.centre[k][g].set(i % 2, half_centre);
      centre[k] = units.origin[k] + double{units.scale} * from_half_bits(half_centre);
      const double moved = std::fabs(centre[k] - block.centre[k][i]);
      result.half[k][g].set(i % 2,
                            half_above((block.half[k][i] + moved) / units.scale * (1 + 1e-9)));
    }
    set_half_slab(block, i, units, centre, &result);
  }
  return result;
}

/// The plane of a triangle with corners in the leaf's units.
TANDEM_HD inline void set_half_plane(const double corner[3][3], int i, HalfLeaf* result) {
  const int g = i / 2;
  double edge[2][3];
  for (int k = 0; k < 3; ++k) {
    edge[0][k] = corner[1][k] - corner[0][k];
    edge[1][k] = corner[2][k] - corner[0][k];
  }
  double normal[3];
  double length_sq = 0;
  for (int k = 0; k < 3; ++k) {
    const int k1 = (k + 1) % 3;
    const int k2 = (k + 2) % 3;
    normal[k] = edge[0][k1] * edge[1][k2] - edge[0][k2] * edge[1][k1];
    length_sq += normal[k] * normal[k];
  }
  if (!(length_sq > 1e-60)) return;
  std::uint16_t half_normal[3];
  double middle = 0;
  for (int k = 0; k < 3; ++k) {
    half_normal[k] = to_half_bits(normal[k] / std::sqrt(length_sq));
    normal[k] = from_half_bits(half_normal[k]);
    middle += normal[k] * (corner[0][k] + corner[1][k] + corner[2][k]) / 3;
  }
  const std::uint16_t distance = to_half_bits(middle);
  for (int v = 0; v < 3; ++v) {
    double height = -from_half_bits(distance);
    for (int k = 0; k < 3; ++k) height += normal[k] * corner[v][k];
    // Triangles that are hardly more than segments may have any normal.
    if (!(std::fabs(height) <= 2.99 * k_half_roundoff)) return;
  }
  for (int k = 0; k < 3; ++k) result->normal[k][g].set(i % 2, half_normal[k]);
  result->distance[g].set(i % 2, distance);
}

/// The four triangles from `rows` on, of which the first `count` are there.
TANDEM_HD inline HalfLeaf half_leaf(const CornerRow* rows, std::uint32_t count) {
  double lower[3];
  double upper[3];
  for (int k = 0; k < 3; ++k) {
    lower[k] = std::numeric_limits<double>::infinity();
    upper[k] = -lower[k];
    for (std::uint32_t i = 0; i < count; ++i) {
      for (int v = 0; v < 3; ++v) {
        lower[k] = std::min(lower[k], double{rows[i].value[3 * v + k]});
        upper[k] = std::max(upper[k], double{rows[i].value[3 * v + k]});
      }
    }
  }
  const HalfUnits units(lower, upper);
  HalfLeaf result{};
  result.scale = units.scale;
  result.triangle_count = count;
  for (int k = 0; k < 3; ++k) result.origin[k] = units.origin[k];
  for (int i = 0; i < k_block; ++i) {
    const bool missing = static_cast<std::uint32_t>(i) >= count;
    double corner[3][3];
    for (int v = 0; v < 3; ++v) {
      for (int k = 0; k < 3; ++k) {
        corner[v][k] = missing ? double{NAN} : units.inside(rows[i].value[3 * v + k], k);
        result.corner[v][k][i / 2].set(i % 2, to_half_bits(corner[v][k]));
      }
    }
    if (!missing) set_half_plane(corner, i, &result);
  }
  return result;
}

}  // namespace tandem::detail
