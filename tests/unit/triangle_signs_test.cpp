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

/// 576 bits as eighteen digits of 32, the lowest first.
using Digits = std::array<std::uint32_t, 18>;

Digits negated(Digits x) {
  std::uint64_t carry = 1;
  for (std::uint32_t& digit : x) {
    carry += ~digit;
    digit = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  return x;
}

Digits sum(const Digits& a, const Digits& b) {
  Digits result{};
  std::uint64_t carry = 0;
  for (std::size_t k = 0; k < result.size(); ++k) {
    carry += std::uint64_t{a[k]} + b[k];
    result[k] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  return result;
}

/// A signed number, moved to the left.
Digits digits(Int128 x, int shift = 0) {
  const bool negative = x < 0;
  const auto magnitude = static_cast<Wrapped128>(negative ? -x : x);
  Digits result{};
  for (int bit = 0; bit < 128; ++bit) {
    const int to = bit + shift;
    if ((magnitude >> bit & 1) != 0) result[to / 32] |= 1U << to % 32;
  }
  return negative ? negated(result) : result;
}

/// As they are where no number is above 2^192.
Digits digits(const Wrapped192& x) {
  return sum(digits(static_cast<Int128>(x.low)),
             sum(digits(static_cast<Int128>(x.high & ~std::uint64_t{0}), 64),
                 digits(static_cast<Int128>(x.high >> 64), 128)));
}

template <int count>
Digits digits(const LongInteger<count>& x) {
  Digits result{};
  for (int k = 0; k < count; ++k) result = sum(result, digits(Int128{x.digit[k]}, 61 * k));
  return result;
}

/// What is left modulo 2^192.
Digits cut_to_192(Digits x) {
  std::fill(x.begin() + 6, x.end(), 0U);
  return x;
}

int sign_of(const Digits& x) {
  if (x.back() >> 31 != 0) return -1;
  return x == Digits{} ? 0 : 1;
}

/// As written on paper.
Digits multiplied(const Digits& a, const Digits& b) {
  Digits result{};
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; i + j < result.size(); ++j) {
      carry += std::uint64_t{a[i]} * b[j] + result[i + j];
      result[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  return result;
}

class ExactInteger : public testing::Test {
 protected:
  std::uint64_t half() {
    // Few bits now and then, so that carries and zeros happen.
    const std::uint64_t bits = random_.next();
    const auto shift = static_cast<int>(random_.below(64));
    return random_.below(4) == 0 ? ~(bits >> shift) : bits >> shift;
  }
  Wrapped128 next() { return Wrapped128{half()} << 64 | half(); }

  /// Digits up to the largest that there may be, with either sign.
  std::int64_t long_digit(std::int64_t largest) {
    const auto magnitude = static_cast<std::int64_t>(half() >> 1) % (largest + 1);
    const std::int64_t digit = random_.below(4) == 0 ? largest - magnitude % 2 : magnitude;
    return random_.below(2) == 0 ? digit : -digit;
  }
  template <int count>
  LongInteger<count> long_integer(std::int64_t largest = (std::int64_t{1} << 61) + 1) {
    LongInteger<count> result;
    for (std::int64_t& digit : result.digit) digit = long_digit(largest);
    return result;
  }

  template <int count>
  void expect_sums_of_products() {
    for (int i = 0; i < 20'000; ++i) {
      LongInteger<count> a[4];
      for (auto& x : a) x = long_integer<count>();
      // Nearly equal products now and then, so that signs hang on the last digit.
      if (random_.below(2) == 0) {
        a[2] = a[0];
        a[3] = a[1];
        if (random_.below(2) == 0) a[3].digit[0] -= 1;
      }
      const Digits expected = sum(multiplied(digits(a[0]), digits(a[1])),
                                  negated(multiplied(digits(a[2]), digits(a[3]))));
      using Product = LongInteger<2 * count>;
      const auto difference = product_difference<Product>(a[0], a[1], a[2], a[3]);
      ASSERT_EQ(digits(difference), expected) << i;
      ASSERT_EQ(tandem::detail::sign_of(difference), sign_of(expected)) << i;
      const auto area = product_difference<LongSum<2 * count - 1>>(a[0], a[1], a[2], a[3]);
      ASSERT_EQ(area.sign(), sign_of(expected)) << i;
      Product n[3];
      for (auto& x : n) x = long_integer<2 * count>(std::int64_t{1} << 62);
      if (random_.below(2) == 0) n[1] = n[0], a[1] = a[0];
      const LongInteger<count> opposite = wrapped_difference(LongInteger<count>{}, a[1]);
      const auto volume =
          product_sum<LongSum<3 * count - 1>>(n[0], a[0], n[1], opposite, n[2], a[2]);
      const Digits paper = sum(sum(multiplied(digits(n[0]), digits(a[0])),
                                   negated(multiplied(digits(n[1]), digits(a[1])))),
                               multiplied(digits(n[2]), digits(a[2])));
      ASSERT_EQ(volume.sign(), sign_of(paper)) << i;
    }
  }

  Random random_{5};
};

TEST_F(ExactInteger, ProductsOf192BitsAreThoseOnPaper) {
  for (int i = 0; i < 100'000; ++i) {
    const auto a = static_cast<Int128>(next());
    const auto b = static_cast<std::int64_t>(half());
    const Digits paper = multiplied(digits(a), digits(Int128{b}));
    ASSERT_EQ(digits(product<Wrapped192>(static_cast<Wrapped128>(a), b)), cut_to_192(paper)) << i;
    const Wrapped192 c{half(), next()};
    const Wrapped192 d{half(), next()};
    ASSERT_EQ(digits(c + d), cut_to_192(sum(digits(c), digits(d)))) << i;
  }
}

TEST_F(ExactInteger, SumsOfLongProductsAreThoseOnPaper) {
  expect_sums_of_products<2>();
  expect_sums_of_products<3>();
}

TEST_F(ExactInteger, SignsAreThoseOfTwosComplement) {
  EXPECT_EQ(tandem::detail::sign_of(Wrapped128{0}), 0);
  EXPECT_EQ(tandem::detail::sign_of(Wrapped128{1}), 1);
  EXPECT_EQ(tandem::detail::sign_of(Wrapped128{1} << 126), 1);
  EXPECT_EQ(tandem::detail::sign_of(Wrapped128{1} << 127), -1);
  EXPECT_EQ(tandem::detail::sign_of(~Wrapped128{0}), -1);
  EXPECT_EQ(tandem::detail::sign_of(Wrapped192{0, 0}), 0);
  EXPECT_EQ(tandem::detail::sign_of(Wrapped192{1, 0}), 1);
  EXPECT_EQ(tandem::detail::sign_of(Wrapped192{0, 1}), 1);
  EXPECT_EQ(tandem::detail::sign_of(Wrapped192{0, Wrapped128{1} << 127}), -1);
  EXPECT_EQ(tandem::detail::sign_of(Wrapped192{1, ~Wrapped128{0}}), -1);
}

std::string where(std::uint64_t seed, int i, const char* kind) {
  return "seed " + std::to_string(seed) + ", pair " + std::to_string(i) + ", " + kind;
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
  Grid grid;
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

TEST(TriangleSigns, EveryGridGivesTheSignsOfExpansions) {
  const std::uint64_t seed = 14;
  test::TriangleCases cases(seed);
  int on_narrow = 0;
  int on_grid = 0;
  int on_wide = 0;
  int on_widest = 0;
  const int count = 21'000;
  for (int i = 0; i < count; ++i) {
    const test::TriangleCase c = cases.next(i % test::TriangleCases::k_kind_count);
    const std::string message = where(seed, i, c.kind);
    const bool narrow = expect_signs_of_expansions<GridSigns<NarrowGrid>>(c, message);
    const bool grid = expect_signs_of_expansions<GridSigns<Grid>>(c, message);
    const bool wide = expect_signs_of_expansions<LongGridSigns<2>>(c, message);
    const bool widest = expect_signs_of_expansions<LongGridSigns<3>>(c, message);
    // Each holds what a narrower one holds.
    EXPECT_LE(narrow, grid) << message;
    EXPECT_LE(grid, wide) << message;
    EXPECT_LE(wide, widest) << message;
    on_narrow += narrow ? 1 : 0;
    on_grid += grid ? 1 : 0;
    on_wide += wide ? 1 : 0;
    on_widest += widest ? 1 : 0;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(on_narrow, count / 10);
  EXPECT_GT(on_grid - on_narrow, count / 10);
  EXPECT_GT(on_wide - on_grid, count / 100);
  EXPECT_GT(on_widest - on_wide, count / 200);
  EXPECT_GT(count - on_widest, count / 50);
}

/// Triangles on the grid of integers whose largest difference is this one, often in one plane.
test::TriangleCase with_difference(double largest, Random* random) {
  const auto coordinate = [&] {
    const double choices[4] = {static_cast<double>(random->below(4)),
                               std::floor(random->uniform() * largest), std::floor(largest / 2),
                               largest};
    return choices[random->below(4)];
  };
  const auto corner = [&] { return Vec3d{coordinate(), coordinate(), coordinate()}; };
  test::TriangleCase c{{{corner(), corner(), corner()}}, {{corner(), corner(), corner()}}, ""};
  c.p.corner[0].x = 0;
  c.p.corner[1].x = 1;
  c.q.corner[0].x = largest;
  if (random->below(2) == 0) {
    for (Triangle* t : {&c.p, &c.q}) {
      for (Vec3d& v : t->corner) v.z = v.x;
    }
  }
  return c;
}

/// One bit inside and one bit beyond.
template <class Signs>
void expect_to_hold(int bits) {
  const double beyond = std::ldexp(1.0, bits);
  const double inside = bits <= 53 ? beyond - 1 : std::nextafter(beyond, 0.0);
  const std::uint64_t seed = 17;
  Random random(seed);
  for (int i = 0; i < 2'000; ++i) {
    const std::string message = where(seed, i, "differences of ") + std::to_string(bits) + " bits";
    const test::TriangleCase c = with_difference(inside, &random);
    EXPECT_TRUE(expect_signs_of_expansions<Signs>(c, message)) << message;
    const test::TriangleCase d = with_difference(beyond, &random);
    EXPECT_FALSE(expect_signs_of_expansions<Signs>(d, message)) << message;
    const ExpansionSigns exact(c.p, c.q);
    const bool expected = triangles_intersect_exact(exact);
    ASSERT_EQ(decide_triangles(c.p, c.q).intersects, expected) << message;
    if (testing::Test::HasFailure()) return;
  }
}

TEST(TriangleSigns, GridsHoldTheirBitsAndNoMore) {
  expect_to_hold<GridSigns<NarrowGrid>>(36);
  expect_to_hold<GridSigns<Grid>>(63);
  expect_to_hold<LongGridSigns<2>>(122);
  expect_to_hold<LongGridSigns<3>>(183);
}

/// The sums of rounded differences that say how far corners are apart are a little too small here,
/// so that one that needs 64 bits would be taken for one of 63.
TEST(TriangleSigns, RoundedSumsHideNoDifference) {
  const double x[4] = {-0x1.8p+9, -0x1.0000000000002p+61, 0x1.0000000000579p+61,
                       0x1.7ffffffffffffp+62};
  Random random(18);
  for (int i = 0; i < 2'000; ++i) {
    const auto small = [&] { return static_cast<double>(random.below(5)) - 2; };
    const auto at = [&](double along) { return Vec3d{along, small(), small()}; };
    const Triangle p{{at(x[0]), at(x[1]), at(x[1])}};
    const Triangle q{{at(x[2]), at(x[2]), at(x[3])}};
    const ExpansionSigns exact(p, q);
    TriangleSigns signs(p, q);
    for (int dropped = 1; dropped < 3; ++dropped) {
      for (int k = 0; k < 6; ++k) {
        const auto area = [&](const auto& of) { return of.onto({dropped}).area(1, 5, k); };
        ASSERT_EQ(signs.ask(area), area(exact)) << i;
      }
    }
  }
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
  // An offset of 1e-12 needs more bits, one of 1e-20 yet more, and one of 1e-57 too many.
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
  EXPECT_EQ(stage_of(slope, shifted(0x1p-166)), TriangleStage::wide_grid);
  EXPECT_EQ(stage_of(slope, shifted(0x1p-190)), TriangleStage::expansions);
  // Segments whose lines do not meet need no more than doubles, though they have no area.
  const Triangle along{{{0, 0, 0}, {4, 0, 0}, {0, 0, 0}}};
  const Triangle across{{{1, -1, 1}, {1, 1, 1}, {1, 1, 1}}};
  EXPECT_EQ(stage_of(along, across), TriangleStage::double_filter);
}

}  // namespace
}  // namespace tandem::detail
