// The kernels that find distances, run by the executor on the CPU, against the engine of the CPU.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gpu/distance/search.h"
#include "gpu/waves_on_cpu.h"
#include "math/random.h"
#include "support/collide_cases.h"
#include "support/complexity_cases.h"
#include "support/ray_cases.h"

namespace tandem::test {
namespace {

using detail::DeviceDistance;
using detail::DistanceSearch;
using detail::WaveMemory;
using detail::WaveSummary;
using detail::WaveWay;

constexpr double k_infinity = std::numeric_limits<double>::infinity();

/// Models, queries between them, and what they are for failure messages.
struct Batch {
  std::vector<Model> models;
  std::vector<BatchQuery> queries;
  std::string name;

  void add(const Mesh& a, const Mesh& b, const Pose& b_in_a) {
    const auto first = static_cast<std::uint32_t>(models.size());
    models.emplace_back(a);
    models.emplace_back(b);
    queries.push_back({first, first + 1, b_in_a});
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(queries.size()); }
};

bool same_bits(const Vec3d& x, const Vec3d& y) {
  return std::memcmp(&x, &y, sizeof x) == 0;
}

/// To the bit; where models touch, any pair that does.
testing::AssertionResult same(const Batch& batch, std::size_t i, const DeviceDistance& found,
                              const DistanceResult& expected) {
  if (std::memcmp(&found.distance, &expected.distance, sizeof(double)) != 0) {
    return testing::AssertionFailure()
           << "the distance is " << found.distance << ", not " << expected.distance;
  }
  if (!expected.pair) return testing::AssertionSuccess();
  if (found.distance == 0) {
    const BatchQuery& query = batch.queries[i];
    const TriangleDistance at =
        distance(batch.models[query.a], batch.models[query.b], query.b_in_a, found.pair);
    if (at.distance == 0) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "triangles that do not touch";
  }
  if (found.pair != *expected.pair) {
    return testing::AssertionFailure()
           << "triangles " << found.pair.a << ' ' << found.pair.b << ", not " << expected.pair->a
           << ' ' << expected.pair->b << ", at " << expected.distance;
  }
  if (!same_bits(found.on_a, expected.on_a) || !same_bits(found.on_b, expected.on_b) ||
      !same_bits(found.normal, expected.normal)) {
    return testing::AssertionFailure() << "other points";
  }
  return testing::AssertionSuccess();
}

/// Distances, limited ones and pairs within a distance, in one way. What the last of them took.
WaveSummary expect_same(const Batch& batch, const ModelsOfWaves& models, WaveWay way,
                        std::uint64_t seed, const WaveMemory& memory) {
  SCOPED_TRACE(batch.name + ", executor's seed " + std::to_string(seed) +
               (way == WaveWay::warps ? ", a warp each" : ", several warps each"));
  WavesOnCpu on(seed);
  DistanceSearch<WavesOnCpu> search(models.view(), memory, way);
  const std::vector<DistanceResult> expected = distance_batch(batch.models, batch.queries);
  // The second time the memory is there, and each touching pair is found again.
  std::vector<DeviceDistance> first;
  WaveSummary summary{};
  for (int time = 0; time < 2; ++time) {
    std::vector<DeviceDistance> found(batch.queries.size());
    search.run(on, batch.queries.data(), batch.count(), {.results = found.data()});
    summary = search.summary(on);
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_TRUE(same(batch, i, found[i], expected[i])) << "query " << i;
      if (time == 1 && expected[i].pair) {
        EXPECT_EQ(found[i].pair, first[i].pair) << "query " << i;
      }
    }
    first = std::move(found);
  }
  // Half of the queries are farther than a limit.
  std::vector<double> distances;
  for (const DistanceResult& result : expected) distances.push_back(result.distance);
  std::sort(distances.begin(), distances.end());
  const double middle = distances.empty() ? 0 : distances[distances.size() / 2];
  for (const double limit : {0.0, std::nextafter(middle, k_infinity)}) {
    const std::vector<DistanceResult> limited =
        distance_batch(batch.models, batch.queries, {.limit = limit});
    std::vector<DeviceDistance> found(batch.queries.size());
    search.run(on, batch.queries.data(), batch.count(), {.results = found.data(), .limit = limit});
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_TRUE(same(batch, i, found[i], limited[i])) << "query " << i << ", limit " << limit;
    }
  }
  for (const double within : {middle, 0.99 * middle}) {
    const BatchBits close = within_batch(batch.models, batch.queries, within);
    std::vector<detail::WaveCount> any(batch.queries.size(), 7);
    search.run(on, batch.queries.data(), batch.count(), {.any = any.data(), .within = within});
    for (std::size_t i = 0; i < any.size(); ++i) {
      EXPECT_EQ(any[i], close[i] ? 1U : 0U) << "query " << i << ", within " << within;
    }
  }
  return summary;
}

