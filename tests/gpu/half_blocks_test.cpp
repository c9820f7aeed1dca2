// Half precision on the host, blocks and leaves in half precision, and the margins of the tests
// between them: whatever overlaps in exact numbers overlaps there.
#include "gpu/waves/half_blocks.h"

#include <gtest/gtest.h>
#include <tandem/pose.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gpu/waves/overlap_half.h"
#include "math/half2.h"
#include "math/random.h"

namespace tandem::test {
namespace {

using detail::from_half_bits;
using detail::Half2;
using detail::half_block;
using detail::half_leaf;
using detail::HalfBlock;
using detail::HalfFrame;
using detail::HalfLeaf;
using detail::HalfTests;
using detail::k_block;
using detail::NodeBlock;
using detail::Random;
using detail::to_half_bits;

__extension__ using Int128 = __int128;

bool is_number(std::uint16_t half) {
  return (half >> 10 & 31) != 31;
}

TEST(Half2, KeepsEveryHalf) {
  for (std::uint32_t half = 0; half < 0x10000; ++half) {
    const auto bits = static_cast<std::uint16_t>(half);
    const float x = from_half_bits(bits);
    if ((half & 0x7fff) > 0x7c00) {
      EXPECT_TRUE(std::isnan(x));
      EXPECT_EQ(to_half_bits(x) & 0x7e00, 0x7e00);
    } else {
      ASSERT_EQ(to_half_bits(x), bits);
    }
  }
  EXPECT_EQ(from_half_bits(0x3c00), 1);
  EXPECT_EQ(from_half_bits(0x7bff), detail::k_largest_half);
  EXPECT_EQ(from_half_bits(1), 0x1p-24F);
}

/// The nearest half to a multiple of 2^-48, of two the even one, by looking at both neighbours.
std::uint16_t nearest(Int128 value) {
  const bool negative = value < 0;
  const Int128 size = negative ? -value : value;
  const auto units_of = [](std::uint32_t half) {
    return static_cast<Int128>(std::ldexp(from_half_bits(static_cast<std::uint16_t>(half)), 48));
  };
  // Infinity stands where the next half would be.
  const Int128 infinite = static_cast<Int128>(65536) << 48;
  std::uint32_t below = 0;
  for (std::uint32_t step = 0x4000; step != 0; step /= 2) {
    if (below + step < 0x7c00 && units_of(below + step) <= size) below += step;
  }
  const std::uint32_t above = below + 1;
  const Int128 down = size - units_of(below);
  const Int128 up = (above == 0x7c00 ? infinite : units_of(above)) - size;
  const std::uint32_t half = down < up || (down == up && below % 2 == 0) ? below : above;
  return static_cast<std::uint16_t>(half | (negative ? 0x8000U : 0U));
}

TEST(Half2, RoundsSumsAndFusedProductsOnce) {
  Random random(1);
  const auto draw = [&] {
    std::uint16_t half = 0;
    do {
      half = static_cast<std::uint16_t>(random.next());
      // Often of the same size, so that results cancel or lie halfway between two halves.
      if (random.below(2) == 0) half = static_cast<std::uint16_t>((half & 0x83ff) | 0x3800);
      if (random.below(4) == 0) half &= 0xffe0;
    } while (!is_number(half));
    return half;
  };
  const auto units = [](std::uint16_t half, int exponent) {
    return static_cast<Int128>(std::ldexp(double{from_half_bits(half)}, exponent));
  };
  for (int i = 0; i < 300'000; ++i) {
    const std::uint16_t x = draw();
    const std::uint16_t y = draw();
    const std::uint16_t z = draw();
    const auto pair = [](std::uint16_t half) { return Half2::from_bits(half, half); };
    const auto expect = [&](Half2 result, Int128 exact, const char* what) {
      const std::uint16_t expected = nearest(exact);
      // Zeros may have either sign.
      const bool zero = (expected & 0x7fff) == 0 && (result.half_bits(1) & 0x7fff) == 0;
      ASSERT_TRUE(zero || result.half_bits(1) == expected)
          << what << ' ' << x << ' ' << y << ' ' << z;
      ASSERT_EQ(result.half_bits(0), result.half_bits(1));
    };
    expect(fused(pair(x), pair(y), pair(z)), units(x, 24) * units(y, 24) + units(z, 48), "fused");
    expect(pair(x) + pair(y), units(x, 48) + units(y, 48), "sum");
    expect(pair(x) - pair(y), units(x, 48) - units(y, 48), "difference");
    ASSERT_FALSE(HasFailure());
  }
}

double half_of(Half2 pair, int number) {
  return from_half_bits(pair.half_bits(number));
}

/// Around a point, of some size, with any number of children.
NodeBlock random_block(Random& random, double size, const double middle[3]) {
  NodeBlock block{};
  block.child_count = static_cast<std::uint32_t>(random.below(8) == 0 ? 1 + random.below(4) : 4);
  for (int i = 0; i < k_block; ++i) {
    double normal[3];
    double length = 0;
    for (double& x : normal) {
      x = random.uniform(-1, 1);
      if (random.below(6) == 0) x = 0;
      length += x * x;
    }
    double reach = 0;
    for (int k = 0; k < 3; ++k) {
      const double part =
          random.below(6) == 0 ? 0 : random.uniform(0, random.below(2) == 0 ? 1 : 0.1);
      block.half[k][i] = static_cast<float>(size * part);
      block.centre[k][i] =
          static_cast<float>(middle[k] + size * random.uniform(-1, 1) * (1 - part));
      block.normal[k][i] = length > 0 ? static_cast<float>(normal[k] / std::sqrt(length)) : 0;
      reach += std::fabs(block.normal[k][i]) * block.half[k][i];
      if (static_cast<std::uint32_t>(i) >= block.child_count) block.half[k][i] = NAN;
    }
    const double thickness = reach * random.uniform(0, 1);
    block.thickness[i] = static_cast<float>(thickness);
    block.offset[i] = static_cast<float>((reach - thickness) * random.uniform(-1, 1));
  }
  return block;
}

TEST(HalfBlocks, EncloseWhatTheyAreMadeOf) {
  Random random(2);
  for (int trial = 0; trial < 20'000; ++trial) {
    const double size = std::pow(2.0, random.uniform(-12, 0));
    const double middle[3] = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const NodeBlock block = random_block(random, size, middle);
    const HalfBlock half = half_block(block);
    for (int i = 0; i < k_block; ++i) {
      const int g = i / 2;
      if (static_cast<std::uint32_t>(i) >= block.child_count) {
        ASSERT_TRUE(std::isnan(half_of(half.half[0][g], i % 2)));
        continue;
      }
      double length_sq = 0;
      for (int k = 0; k < 3; ++k) {
        ASSERT_LE(std::fabs(half_of(half.centre[k][g], i % 2)), 1);
        ASSERT_LE(half_of(half.half[k][g], i % 2), 1.001);
        length_sq += std::pow(half_of(half.normal[k][g], i % 2), 2);
      }
      ASSERT_LE(length_sq, 1.002 * 1.002);
      ASSERT_LE(std::fabs(half_of(half.offset[g], i % 2)) + half_of(half.thickness[g], i % 2),
                1.75);
      // Corners of the box, moved along the normal to the faces of the slab where they are outside.
      for (int corner = 0; corner < 8; ++corner) {
        double x[3];
        double height = -block.offset[i];
        for (int k = 0; k < 3; ++k) {
          x[k] = (corner >> k & 1) != 0 ? block.half[k][i] : -block.half[k][i];
          height += block.normal[k][i] * x[k];
        }
        const bool inside = std::fabs(height) <= block.thickness[i];
        double half_height = -half_of(half.offset[g], i % 2);
        for (int k = 0; k < 3; ++k) {
          const double y = (block.centre[k][i] + x[k] - half.origin[k]) / half.scale -
                           half_of(half.centre[k][g], i % 2);
          ASSERT_LE(std::fabs(y), half_of(half.half[k][g], i % 2));
          half_height += half_of(half.normal[k][g], i % 2) * y;
        }
        ASSERT_TRUE(!inside || std::fabs(half_height) <= half_of(half.thickness[g], i % 2));
      }
    }
  }
}

/// How B stands to A: exactly, and as kernels know it.
struct Placement {
  double matrix[3][3];
  double translation[3];
  HalfFrame frame;

