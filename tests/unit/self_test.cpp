// Self-collision: the rule for neighbours, case by case, and what the queries promise.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <vector>

#include "support/error_of.h"

namespace tandem {
namespace {

using Corners = std::vector<Vec3f>;

/// Whether two triangles of one mesh are reported: by the default engine and by brute force, with
/// corners in all orders.
bool reported(const Corners& p, const Corners& q) {
  static constexpr std::uint32_t k_order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                  {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  std::vector<bool> answers;
  for (const auto& i : k_order) {
    for (const auto& j : k_order) {
      for (const bool swapped : {false, true}) {
        const Corners& first = swapped ? q : p;
        const Corners& second = swapped ? p : q;
        const Model model(
            Mesh({first[i[0]], first[i[1]], first[i[2]], second[j[0]], second[j[1]], second[j[2]]},
                 {{0, 1, 2}, {3, 4, 5}}));
        answers.push_back(self_intersects(model).pair.has_value());
        answers.push_back(self_count(model, {.engine = {.traversal = "brute-force"}}).count == 1);
      }
    }
  }
  EXPECT_TRUE(std::all_of(answers.begin(), answers.end(),
                          [&](bool answer) { return answer == answers[0]; }));
  return answers[0];
}

const Corners k_triangle = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};

TEST(SelfCollision, WithoutACommonCornerAnyPointCounts) {
  EXPECT_TRUE(reported(k_triangle, {{1, 1, -1}, {1, 1, 1}, {2, 2, 1}}));    // crosses
  EXPECT_TRUE(reported(k_triangle, {{1, 1, 0}, {1, 1, 1}, {2, 2, 1}}));     // a corner inside
  EXPECT_TRUE(reported(k_triangle, {{2, 0, 0}, {2, -1, 1}, {2, -1, -1}}));  // a corner on an edge
  EXPECT_TRUE(reported(k_triangle, {{1, 0, 0}, {3, 0, 0}, {2, -1, 0}}));    // on part of an edge
  EXPECT_TRUE(reported(k_triangle, {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}));     // within it
  EXPECT_FALSE(reported(k_triangle, {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}}));    // above it
  EXPECT_FALSE(reported(k_triangle, {{3, 3, 0}, {4, 3, 0}, {3, 4, 0}}));    // beside it
}

TEST(SelfCollision, WithOneCommonCornerOtherPointsCount) {
  // Only the corner.
  EXPECT_FALSE(reported(k_triangle, {{0, 0, 0}, {1, 1, 1}, {2, 1, 1}}));     // above it
  EXPECT_FALSE(reported(k_triangle, {{0, 0, 0}, {-1, 1, 1}, {-1, 1, -1}}));  // crosses the plane
  EXPECT_FALSE(reported(k_triangle, {{0, 0, 0}, {-4, 0, 0}, {0, -4, 0}}));   // in the plane
  EXPECT_FALSE(reported(k_triangle, {{0, 0, 0}, {-1, 2, 0}, {-2, 1, 0}}));
  EXPECT_FALSE(reported(k_triangle, {{0, 0, 0}, {-1, -1, 0}, {-1, -1, 1}}));  // an edge in it
  // A fan of thin triangles all around the corner.
  EXPECT_FALSE(reported({{0, 0, 0}, {8, 1, 0}, {8, 2, 0}}, {{0, 0, 0}, {8, 3, 0}, {8, 4, 0}}));
  // More.
  EXPECT_TRUE(reported(k_triangle, {{0, 0, 0}, {1, 1, 1}, {1, 1, -1}}));   // through both
  EXPECT_TRUE(reported(k_triangle, {{0, 0, 0}, {9, 9, 1}, {9, 9, -1}}));   // beyond its edge
  EXPECT_TRUE(reported(k_triangle, {{0, 0, 0}, {1, 1, 0}, {1, 1, 1}}));    // an edge in it
  EXPECT_TRUE(reported(k_triangle, {{0, 0, 0}, {2, 0, 0}, {0, -1, 1}}));   // along half an edge
  EXPECT_TRUE(reported(k_triangle, {{0, 0, 0}, {2, 0, 0}, {0, -1, 0}}));   // also in the plane
  EXPECT_TRUE(reported(k_triangle, {{0, 0, 0}, {1, 1, 0}, {-1, 5, 0}}));   // area
  EXPECT_TRUE(reported(k_triangle, {{0, 0, 0}, {1, 2, 0}, {2, 1, 0}}));    // within it
  EXPECT_TRUE(reported(k_triangle, {{0, 0, 0}, {9, -1, 0}, {-1, 9, 0}}));  // around it
}

TEST(SelfCollision, WithACommonEdgeOnlyAreaCounts) {
  EXPECT_FALSE(reported(k_triangle, {{0, 0, 0}, {4, 0, 0}, {0, 4, 1}}));  // folds
  EXPECT_FALSE(reported(k_triangle, {{0, 0, 0}, {4, 0, 0}, {0, 0, 1}}));
  EXPECT_FALSE(reported(k_triangle, {{0, 0, 0}, {4, 0, 0}, {9, -1, 0}}));  // lies flat
  EXPECT_TRUE(reported(k_triangle, {{0, 0, 0}, {4, 0, 0}, {1, 1, 0}}));    // folds back onto it
  EXPECT_TRUE(reported(k_triangle, {{0, 0, 0}, {4, 0, 0}, {-9, 1, 0}}));
  // A fold that doubles hardly see.
  const float least = 0x1p-149F;
  EXPECT_FALSE(reported(k_triangle, {{0, 0, 0}, {4, 0, 0}, {1, 1, least}}));
  EXPECT_FALSE(reported(k_triangle, {{0, 0, 0}, {4, 0, 0}, {1, -least, 0}}));
  EXPECT_TRUE(reported(k_triangle, {{0, 0, 0}, {4, 0, 0}, {1, least, 0}}));
}

TEST(SelfCollision, EqualTrianglesMeetInTheirArea) {
  EXPECT_TRUE(reported(k_triangle, k_triangle));
  // Without area there is nothing but the three edges that they share.
  EXPECT_FALSE(reported({{0, 0, 0}, {1, 1, 1}, {3, 3, 3}}, {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}}));
}

