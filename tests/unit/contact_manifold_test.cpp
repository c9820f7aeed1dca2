// Manifolds: the few contacts of two objects that stand for all of them.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "math/random.h"
#include "support/collide_cases.h"
#include "support/error_of.h"

namespace tandem {
namespace {

void expect_near(const Vec3d& found, const Vec3d& expected, double tolerance = 1e-12) {
  EXPECT_LE(length(found - expected), tolerance)
      << found.x << " " << found.y << " " << found.z << ", not " << expected.x << " " << expected.y
      << " " << expected.z;
}

ContactManifold manifold_of(const Mesh& a, const Mesh& b, const Pose& b_in_a) {
  return reduce_contacts(contacts(Model(a), Model(b), b_in_a).contacts);
}

/// Points and normals are those expected, in any order.
void expect_points(const ContactManifold& found, const std::vector<Vec3d>& expected,
                   const Vec3d& normal, double separation, double tolerance = 1e-6) {
  EXPECT_EQ(found.patch_count, 1U);
  EXPECT_EQ(found.points.size(), expected.size());
  for (const Vec3d& point : expected) {
    EXPECT_TRUE(std::any_of(
        found.points.begin(), found.points.end(),
        [&](const ManifoldPoint& p) { return length(p.position - point) <= tolerance; }))
        << point.x << " " << point.y << " " << point.z << " is missing";
  }
  for (const ManifoldPoint& point : found.points) {
    expect_near(point.normal, normal, tolerance);
    EXPECT_NEAR(point.separation, separation, tolerance);
    EXPECT_EQ(point.patch, 0U);
  }
}

TEST(ContactManifold, NothingAndWrongNumbers) {
  EXPECT_TRUE(reduce_contacts({}).points.empty());
  EXPECT_EQ(reduce_contacts({}).patch_count, 0U);
  for (const int points : {-1, 0, 5}) {
    EXPECT_NE(test::error_of([&] { reduce_contacts({}, points); }).find(std::to_string(points)),
              std::string::npos);
  }
}

TEST(ContactManifold, ABoxOnABoxStandsOnItsCorners) {
  for (const int divisions : {1, 2, 3, 7}) {
    SCOPED_TRACE(divisions);
    const Mesh table = make_box(divisions, {4, 4, 2});
    const Mesh box = make_box(divisions, {1, 2, 1});
    const auto corners = [](double x, double y, double z) {
      return std::vector<Vec3d>{
          {x - 0.5, y - 1, z}, {x + 0.5, y - 1, z}, {x - 0.5, y + 1, z}, {x + 0.5, y + 1, z}};
    };
    // Resting, and a little deep; in the middle, and elsewhere
    for (const Vec3d& at : {Vec3d{0, 0, 1.5}, Vec3d{0.25, -0.5, 1.5}}) {
      expect_points(manifold_of(table, box, Pose::from_translation(at)), corners(at.x, at.y, 1),
                    {0, 0, 1}, 0);
      // The same seen from the box.
      const ContactManifold below = manifold_of(box, table, Pose::from_translation(-at));
      expect_points(below, corners(0, 0, -0.5), {0, 0, -1}, 0);
    }
    expect_points(manifold_of(table, box, Pose::from_translation({0.1, 0.2, 1.5 - 0x1p-10})),
                  corners(0.1, 0.2, 1), {0, 0, 1}, -0x1p-10);
  }
}

TEST(ContactManifold, BoxesOfOneSizeAndBoxesThatHangOver) {
  for (const int divisions : {1, 3, 4}) {
    for (const double depth : {0.0, 0x1p-10}) {
      SCOPED_TRACE(std::to_string(divisions) + ", " + std::to_string(depth));
      const Mesh box = make_box(divisions);
      const double tolerance = 1e-6 + depth;
      // All sides are flush.
      const auto square = [&](double x0, double x1, double y0, double y1) {
        return std::vector<Vec3d>{{x0, y0, 1}, {x1, y0, 1}, {x0, y1, 1}, {x1, y1, 1}};
      };
      expect_points(manifold_of(box, box, Pose::from_translation({0, 0, 2 - depth})),
                    square(-1, 1, -1, 1), {0, 0, 1}, -depth, tolerance);
      // Over one edge, flush at two; over two edges, flush nowhere.
      expect_points(manifold_of(box, box, Pose::from_translation({0.5, 0, 2 - depth})),
                    square(-0.5, 1, -1, 1), {0, 0, 1}, -depth, tolerance);
      expect_points(manifold_of(box, box, Pose::from_translation({0.5, 0.75, 2 - depth})),
                    square(-0.5, 1, -0.25, 1), {0, 0, 1}, -depth, tolerance);
    }
  }
}

TEST(ContactManifold, ABoxSunkIntoATableIsPushedUpWhereverItStands) {
  constexpr std::uint64_t k_seed = 5;
  detail::Random random(k_seed);
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE("seed " + std::to_string(k_seed) + ", case " + std::to_string(i));
    const Mesh table = make_box(1 + static_cast<int>(random.below(4)), {4, 4, 2});
    const Mesh box = make_box(1 + static_cast<int>(random.below(4)));
    // Sides are 2: the middle of the box is above the table, its corners need not be.
    const double depth = 0.01 * random.uniform();
    const Pose pose =
        Pose::from_axis_angle({0, 0, 1}, random.uniform(-4, 4),
                              {random.uniform(-1.9, 1.9), random.uniform(-1.9, 1.9), 2 - depth});
    const ContactManifold found = manifold_of(table, box, pose);
    EXPECT_EQ(found.patch_count, 1U);
    EXPECT_GE(found.points.size(), 3U);
    for (const ManifoldPoint& point : found.points) {
      expect_near(point.normal, {0, 0, 1}, 1e-9);
      EXPECT_NEAR(point.separation, -depth, 1e-9);
    }
    // Moved by that they no longer cross.
    const double up = -found.points.front().separation + 1e-9;
    EXPECT_FALSE(intersects(Model(table), Model(box), Pose::from_translation({0, 0, up}) * pose));
    if (HasFailure()) return;
  }
}

TEST(ContactManifold, ASheetOnASheet) {
  // Not closed: the two face the same way.
  expect_points(manifold_of(make_plane(1), make_plane(1), Pose()),
                {{-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 1, 0}}, {0, 0, 1}, 0);
}

TEST(ContactManifold, ACornerAnEdgeAndABall) {
  const Mesh table = make_box(3, {8, 8, 2});
  // A ball that touches with its lowest vertex.
  const Mesh ball = make_icosphere(8);
  const auto lowest = std::min_element(ball.vertices().begin(), ball.vertices().end(),
                                       [](const Vec3f& a, const Vec3f& b) { return a.z < b.z; });
  const Vec3d at{0.3, 0.1, 1 - double{lowest->z}};
  const ContactManifold one = manifold_of(table, ball, Pose::from_translation(at));
  ASSERT_GE(one.points.size(), 1U);
  EXPECT_LE(one.points.size(), 2U);  // two vertices are lowest where the sphere has an edge below
  for (const ManifoldPoint& point : one.points) {
    expect_near(point.normal, {0, 0, 1});
    EXPECT_NEAR(point.separation, 0, 1e-15);
  }
  // A beam of square cross-section on its edge: turned by 45 degrees and grown by the root of 2.
  std::vector<Vec3f> vertices;
  const Mesh box = make_box(2);
  for (const Vec3f& v : box.vertices()) vertices.push_back({v.x, v.y - v.z, v.y + v.z});
  const Mesh beam(vertices, {box.triangles().begin(), box.triangles().end()});
  expect_points(manifold_of(table, beam, Pose::from_translation({0, 0, 3})),
                {{-1, 0, 1}, {1, 0, 1}}, {0, 0, 1}, 0);
}

TEST(ContactManifold, ABoxInACornerHasAPatchForEachWall) {
  // A floor and two walls, seen from inside; the box reaches a little into each.
  const Mesh walls({{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 4}, {4, 0, 4}, {0, 4, 4}},
                   {{0, 1, 2}, {0, 2, 3}, {0, 4, 5}, {0, 5, 1}, {0, 6, 4}, {0, 3, 6}});
  const double depth = 0x1p-10;
  const ContactManifold found =
      manifold_of(walls, make_box(2), Pose::from_translation({1 - depth, 1 - depth, 1 - depth}));
  EXPECT_EQ(found.patch_count, 3U);
  std::map<std::uint32_t, int> points_of_patch;
  for (const ManifoldPoint& point : found.points) {
    ++points_of_patch[point.patch];
    EXPECT_NEAR(point.separation, -depth, 1e-9);
    EXPECT_NEAR(std::max({point.normal.x, point.normal.y, point.normal.z}), 1, 1e-9);
  }
  for (const auto& [patch, count] : points_of_patch) EXPECT_GE(count, 3) << "patch " << patch;
}

TEST(ContactManifold, FewerPointsAreTheFirstOfMore) {
  const auto all = contacts(Model(make_box(2, {4, 4, 2})), Model(make_box(3)),
                            Pose::from_translation({0.3, 0.1, 2}))
                       .contacts;
  const ContactManifold four = reduce_contacts(all, 4);
  ASSERT_EQ(four.points.size(), 4U);
  for (int points = 1; points < 4; ++points) {
    const ContactManifold fewer = reduce_contacts(all, points);
    ASSERT_EQ(fewer.points.size(), static_cast<std::size_t>(points));
    EXPECT_TRUE(std::equal(fewer.points.begin(), fewer.points.end(), four.points.begin()));
  }
}

TEST(ContactManifold, DependsOnTheSetOfContactsAlone) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const test::CollideCase c = test::CollideCases(seed).next();
    SCOPED_TRACE(c.name);
    std::vector<Contact> all = contacts(Model(c.a), Model(c.b), c.b_in_a).contacts;
    const ContactManifold expected = reduce_contacts(all);
    EXPECT_LE(expected.points.size(), 4 * std::size_t{expected.patch_count});
    detail::Random random(seed);
    for (int round = 0; round < 5; ++round) {
      for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
      EXPECT_EQ(reduce_contacts(all).points, expected.points);
    }
    // A contact that is given twice changes nothing.
    const std::size_t count = all.size();
    for (std::size_t i = 0; i < count; ++i) all.push_back(all[i]);
    EXPECT_EQ(reduce_contacts(all).points, expected.points);
    if (HasFailure()) return;
  }
}

TEST(ContactManifold, KeepsKnownDirectionsThatOthersWouldCover) {
  const auto contact = [](double from, double to, const Vec3d& normal) {
    Contact made;
    made.points[0] = made.across[0] = {from, 0, 0};
    made.points[1] = made.across[1] = {to, 0, 0};
    made.normal = normal;
    made.separation = -0.01;
    return made;
  };
  const std::vector<Contact> up = {contact(0, 1, {0, 0, 1})};
  const std::vector<Contact> aside = {contact(0.2, 0.8, {1, 0, 0})};
  // Moving up would part both.
  EXPECT_EQ(reduce_contacts({}, std::vector{up[0], aside[0]}, 4).patch_count, 1U);
  EXPECT_EQ(reduce_contacts(up, aside, 4).patch_count, 1U);
  EXPECT_EQ(reduce_contacts(aside, up, 4).patch_count, 2U);
}

}  // namespace
}  // namespace tandem
