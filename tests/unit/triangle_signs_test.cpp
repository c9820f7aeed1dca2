// The sources of exact signs against each other: integers that wrap around, grids and expansions.
#include "geometry/triangle_signs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "geometry/triangle_exact.h"
#include "geometry/triangle_test.h"
#include "math/random.h"
#include "support/triangle_cases.h"

namespace tandem::detail {
namespace {

/// 256 bits as eight digits of 32, the lowest first.
using Digits = std::array<std::uint32_t, 8>;

Digits digits(const Wrapped256& x) {
  Digits result{};
  for (int k = 0; k < 8; ++k) {
    result[k] = static_cast<std::uint32_t>((k < 4 ? x.low : x.high) >> (32 * (k % 4)));
  }
  return result;
}

Digits digits(const Wrapped192& x) {
  return digits(Wrapped256{x.high << 64 | x.low, x.high >> 64});
}

/// What is left modulo 2^192.
Digits cut_to_192(Digits x) {
  x[6] = x[7] = 0;
  return x;
}

/// As written on paper.
Digits multiplied(const Digits& a, const Digits& b) {
  Digits result{};
  for (int i = 0; i < 8; ++i) {
    std::uint64_t carry = 0;
    for (int j = 0; i + j < 8; ++j) {
      carry += std::uint64_t{a[i]} * b[j] + result[i + j];
      result[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  return result;
}

class WrappedInteger : public testing::Test {
 protected:
  std::uint64_t half() {
    // Few bits now and then, so that carries and zeros happen.
    const std::uint64_t bits = random_.next();
    const auto shift = static_cast<int>(random_.below(64));
    return random_.below(4) == 0 ? ~(bits >> shift) : bits >> shift;
  }
  Wrapped128 next() { return Wrapped128{half()} << 64 | half(); }
  static Wrapped256 widened(Int128 x) {
    return {static_cast<Wrapped128>(x), x < 0 ? ~Wrapped128{0} : Wrapped128{0}};
  }

  Random random_{5};
};

TEST_F(WrappedInteger, ProductsAreThoseOnPaper) {
  for (int i = 0; i < 100'000; ++i) {
    const auto a = static_cast<Int128>(next());
    const auto b = static_cast<Int128>(next());
    const Wrapped256 wide{next(), next()};
    ASSERT_EQ(digits(product<Wrapped256>(a, b)), multiplied(digits(widened(a)), digits(widened(b))))
        << i;
    ASSERT_EQ(digits(product<Wrapped256>(wide, b)), multiplied(digits(wide), digits(widened(b))))
        << i;
  }
}

TEST_F(WrappedInteger, ProductsOf192BitsAreThoseOnPaper) {
  for (int i = 0; i < 100'000; ++i) {
    const Wrapped128 a = next();
    const auto b = static_cast<std::int64_t>(half());
    const Digits paper = multiplied(digits(widened(static_cast<Int128>(a))), digits(widened(b)));
    ASSERT_EQ(digits(product<Wrapped192>(a, b)), cut_to_192(paper)) << i;
    const Wrapped192 c{half(), next()};
    const Wrapped192 d{half(), next()};
    const auto wide = [](const Wrapped192& x) {
      return Wrapped256{x.high << 64 | x.low, x.high >> 64};
    };
    ASSERT_EQ(digits(c + d), cut_to_192(digits(wide(c) + wide(d)))) << i;
  }
}

TEST_F(WrappedInteger, SumsAndDifferencesUndoEachOther) {
  for (int i = 0; i < 100'000; ++i) {
    const Wrapped256 a{next(), next()};
    const Wrapped256 b{next(), next()};
    const Wrapped256 sum = a + b;
    ASSERT_EQ(digits(sum - b), digits(a)) << i;
    // The carry is right: both halves as numbers of 129 bits.
    const bool carry = a.low > ~b.low;
    ASSERT_TRUE(sum.high == a.high + b.high + (carry ? 1 : 0)) << i;
  }
}

TEST_F(WrappedInteger, SignsAreThoseOfTwosComplement) {
  EXPECT_EQ(sign_of(Wrapped128{0}), 0);
  EXPECT_EQ(sign_of(Wrapped128{1}), 1);
  EXPECT_EQ(sign_of(Wrapped128{1} << 126), 1);
  EXPECT_EQ(sign_of(Wrapped128{1} << 127), -1);
  EXPECT_EQ(sign_of(~Wrapped128{0}), -1);
  EXPECT_EQ(sign_of(Wrapped192{0, 0}), 0);
  EXPECT_EQ(sign_of(Wrapped192{1, 0}), 1);
  EXPECT_EQ(sign_of(Wrapped192{0, 1}), 1);
  EXPECT_EQ(sign_of(Wrapped192{0, Wrapped128{1} << 127}), -1);
  EXPECT_EQ(sign_of(Wrapped192{1, ~Wrapped128{0}}), -1);
  EXPECT_EQ(sign_of(Wrapped256{0, 0}), 0);
  EXPECT_EQ(sign_of(Wrapped256{1, 0}), 1);
  EXPECT_EQ(sign_of(Wrapped256{0, 1}), 1);
  EXPECT_EQ(sign_of(Wrapped256{0, ~Wrapped128{0}}), -1);
  EXPECT_EQ(sign_of(Wrapped256{~Wrapped128{0}, ~Wrapped128{0}}), -1);
}

double extent_of(const Triangle& p, const Triangle& q) {
  double extent = k_smallest_coordinate;
  for (int a = 0; a < 6; ++a) {
    for (int b = 0; b < a; ++b) {
      extent = larger(extent, largest_component(corner_of(p, q, a) - corner_of(p, q, b)));
    }
  }
  return extent;
}

/// Compares all signs that the grid promises. False when the corners are not on it.
template <class Grid>
bool expect_signs_of_expansions(const test::TriangleCase& c, const std::string& where) {
  const double extent = extent_of(c.p, c.q);
  GridSigns<Grid> grid;
  if (!grid.place(c.p, c.q, extent)) return false;
  const ExpansionSigns exact(c.p, c.q);
  for (int dropped = 0; dropped < 3; ++dropped) {
    const auto shadow = grid.onto({dropped});
    const auto expected = exact.onto({dropped});
    for (int a = 0; a < 6; ++a) {
      for (int b = 0; b < 6; ++b) {
        for (int k = 0; k < 6; ++k) {
          EXPECT_EQ(shadow.area(a, b, k), expected.area(a, b, k)) << where;
        }
      }
    }
  }
  // Volumes that doubles can not tell from zero, with the largest bound that there is.
  const double largest = 0x1p-46 * extent * extent * extent;
  const auto small = [&](const Vec3d& u, const Vec3d& v, const Vec3d& w, const Vec3d& x) {
    return std::fabs(orient3d_exact(u, v, w, x).estimate()) <= largest;
  };
  const Sides p_sides = exact.p_sides();
  const Sides q_sides = exact.q_sides();
  Sides found_p{};
  Sides found_q{};
  grid.find_p_sides(&found_p);
  grid.find_q_sides(&found_q);
  const Vec3d* p = c.p.corner;
  const Vec3d* q = c.q.corner;
  for (int k = 0; k < 3; ++k) {
    if (small(q[0], q[1], q[2], p[k])) {
      EXPECT_EQ(found_p.of[k], p_sides.of[k]) << where;
    }
    if (small(p[0], p[1], p[2], q[k])) {
      EXPECT_EQ(found_q.of[k], q_sides.of[k]) << where;
    }
    for (int j = 0; j < 3; ++j) {
      if (small(p[k], p[next_corner(k)], q[j], q[next_corner(j)])) {
        EXPECT_EQ(grid.volume(k, j), exact.volume(k, j)) << where;
      }
    }
  }
  return true;
}

/// Compares whether each triangle has area, and with which sign.
void expect_planes_of_expansions(const test::TriangleCase& c, const std::string& where) {
  TriangleSigns signs(c.p, c.q);
  const ExpansionSigns exact(c.p, c.q);
  for (const int first : {0, 3}) {
    Projection plane;
    int orientation = 0;
    Projection any;
    int any_orientation = 0;
    const bool has_area = exact.find_plane(first, &any, &any_orientation);
    ASSERT_EQ(signs.find_plane(first, &plane, &orientation), has_area) << where;
    if (has_area) {
      ASSERT_NE(orientation, 0) << where;
      ASSERT_EQ(orientation, exact.onto(plane).area(first, first + 1, first + 2)) << where;
    }
  }
}

std::string where(std::uint64_t seed, int i, const char* kind) {
  return "seed " + std::to_string(seed) + ", pair " + std::to_string(i) + ", " + kind;
}

TEST(TriangleSigns, EveryGridGivesTheSignsOfExpansions) {
  const std::uint64_t seed = 14;
  test::TriangleCases cases(seed);
  int on_narrow = 0;
  int on_grid = 0;
  int on_wide = 0;
  const int count = 21'000;
  for (int i = 0; i < count; ++i) {
    const test::TriangleCase c = cases.next(i % test::TriangleCases::k_kind_count);
    const std::string message = where(seed, i, c.kind);
    const bool narrow = expect_signs_of_expansions<NarrowGrid>(c, message);
    const bool grid = expect_signs_of_expansions<Grid>(c, message);
    const bool wide = expect_signs_of_expansions<WideGrid>(c, message);
    // Each holds what a narrower one holds.
    EXPECT_LE(narrow, grid) << message;
    EXPECT_LE(grid, wide) << message;
    on_narrow += narrow ? 1 : 0;
    on_grid += grid ? 1 : 0;
    on_wide += wide ? 1 : 0;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(on_narrow, count / 10);
  EXPECT_GT(on_grid - on_narrow, count / 10);
  EXPECT_GT(on_wide - on_grid, count / 100);
  EXPECT_GT(count - on_wide, count / 50);
}

TEST(TriangleSigns, PlanesAreThoseOfExpansionsInAllOrders) {
  const std::uint64_t seed = 16;
  test::TriangleCases cases(seed);
  for (int i = 0; i < 8'400; ++i) {
    const test::TriangleCase c = cases.next(i % test::TriangleCases::k_kind_count);
    test::in_all_orders(c, [&](const Triangle& p, const Triangle& q) {
      expect_planes_of_expansions({p, q, c.kind}, where(seed, i, c.kind));
    });
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(TriangleSigns, TheTestGivesTheAnswerOfExpansionsInAllOrders) {
  const std::uint64_t seed = 15;
  test::TriangleCases cases(seed);
  std::map<TriangleStage, int> stages;
  for (int i = 0; i < 8'400; ++i) {
    const test::TriangleCase c = cases.next(i % test::TriangleCases::k_kind_count);
    const ExpansionSigns exact(c.p, c.q);
    const bool expected = triangles_intersect_exact(exact);
    test::in_all_orders(c, [&](const Triangle& p, const Triangle& q) {
      const TriangleAnswer answer = test_triangles(p, q);
      ASSERT_EQ(answer.intersects, expected) << where(seed, i, c.kind);
      ASSERT_EQ(test_triangles(q, p).intersects, expected) << where(seed, i, c.kind);
      // Without the float filter, and without looking for shared corners first.
      ASSERT_EQ(decide_triangles(p, q).intersects, expected) << where(seed, i, c.kind);
      TriangleSigns signs(q, p);
      ASSERT_EQ(triangles_intersect_exact(signs), expected) << where(seed, i, c.kind);
      ++stages[answer.stage];
    });
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_EQ(stages.size(), static_cast<std::size_t>(k_triangle_stage_count));
}

TriangleStage stage_of(const Triangle& p, const Triangle& q) {
  return test_triangles(p, q).stage;
}

TEST(TriangleSigns, StagesAreThoseThatTheyAreMadeFor) {
  const auto moved = [](Triangle t, double scale, const Vec3d& offset) {
    for (Vec3d& c : t.corner) c = scale * c + offset;
    return t;
  };
  const Triangle p{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
  const Triangle above{{{1, 1, 1}, {2, 1, 1}, {1, 2, 2}}};
  const Triangle beside{{{1, 1, 0}, {9, 1, 0}, {1, 1, 3}}};
  const Triangle neighbour{{{4, 0, 0}, {0, 4, 0}, {4, 4, 3}}};
  EXPECT_EQ(stage_of(p, above), TriangleStage::float_filter);
  EXPECT_EQ(stage_of(p, neighbour), TriangleStage::shared_corner);
  // Too large for floats.
  EXPECT_EQ(stage_of(moved(p, 1e30, {}), moved(above, 1e30, {})), TriangleStage::double_filter);
  // In an axis plane signs of doubles are not rounded, and zeros are zeros.
  const Vec3d far{1e9, -1e9, 3e9};
  EXPECT_EQ(stage_of(p, beside), TriangleStage::double_filter);
  EXPECT_EQ(stage_of(moved(p, 1, far), moved(beside, 1, far)), TriangleStage::double_filter);
  const auto oblique = [](Triangle t) {
    for (Vec3d& c : t.corner) c.z += c.x + c.y;
    return t;
  };
  const Triangle slope = oblique(p);
  EXPECT_EQ(stage_of(slope, oblique(beside)), TriangleStage::narrow_grid);
  // Far away that is too many bits.
  EXPECT_EQ(stage_of(moved(slope, 1, far), moved(oblique(beside), 1, far)), TriangleStage::grid);
  // An offset of 1e-12 needs more bits, one of 1e-20 yet more, and one of 1e-50 too many.
  const auto shifted = [&](double offset) {
    Triangle t = beside;
    t.corner[1].x += 0.5;
    t.corner[0].y = 1 + offset;
    t.corner[2].x = offset;
    return oblique(t);
  };
  EXPECT_EQ(stage_of(slope, shifted(0x1p-40)), TriangleStage::grid);
  EXPECT_EQ(stage_of(slope, shifted(0x1p-52)), TriangleStage::grid);
  EXPECT_EQ(stage_of(slope, shifted(0x1p-66)), TriangleStage::wide_grid);
  EXPECT_EQ(stage_of(slope, shifted(0x1p-166)), TriangleStage::expansions);
  // Segments whose lines do not meet need no more than doubles, though they have no area.
  const Triangle along{{{0, 0, 0}, {4, 0, 0}, {0, 0, 0}}};
  const Triangle across{{{1, -1, 1}, {1, 1, 1}, {1, 1, 1}}};
  EXPECT_EQ(stage_of(along, across), TriangleStage::double_filter);
}

}  // namespace
}  // namespace tandem::detail