WaveSummary expect_same(const Batch& batch, std::uint64_t seed, const WaveMemory& memory = {}) {
  const ModelsOfWaves models(batch.models);
  expect_same(batch, models, WaveWay::warps, seed, memory);
  return expect_same(batch, models, WaveWay::levels, seed, memory);
}

Pose random_pose(detail::Random& random, double distance) {
  const auto in_range = [&] { return random.uniform(-1, 1); };
  return Pose::from_quaternion(
      in_range(), in_range(), in_range(), in_range(),
      {distance * in_range(), distance * in_range(), distance * in_range()});
}

TEST(DistanceKernels, FindTheDistancesOfTheCpuForAllKindsOfSmallMeshes) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Batch batch;
    CollideCases cases(seed);
    for (int i = 0; i < 30; ++i) {
      const CollideCase c = cases.next();
      batch.add(c.a, c.b, c.b_in_a);
    }
    batch.name = "cases of seed " + std::to_string(seed);
    expect_same(batch, seed);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(DistanceKernels, AreThoseOfBruteForce) {
  Batch batch;
  batch.name = "brute force";
  detail::Random random(7);
  for (int i = 0; i < 12; ++i) {
    batch.add(make_soup(1 + random.below(60), random.next(), 0.2),
              make_soup(1 + random.below(60), random.next(), 0.2), random_pose(random, 3));
  }
  const ModelsOfWaves models(batch.models);
  const std::vector<DistanceResult> expected =
      distance_batch(batch.models, batch.queries, {.engine = {.structure = "triangles"}});
  for (const WaveWay way : {WaveWay::warps, WaveWay::levels}) {
    WavesOnCpu on(3);
    DistanceSearch<WavesOnCpu> search(models.view(), {}, way);
    std::vector<DeviceDistance> found(batch.queries.size());
    search.run(on, batch.queries.data(), batch.count(), {.results = found.data()});
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_TRUE(same(batch, i, found[i], expected[i])) << "query " << i;
    }
  }
}

TEST(DistanceKernels, FindTheDistancesOfTreesOfDifferentHeights) {
  Batch batch;
  batch.name = "heights";
  for (const std::size_t count : {1, 5, 30, 1500}) {
    batch.models.emplace_back(make_shape("rock", count));
  }
  detail::Random random(1);
  for (std::uint32_t a = 0; a < batch.models.size(); ++a) {
    for (std::uint32_t b = 0; b < batch.models.size(); ++b) {
      batch.queries.push_back({a, b, random_pose(random, 4)});
      batch.queries.push_back({a, b, random_pose(random, 1)});
    }
  }
  expect_same(batch, 1);
}

TEST(DistanceKernels, BreakTiesByIds) {
  // Faces at equal distances, and faces that touch.
  Batch batch;
  batch.name = "flush";
  const Mesh plane = make_plane(8);
  const Mesh box = make_box(4);
  for (const double z : {0.5, 1e-9, 1e-17, 0.0}) {
    batch.add(plane, plane, Pose::from_translation({0, 0, z}));
    batch.add(plane, plane, Pose::from_axis_angle({0, 0, 1}, 0.3, {0.1, 0.2, z}));
    batch.add(box, box, Pose::from_translation({2 + z, 0.25, 0.125}));
    batch.add(box, box, Pose::from_translation({2 + z, 2, 0}));
  }
  const WaveSummary summary = expect_same(batch, 2);
  // Some of them need exact arithmetic.
  EXPECT_GT(summary.entries[detail::k_hard_queue], 50U);
}