  Placement(Random& random, int exponent, double reach) {
    const Pose pose = Pose::from_quaternion(random.uniform(-1, 1), random.uniform(-1, 1),
                                            random.uniform(-1, 1), random.uniform(-1, 1));
    const bool turned = random.below(5) != 0;
    frame.scale = static_cast<float>(std::ldexp(1.0, exponent));
    for (int i = 0; i < 3; ++i) {
      translation[i] = random.uniform(-reach, reach);
      for (int j = 0; j < 3; ++j) {
        const double entry = turned ? pose.rotation(i, j) : (i == j ? 1 : 0);
        matrix[i][j] = std::ldexp(entry, exponent);
        frame.matrix[i][j] = static_cast<float>(matrix[i][j]);
      }
    }
  }
  /// Moves B along a direction.
  void move(const double direction[3], double by) {
    for (int k = 0; k < 3; ++k) translation[k] += direction[k] * by;
  }
  /// As `WideFrame` does, for models within [-1, 1].
  void set_frame() {
    double reach = 0;
    for (int i = 0; i < 3; ++i) {
      frame.translation[i] = static_cast<float>(translation[i]);
      double sum = 1 + std::fabs(translation[i]);
      for (int j = 0; j < 3; ++j) sum += std::fabs(matrix[i][j]);
      reach = std::max(reach, sum);
    }
    frame.margin = static_cast<float>(9 * 0x1p-24 * reach);
  }
  double moved(const double point[3], int axis) const {
    return matrix[axis][0] * point[0] + matrix[axis][1] * point[1] + matrix[axis][2] * point[2] +
           translation[axis];
  }
};

/// A child in the coordinates of its tree.
struct ExactChild {
  double centre[3];
  double half[3];
  double normal[3];
  double offset;
  double thickness;

