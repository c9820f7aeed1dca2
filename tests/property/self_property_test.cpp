// Self-collision on random meshes: brute force against the rule taken literally, in rational
// numbers; all engines against brute force.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "math/random.h"
#include "support/collide_cases.h"
#include "support/fitting.h"
#include "support/shared_points.h"

namespace tandem {
namespace {

const QueryOptions k_reference{.engine = {.traversal = "brute-force"}};

using Corner = std::array<int, 3>;

/// An indexed mesh with corners on a small lattice: most triangles meet others in corners, edges,
/// areas or otherwise, and many have no area.
struct LatticeMesh {
  std::vector<Corner> vertices;
  std::vector<TriangleIndices> triangles;

  explicit LatticeMesh(detail::Random& random) {
    const std::uint64_t reach = 1 + random.below(3);
    const std::uint64_t vertex_count = 4 + random.below(14);
    for (std::uint64_t i = 0; i < vertex_count; ++i) {
      Corner& corner = vertices.emplace_back();
      for (int& x : corner) x = static_cast<int>(random.below(2 * reach + 1));
      if (random.below(3) == 0) corner[2] = 0;
    }
    const std::uint64_t triangle_count = random.below(24);
    for (std::uint64_t i = 0; i < triangle_count; ++i) {
      TriangleIndices& triangle = triangles.emplace_back();
      for (std::uint32_t& index : triangle) {
        index = static_cast<std::uint32_t>(random.below(vertex_count));
      }
    }
  }

  std::vector<TrianglePair> expected() const {
    std::vector<test::RationalTriangle> rational;
    for (const TriangleIndices& triangle : triangles) {
      test::RationalTriangle& corners = rational.emplace_back();
      for (int k = 0; k < 3; ++k) {
        for (int axis = 0; axis < 3; ++axis) corners[k][axis] = vertices[triangle[k]][axis];
      }
    }
    std::vector<TrianglePair> pairs;
    for (std::uint32_t a = 0; a < rational.size(); ++a) {
      for (std::uint32_t b = a + 1; b < rational.size(); ++b) {
        if (test::meet_in_more_than_they_share(rational[a], rational[b])) pairs.push_back({a, b});
      }
    }
    return pairs;
  }