TEST(DistanceKernels, LeaveToDoublesWhatFloatsHaveNoRoomFor) {
  Batch batch;
  batch.name = "far, large and small";
  const Mesh rock = make_shape("rock", 100);
  detail::Random random(3);
  for (const double scale : {0x1p-70, 1.0, 0x1p70}) {
    for (const double other : {0x1p-70, 1.0, 0x1p70}) {
      batch.add(transformed(rock, scale, {}), transformed(rock, other, {}),
                random_pose(random, 4 * std::fmax(scale, other)));
    }
    batch.add(transformed(rock, scale, {1e6, 0, 0}), transformed(rock, scale, {}),
              Pose::from_translation({1e6 * scale, 3 * scale, 0}));
  }
  batch.add(rock, rock, Pose::from_translation({1e30, 0, 0}));
  batch.add(rock, rock, Pose::from_translation({1e5, 1e4, 0}));
  const float tiny = std::numeric_limits<float>::denorm_min();
  const Mesh uneven({{-8, -8, tiny}, {8, -8, tiny}, {0, 8, 3 * tiny}, {0, 0, -4}, {1, 0, tiny}},
                    {{0, 1, 2}, {0, 3, 4}, {2, 3, 4}});
  batch.add(uneven, uneven, Pose::from_translation({0, 0, 20}));
  batch.add(uneven, uneven, Pose::from_translation({0, 0, 2e-45}));
  for (const double distance : {1e2, 1e7}) {
    const Mesh strays = with_strays(rock, distance, 3);
    batch.add(strays, strays, random_pose(random, 5));
    batch.add(strays, rock, random_pose(random, 5));
  }
  const Mesh magnitudes = all_magnitudes(3, 10);
  batch.add(magnitudes, magnitudes, random_pose(random, 3));
  expect_same(batch, 4);
}

TEST(DistanceKernels, LoseNothingWhereMemoryDoesNotSuffice) {
  Batch batch;
  const Mesh plane = make_plane(4);
  const Mesh rock = make_shape("rock", 80);
  detail::Random random(5);
  batch.models = {Model(rock), Model(make_shape("knot", 80)), Model(with_strays(rock, 1e5, 2)),
                  Model(plane)};
  for (std::uint32_t i = 0; i < 3; ++i) {
    batch.queries.push_back({i % 3, (i + 1) % 3, random_pose(random, 4)});
  }
  // Many that are equally close.
  batch.queries.push_back({3, 3, Pose::from_translation({0, 0, 0.25})});
  batch.queries.push_back({3, 3, Pose()});
  for (const std::size_t most : {std::size_t{1} << 30, std::size_t{1}}) {
    batch.name = "at most " + std::to_string(most) + " bytes";
    expect_same(batch, most, {.first_entries = 16, .first_results = 7, .most_bytes = most});
  }
}

TEST(DistanceKernels, HaveRoomWhereAllPairsOverlap) {
  // Large triangles that all cross, and that lie close to each other without touching.
  Batch batch;
  batch.name = "all overlap";
  batch.models = {Model(make_soup(200, 1, 2)), Model(make_soup(70, 2, 2)), Model(make_soup(3, 3))};
  for (std::uint32_t i = 0; i < 3; ++i) batch.queries.push_back({0, i, Pose()});
  std::vector<Vec3f> vertices;
  std::vector<TriangleIndices> triangles;
  for (std::uint32_t i = 0; i < 80; ++i) {
    const float z = 1e-7F * static_cast<float>(i);
    vertices.insert(vertices.end(), {{-1, -1, z}, {1, -1, z}, {0, 1, z}});
    triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  const Mesh sheets(vertices, triangles);
  const auto first = static_cast<std::uint32_t>(batch.models.size());
  batch.models.emplace_back(sheets);
  batch.queries.push_back({first, first, Pose::from_axis_angle({0, 0, 1}, 0.1, {0, 0, 1e-3})});
  batch.queries.push_back({first, first, Pose::from_axis_angle({1, 0, 0}, 3, {0, 0, 1})});
  expect_same(batch, 1);
}

TEST(DistanceKernels, HaveNothingToDoForEmptyModels) {
  Batch batch;
  batch.name = "empty";
  batch.add(Mesh(), Mesh(), Pose());
  batch.add(Mesh(), make_box(1), Pose());
  batch.add(make_box(1), Mesh(), Pose());
  expect_same(batch, 2);
}

}  // namespace
}  // namespace tandem::test
