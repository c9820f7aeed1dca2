// Contact curves: closed where closed surfaces cross, outlines where faces lie on each other.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "math/random.h"
#include "support/error_of.h"

namespace tandem {
namespace {

std::vector<ContactCurve> curves_of(const Model& a, const Model& b, const Pose& pose) {
  return contact_curves(a, b, pose, collide(a, b, pose).pairs);
}

double length_of(const ContactCurve& curve) {
  double sum = 0;
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    sum += length(curve.points[i] - curve.points[i - 1]);
  }
  if (curve.closed) sum += length(curve.points.front() - curve.points.back());
  return sum;
}

void expect_no_point_twice_in_a_row(const ContactCurve& curve) {
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    EXPECT_GT(length(curve.points[i] - curve.points[i - 1]), 0);
  }
  if (curve.closed) {
    EXPECT_GT(length(curve.points.front() - curve.points.back()), 0);
  }
}

TEST(Curves, TwoBallsCrossInOneCircle) {
  const Model ball(make_icosphere(40));
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.7, {1.2, 0, 0});
  const std::vector<ContactCurve> curves = curves_of(ball, ball, pose);
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_TRUE(curves[0].closed);
  expect_no_point_twice_in_a_row(curves[0]);
  EXPECT_NEAR(length_of(curves[0]), 2 * std::numbers::pi * 0.8, 0.02);
  for (const Vec3d& point : curves[0].points) EXPECT_NEAR(point.x, 0.6, 0.005);
}

TEST(Curves, AKnotAndAPlaneThroughItHaveClosedCurvesOnly) {
  constexpr std::uint64_t k_seed = 17;
  detail::Random random(k_seed);
  const Model knot(make_knot(200, 24));
  for (int i = 0; i < 20; ++i) {
    const auto unit = [&] { return random.uniform(-1, 1); };
    const Pose pose = Pose::from_quaternion(unit(), unit(), unit(), unit(),
                                            {0.3 * unit(), 0.3 * unit(), 0.3 * unit()});
    // Large enough that its border is outside.
    const Model plane(make_box(1, {20, 20, 1e-3}));
    const std::vector<ContactCurve> curves = curves_of(plane, knot, pose);
    ASSERT_FALSE(curves.empty()) << "seed " << k_seed << ", case " << i;
    std::size_t points = 0;
    for (const ContactCurve& curve : curves) {
      EXPECT_TRUE(curve.closed) << "seed " << k_seed << ", case " << i;
      expect_no_point_twice_in_a_row(curve);
      points += curve.points.size();
    }
    // A closed curve has as many points as segments, and each pair is one segment.
    EXPECT_EQ(points, collide(plane, knot, pose).pairs.size()) << "seed " << k_seed << ", " << i;
  }
}

TEST(Curves, FacesOnEachOtherHaveAnOutline) {
  // The top of one box is in the middle of the bottom of another, of other triangles.
  const Model large(make_box(6, {4, 4, 2}));
  const Model small(make_box(4, {1, 1, 1}));
  const Pose pose = Pose::from_translation({0.125, 0.25, 1.5});
  const std::vector<ContactCurve> curves = curves_of(large, small, pose);
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_TRUE(curves[0].closed);
  EXPECT_DOUBLE_EQ(length_of(curves[0]), 4);
  for (const Vec3d& point : curves[0].points) EXPECT_EQ(point.z, 1);
}

TEST(Curves, ATouchingCornerIsAPoint) {
  const Model box(make_box(1));
  const std::vector<ContactCurve> curves = curves_of(box, box, Pose::from_translation({2, 2, 2}));
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_FALSE(curves[0].closed);
  EXPECT_EQ(curves[0].points, (std::vector<Vec3d>{{1, 1, 1}}));
}

TEST(Curves, AnOpenSheetEndsItsCurve) {
  const Model sheet(Mesh({{-1, 0, 0}, {1, 0, 0}, {0, 0, 3}}, {{0, 1, 2}}));
  const Model floor(Mesh({{-5, -5, 1}, {5, -5, 1}, {0, 5, 1}}, {{0, 1, 2}}));
  const std::vector<ContactCurve> curves = curves_of(sheet, floor, {});
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_FALSE(curves[0].closed);
  EXPECT_EQ(curves[0].points.size(), 2U);
  EXPECT_NEAR(length_of(curves[0]), 4.0 / 3, 1e-12);
}

TEST(Curves, WhatIsNearIsOnePoint) {
  // A sheet that is turned into the plane x = 0 but for some roundings: ends of segments are on
  // either side of zero.
  constexpr std::uint64_t k_seed = 18;
  detail::Random random(k_seed);
  const Model knot(make_knot(200, 24));
  const Model sheet(Mesh({{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}, {{0, 1, 2}}));
  for (int i = 0; i < 20; ++i) {
    const Pose turn = Pose::from_axis_angle({0, 0, 1}, random.uniform(-3, 3), {});
    const Pose upright = Pose::from_axis_angle({0, 1, 0}, std::numbers::pi / 2, {});
    const std::vector<ContactCurve> curves = curves_of(knot, sheet, upright * turn);
    std::vector<Vec3d> points;
    int negative = 0;
    for (const ContactCurve& curve : curves) {
      EXPECT_TRUE(curve.closed) << "seed " << k_seed << ", case " << i;
      points.insert(points.end(), curve.points.begin(), curve.points.end());
      for (const Vec3d& p : curve.points) negative += p.x < 0 ? 1 : 0;
    }
    EXPECT_GT(negative, 5) << "seed " << k_seed << ", case " << i;
    EXPECT_LT(negative, points.size() - 5) << "seed " << k_seed << ", case " << i;
    for (std::size_t a = 0; a < points.size(); ++a) {
      for (std::size_t b = a + 1; b < points.size(); ++b) {
        ASSERT_GT(length(points[a] - points[b]), 1e-11)
            << "seed " << k_seed << ", case " << i << ": points " << a << " and " << b;
      }
    }
  }
}

TEST(Curves, NothingGivesNothingAndWrongIdsAreNamed) {
  const Model box(make_box(1));
  EXPECT_TRUE(contact_curves(box, box, {}, {}).empty());
  const TrianglePair wrong[] = {{0, 99}};
  EXPECT_NE(test::error_of([&] { contact_curves(box, box, {}, wrong); }), "");
}

}  // namespace
}  // namespace tandem
