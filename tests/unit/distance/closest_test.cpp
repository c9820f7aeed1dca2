// Closest points of meshes, and signed distances of solids.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "geometry/distance/point_triangle.h"
#include "math/transform.h"
#include "query/placed_model.h"
#include "support/collide_cases.h"
#include "support/error_of.h"
#include "support/point_cases.h"
#include "support/sliver_cases.h"
#include "support/solids.h"
#include "traverse/wide/instruction_sets.h"

namespace tandem::test {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();
constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

/// Every triangle, from the first.
ClosestPoint by_brute_force(const Mesh& mesh, const Vec3d& point) {
  ClosestPoint best;
  for (std::uint32_t id = 0; id < mesh.triangle_count(); ++id) {
    const detail::PointDistance found =
        detail::point_distance(detail::flush_tiny(point), detail::widen(mesh.triangle(id)));
    if (best && found.distance >= best.distance) continue;
    best = {id, found.distance, found.point};
  }
  return best;
}

std::string text_of(const Vec3d& p) {
  char text[96];
  std::snprintf(text, sizeof text, "point %a %a %a", p.x, p.y, p.z);
  return text;
}

void expect_brute_force(const Mesh& mesh, std::uint64_t seed, int count, const std::string& name) {
  const Model model(mesh);
  PointCases cases(mesh, seed);
  for (int i = 0; i < count; ++i) {
    const Vec3d p = cases.next();
    const ClosestPoint expected = by_brute_force(mesh, p);
    ASSERT_EQ(closest_point(model, p), expected) << name << ", " << i << ", " << text_of(p);
    // Just closer than the limit, and just not.
    if (!expected) continue;
    const double more = std::nextafter(expected.distance, k_infinity);
    ASSERT_EQ(closest_point(model, p, more), expected) << name << ", " << text_of(p);
    ASSERT_EQ(closest_point(model, p, expected.distance), ClosestPoint())
        << name << ", " << text_of(p);
  }
}

Mesh scaled(const Mesh& mesh, float factor) {
  std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3f& v : vertices) v *= factor;
  return {std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()}};
}

TEST(Closest, NothingIsCloseToAnEmptyMesh) {
  for (const Mesh& mesh : {Mesh(), Mesh({{1, 2, 3}}, {})}) {
    const Model model(mesh);
    EXPECT_EQ(closest_point(model, {0, 0, 0}), ClosestPoint());
    EXPECT_EQ(signed_distance(model, {0, 0, 0}), k_infinity);
  }
}

TEST(Closest, ACornerAnEdgeAndTheFaceOfATriangle) {
  const Model model(Mesh({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 1, 2}}));
  EXPECT_EQ(closest_point(model, {-3, -4, 0}), (ClosestPoint{0, 5, {0, 0, 0}}));
  EXPECT_EQ(closest_point(model, {1, -2, 0}), (ClosestPoint{0, 2, {1, 0, 0}}));
  EXPECT_EQ(closest_point(model, {1, 1, 3}), (ClosestPoint{0, 3, {1, 1, 0}}));
  EXPECT_EQ(closest_point(model, {1, 1, 0}), (ClosestPoint{0, 0, {1, 1, 0}}));
  EXPECT_EQ(closest_point(model, {4, 4, 0}).distance, std::sqrt(8.0));
}

TEST(Closest, TrianglesWithoutAreaAreSegmentsAndPoints) {
  const Model segment(Mesh({{0, 0, 0}, {4, 0, 0}, {2, 0, 0}}, {{0, 2, 1}}));
  EXPECT_EQ(closest_point(segment, {1, 3, 4}), (ClosestPoint{0, 5, {1, 0, 0}}));
  EXPECT_EQ(closest_point(segment, {3, 0, 0}), (ClosestPoint{0, 0, {3, 0, 0}}));
  const Model point(Mesh({{1, 1, 1}}, {{0, 0, 0}}));
  EXPECT_EQ(closest_point(point, {1, 1, 3}), (ClosestPoint{0, 2, {1, 1, 1}}));
  EXPECT_EQ(closest_point(point, {1, 1, 1}), (ClosestPoint{0, 0, {1, 1, 1}}));
}