TEST(SelfCollision, SegmentsAndPointsFollowTheSameRule) {
  const Vec3f o{0, 0, 0};
  const Vec3f x1{1, 0, 0};
  const Vec3f x2{2, 0, 0};
  const Vec3f x3{3, 0, 0};
  const Vec3f x4{4, 0, 0};
  const Vec3f back{-1, 0, 0};
  // No common corner.
  EXPECT_TRUE(reported(k_triangle, {{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}));  // a point on a triangle
  EXPECT_TRUE(reported({o, x2, x2}, {x1, x3, x3}));
  EXPECT_FALSE(reported({o, x1, x1}, {x2, x3, x3}));
  // One.
  EXPECT_FALSE(reported(k_triangle, {o, o, o}));
  EXPECT_FALSE(reported({o, o, o}, {o, o, o}));
  EXPECT_FALSE(reported({o, x1, x1}, {o, o, o}));
  EXPECT_FALSE(reported(k_triangle, {o, o, {1, 1, 1}}));
  EXPECT_TRUE(reported(k_triangle, {o, o, {1, 1, 0}}));
  EXPECT_TRUE(reported(k_triangle, {o, x2, x2}));
  EXPECT_TRUE(reported(k_triangle, {o, o, x2}));
  EXPECT_TRUE(reported({o, o, x1}, {o, x2, x2}));
  EXPECT_FALSE(reported({o, o, x1}, {o, back, back}));
  EXPECT_FALSE(reported(k_triangle, {o, back, {-2, 0, 0}}));
  // The common corner between the ends of a segment.
  EXPECT_TRUE(reported(k_triangle, {o, back, x1}));
  EXPECT_FALSE(reported(k_triangle, {o, {-1, 0, 1}, {1, 0, -1}}));
  EXPECT_TRUE(reported({o, back, x1}, {o, x2, {0, 1, 0}}));
  EXPECT_FALSE(reported({o, back, x1}, {o, {0, 1, 0}, {0, -1, 0}}));
  // Two: the same segment, or one that goes on.
  EXPECT_FALSE(reported({o, x1, x1}, {o, o, x1}));
  EXPECT_FALSE(reported(k_triangle, {o, x4, x4}));
  EXPECT_FALSE(reported(k_triangle, {o, x4, x2}));
  EXPECT_FALSE(reported(k_triangle, {o, x4, {9, 0, 0}}));
  EXPECT_FALSE(reported({o, x2, x1}, {o, x2, x3}));
  EXPECT_FALSE(reported({o, x2, back}, {o, x2, x3}));
  EXPECT_TRUE(reported({o, x2, x4}, {o, x2, x3}));
  EXPECT_TRUE(reported({o, x2, back}, {o, x2, {-2, 0, 0}}));
}

TEST(SelfCollision, ZeroHasNoSign) {
  EXPECT_FALSE(
      reported({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{-0.0F, 0, -0.0F}, {4, -0.0F, 0}, {0, 0, 1}}));
}

TEST(SelfCollision, CornersThatAreCloseAreNotTheSame) {
  // In a large mesh, coordinates that the wide tree rounds to those of another corner.
  const float least = 0x1p-149F;
  const Corners large = {{1000, 1000, 1000}, {1000, 1000, 999}, {1000, 999, 1000}};
  for (const float x : {least, -least}) {
    const Mesh mesh({{0, 0, 0},
                     {1, 0, 0},
                     {0, 1, 0},
                     {x, x, 0},
                     {1, 0, 1},
                     {0, 1, 1},
                     large[0],
                     large[1],
                     large[2]},
                    {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}});
    // A corner inside of the other triangle, or outside.
    EXPECT_EQ(self_count(Model(mesh)).count, x > 0 ? 1U : 0U) << x;
  }
}