  ExactChild(const HalfBlock& block, int i) {
    for (int k = 0; k < 3; ++k) {
      centre[k] = block.origin[k] + block.scale * half_of(block.centre[k][i / 2], i % 2);
      half[k] = block.scale * half_of(block.half[k][i / 2], i % 2);
      normal[k] = half_of(block.normal[k][i / 2], i % 2);
    }
    offset = block.scale * half_of(block.offset[i / 2], i % 2);
    thickness = block.scale * half_of(block.thickness[i / 2], i % 2);
  }
};

/// A direction along which two children may be apart, as far as boxes and slabs tell: by how much
/// (negative where they overlap), and the direction in which B leaves A.
struct Gap {
  double size;
  double direction[3];
};

std::vector<Gap> gaps(const Placement& placement, const ExactChild& a, const ExactChild& b) {
  double d[3];
  for (int k = 0; k < 3; ++k) d[k] = placement.moved(b.centre, k) - a.centre[k];
  const double scale = placement.frame.scale;
  std::vector<Gap> result;
  const auto add = [&](double distance, double reach, const double* direction) {
    const double sign = distance < 0 ? -1 : 1;
    result.push_back({std::fabs(distance) - reach,
                      {sign * direction[0], sign * direction[1], sign * direction[2]}});
  };
  double along_a = -a.offset;
  double reach_a = a.thickness;
  double along_b = b.offset * scale;
  double reach_b = b.thickness * scale;
  double b_normal[3];
  for (int k = 0; k < 3; ++k) {
    double reach = a.half[k];
    double in_b = 0;
    b_normal[k] = 0;
    for (int j = 0; j < 3; ++j) {
      reach += std::fabs(placement.matrix[k][j]) * b.half[j];
      in_b += placement.matrix[j][k] * a.normal[j];
      b_normal[k] += placement.matrix[k][j] / scale * b.normal[j];
    }
    const double axis[3] = {k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0};
    add(d[k], reach, axis);
    along_a += a.normal[k] * d[k];
    reach_a += std::fabs(in_b) * b.half[k];
    along_b += b_normal[k] * d[k];
    reach_b += std::fabs(b_normal[k]) * a.half[k];
  }
  add(along_a, reach_a, a.normal);
  add(along_b, reach_b, b_normal);
  return result;
}

TEST(HalfBlocks, OverlapWhereverTheyDoInExactNumbers) {
  Random random(3);
  int touching = 0;
  int overlaps = 0;
  int found = 0;
  for (int trial = 0; trial < 60'000; ++trial) {
    const double size = std::pow(2.0, random.uniform(-10, -1));
    const double ratio = std::pow(2.0, random.uniform(-3, 3) * (random.below(5) == 0 ? 4 : 1));
    const double middle_a[3] = {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 0.25};
    const double middle_b[3] = {random.uniform(-0.5, 0.5), -0.3, random.uniform(-0.5, 0.5)};
    const HalfBlock a = half_block(random_block(random, size, middle_a));
    const HalfBlock b = half_block(random_block(random, std::min(size * ratio, 0.5), middle_b));
    Placement placement(random, static_cast<int>(random.below(5)) - 2, 1);
    // B's block comes to where A's is, and then one of its children just touches one of A's in one
    // of five ways.
    for (int k = 0; k < 3; ++k) {
      const double origin[3] = {b.origin[0], b.origin[1], b.origin[2]};
      placement.translation[k] +=
          a.origin[k] - placement.moved(origin, k) + random.uniform(-1.5, 1.5) * a.scale;
    }
    const auto i = static_cast<int>(random.below(a.child_count));
    const auto j = static_cast<int>(random.below(b.child_count));
    const std::size_t way = random.below(5);
    for (int step = 0; step < 3; ++step) {
      const Gap gap = gaps(placement, ExactChild(a, i), ExactChild(b, j))[way];
      double length_sq = 0;
      for (const double x : gap.direction) length_sq += x * x;
      if (length_sq > 0.5) placement.move(gap.direction, -gap.size / length_sq);
    }
    placement.set_frame();
    const std::uint32_t mask = HalfTests::children<4, 2>(placement.frame, a, b, 0, 0);
    for (int x = 0; x < k_block; ++x) {
      // As threads that share a pair see it.
      const std::uint32_t row = HalfTests::children<1, 2>(placement.frame, a, b, x, 0);
      ASSERT_EQ(row & 0xfU << 4 * x, mask & 0xfU << 4 * x);
      for (int y = 0; y < k_block; ++y) {
        const bool there =
            x < static_cast<int>(a.child_count) && y < static_cast<int>(b.child_count);
        const bool overlap = (mask >> (4 * x + y) & 1) != 0;
        if (!there) {
          ASSERT_FALSE(overlap);
          continue;
        }
        double largest = -INFINITY;
        for (const Gap& gap : gaps(placement, ExactChild(a, x), ExactChild(b, y))) {
          largest = std::max(largest, gap.size);
        }
        overlaps += largest <= 0 ? 1 : 0;
        found += overlap ? 1 : 0;
        touching += std::fabs(largest) < 1e-9 * a.scale ? 1 : 0;
        ASSERT_TRUE(overlap || largest > 1e-12 * a.scale)
            << "trial " << trial << ", children " << x << " and " << y << ", way " << way;
      }
    }
  }
  // Many just touch, and not much more is found than overlaps.
  EXPECT_GT(touching, 4'000);
  EXPECT_LT(found, 1.2 * overlaps);
}

TEST(HalfBlocks, KeepTrianglesThatMayTouch) {
  Random random(4);
  int kept = 0;
  int needed = 0;
  for (int trial = 0; trial < 40'000; ++trial) {
    detail::CornerRow rows[2][k_block];
    const std::uint32_t count[2] = {
        static_cast<std::uint32_t>(random.below(6) == 0 ? 1 + random.below(3) : 4), 4};
    const double size = std::pow(2.0, random.uniform(-10, -2));
    for (auto& leaf : rows) {
      const double middle[3] = {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 0.1};
      const double its_size = size * std::pow(2.0, random.uniform(-2, 2));
      for (detail::CornerRow& row : leaf) {
        for (int i = 0; i < 9; ++i) {
          row.value[i] = static_cast<float>(middle[i % 3] + its_size * random.uniform(-1, 1));
        }
        // Some are segments, or nearly.
        for (int k = 0; k < 3 && random.below(10) == 0; ++k) row.value[6 + k] = row.value[k];
      }
    }
    const HalfLeaf a = half_leaf(rows[0], count[0]);
    const HalfLeaf b = half_leaf(rows[1], count[1]);
    Placement placement(random, static_cast<int>(random.below(3)) - 1, 1);
    for (int k = 0; k < 3; ++k) {
      const double origin[3] = {b.origin[0], b.origin[1], b.origin[2]};
      placement.translation[k] += a.origin[k] - placement.moved(origin, k);
    }
    // A corner of B comes onto the plane of a triangle of A, on its highest or lowest corner over
    // it, or two boxes just touch.
    const auto i = static_cast<int>(random.below(count[0]));
    const auto j = static_cast<int>(random.below(count[1]));
    const auto corner = [&](int leaf, int row, int v, double x[3]) {
      double own[3];
      for (int k = 0; k < 3; ++k) own[k] = rows[leaf][row].value[3 * v + k];
      for (int k = 0; k < 3; ++k) x[k] = leaf == 0 ? own[k] : placement.moved(own, k);
    };
    const auto plane = [&](int row, double n[3]) {
      double p[3][3];
      for (int v = 0; v < 3; ++v) corner(0, row, v, p[v]);
      double length_sq = 0;
      for (int k = 0; k < 3; ++k) {
        const int k1 = (k + 1) % 3;
        const int k2 = (k + 2) % 3;
        n[k] = (p[1][k1] - p[0][k1]) * (p[2][k2] - p[0][k2]) -
               (p[1][k2] - p[0][k2]) * (p[2][k1] - p[0][k1]);
        length_sq += n[k] * n[k];
      }
      for (int k = 0; k < 3; ++k) n[k] /= length_sq > 0 ? std::sqrt(length_sq) : 1;
    };
    /// The range of heights of B's corners over A's plane.
    const auto heights = [&](int x, int y, double range[2]) {
      double n[3];
      double p[3];
      plane(x, n);
      corner(0, x, 0, p);
      range[0] = INFINITY;
      range[1] = -INFINITY;
      for (int v = 0; v < 3; ++v) {
        double c[3];
        corner(1, y, v, c);
        const double height = n[0] * (c[0] - p[0]) + n[1] * (c[1] - p[1]) + n[2] * (c[2] - p[2]);
        range[0] = std::min(range[0], height);
        range[1] = std::max(range[1], height);
      }
    };
    double n[3];
    double range[2];
    plane(i, n);
    heights(i, j, range);
    placement.move(n, -range[random.below(2)]);
    placement.set_frame();
    detail::WaveModels models;
    const HalfLeaf leaves[2] = {a, b};
    models.leaves = leaves;
    const std::uint32_t mask = HalfTests::leaves(placement.frame, models, 0, 1);
    for (int x = 0; x < k_block; ++x) {
      for (int y = 0; y < k_block; ++y) {
        const bool keeps = (mask >> (4 * x + y) & 1) != 0;
        if (x >= static_cast<int>(count[0])) {
          ASSERT_FALSE(keeps);
          continue;
        }
        heights(x, y, range);
        const double least = 1e-12 * a.scale;
        bool may_touch = range[0] <= -least && range[1] >= least;
        if (x == i && y == j) may_touch = true;
        for (int k = 0; k < 3; ++k) {
          double lower[2] = {INFINITY, INFINITY};
          double upper[2] = {-INFINITY, -INFINITY};
          for (int leaf = 0; leaf < 2; ++leaf) {
            for (int v = 0; v < 3; ++v) {
              double c[3];
              corner(leaf, leaf == 0 ? x : y, v, c);
              lower[leaf] = std::min(lower[leaf], c[k]);
              upper[leaf] = std::max(upper[leaf], c[k]);
            }
          }
          may_touch = may_touch && lower[0] <= upper[1] && lower[1] <= upper[0];
        }
        kept += keeps ? 1 : 0;
        needed += may_touch ? 1 : 0;
        ASSERT_TRUE(keeps || !may_touch)
            << "trial " << trial << ", triangles " << x << " and " << y;
      }
    }
  }
  EXPECT_GT(needed, 100'000);
  EXPECT_LT(kept, 1.2 * needed);
}

}  // namespace
}  // namespace tandem::test
