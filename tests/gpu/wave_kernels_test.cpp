// The waves that find touching triangles, run by the executor on the CPU, against the engine of the
// CPU.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gpu/collision_checks.h"
#include "gpu/waves_on_cpu.h"
#include "math/random.h"
#include "support/collide_cases.h"
#include "support/complexity_cases.h"
#include "support/ray_cases.h"

namespace tandem::test {
namespace {

using detail::WaveMemory;
using detail::WaveSearch;
using detail::WaveSummary;
using detail::WaveWay;

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
};

/// Queries that go down in one way; what that took.
WaveSummary expect_same(const Batch& batch, const ModelsOfWaves& models,
                        const BatchResult& expected, WaveWay way, std::uint64_t seed,
                        const WaveMemory& memory) {
  SCOPED_TRACE(way == WaveWay::warps ? "by warps" : "in waves");
  WavesOnCpu on(seed);
  WaveSearch<WavesOnCpu> search(models.view(), models.shape(), memory, way);
  WaveSummary summary{};
  // Twice: the second time the memory is there.
  for (int time = 0; time < 2; ++time) {
    search.run(on, batch.queries.data(), static_cast<std::uint32_t>(batch.queries.size()));
    const BatchResult result =
        in_order({search.found(), search.found_count()}, batch.queries.size());
    EXPECT_EQ(result.offsets, expected.offsets) << batch.name << ", executor's seed " << seed;
    EXPECT_EQ(result.pairs, expected.pairs) << batch.name << ", executor's seed " << seed;
  }
  if (models.shape().wave_count > 0) summary = search.summary(on);
  // Counted, and whether there are any.
  for (const bool first_only : {false, true}) {
    std::vector<detail::WaveCount> counts(batch.queries.size(), 7);
    const bool done =
        search.run(on, batch.queries.data(), static_cast<std::uint32_t>(batch.queries.size()),
                   {.per_query = counts.data(), .first_only = first_only});
    EXPECT_EQ(done, models.shape().wave_count > 0);
    for (std::size_t i = 0; done && i < counts.size(); ++i) {
      const std::uint64_t expected_count = expected.count(i);
      EXPECT_EQ(first_only ? std::uint64_t{counts[i] != 0} : std::uint64_t{counts[i]},
                first_only ? std::uint64_t{expected_count != 0} : expected_count)
          << batch.name << ", query " << i << (first_only ? ", first" : ", counted");
    }
  }
  return summary;
}

/// What it took in waves.
WaveSummary expect_same(const Batch& batch, std::uint64_t seed, const WaveMemory& memory = {}) {
  const BatchResult expected = collide_batch(batch.models, batch.queries);
  const ModelsOfWaves models(batch.models);
  expect_same(batch, models, expected, WaveWay::warps, seed, memory);
  return expect_same(batch, models, expected, WaveWay::levels, seed, memory);
}

TEST(WaveKernels, FindThePairsOfTheCpuForAllKindsOfSmallMeshes) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Batch batch;
    CollideCases cases(seed);
    for (int i = 0; i < 60; ++i) {
      const CollideCase c = cases.next();
      batch.add(c.a, c.b, c.b_in_a);
    }
    batch.name = "cases of seed " + std::to_string(seed);
    expect_same(batch, seed);
    ASSERT_FALSE(HasFailure());
  }
}

Pose random_pose(detail::Random& random, double distance) {
  const auto in_range = [&] { return random.uniform(-1, 1); };
  return Pose::from_quaternion(
      in_range(), in_range(), in_range(), in_range(),
      {distance * in_range(), distance * in_range(), distance * in_range()});
}

TEST(WaveKernels, FindThePairsOfTreesOfDifferentHeights) {
  Batch batch;
  batch.name = "heights";
  for (const std::size_t count : {1, 5, 30, 100, 400, 1500}) {
    batch.models.emplace_back(make_shape("rock", count));
  }
  detail::Random random(1);
  for (std::uint32_t a = 0; a < batch.models.size(); ++a) {
    for (std::uint32_t b = 0; b < batch.models.size(); ++b) {
      batch.queries.push_back({a, b, random_pose(random, 1)});
      batch.queries.push_back({a, b, Pose()});
    }
  }
  expect_same(batch, 1);
}

TEST(WaveKernels, DecideWhatTouchesOnlyInPlanesAndEdges) {
  Batch batch;
  batch.name = "faces";
  const Mesh plane = make_plane(8);
  const Mesh box = make_box(4);
  batch.add(plane, plane, Pose());
  batch.add(plane, plane, Pose::from_translation({0.25, 0.125, 0}));
  batch.add(plane, plane, Pose::from_axis_angle({0, 0, 1}, 0.3));
  batch.add(plane, plane, Pose::from_axis_angle({1, 2, 3}, 0.5));
  batch.add(box, box, Pose());
  for (const double step : {2.0, std::nextafter(2.0, 3.0), std::nextafter(2.0, 1.0)}) {
    batch.add(box, box, Pose::from_translation({step, 0, 0}));
    batch.add(box, box, Pose::from_translation({step, step, 0}));
  }
  batch.add(box, box, Pose::from_axis_angle({0, 0, 1}, 0.4, {0, 0, 2}));
  const WaveSummary summary = expect_same(batch, 2);
  EXPECT_GT(summary.entries[detail::k_undecided_queue], 1000U);
  EXPECT_GT(summary.entries[detail::k_hard_queue], 50U);
}

