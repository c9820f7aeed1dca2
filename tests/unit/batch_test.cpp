// Batches: each query as if it were alone, the same bytes on any number of threads.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "math/random.h"
#include "support/error_of.h"

namespace tandem {
namespace {

using test::error_of;

/// Poses of which some make two knots touch and others do not.
std::vector<Pose> random_poses(std::size_t count, std::uint64_t seed) {
  detail::Random random(seed);
  const auto unit = [&] { return random.uniform(-1, 1); };
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < count; ++i) {
    const double far = random.uniform(0, 5);
    // In braces numbers are drawn in their order, whatever the compiler.
    const std::array<double, 7> n{unit(), unit(), unit(), unit(), unit(), unit(), unit()};
    poses.push_back(
        Pose::from_quaternion(n[0], n[1], n[2], n[3], {far * n[4], far * n[5], far * n[6]}));
  }
  return poses;
}

/// Three models and random queries among them.
struct ManyModels {
  std::vector<Model> models = {Model(make_knot(40, 6)), Model(make_torus(20, 8)),
                               Model(make_icosphere(4))};
  std::vector<BatchQuery> queries;

  explicit ManyModels(std::size_t count) {
    std::uint32_t i = 0;
    for (const Pose& pose : random_poses(count, 2)) {
      queries.push_back({i % 3, i / 3 % 3, pose});
      ++i;
    }
  }
};

TEST(Batch, EveryQueryHasTheAnswerThatItHasAlone) {
  const Model a(make_knot(40, 6));
  const Model b(make_torus(20, 8));
  const std::vector<Pose> poses = random_poses(300, 1);
  const BatchResult pairs = collide_batch(a, b, poses);
  const std::vector<std::uint64_t> counts = count_batch(a, b, poses);
  const BatchBits bits = intersects_batch(a, b, poses);
  ASSERT_EQ(pairs.query_count(), poses.size());
  ASSERT_EQ(counts.size(), poses.size());
  ASSERT_EQ(bits.size(), poses.size());
  std::size_t touching = 0;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const std::vector<TrianglePair> alone = collide(a, b, poses[i]).pairs;
    const auto in_batch = pairs.pairs_of(i);
    ASSERT_EQ(std::vector(in_batch.begin(), in_batch.end()), alone) << "seed 1, pose " << i;
    ASSERT_EQ(pairs.count(i), alone.size()) << "seed 1, pose " << i;
    ASSERT_EQ(counts[i], alone.size()) << "seed 1, pose " << i;
    ASSERT_EQ(bits[i], !alone.empty()) << "seed 1, pose " << i;
    touching += alone.empty() ? 0 : 1;
  }
  EXPECT_EQ(bits.count(), touching);
  EXPECT_GT(touching, 50U);
  EXPECT_LT(touching, 250U);
}

TEST(Batch, ManyModelsAreTakenByTheirPositions) {
  const ManyModels many(200);
  const BatchResult pairs = collide_batch(many.models, many.queries);
  const std::vector<std::uint64_t> counts = count_batch(many.models, many.queries);
  const BatchBits bits = intersects_batch(many.models, many.queries);
  for (std::size_t i = 0; i < many.queries.size(); ++i) {
    const BatchQuery& query = many.queries[i];
    const std::vector<TrianglePair> alone =
        collide(many.models[query.a], many.models[query.b], query.b_in_a).pairs;
    const auto in_batch = pairs.pairs_of(i);
    ASSERT_EQ(std::vector(in_batch.begin(), in_batch.end()), alone) << "seed 2, query " << i;
    ASSERT_EQ(counts[i], alone.size()) << "seed 2, query " << i;
    ASSERT_EQ(bits[i], !alone.empty()) << "seed 2, query " << i;
  }
}