  /// The mesh turned, stretched, scaled and moved, without rounding: that changes no answer.
  Mesh mesh(detail::Random& random, std::string& name) const {
    int matrix[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (random.below(3) != 0) {
      int determinant = 0;
      while (determinant == 0) {
        for (auto& row : matrix) {
          for (int& x : row) x = static_cast<int>(random.below(41)) - 20;
        }
        const auto minor = [&](int i, int j) {
          return matrix[1][i] * matrix[2][j] - matrix[1][j] * matrix[2][i];
        };
        determinant =
            matrix[0][0] * minor(1, 2) - matrix[0][1] * minor(0, 2) + matrix[0][2] * minor(0, 1);
      }
      name += ", turned";
    }
    // As far as float32 goes, with subnormal numbers at one end.
    const int exponent = random.below(2) == 0 ? 0 : static_cast<int>(random.below(250)) - 149;
    const int move = random.below(2) == 0 ? 0 : static_cast<int>(random.below(1 << 23));
    name += ", times 2^" + std::to_string(exponent) + ", moved by " + std::to_string(move);
    std::vector<Vec3f> moved;
    for (const Corner& corner : vertices) {
      Vec3f& v = moved.emplace_back();
      for (int k = 0; k < 3; ++k) {
        const int x =
            matrix[k][0] * corner[0] + matrix[k][1] * corner[1] + matrix[k][2] * corner[2];
        v[k] = static_cast<float>(std::ldexp(x + move, exponent));
      }
    }
    return {std::move(moved), triangles};
  }
};

/// The same triangles, each with corners of its own.
Mesh soup_of(const Mesh& mesh) {
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  for (std::uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    for (const Vec3f& corner : mesh.triangle(i).corner) vertices.push_back(corner);
    triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return {std::move(vertices), std::move(triangles)};
}

TEST(SelfProperty, LatticeMeshesFollowTheRule) {
  const std::uint64_t rounds = std::getenv("TANDEM_EXHAUSTIVE") != nullptr ? 50'000 : 1'500;
  std::size_t pair_count = 0;
  std::size_t met_count = 0;
  for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
    detail::Random random(seed);
    const LatticeMesh lattice(random);
    const std::vector<TrianglePair> expected = lattice.expected();
    std::string name = "seed " + std::to_string(seed);
    const Mesh mesh = lattice.mesh(random, name);
    const Model model(mesh);
    ASSERT_EQ(self_collide(model, k_reference).pairs, expected) << name;
    ASSERT_EQ(self_collide(model).pairs, expected) << name;
    ASSERT_EQ(self_collide(Model(soup_of(mesh))).pairs, expected) << name;
    pair_count += mesh.triangle_count() * (mesh.triangle_count() - 1) / 2;
    met_count += expected.size();
  }
  // Worth something only if both answers are common.
  EXPECT_GT(met_count, pair_count / 10);
  EXPECT_LT(met_count, pair_count * 9 / 10);
}

TEST(SelfProperty, EveryEngineEqualsBruteForce) {
  const int rounds = std::getenv("TANDEM_EXHAUSTIVE") != nullptr ? 100 : 10;
  detail::Random random(20'000);
  std::uint64_t seed = 20'000;
  std::size_t run_count = 0;
  std::size_t met_count = 0;
  for (const Engine& engine : test::exact_engines()) {
    for (int round = 0; round < rounds; ++round) {
      const test::CollideCase c = test::CollideCases(++seed).next();
      const std::string what = test::name_of(engine) + ", " + c.name;
      const Model model(c.a, test::draw_options(engine.structure, 16, random));
      const auto expected = self_collide(model, k_reference).pairs;
      ASSERT_EQ(self_collide(model, {.engine = engine}).pairs, expected) << what;
      const CountResult counted = self_count(model, {.engine = engine, .statistics = true});
      ASSERT_EQ(counted.count, expected.size()) << what;
      ASSERT_EQ(counted.statistics.triangle_overlaps, expected.size()) << what;
      const IntersectsResult first = self_intersects(model, {.engine = engine});
      ASSERT_EQ(first.pair.has_value(), !expected.empty()) << what;
      if (first) {
        ASSERT_TRUE(std::binary_search(expected.begin(), expected.end(), *first.pair)) << what;
      }
      ++run_count;
      met_count += expected.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(met_count, run_count / 10);
  EXPECT_LT(met_count, run_count * 9 / 10);
}

/// Shapes of more than a few leaves, crumpled so that they meet themselves.
TEST(SelfProperty, CrumpledShapesEqualBruteForce) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    detail::Random random(seed);
    const Mesh shape = seed % 2 == 0 ? make_icosphere(3) : make_torus(40, 16);
    std::vector<Vec3f> vertices(shape.vertices().begin(), shape.vertices().end());
    // Some lie on a grid then, where coplanar and touching triangles are common.
    const bool snapped = random.below(2) == 0;
    const double amount = random.uniform(0, 0.4);
    for (Vec3f& v : vertices) {
      for (int k = 0; k < 3; ++k) {
        double x = v[k] + random.uniform(-amount, amount);
        if (snapped) x = 0.125 * std::round(8 * x);
        v[k] = static_cast<float>(x);
      }
    }
    // One triangle so far away that float32 does not hold all of it together.
    std::vector<TriangleIndices> triangles(shape.triangles().begin(), shape.triangles().end());
    const bool far = random.below(4) == 0;
    if (far) {
      const auto first = static_cast<std::uint32_t>(vertices.size());
      for (const Vec3f& v : {Vec3f{1e30F, 0, 0}, Vec3f{0, 1e30F, 0}, Vec3f{0, 0, 1}}) {
        vertices.push_back(v);
      }
      triangles.push_back({first, first + 1, first + 2});
    }
    const Model model(Mesh(std::move(vertices), std::move(triangles)));
    const auto expected = self_collide(model, k_reference).pairs;
    ASSERT_EQ(self_collide(model).pairs, expected) << "seed " << seed;
    ASSERT_EQ(self_intersects(model).pair.has_value(), !expected.empty()) << "seed " << seed;
    const CountResult counted = self_count(model, {.statistics = true});
    ASSERT_EQ(counted.count, expected.size()) << "seed " << seed;
    // Each two triangles are looked at once. (How much is looked at because of the far one depends
    // on whether it comes first or second.)
    if (far) continue;
    const Statistics two = count(model, model, Pose(), {.statistics = true}).statistics;
    EXPECT_LE(2 * counted.statistics.triangle_tests + model.mesh().triangle_count(),
              two.triangle_tests)
        << "seed " << seed;
    EXPECT_LT(counted.statistics.iterations, 0.75 * static_cast<double>(two.iterations))
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace tandem
