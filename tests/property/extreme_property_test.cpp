// The ends of the number range: subnormal and huge coordinates, sizes that differ by up to 2^277,
// poses as far from rigid as they may be, rays of any length. Every engine equals brute force.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "math/random.h"
#include "support/fitting.h"

namespace tandem {
namespace {

bool exhaustive() {
  return std::getenv("TANDEM_EXHAUSTIVE") != nullptr;
}

/// Numbers and meshes over the whole range of float32.
class Extremes {
 public:
  explicit Extremes(std::uint64_t seed) : random(seed) {}

  /// A power of two, subnormal, ordinary or huge.
  int exponent() {
    switch (random.below(5)) {
      case 0:
        return -149 + static_cast<int>(random.below(4));
      case 1:
        return -149 + static_cast<int>(random.below(60));
      case 2:
        return -2 + static_cast<int>(random.below(5));
      case 3:
        return 120 + static_cast<int>(random.below(5));
      default:
        return -149 + static_cast<int>(random.below(273));
    }
  }

  /// A small integer times a power of two. Small integers make corners, edges and planes coincide.
  float number(int exponent) {
    const auto integer = static_cast<double>(random.below(7)) - 3;
    const double more = random.below(4) == 0 ? random.uniform() : 0;
    return static_cast<float>(std::ldexp(integer + more, exponent));
  }

  Vec3f vector(int exponent) { return {number(exponent), number(exponent), number(exponent)}; }

  /// Up to `most` triangles whose corners are of one size, of two, or each of its own. Some of them
  /// are corners of `other`.
  Mesh mesh(std::size_t most, const Mesh& other) {
    const std::uint64_t kind = random.below(4);
    const int size = exponent();
    const int second = exponent();
    const std::size_t vertex_count = 3 + random.below(3 * most);
    std::vector<Vec3f> vertices;
    while (vertices.size() < vertex_count) {
      if (other.vertex_count() > 0 && random.below(6) == 0) {
        vertices.push_back(other.vertices()[random.below(other.vertex_count())]);
      } else if (kind == 0) {
        const int x = exponent();
        const int y = exponent();
        vertices.push_back({number(x), number(y), number(exponent())});
      } else {
        vertices.push_back(vector(kind == 1 && random.below(2) == 0 ? second : size));
      }
    }
    const auto corner = [&] { return static_cast<std::uint32_t>(random.below(vertices.size())); };
    std::vector<TriangleIndices> triangles(1 + random.below(most));
    for (TriangleIndices& triangle : triangles) triangle = {corner(), corner(), corner()};
    return {std::move(vertices), std::move(triangles)};
  }

  Vec3d corner(const Mesh& mesh) {
    return Vec3d(mesh.vertices()[random.below(mesh.vertex_count())]);
  }

  /// Finite and within the range of translations.
  Vec3d translation(const Mesh& a, const Mesh& b) {
    switch (random.below(4)) {
      case 0:
        return corner(a) - corner(b);
      case 1:
        return Vec3d(vector(exponent()));
      case 2: {
        const double size = std::pow(10.0, random.uniform(-70, 60));
        return {random.uniform(-size, size), random.uniform(-size, size), 0};
      }
      default:
        return {0, 0, 0};
    }
  }

  /// A rotation whose products of rows are off by up to a millionth.
  Pose barely_rigid() {
    const Pose turn = Pose::from_axis_angle({random.uniform(-1, 1), random.uniform(-1, 1), 1},
                                            random.uniform(-4, 4));
    // (I + E) R with a symmetric E: its products are I + 2 E, up to squares of E.
    double e[3][3];
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) e[i][j] = e[j][i] = 4.99e-7 * random.uniform(-1, 1);
    }
    if (random.below(2) == 0) e[0][0] = e[1][1] = e[2][2] = 4.99e-7;
    double rows[9];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        rows[3 * i + j] = turn.rotation(i, j);
        for (int k = 0; k < 3; ++k) rows[3 * i + j] += e[i][k] * turn.rotation(k, j);
      }
    }
    return Pose::from_rotation(rows);
  }

  Pose pose(const Mesh& a, const Mesh& b) {
    const Vec3d move = translation(a, b);
    Pose turn;
    switch (random.below(5)) {
      case 0:
        break;
      case 1: {
        const double rows[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
        turn = Pose::from_rotation(rows);
        break;
      }
      case 2:
        turn = barely_rigid();
        break;
      case 3: {
        turn = barely_rigid();
        for (std::uint64_t i = random.below(20); i > 0; --i) turn = turn * barely_rigid();
        if (random.below(2) == 0) turn = turn.inverse();
        break;
      }
      default:
        turn = Pose::from_axis_angle({random.uniform(-1, 1), random.uniform(-1, 1), 1},
                                     random.uniform(-4, 4));
    }
    // A corner of B comes to a corner of A, up to rounding.
    const Vec3d from = corner(b);
    if (random.below(2) == 0) {
      return Pose::from_translation(corner(a) - transform_point(turn, from)) * turn;
    }
    return Pose::from_translation(move) * turn;
  }

  detail::Random random;
};

