// Ray queries: degenerate cases first.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "geometry/ray_triangle.h"
#include "support/fitting.h"
#include "support/mesh_files.h"
#include "support/ray_cases.h"

namespace tandem {
namespace {

constexpr float k_inf = std::numeric_limits<float>::infinity();
constexpr float k_nan = std::numeric_limits<float>::quiet_NaN();

/// Every traversal's answer, which must be one.
Hit agreed_hit(const Model& model, const Ray& ray) {
  const Hit expected = closest_hit(model, ray, {.traversal = "brute-force"});
  for (const RayTraversal traversal : RayTraversal::all()) {
    EXPECT_EQ(closest_hit(model, ray, {.traversal = traversal}), expected) << traversal.name();
    EXPECT_EQ(any_hit(model, ray, {.traversal = traversal}), static_cast<bool>(expected))
        << traversal.name();
  }
  return expected;
}

Model right_triangle() {
  return Model(Mesh({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 1, 2}}));
}

TEST(Ray, HitsGiveTriangleDistanceAndCoordinates) {
  const Hit hit = agreed_hit(right_triangle(), {{1, 2, 3}, {0, 0, -2}});
  EXPECT_EQ(hit.triangle, 0u);
  EXPECT_EQ(hit.distance, 1.5f);
  EXPECT_EQ(hit.u, 0.25f);
  EXPECT_EQ(hit.v, 0.5f);
}

TEST(Ray, HitsFromBothSidesOfATriangle) {
  EXPECT_TRUE(agreed_hit(right_triangle(), {{1, 1, 1}, {0, 0, -1}}));
  EXPECT_TRUE(agreed_hit(right_triangle(), {{1, 1, -1}, {0, 0, 1}}));
  EXPECT_FALSE(agreed_hit(right_triangle(), {{1, 1, -1}, {0, 0, -1}}));
}

TEST(Ray, RaysThatAreNoneHitNothing) {
  const Model model = right_triangle();
  const Vec3f from{1, 1, 1};
  const Vec3f down{0, 0, -1};
  ASSERT_TRUE(agreed_hit(model, {from, down}));
  EXPECT_FALSE(agreed_hit(model, {from, {0, 0, 0}}));
  EXPECT_FALSE(agreed_hit(model, {from, {0, -0.0f, 0}}));
  EXPECT_FALSE(agreed_hit(model, {from, down, 2, 1}));
  EXPECT_FALSE(agreed_hit(model, {from, down, 0, -1}));
  EXPECT_FALSE(agreed_hit(model, {from, down, k_nan, 5}));
  EXPECT_FALSE(agreed_hit(model, {from, down, 0, k_nan}));
  for (const float bad : {k_nan, k_inf, -k_inf}) {
    for (int axis = 0; axis < 3; ++axis) {
      Ray ray{from, down};
      ray.origin[axis] = bad;
      EXPECT_FALSE(agreed_hit(model, ray)) << bad << " along " << axis;
      ray = {from, down};
      ray.direction[axis] = bad;
      EXPECT_FALSE(agreed_hit(model, ray)) << bad << " along " << axis;
    }
  }
}

TEST(Ray, IntervalsAreClosed) {
  const Model model = right_triangle();
  const auto hit = [&](float t_min, float t_max) {
    return static_cast<bool>(agreed_hit(model, {{1, 1, 1}, {0, 0, -1}, t_min, t_max}));
  };
  EXPECT_TRUE(hit(1, 1));
  EXPECT_TRUE(hit(0, 1));
  EXPECT_TRUE(hit(1, 2));
  EXPECT_TRUE(hit(-5, k_inf));
  EXPECT_TRUE(hit(-k_inf, 1));
  EXPECT_FALSE(hit(0, std::nextafter(1.0f, 0.0f)));
  EXPECT_FALSE(hit(std::nextafter(1.0f, 2.0f), k_inf));
  // From the triangle itself: at distance 0, not behind it.
  EXPECT_EQ(agreed_hit(model, {{1, 1, 0}, {0, 0, 1}}).distance, 0.0f);
  EXPECT_FALSE(std::signbit(agreed_hit(model, {{1, 1, 0}, {0, 0, 1}}).distance));
  EXPECT_FALSE(agreed_hit(model, {{1, 1, 1e-30f}, {0, 0, 1}, -1, 1}));
}

TEST(Ray, EmptyMeshesAreNeverHit) {
  EXPECT_FALSE(agreed_hit(Model(Mesh()), {{0, 0, 0}, {1, 0, 0}}));
  EXPECT_FALSE(agreed_hit(Model(Mesh({{1, 2, 3}}, {})), {{0, 0, 0}, {1, 2, 3}}));
}

TEST(Ray, EdgesAndCornersBelongToTheTriangle) {
  const Model model = right_triangle();
  for (const Vec3f at : {Vec3f{0, 0, 0}, Vec3f{4, 0, 0}, Vec3f{0, 4, 0}, Vec3f{2, 0, 0},
                         Vec3f{0, 1, 0}, Vec3f{1, 3, 0}, Vec3f{2, 2, 0}}) {
    EXPECT_TRUE(agreed_hit(model, {{at.x, at.y, 2}, {0, 0, -1}})) << at.x << " " << at.y;
    EXPECT_TRUE(agreed_hit(model, {{at.x - 3, at.y + 5, 7}, {3, -5, -7}})) << at.x << " " << at.y;
  }
  EXPECT_FALSE(agreed_hit(model, {{2, 0x1p-140f, 2}, {0, 0x1p-140f, -1}, 0, 1}));
  EXPECT_FALSE(agreed_hit(model, {{2, -0x1p-149f, 2}, {0, 0, -1}}));
  EXPECT_TRUE(agreed_hit(model, {{2, 0x1p-149f, 2}, {0, 0, -1}}));
}

TEST(Ray, ARayInTheTrianglesPlaneDoesNotHitIt) {
  const Model model = right_triangle();
  EXPECT_FALSE(agreed_hit(model, {{-1, 1, 0}, {1, 0, 0}}));
  EXPECT_FALSE(agreed_hit(model, {{1, 1, 0}, {1, 0, 0}}));
  EXPECT_FALSE(agreed_hit(model, {{-1, 0, 0}, {1, 0, 0}}));
}

TEST(Ray, TrianglesWithoutAreaAreNeverHit) {
  const Model segment(Mesh({{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}, {{0, 1, 2}, {0, 2, 2}, {1, 1, 1}}));
  EXPECT_FALSE(agreed_hit(segment, {{1, 1, 1}, {0, 0, -1}}));
  EXPECT_FALSE(agreed_hit(segment, {{0.5f, 0.5f, 1}, {0, 0, -1}}));
  EXPECT_FALSE(agreed_hit(segment, {{-1, -1, 0}, {1, 1, 0}}));
}

TEST(Ray, OfEquallyCloseTrianglesTheLowestIdIsHit) {
  // The same triangle many times, with its corners in every order.
  std::vector<TriangleIndices> triangles;
  for (int i = 0; i < 10; ++i) {
    triangles.push_back({0, 1, 2});
    triangles.push_back({2, 1, 0});
    triangles.push_back({1, 2, 0});
  }
  const Model model(Mesh({{0, 0, 0}, {4, 0, 1}, {0, 4, 1}}, triangles));
  EXPECT_EQ(agreed_hit(model, {{1, 1, 5}, {0, 0, -1}}).triangle, 0u);
  EXPECT_EQ(agreed_hit(model, {{0, 0, 5}, {0, 0, -1}}).triangle, 0u);
}

TEST(Ray, DistancesAreAccurateAtGrazingAngles) {
  // The plane z = x / 2^20 seen along x: t is known exactly.
  const Model model(Mesh({{0, -1, 0}, {1024, -1, 0x1p-10f}, {1024, 1, 0x1p-10f}, {0, 1, 0}},
                         {{0, 1, 2}, {0, 2, 3}}));
  for (int i = 1; i < 512; ++i) {
    const float height = static_cast<float>(i) * 0x1p-19f;
    const Hit hit = agreed_hit(model, {{-1, 0.5f, height}, {1, 0, 0}});
    ASSERT_TRUE(hit) << i;
    EXPECT_EQ(hit.distance, 1 + 2.0f * static_cast<float>(i)) << i;
  }
}

TEST(Ray, EveryStructureAndArityAnswersAlike) {
  const Mesh mesh = make_rock(6, 3);
  const Model reference(mesh);
  std::vector<Ray> rays;
  test::RayCases cases(mesh, 5);
  for (int i = 0; i < 300; ++i) rays.push_back(cases.next());
  std::vector<Hit> expected(rays.size());
  closest_hits(reference, rays, expected, {.engine = {.traversal = "brute-force"}});
  for (const Structure structure : Structure::all()) {
    detail::Random random(9);
    for (int draw = 0; draw < 2; ++draw) {
      const BuildOptions options = test::draw_options(structure, 5, random);
      const Model model(mesh, options);
      for (const RayEngine& engine : ray_engines()) {
        std::vector<Hit> hits(rays.size());
        closest_hits(model, rays, hits, {.engine = engine});
        EXPECT_EQ(hits, expected) << structure.name() << ", " << draw << ", "
                                  << engine.traversal.name();
      }
    }
  }
}

TEST(Ray, AllHitsAreShownOnceAndASinkCanStop) {
  const Mesh mesh = make_shape("knot", 3000);
  const Model model(mesh);
  test::RayCases cases(mesh, 8);
  std::vector<Ray> rays;
  for (int i = 0; i < 200; ++i) rays.push_back(cases.next());
  using Shown = std::vector<std::pair<std::size_t, std::uint32_t>>;
  const auto collect = [&](RayTraversal traversal) {
    Shown shown;
    const auto sink = [&](std::size_t ray, const Hit& hit) {
      EXPECT_LE(rays[ray].t_min, hit.distance);
      EXPECT_GE(rays[ray].t_max, hit.distance);
      shown.emplace_back(ray, hit.triangle);
      return Flow::go_on;
    };
    EXPECT_FALSE(all_hits(model, rays, sink, {.engine = {.traversal = traversal}}).stopped);
    std::sort(shown.begin(), shown.end());
    return shown;
  };
  const Shown expected = collect("brute-force");
  EXPECT_GT(expected.size(), rays.size());
  EXPECT_EQ(std::set(expected.begin(), expected.end()).size(), expected.size());
  for (const RayTraversal traversal : RayTraversal::all()) {
    EXPECT_EQ(collect(traversal), expected) << traversal.name();
    std::size_t count = 0;
    const auto stop_at_third = [&](std::size_t, const Hit&) {
      return ++count == 3 ? Flow::stop : Flow::go_on;
    };
    const RayOptions options{.engine = {.traversal = traversal}};
    EXPECT_TRUE(all_hits(model, rays, stop_at_third, options).stopped) << traversal.name();
    EXPECT_EQ(count, 3u) << traversal.name();
  }
}

TEST(Ray, ThreadsDoNotChangeTheAnswerNorTheCounts) {
  const Mesh mesh = make_shape("rock", 2000);
  const Model model(mesh);
  test::RayCases cases(mesh, 2);
  std::vector<Ray> rays;
  for (int i = 0; i < 20'000; ++i) rays.push_back(cases.next());
  for (const RayTraversal traversal : {"automatic", "automaton"}) {
    std::vector<Hit> one(rays.size());
    const RayStatistics one_count =
        closest_hits(model, rays, one, {.engine = {.traversal = traversal}, .statistics = true});
    EXPECT_EQ(one_count.rays, rays.size());
    EXPECT_GT(one_count.box_tests, rays.size());
    for (const int threads : {0, 2, 7}) {
      std::vector<Hit> hits(rays.size());
      std::vector<std::uint8_t> any(rays.size());
      const RayStatistics count = closest_hits(
          model, rays, hits,
          {.engine = {.traversal = traversal}, .threads = threads, .statistics = true});
      EXPECT_EQ(hits, one) << threads;
      EXPECT_EQ(count, one_count) << threads;
      any_hits(model, rays, any, {.engine = {.traversal = traversal}, .threads = threads});
      for (std::size_t i = 0; i < rays.size(); ++i)
        ASSERT_EQ(any[i] != 0, static_cast<bool>(one[i]));
    }
  }
}

TEST(Ray, APackedBoxtreeIsWhatItsOwnRaysGoThrough) {
  const Mesh mesh = make_shape("rock", 500);
  const Model model(mesh, {.structure = "boxtree-packed", .boxtree = {.leaf_size = 8}});
  const Model other(mesh);
  test::RayCases cases(mesh, 3);
  std::vector<Ray> rays;
  for (int i = 0; i < 500; ++i) rays.push_back(cases.next());
  std::vector<Hit> expected(rays.size());
  closest_hits(model, rays, expected, {.engine = {.traversal = "brute-force"}});
  const auto trace = [&](const Model& traced) {
    std::vector<Hit> hits(rays.size());
    const RayStatistics statistics = closest_hits(
        traced, rays, hits, {.engine = {.structure = "ray-boxtree"}, .statistics = true});
    EXPECT_EQ(hits, expected);
    return statistics;
  };
  const std::size_t bytes = model.structure_bytes();
  const RayStatistics own = trace(model);
  EXPECT_EQ(model.structure_bytes(), bytes);
  const RayStatistics made_for_rays = trace(other);
  // Eight triangles per leaf instead of two.
  EXPECT_GT(own.triangle_tests, made_for_rays.triangle_tests);
}

TEST(Ray, WrongArgumentsAreErrors) {
  const Model model = right_triangle();
  const std::vector<Ray> rays(3, {{0, 0, 1}, {0, 0, -1}});
  std::vector<Hit> hits(2);
  std::vector<std::uint8_t> any(4);
  EXPECT_EQ(test::error_of([&] { closest_hits(model, rays, hits); }),
            "there are 3 rays but room for 2 hits");
  EXPECT_EQ(test::error_of([&] { any_hits(model, rays, any); }),
            "there are 3 rays but room for 4 hits");
  hits.resize(3);
  EXPECT_EQ(test::error_of([&] { closest_hits(model, rays, hits, {.threads = -1}); }),
            "the number of threads is at least 0, not -1");
  EXPECT_EQ(test::error_of([&] { closest_hit(model, rays[0], {.traversal = "teleport"}); }),
            "there is no traversal of rays called 'teleport'; choose one of lanes, stack-distance, "
            "stack, automaton, compact, skip, restart-trail, backtrack, pairs, pairs-stackless, "
            "recursive, brute-force");
  EXPECT_EQ(test::error_of([&] { closest_hit(model, rays[0], {.structure = "dop24"}); }),
            "the structure dop24 is not for rays; choose ray-wide, ray-binary, ray-pairs, "
            "ray-boxtree or triangles");
  EXPECT_EQ(test::error_of([&] {
              closest_hit(model, rays[0], {.structure = "ray-wide", .traversal = "skip"});
            }),
            "the structure ray-wide does not have the traversal skip; it has lanes");
}

TEST(Ray, StacklessTraversalsHaveASmallState) {
  for (const RayTraversal traversal : RayTraversal::all()) {
    EXPECT_FALSE(traversal.description().empty());
  }
  for (const RayTraversal stackless :
       {"automaton", "compact", "skip", "restart-trail", "backtrack", "pairs-stackless"}) {
    EXPECT_GT(state_bytes(stackless), 0u) << stackless.name();
    EXPECT_LE(state_bytes(stackless), 80u) << stackless.name();
  }
}

}  // namespace
}  // namespace tandem