TEST(Batch, NothingDependsOnTheNumberOfThreads) {
  const ManyModels many(1'000);
  const BatchResult pairs = collide_batch(many.models, many.queries, {.threads = 1});
  const std::vector<std::uint64_t> counts = count_batch(many.models, many.queries, {.threads = 1});
  const BatchBits bits = intersects_batch(many.models, many.queries, {.threads = 1});
  for (const int threads : {2, 4, 16, 0}) {
    const BatchOptions options{.threads = threads};
    const BatchResult others = collide_batch(many.models, many.queries, options);
    EXPECT_EQ(others.offsets, pairs.offsets) << threads;
    EXPECT_EQ(others.pairs, pairs.pairs) << threads;
    EXPECT_EQ(count_batch(many.models, many.queries, options), counts) << threads;
    EXPECT_EQ(intersects_batch(many.models, many.queries, options), bits) << threads;
  }
}

TEST(Batch, PairsComeInTheOrderOfQueriesHoweverManyEachHas) {
  const Model knot(make_knot(60, 8));
  // Much at the beginning, then nothing for long, then much at the end; and the reverse.
  const Pose far = Pose::from_translation({100, 0, 0});
  for (const bool ends : {true, false}) {
    std::vector<Pose> poses;
    for (int i = 0; i < 3000; ++i) {
      const bool at_an_end = i < 20 || i >= 2980;
      poses.push_back(at_an_end == ends ? Pose::from_translation({1e-3 * (i % 50), 0, 0}) : far);
    }
    std::vector<TrianglePair> expected;
    std::vector<std::uint64_t> offsets = {0};
    for (const Pose& pose : poses) {
      const std::vector<TrianglePair> alone = collide(knot, knot, pose).pairs;
      expected.insert(expected.end(), alone.begin(), alone.end());
      offsets.push_back(expected.size());
    }
    for (const int threads : {1, 2, 4, 16}) {
      const BatchResult found = collide_batch(knot, knot, poses, {.threads = threads});
      EXPECT_EQ(found.offsets, offsets) << ends << ", " << threads << " threads";
      EXPECT_TRUE(found.pairs == expected) << ends << ", " << threads << " threads";
      EXPECT_LE(found.pairs.capacity(), 2 * expected.size()) << ends << ", " << threads;
    }
  }
}

TEST(Batch, SizesAroundAWordOfBits) {
  const Model box(make_box(2));
  for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 128U, 129U}) {
    const std::vector<Pose> poses(size);
    const BatchBits bits = intersects_batch(box, box, poses);
    EXPECT_EQ(bits.size(), size);
    EXPECT_EQ(bits.count(), size);
    EXPECT_EQ(bits.words().size(), (size + 63) / 64);
    const BatchResult pairs = collide_batch(box, box, poses);
    EXPECT_EQ(pairs.query_count(), size);
    EXPECT_EQ(pairs.offsets.back(), pairs.pairs.size());
    EXPECT_EQ(count_batch(box, box, poses).size(), size);
  }
}

TEST(Batch, EveryEngineWorks) {
  const Mesh knot = make_knot(30, 6);
  const std::vector<Pose> poses = random_poses(20, 3);
  const std::vector<std::uint64_t> expected = count_batch(Model(knot), Model(knot), poses);
  const Model boxes(knot, {.structure = "aabb"});
  EXPECT_EQ(count_batch(boxes, boxes, poses, {.engine = {.traversal = "stackless"}}), expected);
  EXPECT_EQ(count_batch(boxes, boxes, poses, {.engine = {.traversal = "brute-force"}}), expected);
}

TEST(Batch, WhatIsWrongIsAnError) {
  const std::vector<Model> models = {Model(make_box(1)), Model(make_box(1), {.structure = "aabb"})};
  const std::vector<BatchQuery> missing = {{0, 0, Pose()}, {0, 2, Pose()}};
  for (const std::string& error : {error_of([&] { collide_batch(models, missing); }),
                                   error_of([&] { count_batch(models, missing); }),
                                   error_of([&] { intersects_batch(models, missing); })}) {
    EXPECT_EQ(error, "query 1 names model 2, but there are 2");
  }
  const std::vector<BatchQuery> mixed = {{0, 1, Pose()}};
  EXPECT_NE(error_of([&] { collide_batch(models, mixed); }).find("different structures"),
            std::string::npos);
  const std::vector<Pose> poses(3);
  EXPECT_NE(error_of([&] { collide_batch(models[0], models[0], poses, {.threads = -1}); }), "");
}

TEST(Batch, ProgressIsToldToTheCallingThread) {
  const Model knot(make_knot(40, 6));
  const std::vector<Pose> poses = random_poses(1'000, 4);
  const std::thread::id caller = std::this_thread::get_id();
  double last = 0;
  bool fell = false;
  bool elsewhere = false;
  auto progress = [&](double share) {
    fell = fell || share < last;
    elsewhere = elsewhere || std::this_thread::get_id() != caller;
    last = share;
  };
  count_batch(knot, knot, poses, {.threads = 4, .progress = progress});
  EXPECT_EQ(last, 1);
  EXPECT_FALSE(fell);
  EXPECT_FALSE(elsewhere);
}

TEST(Batch, ManyThreadsMayAskAtOnce) {
  const Model a(make_knot(40, 6));
  const Model b(make_torus(20, 8));
  const std::vector<Pose> poses = random_poses(200, 5);
  const BatchResult expected = collide_batch(a, b, poses, {.threads = 1});
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const BatchResult result = collide_batch(a, b, poses, {.threads = 2});
      if (result.offsets != expected.offsets || result.pairs != expected.pairs) ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tandem