TEST(WaveKernels, LeaveToDoublesWhatFloatsHaveNoRoomFor) {
  Batch batch;
  batch.name = "far, large and small";
  const Mesh rock = make_shape("rock", 300);
  detail::Random random(3);
  for (const double scale : {0x1p-70, 0x1p-20, 1.0, 0x1p20, 0x1p70}) {
    for (const double other : {0x1p-70, 1.0, 0x1p70}) {
      batch.add(transformed(rock, scale, {}), transformed(rock, other, {}),
                random_pose(random, std::fmax(scale, other)));
    }
    batch.add(transformed(rock, scale, {1e6, 0, 0}), transformed(rock, scale, {}),
              Pose::from_translation({1e6 * scale, 0.3 * scale, 0}));
    batch.add(transformed(rock, scale, {}), transformed(rock, scale, {}),
              Pose::from_translation({1e-3 * scale, 1e-4 * scale, 0}));
  }
  batch.add(rock, rock, Pose::from_translation({1e30, 0, 0}));
  // Subnormal coordinates beside large ones, which trees do not hold exactly.
  const float tiny = std::numeric_limits<float>::denorm_min();
  const Mesh uneven({{-8, -8, tiny}, {8, -8, tiny}, {0, 8, 3 * tiny}, {0, 0, -4}, {1, 0, tiny}},
                    {{0, 1, 2}, {0, 3, 4}, {2, 3, 4}});
  batch.add(uneven, uneven, Pose());
  batch.add(uneven, uneven, Pose::from_translation({0, 0, 2e-45}));
  for (const double distance : {1e2, 1e4, 1e7}) {
    const Mesh strays = with_strays(rock, distance, 3);
    batch.add(strays, strays, random_pose(random, 1));
    batch.add(strays, rock, random_pose(random, 1));
  }
  for (int i = 0; i < 3; ++i) {
    const Mesh magnitudes = all_magnitudes(3, 10);
    batch.add(magnitudes, magnitudes, random_pose(random, 0.1));
  }
  expect_same(batch, 4);
}

TEST(WaveKernels, LoseNothingWhereMemoryDoesNotSuffice) {
  Batch batch;
  const Mesh rock = make_shape("rock", 300);
  const Mesh knot = make_shape("knot", 200);
  detail::Random random(5);
  batch.models = {Model(rock), Model(knot), Model(with_strays(rock, 1e5, 2))};
  for (std::uint32_t i = 0; i < 6; ++i) {
    batch.queries.push_back({i % 3, (i / 3) % 3, random_pose(random, 0.3)});
  }
  for (const std::size_t first : {16, 5000}) {
    batch.name = "first room " + std::to_string(first);
    expect_same(batch, first, {.first_entries = first, .first_results = first});
  }
  const auto with_limit = [&](std::size_t most) {
    batch.name = "at most " + std::to_string(most) + " bytes";
    expect_same(batch, most, {.first_entries = 64, .first_results = 7, .most_bytes = most});
  };
  with_limit(60'000);
  // One pair of blocks at a time.
  batch.models = {Model(make_shape("rock", 30)), Model(make_shape("knot", 30)),
                  Model(with_strays(make_shape("rock", 20), 1e5, 2))};
  with_limit(1);
}

TEST(WaveKernels, HaveRoomWhereAllPairsOverlap) {
  // Large triangles that all cross: each step of a warp leads to more than it has room for.
  Batch batch;
  batch.name = "all overlap";
  batch.models = {Model(make_soup(330, 1, 2)), Model(make_soup(70, 2, 2)), Model(make_soup(3, 3))};
  for (std::uint32_t i = 0; i < 3; ++i) batch.queries.push_back({0, i, Pose()});
  batch.queries.push_back({1, 0, Pose()});
  expect_same(batch, 1);
}

TEST(WaveKernels, KeepWhatWarpsFindWhenOthersHaveEnded) {
  // More pairs than warps can wait with until the end, where blocks end with all that they have
  // found: with nothing left for exact arithmetic and little for doubles.
  Batch batch;
  batch.name = "many pairs";
  batch.models = {Model(make_soup(150, 1, 2)), Model(make_soup(120, 2, 2))};
  batch.queries = {{0, 1, Pose()}};
  EXPECT_GT(collide_batch(batch.models, batch.queries).pairs.size(), 2000U);
  // The executor's blocks have one warp or several.
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const WaveSummary summary = expect_same(batch, seed);
    EXPECT_EQ(summary.entries[detail::k_hard_queue], 0U);
    EXPECT_LT(summary.entries[detail::k_undecided_queue], 1000U);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(WaveKernels, HaveNothingToDoForEmptyModels) {
  Batch batch;
  batch.name = "empty";
  expect_same(batch, 1);
  batch.add(Mesh(), Mesh(), Pose());
  expect_same(batch, 1);
  batch.add(Mesh(), make_box(1), Pose());
  batch.add(make_box(1), Mesh(), Pose());
  expect_same(batch, 2);
}

}  // namespace
}  // namespace tandem::test