Mesh merged(const Mesh& a, const Mesh& b) {
  std::vector<Vec3f> vertices(a.vertices().begin(), a.vertices().end());
  vertices.insert(vertices.end(), b.vertices().begin(), b.vertices().end());
  std::vector<TriangleIndices> triangles(a.triangles().begin(), a.triangles().end());
  const auto first = static_cast<std::uint32_t>(a.vertex_count());
  for (const TriangleIndices& t : b.triangles()) {
    triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  return {std::move(vertices), std::move(triangles)};
}

TEST(SelfCollision, CleanShapesDoNotMeetThemselves) {
  for (const char* name : {"sphere", "torus", "knot", "rock", "box", "plane"}) {
    const Model model(make_shape(name, 3'000));
    EXPECT_TRUE(self_collide(model).pairs.empty()) << name;
    EXPECT_FALSE(self_intersects(model)) << name;
  }
}

TEST(SelfCollision, TwoShapesInOneMeshMeetAsTwoModelsDo) {
  const Mesh knot = make_shape("knot", 4'000);
  const Mesh rock = make_shape("rock", 3'000);
  auto expected = collide(Model(knot), Model(rock), Pose()).pairs;
  ASSERT_GT(expected.size(), 100U);
  for (TrianglePair& pair : expected) {
    pair.b += static_cast<std::uint32_t>(knot.triangle_count());
  }
  const Model both(merged(knot, rock));
  EXPECT_EQ(self_collide(both).pairs, expected);
  EXPECT_EQ(self_count(both).count, expected.size());
}

TEST(SelfCollision, StreamsEachPairOnceAndStops) {
  const Model model(merged(make_shape("knot", 4'000), make_shape("rock", 3'000)));
  std::vector<TrianglePair> streamed;
  const StreamResult all = self_collide(model, [&](TrianglePair pair) {
    streamed.push_back(pair);
    return Flow::go_on;
  });
  EXPECT_FALSE(all.stopped);
  std::sort(streamed.begin(), streamed.end());
  EXPECT_EQ(streamed, self_collide(model).pairs);
  for (const TrianglePair& pair : streamed) ASSERT_LT(pair.a, pair.b);

  int shown = 0;
  const StreamResult some =
      self_collide(model, [&](TrianglePair) { return ++shown == 3 ? Flow::stop : Flow::go_on; });
  EXPECT_TRUE(some.stopped);
  EXPECT_EQ(shown, 3);
}

TEST(SelfCollision, SmallModels) {
  EXPECT_TRUE(self_collide(Model(Mesh())).pairs.empty());
  EXPECT_EQ(self_count(Model(make_soup(1, 1, 1))).count, 0U);
  // Copies of one triangle: each two of them.
  const Mesh one = make_soup(1, 1, 1);
  const Mesh copies({one.vertices().begin(), one.vertices().end()},
                    std::vector<TriangleIndices>(9, {0, 1, 2}));
  EXPECT_EQ(self_count(Model(copies)).count, 36U);
}

TEST(SelfCollision, ReportsProgressAndStatistics) {
  const Model model(merged(make_shape("knot", 4'000), make_shape("rock", 3'000)));
  double last = 0;
  const auto progress = [&](double share) {
    EXPECT_GE(share, last);
    last = share;
  };
  const CountResult result = self_count(model, {.statistics = true, .progress = progress});
  EXPECT_GT(last, 0.9);
  EXPECT_EQ(result.statistics.triangle_overlaps, result.count);
  EXPECT_GT(result.statistics.triangle_tests, result.count);
}

TEST(SelfCollision, OtherTriangleTestsAreAnError) {
  const Model model(make_box(1));
  const QueryOptions options{.engine = {.triangle_test = "separating-axes"}};
  EXPECT_EQ(test::error_of([&] { self_count(model, options); }),
            "a mesh is searched for pairs that meet within it by the exact triangle test alone, "
            "not by separating-axes");
}

}  // namespace
}  // namespace tandem
