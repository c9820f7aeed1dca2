// Contacts by doubles alone against the exact ones.
#include "sim/clear_contact.h"

#include <gtest/gtest.h>
#include <tandem/mesh.h>

#include <cmath>
#include <string>

#include "math/random.h"

namespace tandem::sim {
namespace {

struct Counts {
  int apart = 0;
  int touching = 0;
  int unknown = 0;
  /// Of those that touch: another triangle decides, as both are about as deep.
  int other_normal = 0;
};

TriangleF random_triangle(detail::Random& random, double size, bool on_grid) {
  TriangleF triangle;
  for (Vec3f& corner : triangle.corner) {
    for (int k = 0; k < 3; ++k) {
      const double x = random.uniform(-1, 1);
      corner[k] = static_cast<float>(size * (on_grid ? std::round(2 * x) / 2 : x));
    }
  }
  return triangle;
}

Model model_of(const TriangleF& t) {
  return Model(Mesh({t.corner[0], t.corner[1], t.corner[2]}, {{0, 1, 2}}));
}

/// Where doubles tell, they say what the exact functions say.
void check(const TriangleF& p, const TriangleF& q, const Pose& q_in_p, Counts* counts,
           const std::string& what) {
  const TrianglePair pair{0, 0};
  Triangle a;
  Triangle b;
  double size = 0;
  for (int k = 0; k < 3; ++k) {
    a.corner[k] = Vec3d(p.corner[k]);
    b.corner[k] = transform_point(q_in_p, Vec3d(q.corner[k]));
    size = std::max({size, length(a.corner[k]), length(b.corner[k])});
  }
  Contact clear;
  const Clear answer = clear_contact({.corners = a}, {.corners = b}, pair, &clear);
  const bool touch = intersects(a, b);
  switch (answer) {
    case Clear::apart:
      ++counts->apart;
      ASSERT_FALSE(touch) << what;
      return;
    case Clear::unknown:
      ++counts->unknown;
      return;
    case Clear::touching:
      ++counts->touching;
  }
  ASSERT_TRUE(touch) << what;
  const auto exact = contact(model_of(p), model_of(q), q_in_p, pair);
  ASSERT_TRUE(exact.has_value()) << what;
  // Slivers have normals of few digits, and flat crossings points of few: a micrometre per metre.
  const double tolerance = 1e-6 * size;
  EXPECT_NEAR(clear.separation, exact->separation, tolerance) << what;
  EXPECT_EQ(clear.pair, exact->pair);
  EXPECT_TRUE(clear.opposed && exact->opposed) << what;
  // Which end is the lesser one may hang on rounding.
  const double straight = length(clear.points[0] - exact->points[0]);
  const double crossed = length(clear.points[0] - exact->points[1]);
  EXPECT_LT(std::min(straight, crossed), tolerance) << what;
  EXPECT_NEAR(length(clear.points[1] - clear.points[0]),
              length(exact->points[1] - exact->points[0]), tolerance)
      << what;
  EXPECT_NEAR(length(clear.normal), 1, 1e-12) << what;
  if (length(clear.normal - exact->normal) > 1e-6) ++counts->other_normal;
}

TEST(ClearContact, SaysWhatTheExactFunctionsSayOrNothing) {
  Counts random_counts;
  Counts grid_counts;
  for (std::uint64_t seed = 0; seed < 40'000; ++seed) {
    detail::Random random(seed);
    const bool on_grid = seed % 2 == 1;
    const double size = std::pow(10, random.uniform(-3, 3));
    const TriangleF p = random_triangle(random, size, on_grid);
    const TriangleF q = random_triangle(random, size, on_grid);
    const Pose pose =
        on_grid ? Pose()
                : Pose::from_axis_angle({1, random.uniform(-1, 1), 2}, random.uniform(0, 6),
                                        {size * random.uniform(-1, 1), 0, 0});
    check(p, q, pose, on_grid ? &grid_counts : &random_counts, "seed " + std::to_string(seed));
    if (HasFailure()) return;
  }
  EXPECT_GT(random_counts.touching, 2000);
  EXPECT_GT(random_counts.apart, 5000);
  EXPECT_LT(random_counts.unknown, 20);
  EXPECT_LT(random_counts.other_normal, 20);
  // Half of those on a grid meet in corners, edges or planes.
  EXPECT_GT(grid_counts.unknown, 2000);
  EXPECT_GT(grid_counts.touching, 500);
}

TEST(ClearContact, LeavesTouchingCornersEdgesAndPlanesToOthers) {
  const Triangle a{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  Contact contact;
  const auto answer = [&](const Triangle& b) {
    return clear_contact({.corners = a}, {.corners = b}, {0, 0}, &contact);
  };
  EXPECT_EQ(answer(a), Clear::unknown);
  EXPECT_EQ(answer({{{0.2, 0.2, 0}, {0.2, 0.2, 1}, {0.3, 0.2, 1}}}), Clear::unknown);
  EXPECT_EQ(answer({{{0.5, 0, -1}, {0.5, 0, 1}, {0.5, -1, 1}}}), Clear::unknown);
  EXPECT_EQ(answer({{{0.2, 0.2, -1}, {0.2, 0.2, 1}, {0.2, 0.2, 1}}}), Clear::unknown);
  EXPECT_EQ(answer({{{0.2, 0.2, 0.1}, {0.2, 0.2, 1}, {0.3, 0.2, 1}}}), Clear::apart);
  ASSERT_EQ(answer({{{0.2, 0.2, -0.1}, {0.3, 0.2, 1}, {0.1, 0.2, 1}}}), Clear::touching);
  EXPECT_EQ(contact.normal, Vec3d(0, 0, 1));
  EXPECT_NEAR(contact.separation, -0.1, 1e-15);
}

}  // namespace
}  // namespace tandem::sim
