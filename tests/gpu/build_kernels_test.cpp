// The kernels that build trees, run by the executor on the CPU: every tree is valid, and rays find
// in it what brute force finds.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "build/ray_pairs.h"
#include "gpu/curve.h"
#include "gpu/on_cpu.h"
#include "support/ray_cases.h"
#include "support/ray_pair_checks.h"
#include "traverse/ray/pairs.h"

namespace tandem::test {
namespace {

using detail::RayPairView;

/// The closest hit of one ray.
Hit closest(const RayPairView& tree, const Ray& ray) {
  detail::ValidRay valid;
  if (!validate_ray(ray, &valid)) return {};
  detail::RayQuery query(valid, detail::Wanted::closest);
  detail::NullRayObserver observer;
  trace_pairs<detail::PairState<detail::LinkStack>>(tree, query, observer);
  return query.best();
}

/// As far apart as floats allow, each half as large as the one before: keys differ in every bit.
Mesh halving_sizes(int count) {
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  for (int i = 0; i < count; ++i) {
    const auto size = static_cast<float>(std::exp2(-i));
    const auto first = static_cast<std::uint32_t>(vertices.size());
    vertices.insert(
        vertices.end(),
        {{size, size, size}, {1.5F * size, size, size}, {size, 1.5F * size, 1.25F * size}});
    triangles.push_back({first, first + 1, first + 2});
  }
  return {std::move(vertices), std::move(triangles)};
}

/// All of one size and at one place.
Mesh coincident(std::size_t count) {
  return Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
              std::vector<TriangleIndices>(count, TriangleIndices{0, 1, 2}));
}

std::vector<Mesh> nasty_meshes() {
  return {make_soup(1'000, 2),
          make_plane(20),
          make_shape("knot", 3'000),
          halving_sizes(140),
          coincident(500),
          Mesh({{3, 3, 3}}, {{0, 0, 0}}),
          Mesh({{3, 3, 3}}, std::vector<TriangleIndices>(77, TriangleIndices{0, 0, 0})),
          Mesh({{0, 0, 0}, {0, 0, 0}}, std::vector<TriangleIndices>(40, TriangleIndices{0, 1, 1})),
          transformed(make_shape("rock", 500), 1e38, {0, 0, 0}),
          transformed(make_shape("rock", 500), 1e-38, {0, 0, 0}),
          transformed(make_shape("rock", 500), 1e-44, {0, 0, 0}),
          transformed(make_shape("rock", 500), 1e-3, {1e4, -1e4, 3e4})};
}

const char* name_of(TreeKind kind) {
  return kind == TreeKind::curve ? "curve" : "clusters";
}

TEST(BuildKernels, TreesAreValidAndTheSameWhateverTheOrderOfThreads) {
  std::uint64_t seed = 0;
  for (const TreeKind kind : k_tree_kinds) {
    for (const Mesh& mesh : nasty_meshes()) {
      const BuiltTrees tree(mesh, kind, ++seed);
      check_ray_pairs(tree.view(), mesh);
      ASSERT_FALSE(HasFailure()) << name_of(kind) << ", " << mesh.triangle_count()
                                 << " triangles, seed " << seed;
      for (int order = 0; order < 3; ++order) {
        const BuiltTrees again(mesh, kind, ++seed);
        ASSERT_TRUE(same_trees(tree.view(), again.view()))
            << name_of(kind) << ", " << mesh.triangle_count() << " triangles, seed " << seed;
      }
    }
  }
}

TEST(BuildKernels, TreesOfEverySizeAreValid) {
  for (const TreeKind kind : k_tree_kinds) {
    for (std::size_t count = 1; count <= 70; ++count) {
      const Mesh soup = make_soup(count, count);
      check_ray_pairs(BuiltTrees(soup, kind, count).view(), soup);
      check_ray_pairs(BuiltTrees(coincident(count), kind, count).view(), coincident(count));
      ASSERT_FALSE(HasFailure()) << name_of(kind) << ", " << count << " triangles";
    }
  }
}

TEST(BuildKernels, RaysHitWhatBruteForceFinds) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    detail::Random random(seed);
    const Mesh mesh = random_ray_mesh(random);
    const BuiltTrees curve(mesh, TreeKind::curve, seed);
    const BuiltTrees clusters(mesh, TreeKind::clusters, seed);
    const Model model(mesh);
    RayCases cases(mesh, seed);
    for (int i = 0; i < 60; ++i) {
      const Ray ray = cases.next();
      const Hit expected = closest_hit(model, ray, {.traversal = "brute-force"});
      ASSERT_EQ(closest(curve.view(), ray), expected) << "seed " << seed << ", ray " << i;
      ASSERT_EQ(closest(clusters.view(), ray), expected) << "seed " << seed << ", ray " << i;
    }
  }
}

TEST(BuildKernels, ManyMeshesAtOnceBecomeTheTreesOfEachAlone) {
  std::vector<Mesh> meshes = nasty_meshes();
  for (std::size_t count = 1; count <= 40; ++count) meshes.push_back(make_soup(count, count));
  for (const TreeKind kind : k_tree_kinds) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      const BuiltTrees all(meshes, kind, seed);
      for (std::size_t i = 0; i < meshes.size(); ++i) {
        const BuiltTrees alone(meshes[i], kind, seed + i);
        check_ray_pairs(all.view(i), meshes[i]);
        ASSERT_FALSE(HasFailure()) << name_of(kind) << ", mesh " << i;
        ASSERT_TRUE(same_trees(all.view(i), alone.view(0)))
            << name_of(kind) << ", mesh " << i << ", seed " << seed;
      }
    }
  }
}