TEST(Closest, TheLowestTriangleOfThoseAtACornerOrAnEdge) {
  const Model model(cube(2));
  for (const Vec3d& p : {Vec3d{3, 3, 3}, Vec3d{3, 3, 0.25}, Vec3d{-2, 1.5, -7}}) {
    EXPECT_EQ(closest_point(model, p), by_brute_force(model.mesh(), p));
  }
  // Many times the same triangle.
  const Model same(
      Mesh({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, std::vector(100, TriangleIndices{0, 1, 2})));
  for (const double z : {0.0, 1e-9, 1.0}) {
    EXPECT_EQ(closest_point(same, {1, 1, z}).triangle, 0U);
    EXPECT_EQ(closest_point(same, {1, -1, z}).triangle, 0U);
  }
}

TEST(Closest, IsWhatBruteForceFindsWithEveryInstructionSet) {
  for (const detail::InstructionSet& set : detail::instruction_sets()) {
    const detail::UseInstructionSet use(set);
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const CollideCase c = CollideCases(seed).next();
      expect_brute_force(c.a, seed, 60, c.name + ", " + set.name);
      if (HasFatalFailure()) return;
    }
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      expect_brute_force(SliverCases(seed).next().a, seed, 40,
                         "slivers, seed " + std::to_string(seed) + ", " + set.name);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Closest, MeshesOfEverySize) {
  const Mesh knot = make_knot(30, 5);
  for (const detail::InstructionSet& set : detail::instruction_sets()) {
    const detail::UseInstructionSet use(set);
    for (const float factor : {1e-40F, 1e-20F, 1e-6F, 3e-4F, 1e4F, 1e7F, 1e20F, 1e37F}) {
      expect_brute_force(scaled(knot, factor), 3, 100, std::to_string(factor) + ", " + set.name);
      if (HasFatalFailure()) return;
    }
    // One small part far from the others.
    expect_brute_force(together(knot, scaled(knot, 1e-7F)), 4, 200, set.name);
    expect_brute_force(together(scaled(knot, 1e9F), scaled(knot, 1e-12F)), 5, 200, set.name);
    if (HasFatalFailure()) return;
  }
}

TEST(Closest, PointsFarAwayAndOnTheAxes) {
  const Mesh rock = make_rock(2, 7);
  const Model model(rock);
  for (const double far : {1e2, 1e6, 1e15, 1e40, 1e60}) {
    for (int axis = 0; axis < 3; ++axis) {
      Vec3d p{0, 0, 0};
      p[axis] = -far;
      EXPECT_EQ(closest_point(model, p), by_brute_force(rock, p)) << text_of(p);
    }
  }
  EXPECT_EQ(closest_point(model, {1e-300, 0, 0}), closest_point(model, {0, 0, 0}));
}

TEST(Closest, NoByteDependsOnTheNumberOfThreadsOrTheBatch) {
  const Mesh mesh = make_rock(3, 11);
  const Model model(mesh);
  PointCases cases(mesh, 9);
  std::vector<Vec3d> points;
  for (int i = 0; i < 3'000; ++i) points.push_back(cases.next());
  std::vector<ClosestPoint> one(points.size());
  closest_points(model, points, one);
  std::vector<double> signed_one(points.size());
  signed_distances(model, points, signed_one);
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(one[i], closest_point(model, points[i])) << i;
    ASSERT_EQ(signed_one[i], signed_distance(model, points[i])) << i;
    ASSERT_EQ(std::fabs(signed_one[i]), one[i].distance) << i;
  }
  for (const int threads : {0, 2, 5}) {
    std::vector<ClosestPoint> some(points.size());
    closest_points(model, points, some, {.threads = threads});
    ASSERT_EQ(some, one) << threads;
    std::vector<double> signed_some(points.size());
    signed_distances(model, points, signed_some, {.threads = threads});
    ASSERT_EQ(signed_some, signed_one) << threads;
  }
}

TEST(Closest, ComplainsOfWhatMakesNoSense) {
  const Model model(cube(2));
  EXPECT_EQ(error_of([&] {
              closest_point(model, {0, k_nan, 0});
            }),
            "point 0 has a coordinate that is not finite or exceeds 1e60");
  EXPECT_EQ(error_of([&] {
              closest_point(model, {0, 0, 0}, -1);
            }),
            "the limit of a distance is 0 or more, not -1.000000");
  EXPECT_EQ(error_of([&] {
              closest_point(model, {0, 0, 0}, k_nan);
            }),
            "the limit of a distance is 0 or more, not nan");
  std::vector<ClosestPoint> room(2);
  const std::vector<Vec3d> points = {{0, 0, 0}, {0, 0, 0}, {0, 0, 2e60}};
  EXPECT_EQ(error_of([&] { closest_points(model, points, room); }),
            "there are 3 points but room for 2 results");
  room.resize(3);
  EXPECT_EQ(error_of([&] { closest_points(model, points, room); }),
            "point 2 has a coordinate that is not finite or exceeds 1e60");
  EXPECT_NE(error_of([&] {
              closest_points(model, {points.data(), 2}, {room.data(), 2}, {.threads = -1});
            }),
            "");
  const Model open(make_plane(2));
  EXPECT_EQ(error_of([&] {
              signed_distance(open, {0, 0, 1});
            }).substr(0, 72),
            "the mesh is not closed: no triangle runs along the edge of triangle 0 fr");
}

TEST(SignedDistance, OfACubeAndWhatIsInIt) {
  const Model solid(cube(4));
  EXPECT_EQ(signed_distance(solid, {0, 0, 0}), -2);
  EXPECT_EQ(signed_distance(solid, {0, 0, 5}), 3);
  EXPECT_EQ(signed_distance(solid, {2, 1, 1}), 0);
  EXPECT_EQ(signed_distance(solid, {0, 0, 1.5}, 0.25), -k_infinity);
  EXPECT_EQ(signed_distance(solid, {0, 0, 1.5}, 0.5), -k_infinity);
  EXPECT_EQ(signed_distance(solid, {0, 0, 1.5}, 0.51), -0.5);
  EXPECT_EQ(signed_distance(solid, {0, 0, 3}, 0.5), k_infinity);
  const Model hollow(hollow_cube(4, 2));
  EXPECT_EQ(signed_distance(hollow, {0, 0, 0}), 1);
  EXPECT_EQ(signed_distance(hollow, {0, 0, 1.5}), -0.5);
  EXPECT_EQ(signed_distance(Model(inside_out(cube(4))), {0, 0, 0}), -2);
}

/// Winding numbers of all triangles, one by one.
TEST(SignedDistance, TheSignIsThatOfTheWindingNumber) {
  const std::vector<Mesh> meshes = {hollow_cube(4, 2),
                                    together(cube(2), cube(1)),
                                    make_knot(30, 5),
                                    make_rock(2, 3),
                                    scaled(make_torus(12, 6), 1e-25F),
                                    scaled(make_torus(12, 6), 1e30F),
                                    together(make_icosphere(2), make_box(2))};
  for (const Mesh& mesh : meshes) {
    const Model model(mesh);
    const Engine engine;
    const detail::PlacedModel placed(model, nullptr, engine);
    PointCases cases(mesh, 21);
    std::vector<Vec3d> points;
    for (int i = 0; i < 3'000; ++i) {
      points.push_back(cases.next());
      // So close that rounding to floats may move it through the surface.
      if (i % 3 == 0 && length(points.back()) < 1e38) {
        Vec3d& p = points.back();
        p = Vec3d(Vec3f(p)) * (1 + (i % 2 == 0 ? 1e-15 : -1e-15));
      }
    }
    std::vector<double> distances(points.size());
    signed_distances(model, points, distances);
    int inside_count = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_EQ(std::fabs(distances[i]), by_brute_force(mesh, points[i]).distance) << i;
      if (distances[i] == 0) continue;
      const bool inside = placed.winding_around(detail::WeightedPoint::at(points[i])) != 0;
      ASSERT_EQ(distances[i] < 0, inside) << i << ", " << text_of(points[i]);
      inside_count += inside ? 1 : 0;
    }
    EXPECT_GT(inside_count, 100);
  }
}

}  // namespace
}  // namespace tandem::test
