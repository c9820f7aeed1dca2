// The distance of two triangles: what can be worked out by hand, and what no rounding may spoil.
#include "geometry/distance/triangle_distance.h"

#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <cmath>
#include <string>

#include "geometry/distance/exact_sum.h"
#include "math/random.h"
#include "support/error_of.h"
#include "support/triangle_cases.h"

namespace tandem {
namespace {

using test::error_of;
using test::TriangleCase;
using test::TriangleCases;

constexpr Triangle k_flat{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};

Triangle at(const Triangle& t, const Vec3d& move) {
  return {{t.corner[0] + move, t.corner[1] + move, t.corner[2] + move}};
}

void expect_vector(const Vec3d& found, const Vec3d& expected, double off = 1e-15) {
  EXPECT_NEAR(found.x, expected.x, off);
  EXPECT_NEAR(found.y, expected.y, off);
  EXPECT_NEAR(found.z, expected.z, off);
}

TEST(TriangleDistance, PointsAndSegmentsAreWhatTheyAre) {
  const Triangle point{{{1, 1, 3}, {1, 1, 3}, {1, 1, 3}}};
  const TriangleDistance above = distance(k_flat, point);
  EXPECT_EQ(above.distance, 3);
  expect_vector(above.on_a, {1, 1, 0});
  expect_vector(above.on_b, {1, 1, 3});
  expect_vector(above.normal, {0, 0, 1});
  EXPECT_EQ(distance(point, point).distance, 0);
  EXPECT_EQ(distance(point, at(point, {3, 4, 0})).distance, 5);

  const Triangle segment{{{5, 5, -1}, {5, 5, 1}, {5, 5, 0}}};
  EXPECT_DOUBLE_EQ(distance(k_flat, segment).distance, 6 / std::sqrt(2.0));
  const Triangle across{{{-1, 0, 2}, {1, 0, 2}, {1, 0, 2}}};
  const Triangle along{{{0, -1, 0}, {0, 1, 0}, {0, -1, 0}}};
  EXPECT_EQ(distance(across, along).distance, 2);
  EXPECT_EQ(distance(segment, at(segment, {0, 0, 5})).distance, 3);
  EXPECT_EQ(distance(segment, at(segment, {0, 2, 1})).distance, 2);
}

TEST(TriangleDistance, TouchingIsZeroWithACommonPoint) {
  const Triangle crossing{{{1, 1, -1}, {1, 1, 1}, {9, 9, 1}}};
  const TriangleDistance found = distance(k_flat, crossing);
  EXPECT_EQ(found.distance, 0);
  EXPECT_EQ(found.on_a, found.on_b);
  EXPECT_EQ(found.on_a.z, 0);
  EXPECT_EQ(found.normal, (Vec3d{0, 0, 0}));
  EXPECT_EQ(distance(k_flat, k_flat).distance, 0);
  EXPECT_EQ(distance(k_flat, at(k_flat, {2, 2, 0})).distance, 0) << "a corner on an edge";
}

TEST(TriangleDistance, EachPairOfFeaturesCanBeTheClosest) {
  // Faces over each other, a corner over a face, two edges, a corner and an edge, two corners.
  EXPECT_EQ(distance(k_flat, at(k_flat, {0.5, 0.5, 2})).distance, 2);
  const Triangle corner_down{{{1, 1, 1}, {2, 1, 5}, {1, 2, 5}}};
  EXPECT_EQ(distance(k_flat, corner_down).distance, 1);
  EXPECT_EQ(distance(corner_down, k_flat).distance, 1);
  const Triangle edge_down{{{2, -1, 1}, {2, 1, 3}, {2, -1, 5}}};
  EXPECT_DOUBLE_EQ(distance(k_flat, edge_down).distance, std::sqrt(2.0));
  const Triangle beside{{{2, -3, 0}, {1, -5, 0}, {3, -5, 1}}};
  EXPECT_EQ(distance(k_flat, beside).distance, 3);
  const Triangle off{{{-3, -4, 0}, {-5, -5, 1}, {-5, -4, 2}}};
  EXPECT_EQ(distance(k_flat, off).distance, 5);
}

/// Far closer than coordinates are large: the bits that count are the last ones.
TEST(TriangleDistance, NothingCancels) {
  const double tiny = 0x1p-150;
  const Triangle tilted{{{1, 1, 3}, {5, 1, 4}, {1, 5, 5}}};
  const Triangle near_origin{{{0, 0, tiny}, {-1, 0, 1}, {0, -1, 2}}};
  EXPECT_EQ(distance(k_flat, near_origin).distance, tiny);
  EXPECT_EQ(distance(near_origin, k_flat).distance, tiny);
  expect_vector(distance(k_flat, near_origin).normal, {0, 0, 1});
  // A corner one unit of the last place above the middle of a face.
  Vec3d middle{0, 0, 0};
  for (const Vec3d& c : tilted.corner) middle += c * 0.25;
  middle += tilted.corner[0] * 0.25;
  for (int steps = 1; steps < 4; ++steps) {
    middle.z = std::nextafter(middle.z, 10.0);
    const Triangle above{{middle, middle + Vec3d{0, 0, 3}, middle + Vec3d{1, 0, 4}}};
    // The normal is (-4, -8, 16) over its length: the height is that share of the step.
    const double height = steps * 0x1p-51 * 16 / std::sqrt(336.0);
    EXPECT_NEAR(distance(tilted, above).distance, height, 1e-12 * height);
    expect_vector(distance(tilted, above).normal, Vec3d{-4, -8, 16} / std::sqrt(336.0));
  }
}

TEST(TriangleDistance, TheEndsOfTheRange) {
  for (const double scale : {1e-60, 1e-20, 1e20, 1e59}) {
    Triangle a = k_flat;
    Triangle b = at(k_flat, {0.5, 0.5, 2});
    for (int k = 0; k < 3; ++k) {
      a.corner[k] = scale * a.corner[k];
      b.corner[k] = scale * b.corner[k];
    }
    EXPECT_DOUBLE_EQ(distance(a, b).distance, 2 * scale) << scale;
  }
  const Triangle point{{{1e60, 1e60, 1e60}, {1e60, 1e60, 1e60}, {1e60, 1e60, 1e60}}};
  const Triangle other{{{-1e60, -1e60, -1e60}, {-1e60, -1e60, -1e60}, {-1e60, -1e60, -1e60}}};
  EXPECT_DOUBLE_EQ(distance(point, other).distance, 2e60 * std::sqrt(3.0));
  const std::string error = error_of([&] {
    distance(k_flat, Triangle{{{NAN, 0, 0}, {0, 0, 0}, {0, 0, 0}}});
  });
  EXPECT_EQ(error, "a triangle's corner has a coordinate that is not finite or exceeds 1e60");
}

/// The points that are returned are as far apart, and in the triangles, up to rounding.
TEST(TriangleDistance, ThePointsFitTheDistance) {
  TriangleCases cases(3);
  for (int i = 0; i < 20'000; ++i) {
    const TriangleCase c = cases.next(i % TriangleCases::k_kind_count);
    const TriangleDistance found = distance(c.p, c.q);
    double largest = 0;
    for (const Triangle* t : {&c.p, &c.q}) {
      for (const Vec3d& v : t->corner) {
        largest = std::max({largest, std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
      }
    }
    const double off = 1e-12 * found.distance + 1e-12 * largest;
    ASSERT_NEAR(length(found.on_b - found.on_a), found.distance, off) << i << ", " << c.kind;
    ASSERT_EQ(found.distance == 0, intersects(c.p, c.q)) << i << ", " << c.kind;
    if (found.distance == 0) continue;
    ASSERT_NEAR(length(found.normal), 1, 1e-11) << i << ", " << c.kind;
    for (int axis = 0; axis < 3; ++axis) {
      ASSERT_NEAR(found.on_a[axis] + found.distance * found.normal[axis], found.on_b[axis], off)
          << i << ", " << c.kind;
    }
  }
}

TEST(TriangleDistance, AllStagesAreReached) {
  TriangleCases cases(8);
  long count[detail::k_distance_stage_count] = {};
  for (int i = 0; i < 20'000; ++i) {
    const TriangleCase c = cases.next(i % TriangleCases::k_kind_count);
    ++count[static_cast<int>(detail::triangle_distance(c.p, c.q).stage)];
  }
  for (const long stage : count) EXPECT_GT(stage, 200);
}

TEST(ExactSum, SumsWhatCancels) {
  detail::ExactSum sum;
  EXPECT_EQ(sum.value(), 0);
  sum.add(1e300);
  sum.add(1);
  sum.add(-1e300);
  EXPECT_EQ(sum.value(), 1);
  sum.add(-1);
  sum.add(-0x1p-1074);
  EXPECT_EQ(sum.value(), -0x1p-1074);
  sum.add(0x1p-1074);
  EXPECT_EQ(sum.value(), 0);
}

TEST(ExactSum, IsTheSumInAnyOrder) {
  detail::Random random(1);
  for (int round = 0; round < 1'000; ++round) {
    detail::ExactSum sum;
    std::int64_t expected = 0;
    for (int i = 0; i < 100; ++i) {
      const auto term = static_cast<std::int64_t>(random.next() >> 20) - (std::int64_t{1} << 43);
      expected += term;
      sum.add_product(static_cast<double>(term), 0x1p-30);
    }
    ASSERT_EQ(sum.value(), static_cast<double>(expected) * 0x1p-30) << round;
  }
}

}  // namespace
}  // namespace tandem
