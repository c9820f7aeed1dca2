// Overlap tests of waves in half precision.
#pragma once

#include <tandem/host_device.h>

#include <cmath>
#include <cstdint>

#include "gpu/waves/blocks.h"
#include "gpu/waves/float_filter.h"
#include "gpu/waves/models.h"
#include "gpu/waves/query.h"
#include "math/float_steps.h"
#include "math/half2.h"

namespace tandem::detail {

/// How two blocks stand to each other, in float32: in A's units, a point y of B's block is at
/// r + m y, where m is a rotation times q.
///
/// Let v = 2^-11, what rounding to half precision may be off, relative to the result. Let M bound
/// all coordinates of r + m y on each axis, M = |r| + √3 q, and let E be by how much these are off
/// in float32 (`HalfFrame::margin`). Then, with all that is in blocks.h:
///
/// Differences d of centres are rounded twice: by v M, and by v (M + 1) when A's are subtracted. So
/// each coordinate is off by D = v (2 M + 1) + E.
///
///   Boxes. Reaches are rounded twice as well, by v (√3 q + e) and v (√3 q + 1 + e), where e is the
///   margin: e = v (2 M + 2 + 3.5 q) + E.
///
///   A's slab. n·d is off by |n|₁ D, |n|₁ < 1.74, and by three roundings, of sums up to (1, 1.42
///   and 1.74) (M + 1) + |offset|: in all v (7.7 M + 5.9 + 3 |offset|) + 1.74 E. The reach |mᵀ n|·h
///   of B's box is off by v (3 + 1.74) q for the rounding of its factors and by v (4.2 q + 4
///   thickness) for that of the sums: e = v (7.7 M + 8.9 q + 13) + 1.74 E.
///
///   B's slab. Its normal in A's frame is rounded, v 1.74 (M + 1), and so is its offset, v q
///   |offset|: n·d is off by v (9.4 M + 7.7 + 4 q |offset|) + 1.74 E, and the reach |n|·h of A's
///   box by v (5.9 + 4 q thickness): e = v (9.4 M + 7 q + 13.6) + 1.74 E.
///
///   Corners of B's triangles are computed in half precision from rounded m and r, and were rounded
///   when they were stored: each coordinate is off by v (4 |r| + 6.8 q) + E. Boxes of triangles are
///   rounded once more, v M, and A's corners were stored with an error of v / 2:
///   e = v (5 |r| + 8.6 q + 0.5) + E.
///
///   Planes of A's triangles: n·x is off by 1.74 times the error of corners and by the roundings of
///   three sums, v (4.2 M + 5.3), and A's own points are within 3 v of the plane:
///   e = v (11.2 |r| + 19.2 q + 8.3) + 1.74 E.
///
/// The numbers in the code are larger by what float32, squares of v and poses that are off from
/// rotations by millionths add. Below 2^-14, half precision rounds to multiples of 2^-24: `k_tiny`
/// covers that.
struct BlockFrame {
  float r[3];
  float m[3][3];
  float q;
  /// |r| and M.
  float distance;
  float farthest;
  /// E
  float float_error;

  TANDEM_HD BlockFrame(const HalfFrame& frame, const float origin_a[3], float scale_a,
                       const float origin_b[3], float scale_b) {
    const float per_unit = quick_inverse(scale_a);
    const float ratio = scale_b * per_unit;
    q = ratio * frame.scale;
    float_error = frame.margin * per_unit;
    for (int k = 0; k < 3; ++k) {
      r[k] = (row_times(frame.matrix[k], origin_b, frame.translation[k]) - origin_a[k]) * per_unit;
      for (int j = 0; j < 3; ++j) m[k][j] = frame.matrix[k][j] * ratio;
    }
    distance = larger(std::fabs(r[0]), larger(std::fabs(r[1]), std::fabs(r[2])));
    farthest = multiply_add(1.7321F, q, distance);
  }

  /// Whether half precision has room for both blocks.
  TANDEM_HD bool in_range() const { return farthest <= 4096; }
  /// For blocks that it has no room for: whether they are surely apart.
  TANDEM_HD bool apart() const {
    return distance > 1.01F + 1.74F * q + 1.01F * float_error + 1e-5F * distance;
  }

