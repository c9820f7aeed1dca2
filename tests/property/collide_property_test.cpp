// The queries against brute force, on random cases.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <array>
#include <vector>

#include "support/collide_cases.h"

namespace tandem {
namespace {

using test::CollideCase;
using test::CollideCases;

const QueryOptions k_reference{.engine = {.traversal = "brute-force"}};

TEST(CollideProperty, EveryQueryEqualsBruteForceOnRandomCases) {
  std::uint64_t touching_count = 0;
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    const CollideCase c = CollideCases(seed).next();
    const Model a(c.a);
    const Model b(c.b);
    const std::vector<TrianglePair> expected = collide(a, b, c.b_in_a, k_reference).pairs;
    touching_count += expected.empty() ? 0 : 1;
    const QueryOptions options{.statistics = true};
    ASSERT_EQ(collide(a, b, c.b_in_a, options).pairs, expected) << c.name;
    const CountResult counted = count(a, b, c.b_in_a, options);
    ASSERT_EQ(counted.count, expected.size()) << c.name;
    ASSERT_EQ(counted.statistics.triangle_overlaps, expected.size()) << c.name;
    const IntersectsResult first = intersects(a, b, c.b_in_a, options);
    ASSERT_EQ(first.pair.has_value(), !expected.empty()) << c.name;
    if (!first) continue;
    ASSERT_TRUE(std::binary_search(expected.begin(), expected.end(), *first.pair)) << c.name;
    ASSERT_FALSE(intersection(a, b, c.b_in_a, *first.pair).empty()) << c.name;
  }
  // Worth something only if both answers are common.
  EXPECT_GT(touching_count, 600U);
  EXPECT_LT(touching_count, 1'800U);
}

/// Triangles with corners on a small lattice, as plain integers that RapidCheck can shrink.
using LatticeTriangle = std::array<signed char, 9>;

Mesh lattice_mesh(const std::vector<LatticeTriangle>& corners) {
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  for (const LatticeTriangle& t : corners) {
    const auto first = static_cast<std::uint32_t>(vertices.size());
    for (int k = 0; k < 9; k += 3) {
      vertices.push_back({static_cast<float>(t[k] % 4), static_cast<float>(t[k + 1] % 4),
                          static_cast<float>(t[k + 2] % 4)});
    }
    triangles.push_back({first, first + 1, first + 2});
  }
  return {std::move(vertices), std::move(triangles)};
}

RC_GTEST_PROP(CollideProperty, LatticeMeshesEqualBruteForceAndSwapAtTheIdentity,
              (const std::vector<LatticeTriangle>& in_a,
               const std::vector<LatticeTriangle>& in_b)) {
  const Model a(lattice_mesh(in_a));
  const Model b(lattice_mesh(in_b));
  const auto pairs = collide(a, b, Pose()).pairs;
  RC_ASSERT(pairs == collide(a, b, Pose(), k_reference).pairs);
  // At the identity pose the order of the models does not matter.
  std::vector<TrianglePair> swapped;
  for (const TrianglePair& pair : collide(b, a, Pose()).pairs) swapped.push_back({pair.b, pair.a});
  std::sort(swapped.begin(), swapped.end());
  RC_ASSERT(pairs == swapped);
}

}  // namespace
}  // namespace tandem