/// Compares engines, in random order and each as often, with brute force.
class EngineCheck {
 public:
  explicit EngineCheck(std::uint64_t seed) : engines_(test::exact_engines()), random_(seed) {}

  /// Returns the number of pairs that touch.
  std::size_t check(const Mesh& mesh_a, const Mesh& mesh_b, const Pose& pose,
                    const std::string& name) {
    Engine engine = next();
    while (engine.overlap == OverlapTest("aligned") && !pose.is_translation()) engine = next();
    const Model a(mesh_a, test::draw_options(engine.structure, 16, random_));
    const Model b(mesh_b, test::draw_options(engine.structure, 16, random_));
    const auto expected = collide(a, b, pose, {.engine = {.traversal = "brute-force"}}).pairs;
    const std::string what = test::name_of(engine) + ", " + name;
    EXPECT_EQ(collide(a, b, pose, {.engine = engine}).pairs, expected) << what;
    EXPECT_EQ(static_cast<bool>(intersects(a, b, pose, {.engine = engine})), !expected.empty())
        << what;
    // The default engine is what most people use, so it is always among them.
    const Model default_a(mesh_a);
    const Model default_b(mesh_b);
    EXPECT_EQ(collide(default_a, default_b, pose).pairs, expected) << "default engine, " << name;
    return expected.size();
  }

 private:
  Engine next() {
    if (deck_.empty()) {
      deck_ = engines_;
      for (std::size_t i = deck_.size(); i > 1; --i)
        std::swap(deck_[i - 1], deck_[random_.below(i)]);
    }
    const Engine engine = deck_.back();
    deck_.pop_back();
    return engine;
  }

  std::vector<Engine> engines_;
  std::vector<Engine> deck_;
  detail::Random random_;
};

TEST(ExtremeProperty, ACornerSharedByTrianglesOfVeryDifferentSizesIsFound) {
  constexpr float d = 0x1p-149F;
  const Mesh a({{-2 * d, -3 * d, d}, {-2, -1, 0}, {-2 * d, 0, -1}}, {{0, 1, 2}});
  const Mesh b({{-d, 0, d}, {-2 * d, 0, d}, {-2 * d, -3 * d, d}}, {{0, 1, 2}});
  for (const Engine& engine : test::exact_engines()) {
    const Model model_a(a, {.structure = engine.structure});
    const Model model_b(b, {.structure = engine.structure});
    EXPECT_EQ(count(model_a, model_b, {}, {.engine = engine}).count, 1U) << test::name_of(engine);
    EXPECT_EQ(count(model_b, model_a, {}, {.engine = engine}).count, 1U) << test::name_of(engine);
  }
}

