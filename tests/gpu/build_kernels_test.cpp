// The kernels that build trees, run by the executor on the CPU: every tree is valid, and rays find
// in it what brute force finds.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <cmath>
#include <set>
#include <vector>

#include "gpu/build_curve.h"
#include "gpu/on_cpu.h"
#include "support/ray_cases.h"
#include "support/ray_pair_checks.h"
#include "traverse/ray/pairs.h"

namespace tandem::test {
namespace {

using detail::RayPairView;

/// A tree made by the kernels.
struct BuiltTree {
  std::vector<detail::RayPairNode> nodes;
  std::vector<detail::RayPairTriangle> triangles;

  BuiltTree(const Mesh& mesh, std::uint64_t seed)
      : nodes(mesh.triangle_count()), triangles(mesh.triangle_count()) {
    OnCpu on(seed);
    detail::build_curve_tree(on,
                             {mesh.vertices().data(), mesh.triangles().data(),
                              static_cast<std::uint32_t>(mesh.triangle_count())},
                             nodes.data(), triangles.data());
  }
  RayPairView view() const {
    return {nodes.data(), triangles.data(), static_cast<std::uint32_t>(nodes.size()),
            static_cast<std::uint32_t>(triangles.size())};
  }
};

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

TEST(BuildKernels, TreesAreValidWhateverTheOrderOfThreads) {
  std::vector<Mesh> meshes = {make_soup(1, 1),
                              make_soup(2, 1),
                              make_soup(5, 1),
                              make_soup(1'000, 2),
                              make_plane(20),
                              make_shape("knot", 3'000),
                              halving_sizes(140),
                              Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                   std::vector<TriangleIndices>(500, TriangleIndices{0, 1, 2})),
                              Mesh({{3, 3, 3}}, {{0, 0, 0}}),
                              transformed(make_shape("rock", 500), 1e38, {0, 0, 0}),
                              transformed(make_shape("rock", 500), 1e-38, {0, 0, 0})};
  std::uint64_t seed = 0;
  for (const Mesh& mesh : meshes) {
    for (int order = 0; order < 5; ++order) {
      const BuiltTree tree(mesh, ++seed);
      check_ray_pairs(tree.view(), mesh);
      ASSERT_FALSE(HasFailure()) << mesh.triangle_count() << " triangles, seed " << seed;
    }
  }
}

TEST(BuildKernels, RaysHitWhatBruteForceFinds) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    detail::Random random(seed);
    const Mesh mesh = random_ray_mesh(random);
    const BuiltTree tree(mesh, seed);
    const Model model(mesh);
    RayCases cases(mesh, seed);
    for (int i = 0; i < 60; ++i) {
      const Ray ray = cases.next();
      ASSERT_EQ(closest(tree.view(), ray), closest_hit(model, ray, {.traversal = "brute-force"}))
          << "seed " << seed << ", ray " << i;
    }
  }
}

TEST(BuildKernels, TheCurveVisitsEveryCellOnceAndGoesToNeighbours) {
  for (const int levels : {1, 2, 4}) {
    const std::uint32_t side = 1U << levels;
    std::vector<Vec3f> places(std::size_t{side} * side * side, Vec3f{-9, -9, -9});
    for (std::uint32_t x = 0; x < side; ++x) {
      for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t z = 0; z < side; ++z) {
          const std::uint64_t key = detail::hilbert_key(x, y, z, levels);
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
      detail::hilbert_key(0, 0, 0, detail::k_most_curve_levels),
      detail::hilbert_key(k_end, 0, 0, detail::k_most_curve_levels),
      detail::hilbert_key(k_end, k_end, k_end, detail::k_most_curve_levels)};
  EXPECT_EQ(keys.size(), 3u);
  EXPECT_EQ(*keys.begin(), 0u);
  EXPECT_EQ(*keys.rbegin() >> (3 * detail::k_most_curve_levels), 0u);
}

}  // namespace
}  // namespace tandem::test