TEST(BuildKernels, CoordinatesThatAreNotFiniteDoNotStopTheBuild) {
  const Mesh mesh = make_soup(300, 1);
  constexpr float k_infinity = std::numeric_limits<float>::infinity();
  for (const float number : {std::nanf(""), k_infinity, -k_infinity}) {
    for (const std::uint64_t every : {1, 2, 30, 900}) {
      std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
      for (std::size_t i = 0; i < vertices.size(); i += every) vertices[i].y = number;
      for (const TreeKind kind : k_tree_kinds) {
        const BuiltTrees tree(vertices, {mesh.triangles().begin(), mesh.triangles().end()}, kind,
                              every);
        std::set<std::uint32_t> ids;
        for (const detail::RayPairTriangle& triangle : tree.triangles) ids.insert(triangle.id);
        EXPECT_EQ(ids.size(), mesh.triangle_count()) << name_of(kind) << ", every " << every;
      }
    }
  }
}

/// How many nodes are on the longest way from the root.
int depth(const RayPairView& tree, std::uint32_t link = 0) {
  if (RayPairView::is_leaf(link)) return 0;
  return 1 +
         std::max(depth(tree, tree.nodes[link].child[0]), depth(tree, tree.nodes[link].child[1]));
}

TEST(BuildKernels, NoTreeOfClustersIsDeeperThanTheLimit) {
  // The best tree of a row of triangles that double in size is as deep as there are triangles.
  const std::vector<Mesh> meshes = {halving_sizes(140), halving_sizes(30), halving_sizes(20),
                                    coincident(300),    make_soup(300, 1), make_shape("rock", 500)};
  int cut_count = 0;
  for (const Mesh& mesh : meshes) {
    const auto count = static_cast<std::uint32_t>(mesh.triangle_count());
    const int free = depth(BuiltTrees(mesh, TreeKind::clusters, 1).view());
    // As few levels as there may be, and some more.
    const int least = detail::CurveLevels(count).tree_levels();
    for (int limit = least; limit <= std::min(least + 12, detail::k_max_depth); limit += 2) {
      const BuiltTrees tree(mesh, TreeKind::clusters, 2, limit);
      check_ray_pairs(tree.view(), mesh);
      ASSERT_FALSE(HasFailure()) << count << " triangles, limit " << limit;
      ASSERT_LE(depth(tree.view()), limit) << count << " triangles";
      cut_count += free > limit ? 1 : 0;
    }
  }
  EXPECT_GT(cut_count, 0) << "the limit is never reached";
}

/// What rays cost: nodes and triangles, by the surfaces of their boxes.
double cost_of(const RayPairView& tree) {
  double sum = 0;
  std::vector<std::uint32_t> left = {0};
  while (!left.empty()) {
    const detail::RayPairNode& node = tree.nodes[left.back()];
    left.pop_back();
    for (int side = 0; side < 2; ++side) {
      const float* const half = node.half[side];
      const double size =
          double{half[0]} * half[1] + double{half[1]} * half[2] + double{half[2]} * half[0];
      const std::uint32_t link = node.child[side];
      if (RayPairView::is_leaf(link)) {
        sum += detail::RayPairChoice::leaf_cost(size, RayPairView::triangle_count_of(link));
      } else {
        sum += size;
        left.push_back(link);
      }
    }
  }
  return sum;
}

TEST(BuildKernels, TreesOfClustersCostRaysLittleMoreThanTheBest) {
  for (const char* const name : {"knot", "rock", "torus", "soup", "pipes"}) {
    const Mesh mesh = make_shape(name, 6'000);
    const double best = cost_of(detail::build_ray_pairs(mesh, "best", 1).view());
    const double of_curve = cost_of(BuiltTrees(mesh, TreeKind::curve, 1).view()) / best;
    const double of_clusters = cost_of(BuiltTrees(mesh, TreeKind::clusters, 1).view()) / best;
    EXPECT_LT(of_clusters, 1.15) << name;
    EXPECT_LT(of_curve, 1.25) << name;
    EXPECT_LT(of_clusters, of_curve) << name;
    std::cout << name << ": curve " << of_curve << ", clusters " << of_clusters << '\n';
  }
}

TEST(BuildKernels, TheCurveVisitsEveryCellOnceAndGoesToNeighbours) {
  for (const int levels : {1, 2, 4}) {
    const std::uint32_t side = 1U << levels;
    std::vector<Vec3f> places(std::size_t{side} * side * side, Vec3f{-9, -9, -9});
    for (std::uint32_t x = 0; x < side; ++x) {
      for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t z = 0; z < side; ++z) {
          const std::uint64_t key = detail::hilbert_key<std::uint64_t>(x, y, z, levels);
          ASSERT_LT(key, places.size());
          places[key] = {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
        }
      }
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      ASSERT_NE(places[i].x, -9) << "no cell has the key " << i;
      ASSERT_EQ(i == 0 ? 1 : length(places[i] - places[i - 1]), 1) << i;
    }
  }
  // The finest grid uses all of its bits.
  constexpr std::uint32_t k_end = (1U << detail::k_most_curve_levels) - 1;
  const std::set<std::uint64_t> keys = {
      detail::hilbert_key<std::uint64_t>(0, 0, 0, detail::k_most_curve_levels),
      detail::hilbert_key<std::uint64_t>(k_end, 0, 0, detail::k_most_curve_levels),
      detail::hilbert_key<std::uint64_t>(k_end, k_end, k_end, detail::k_most_curve_levels)};
  EXPECT_EQ(keys.size(), 3u);
  EXPECT_EQ(*keys.begin(), 0u);
  EXPECT_EQ(*keys.rbegin() >> (3 * detail::k_most_curve_levels), 0u);
}

}  // namespace
}  // namespace tandem::test