TEST(ExtremeProperty, EnginesEqualBruteForceFromSubnormalToHugeCoordinates) {
  const std::size_t wanted = exhaustive() ? 10'000'000 : 150'000;
  EngineCheck engines(50'000);
  std::size_t pair_count = 0;
  std::size_t touching_count = 0;
  for (std::uint64_t seed = 50'001; pair_count < wanted; ++seed) {
    Extremes extremes(seed);
    const Mesh a = extremes.mesh(extremes.random.below(8) == 0 ? 40 : 6, Mesh());
    const Mesh b = extremes.mesh(extremes.random.below(8) == 0 ? 40 : 6, a);
    const Pose pose =
        extremes.random.below(2) == 0 ? Pose() : Pose::from_translation(extremes.translation(a, b));
    touching_count += engines.check(a, b, pose, "seed " + std::to_string(seed));
    ASSERT_FALSE(HasFailure());
    pair_count += a.triangle_count() * b.triangle_count();
  }
  // Worth something only if both answers are common.
  EXPECT_GT(touching_count, pair_count / 20);
  EXPECT_LT(touching_count, pair_count * 19 / 20);
}

TEST(ExtremeProperty, EnginesEqualBruteForceUnderExtremePoses) {
  const int pose_count = exhaustive() ? 1'000'000 : 10'000;
  EngineCheck engines(60'000);
  std::size_t touching_count = 0;
  for (int i = 0; i < pose_count; ++i) {
    const std::uint64_t seed = 60'001 + static_cast<std::uint64_t>(i);
    Extremes extremes(seed);
    const Mesh a = extremes.mesh(6, Mesh());
    const Mesh b = extremes.mesh(6, a);
    const Pose pose = extremes.pose(a, b);
    touching_count += engines.check(a, b, pose, "seed " + std::to_string(seed)) > 0 ? 1 : 0;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(touching_count, static_cast<std::size_t>(pose_count / 20));
  EXPECT_LT(touching_count, static_cast<std::size_t>(pose_count * 19 / 20));
}

/// A ray whose numbers are of any size, and one that aims at a point of a triangle.
Ray extreme_ray(Extremes& extremes, const Mesh& mesh) {
  detail::Random& random = extremes.random;
  Ray ray;
  ray.origin =
      random.below(3) == 0 ? Vec3f(extremes.corner(mesh)) : extremes.vector(extremes.exponent());
  if (random.below(3) == 0) {
    const int x = extremes.exponent();
    const int y = extremes.exponent();
    ray.direction = {extremes.number(x), extremes.number(y), extremes.number(extremes.exponent())};
  } else {
    // Towards a corner, an edge or the inside, at any speed.
    const TriangleF t = mesh.triangle(random.below(mesh.triangle_count()));
    const double u = random.below(3) == 0 ? 0 : random.uniform();
    const double v = random.below(3) == 0 ? 0 : random.uniform() * (1 - u);
    const Vec3d corner(t.corner[0]);
    const Vec3d at = corner + u * (Vec3d(t.corner[1]) - corner) + v * (Vec3d(t.corner[2]) - corner);
    const double speed = std::ldexp(1.0, static_cast<int>(random.below(240)) - 120);
    const Vec3d way = speed * (at - Vec3d(ray.origin));
    const double most = std::numeric_limits<float>::max();
    for (int axis = 0; axis < 3; ++axis) {
      ray.direction[axis] = static_cast<float>(std::fmax(-most, std::fmin(way[axis], most)));
    }
  }
  const auto bound = [&] {
    const float bounds[] = {0,
                            0x1p-149F,
                            0x1p-126F,
                            1,
                            std::numeric_limits<float>::max(),
                            std::numeric_limits<float>::infinity()};
    return bounds[random.below(std::size(bounds))];
  };
  if (random.below(2) == 0) {
    ray.t_min = bound();
    ray.t_max = bound();
    if (ray.t_max < ray.t_min) std::swap(ray.t_min, ray.t_max);
  }
  return ray;
}

TEST(ExtremeProperty, RayEnginesEqualBruteForceToTheBit) {
  const std::size_t wanted = exhaustive() ? 10'000'000 : 60'000;
  const std::span<const RayEngine> engines = ray_engines();
  constexpr std::size_t k_batch = 100;
  std::size_t hit_count = 0;
  std::size_t ray_count = 0;
  for (std::uint64_t seed = 70'001; ray_count < wanted; ++seed) {
    Extremes extremes(seed);
    const Mesh mesh = extremes.mesh(extremes.random.below(8) == 0 ? 40 : 10, Mesh());
    const Model model(mesh);
    std::vector<Ray> rays;
    while (rays.size() < k_batch) rays.push_back(extreme_ray(extremes, mesh));
    std::vector<Hit> expected(k_batch);
    closest_hits(model, rays, expected, {.engine = {.traversal = "brute-force"}});
    // Once more with the distance of the hit as both ends of the interval.
    for (std::size_t i = 0; i < k_batch / 2; ++i) {
      if (expected[i]) rays[i].t_min = rays[i].t_max = expected[i].distance;
    }
    const std::vector<Hit> before = expected;
    closest_hits(model, rays, expected, {.engine = {.traversal = "brute-force"}});
    for (std::size_t i = 0; i < k_batch; ++i) {
      ASSERT_EQ(expected[i], before[i]) << "brute force, seed " << seed << ", ray " << i;
      hit_count += expected[i] ? 1 : 0;
    }
    // The default engine always, the others in turn.
    for (const RayEngine& engine : {RayEngine(), engines[seed % engines.size()]}) {
      std::vector<Hit> hits(k_batch);
      closest_hits(model, rays, hits, {.engine = engine});
      std::vector<std::uint8_t> any(k_batch);
      any_hits(model, rays, any, {.engine = engine});
      for (std::size_t i = 0; i < k_batch; ++i) {
        ASSERT_EQ(hits[i], expected[i])
            << engine.traversal.name() << ", seed " << seed << ", ray " << i;
        ASSERT_EQ(any[i] != 0, static_cast<bool>(expected[i]))
            << engine.traversal.name() << ", seed " << seed << ", ray " << i;
      }
    }
    ray_count += k_batch;
  }
  EXPECT_GT(hit_count, ray_count / 10);
  EXPECT_LT(hit_count, ray_count * 19 / 20);
}

TEST(ExtremeProperty, ADistanceThatRoundsToZeroIsAHit) {
  const Mesh mesh({{0, -1, -1}, {0, 2, -1}, {0, -1, 2}, {1, -1, -1}, {1, 2, -1}, {1, -1, 2}},
                  {{0, 1, 2}, {3, 4, 5}});
  const Model model(mesh);
  const Ray ray{.origin = {1e-20F, 0, 0}, .direction = {-1e38F, 0, 0}, .t_min = 0, .t_max = 0};
  for (const RayEngine& engine : ray_engines()) {
    const Hit hit = closest_hit(model, ray, engine);
    ASSERT_TRUE(hit) << engine.traversal.name();
    EXPECT_EQ(hit.triangle, 0U);
    EXPECT_EQ(hit.distance, 0.0F);
  }
}

}  // namespace
}  // namespace tandem