  static constexpr float k_tiny = 0x1p-19F;
  static constexpr float k_v = k_half_roundoff;

  TANDEM_HD float box_margin() const {
    return k_v * (2.03F * farthest + 3.6F * q + 2.1F) + (1.01F * float_error + k_tiny);
  }
  TANDEM_HD float slab_margin_a() const {
    return k_v * (7.8F * farthest + 9.1F * q + 13.2F) + (1.76F * float_error + k_tiny);
  }
  TANDEM_HD float slab_margin_b() const {
    return k_v * (9.5F * farthest + 7.2F * q + 13.8F) + (1.76F * float_error + k_tiny);
  }
  TANDEM_HD float corner_margin() const {
    return k_v * (5.1F * distance + 8.8F * q + 0.6F) + (1.01F * float_error + k_tiny);
  }
  TANDEM_HD float plane_margin() const {
    return k_v * (11.4F * distance + 19.6F * q + 8.5F) + (1.76F * float_error + k_tiny);
  }
};

/// Nodes and boxes of triangles in half precision, triangles in float32.
class HalfTests {
 public:
  using Frame = HalfFrame;
  /// How many blocks of threads are to run on a processor at once, of waves, of leaves and of
  /// warps that search alone.
  static constexpr int k_node_blocks = 5;
  static constexpr int k_leaf_blocks = 6;
  static constexpr int k_warp_blocks = 5;
  /// Whether there are kernels for few queries.
  static constexpr bool k_for_few = true;

