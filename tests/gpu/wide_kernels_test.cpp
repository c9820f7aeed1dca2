// The kernels that build wide trees, run by the executor on the CPU: every tree is valid, and
// queries find in it what brute force finds.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "build/wide/builders.h"
#include "build/wide/scaled_mesh.h"
#include "gpu/join_meshes.h"
#include "gpu/wide_on_cpu.h"
#include "math/random.h"
#include "support/ray_cases.h"
#include "support/wide_queries.h"
#include "tree/wide/validate.h"

namespace tandem::test {
namespace {

using detail::WideTree;

/// Most of it is far smaller than the whole.
Mesh spread_mesh() {
  const Mesh rock = make_shape("rock", 1'000);
  std::vector<Vec3f> vertices(rock.vertices().begin(), rock.vertices().end());
  std::vector<TriangleIndices> triangles(rock.triangles().begin(), rock.triangles().end());
  const auto first = static_cast<std::uint32_t>(vertices.size());
  vertices.insert(vertices.end(), {{1e6F, 0, 0}, {1e6F, 1, 0}, {1e6F, 0, 3e5F}});
  triangles.push_back({first, first + 1, first + 2});
  return {std::move(vertices), std::move(triangles)};
}

std::vector<Mesh> nasty_meshes() {
  return {make_soup(1'000, 2),
          make_plane(30),
          make_shape("knot", 6'000),
          spread_mesh(),
          Mesh({{3, 3, 3}}, {{0, 0, 0}}),
          Mesh({{3, 3, 3}}, std::vector<TriangleIndices>(77, TriangleIndices{0, 0, 0})),
          Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::vector<TriangleIndices>(300, {0, 1, 2})),
          transformed(make_shape("rock", 500), 1e38, {0, 0, 0}),
          transformed(make_shape("rock", 500), 1e-38, {0, 0, 0}),
          transformed(make_shape("rock", 500), 1e-44, {0, 0, 0}),
          transformed(make_shape("rock", 500), 1e-3, {1e4, -1e4, 3e4})};
}

TEST(WideKernels, TreesAreValidAndTheSameWhateverTheOrderOfThreads) {
  std::uint64_t seed = 0;
  for (const Mesh& mesh : nasty_meshes()) {
    const WideTree tree = wide_tree_by_kernels(mesh, ++seed);
    ASSERT_EQ(validate_wide(mesh, tree), "")
        << mesh.triangle_count() << " triangles, seed " << seed;
    ASSERT_TRUE(same_wide_trees(tree, wide_tree_by_kernels(mesh, ++seed)))
        << mesh.triangle_count() << " triangles, seed " << seed;
  }
}

TEST(WideKernels, TreesAlongTheCurveAreValid) {
  std::uint64_t seed = 0;
  for (const Mesh& mesh : nasty_meshes()) {
    const WideTree tree = wide_tree_by_kernels(mesh, ++seed, cuda::ColliderBuilder::curve);
    ASSERT_EQ(validate_wide(mesh, tree), "")
        << mesh.triangle_count() << " triangles, seed " << seed;
  }
}

TEST(WideKernels, TreesOfEverySizeAreValid) {
  std::vector<std::size_t> counts;
  for (std::size_t count = 1; count <= 34; ++count) counts.push_back(count);
  for (const std::size_t power : {256, 1024, 4096}) {
    for (const std::size_t more : {0, 1, 2}) counts.push_back(power - 1 + more);
  }
  for (const std::size_t count : counts) {
    const Mesh soup = make_soup(count, count);
    EXPECT_EQ(validate_wide(soup, wide_tree_by_kernels(soup, count)), "") << count << " triangles";
  }
}

TEST(WideKernels, TreesOfManyMeshesAreThoseOfEach) {
  std::vector<Mesh> meshes = nasty_meshes();
  for (std::size_t count = 1; count <= 20; ++count) meshes.push_back(make_soup(count, count));
  const WideTreesByKernels together(meshes, 7);
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    EXPECT_TRUE(same_wide_trees(together.tree(i), wide_tree_by_kernels(meshes[i], i)))
        << "mesh " << i;
  }
}

TEST(WideKernels, RefitTreesAreValid) {
  const std::vector<Mesh> meshes = nasty_meshes();
  WideTreesByKernels trees(meshes, 3);
  // All vertices move to where the next one was, scaled.
  std::vector<Mesh> moved;
  std::vector<Vec3f> all;
  for (const Mesh& mesh : meshes) {
    std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
    std::rotate(vertices.begin(), vertices.begin() + 1, vertices.end());
    for (Vec3f& vertex : vertices) vertex = 0.75F * vertex;
    all.insert(all.end(), vertices.begin(), vertices.end());
    moved.push_back(mesh.with_vertices(std::move(vertices)));
  }
  trees.refit(all);
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    EXPECT_EQ(validate_wide(moved[i], trees.tree(i)), "") << "mesh " << i;
  }
}

TEST(WideKernels, MeshesAnywhereAreJoined) {
  const std::vector<Mesh> meshes = {make_soup(1, 1), make_plane(5), Mesh({{1, 2, 3}}, {{0, 0, 0}}),
                                    make_shape("rock", 300), make_soup(200, 2)};
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  std::vector<detail::MeshSource> sources;
  const auto end = [&] {
    return detail::MeshStart{static_cast<std::uint32_t>(triangles.size()),
                             static_cast<std::uint32_t>(vertices.size())};
  };
  for (const Mesh& mesh : meshes) {
    sources.push_back({mesh.vertices().data(), mesh.triangles().data(), end()});
    vertices.insert(vertices.end(), mesh.vertices().begin(), mesh.vertices().end());
    triangles.insert(triangles.end(), mesh.triangles().begin(), mesh.triangles().end());
  }
  std::vector<Vec3f> all_vertices(vertices.size());
  std::vector<TriangleIndices> all_triangles(triangles.size());
  std::vector<detail::MeshStart> starts(meshes.size() + 1);
  const detail::JoinMeshes join{sources.data(),
                                static_cast<std::uint32_t>(meshes.size()),
                                end(),
                                all_vertices.data(),
                                all_triangles.data(),
                                starts.data()};
  OnCpu(1).launch(join, join.thread_count());
  EXPECT_EQ(all_vertices, vertices);
  EXPECT_EQ(all_triangles, triangles);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const detail::MeshStart expected = i < meshes.size() ? sources[i].start : end();
    EXPECT_EQ(starts[i].triangle, expected.triangle) << i;
    EXPECT_EQ(starts[i].vertex, expected.vertex) << i;
  }
}

TEST(WideKernels, FramesAreThoseOfTheHost) {
  for (const Mesh& mesh : nasty_meshes()) {
    const detail::MeshFrame expected = detail::ScaledMesh(mesh).frame();
    const WideTree tree = wide_tree_by_kernels(mesh, 1);
    EXPECT_EQ(tree.origin, expected.origin);
    EXPECT_EQ(tree.exponent, expected.exponent);
    EXPECT_EQ(tree.extent, expected.extent);
    EXPECT_EQ(tree.spread, expected.spread);
    EXPECT_EQ(tree.root.centre, expected.root.centre);
    EXPECT_EQ(tree.root.half, expected.root.half);
    EXPECT_EQ(tree.root.farthest, expected.root.farthest);
    // All vertices of these meshes belong to triangles.
    EXPECT_EQ(tree.root.radius, expected.root.radius);
  }
}

TEST(WideKernels, QueriesFindWhatBruteForceFinds) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    detail::Random random(seed);
    const Mesh a = make_soup(1 + random.below(400), seed);
    const Mesh b = make_soup(1 + random.below(400), seed + 1000);
    const Pose pose =
        Pose::from_axis_angle({random.uniform(-1, 1), random.uniform(-1, 1), 1},
                              random.uniform(-4, 4), {random.uniform(-0.3, 0.3), 0.1, 0.2});
    const auto expected =
        collide(Model(a), Model(b), pose, {.engine = {.traversal = "brute-force"}}).pairs;
    const WideTree tree_a = wide_tree_by_kernels(a, seed);
    const WideTree tree_b = wide_tree_by_kernels(b, seed);
    ASSERT_EQ(run_wide(a, tree_a, b, tree_b, pose).pairs, expected) << "seed " << seed;
    ASSERT_EQ(run_wide(a, tree_a, b, tree_b, pose, WideKind::search_all).pairs, expected)
        << "seed " << seed;
  }
}

TEST(WideKernels, QueriesCostLessThanOnTheHostsFastTrees) {
  for (const char* const name : {"knot", "rock", "torus", "pipes"}) {
    const Mesh mesh = make_shape(name, 6'000);
    const Pose pose = Pose::from_axis_angle({1, 2, 3}, 1, {0.3, 0.1, 0.2});
    const auto visits = [&](const WideTree& tree) {
      return static_cast<double>(run_wide(mesh, tree, mesh, tree, pose).statistics.iterations);
    };
    const double best = visits(detail::WideBest::build(mesh));
    const double fast = visits(detail::WideFast::build(mesh));
    const double kernels = visits(wide_tree_by_kernels(mesh, 1));
    EXPECT_LT(kernels, fast) << name;
    std::cout << name << ": visits relative to `best`: `fast` " << fast / best << ", kernels "
              << kernels / best << '\n';
  }
}

}  // namespace
}  // namespace tandem::test