  /// Which of some children overlap: `k_of_a` of A from `first_a` on, and those of `k_groups`
  /// groups of two of B, from `first_group` on. Bit 4 i + j is for the children i and j.
  template <int k_of_a, int k_groups>
  TANDEM_HD static std::uint32_t children(const HalfFrame& frame, const HalfBlock& a,
                                          const HalfBlock& b, int first_a, int first_group) {
    const BlockFrame between(frame, a.origin, a.scale, b.origin, b.scale);
    if (!between.in_range()) {
      return between.apart() ? 0 : all_pairs(a.child_count, b.child_count);
    }
    const float per_scale = quick_inverse(frame.scale);
    float rotation[3][3];
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) rotation[k][j] = frame.matrix[k][j] * per_scale;
    }
    ChildrenOfB moved[k_groups];
    for (int g = 0; g < k_groups; ++g) moved[g].set(between, rotation, b, first_group + g);
    std::uint32_t mask = 0;
    for (int i = 0; i < k_of_a; ++i) {
      const ChildOfA child(between, rotation, a, first_a + i);
      for (int g = 0; g < k_groups; ++g) {
        mask |= overlap(child, moved[g]) & two_bits(first_a + i, first_group + g);
      }
    }
    return joined(mask);
  }

  /// Which triangles of two leaves have boxes that overlap, and are not on one side of the plane of
  /// A's triangle, with the same bits.
  TANDEM_HD static std::uint32_t leaves(const HalfFrame& frame, const WaveModels& models,
                                        std::uint32_t leaf_a, std::uint32_t leaf_b) {
    const HalfLeaf b = load_constant(models.leaves + leaf_b);
    const HalfLeaf a = load_constant(models.leaves + leaf_a);
    return triangles_in<k_block, 2>(frame, a, b, 0, 0);
  }
  /// The bits of one of eight threads that share two leaves.
  template <std::uint32_t k_lanes>
  TANDEM_HD static std::uint32_t some_of_leaves(const HalfFrame& frame, const WaveModels& models,
                                                std::uint32_t leaf_a, std::uint32_t leaf_b,
                                                std::uint32_t lane) {
    static_assert(k_lanes == 2 * k_block);
    return triangles_in<1, 1>(frame, models.leaves[leaf_a], models.leaves[leaf_b],
                              static_cast<int>(lane / 2), static_cast<int>(lane % 2));
  }

  TANDEM_HD static Verdict triangles(const HalfFrame& frame, const WaveTriangle& p,
                                     const WaveTriangle& q) {
    return FloatFilter::judge(frame, p, q);
  }

 private:
  /// Of the 32 bits of a comparison, those that stand for a child of A and a group of two of B: in
  /// the lower half for the first of these, in the upper half, one further on, for the second.
  TANDEM_HD static constexpr std::uint32_t two_bits(int i, int group) {
    return std::uint32_t{0x20001} << (k_block * i + 2 * group);
  }
  /// The bits of both halves.
  TANDEM_HD static std::uint32_t joined(std::uint32_t mask) { return (mask | mask >> 16) & 0xffff; }
  /// Of some triangles of two leaves, as `children` does.
  template <int k_of_a, int k_groups>
  TANDEM_HD static std::uint32_t triangles_in(const HalfFrame& frame, const HalfLeaf& a,
                                              const HalfLeaf& b, int first_a, int first_group) {
    std::uint32_t asked = 0;
    for (int i = 0; i < k_of_a; ++i) {
      for (int g = 0; g < k_groups; ++g) asked |= two_bits(first_a + i, first_group + g);
    }
    const BlockFrame between(frame, a.origin, a.scale, b.origin, b.scale);
    if (!between.in_range()) {
      return between.apart() ? 0 : all_pairs(a.triangle_count, b.triangle_count) & joined(asked);
    }
    TrianglesOfB moved[k_groups];
    for (int g = 0; g < k_groups; ++g) moved[g].set(between, b, first_group + g);
    const Half2 plane_margin = both(between.plane_margin());
    std::uint32_t mask = 0;
    for (int i = 0; i < k_of_a; ++i) {
      const TriangleOfA triangle(a, first_a + i);
      for (int g = 0; g < k_groups; ++g) {
        mask |= overlap(triangle, moved[g], plane_margin) & two_bits(first_a + i, first_group + g);
      }
    }
    return joined(mask);
  }
  TANDEM_HD static Half2 dot(const Half2 x[3], const Half2 y[3], Half2 plus) {
    return fused(x[0], y[0], fused(x[1], y[1], fused(x[2], y[2], plus)));
  }

  /// Two children of B in A's units.
  struct ChildrenOfB {
    Half2 centre[3];
    Half2 half[3];
    /// Along B's axes.
    Half2 own_half[3];
    Half2 normal[3];
    Half2 normal_size[3];
    Half2 offset;
    Half2 thickness;

    TANDEM_HD void set(const BlockFrame& between, const float rotation[3][3], const HalfBlock& b,
                       int g) {
      float c[2][3];
      float h[2][3];
      float n[2][3];
      for (int k = 0; k < 3; ++k) {
        unpack(b.centre[k][g], &c[0][k], &c[1][k]);
        unpack(b.half[k][g], &h[0][k], &h[1][k]);
        unpack(b.normal[k][g], &n[0][k], &n[1][k]);
      }
      const float margin = between.box_margin();
      const float q = between.q;
      for (int k = 0; k < 3; ++k) {
        const float size[3] = {std::fabs(between.m[k][0]), std::fabs(between.m[k][1]),
                               std::fabs(between.m[k][2])};
        centre[k] = rounded(row_times(between.m[k], c[0], between.r[k]),
                            row_times(between.m[k], c[1], between.r[k]));
        half[k] = rounded(row_times(size, h[0], margin), row_times(size, h[1], margin));
        own_half[k] = rounded(h[0][k] * q, h[1][k] * q);
        normal[k] = rounded(row_times(rotation[k], n[0], 0), row_times(rotation[k], n[1], 0));
        normal_size[k] = magnitude(normal[k]);
      }
      const TwoFloats own_offset = widened(b.offset[g]);
      const TwoFloats own_thickness = widened(b.thickness[g]);
      const float slab_margin = between.slab_margin_b();
      offset = rounded(own_offset.first * q, own_offset.second * q);
      thickness = rounded(multiply_add(own_thickness.first, q, slab_margin),
                          multiply_add(own_thickness.second, q, slab_margin));
    }
  };

  /// A child of A, each number in both places.
  struct ChildOfA {
    Half2 centre[3];
    Half2 half[3];
    Half2 normal[3];
    /// Along B's axes, without signs.
    Half2 normal_in_b[3];
    Half2 minus_offset;
    Half2 thickness;

    TANDEM_HD ChildOfA(const BlockFrame& between, const float rotation[3][3], const HalfBlock& a,
                       int i) {
      const int g = i / 2;
      float n[3];
      for (int k = 0; k < 3; ++k) {
        centre[k] = both(a.centre[k][g], i % 2);
        half[k] = both(a.half[k][g], i % 2);
        normal[k] = both(a.normal[k][g], i % 2);
        n[k] = widened(normal[k]).first;
      }
      for (int k = 0; k < 3; ++k) {
        const float column[3] = {rotation[0][k], rotation[1][k], rotation[2][k]};
        normal_in_b[k] = both(std::fabs(row_times(column, n, 0)));
      }
      minus_offset = -both(a.offset[g], i % 2);
      thickness = both(widened(both(a.thickness[g], i % 2)).first + between.slab_margin_a());
    }
  };

  TANDEM_HD static std::uint32_t overlap(const ChildOfA& a, const ChildrenOfB& b) {
    Half2 d[3];
    std::uint32_t meet = 0xffffffff;
    for (int k = 0; k < 3; ++k) {
      d[k] = b.centre[k] - a.centre[k];
      meet &= at_most(magnitude(d[k]), b.half[k] + a.half[k]);
    }
    meet &= at_most(magnitude(dot(d, a.normal, a.minus_offset)),
                    dot(a.normal_in_b, b.own_half, a.thickness));
    return meet &
           at_most(magnitude(dot(d, b.normal, b.offset)), dot(b.normal_size, a.half, b.thickness));
  }

  /// Two triangles of B in A's units.
  struct TrianglesOfB {
    Half2 corner[3][3];
    Half2 lower[3];
    Half2 upper[3];

    TANDEM_HD void set(const BlockFrame& between, const HalfLeaf& b, int g) {
      const Half2 margin = both(between.corner_margin());
      for (int k = 0; k < 3; ++k) {
        const Half2 row[3] = {both(between.m[k][0]), both(between.m[k][1]), both(between.m[k][2])};
        const Half2 r = both(between.r[k]);
        for (int v = 0; v < 3; ++v) {
          const Half2 own[3] = {b.corner[v][0][g], b.corner[v][1][g], b.corner[v][2][g]};
          corner[v][k] = dot(row, own, r);
        }
        lower[k] = least(corner[0][k], least(corner[1][k], corner[2][k])) - margin;
        upper[k] = most(corner[0][k], most(corner[1][k], corner[2][k])) + margin;
      }
    }
  };

  /// A triangle of A, each number in both places.
  struct TriangleOfA {
    Half2 lower[3];
    Half2 upper[3];
    Half2 normal[3];
    Half2 minus_distance;

    TANDEM_HD TriangleOfA(const HalfLeaf& a, int i) {
      const int g = i / 2;
      for (int k = 0; k < 3; ++k) {
        const Half2 low = least(a.corner[0][k][g], least(a.corner[1][k][g], a.corner[2][k][g]));
        const Half2 high = most(a.corner[0][k][g], most(a.corner[1][k][g], a.corner[2][k][g]));
        lower[k] = both(low, i % 2);
        upper[k] = both(high, i % 2);
        normal[k] = both(a.normal[k][g], i % 2);
      }
      minus_distance = -both(a.distance[g], i % 2);
    }
  };

  TANDEM_HD static std::uint32_t overlap(const TriangleOfA& a, const TrianglesOfB& b,
                                         Half2 plane_margin) {
    std::uint32_t meet = 0xffffffff;
    for (int k = 0; k < 3; ++k) {
      meet &= at_most(a.lower[k], b.upper[k]) & at_most(b.lower[k], a.upper[k]);
    }
    const Half2 height[3] = {dot(a.normal, b.corner[0], a.minus_distance),
                             dot(a.normal, b.corner[1], a.minus_distance),
                             dot(a.normal, b.corner[2], a.minus_distance)};
    return meet & at_most(least(height[0], least(height[1], height[2])), plane_margin) &
           at_most(-plane_margin, most(height[0], most(height[1], height[2])));
  }

  TANDEM_HD static void unpack(Half2 pair, float* first, float* second) {
    const TwoFloats numbers = widened(pair);
    *first = numbers.first;
    *second = numbers.second;
  }
};

}  // namespace tandem::detail
