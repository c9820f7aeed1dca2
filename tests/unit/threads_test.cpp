// One query and one build on several threads: the same results for any number of them.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "build/wide/builders.h"
#include "math/random.h"
#include "query/sort_pairs.h"
#include "support/error_of.h"

namespace tandem {
namespace {

using detail::WideTree;
using test::error_of;

constexpr int k_thread_counts[] = {2, 4, 16, 0};

/// Two meshes that touch in many places: enough work for many parts.
struct Tangle {
  Model a{make_knot(300, 40)};
  Model b{make_knot(290, 40)};
  Pose pose = Pose::from_translation({0, 0, 0});
};

TEST(Threads, OneQueryGivesTheSameOnAnyNumberOfThreads) {
  const Tangle t;
  const CollideResult expected = collide(t.a, t.b, t.pose, {.statistics = true});
  ASSERT_GT(expected.pairs.size(), 1U << 15) << "too few pairs for threads to sort them";
  for (const int threads : k_thread_counts) {
    const CollideResult found = collide(t.a, t.b, t.pose, {.statistics = true, .threads = threads});
    EXPECT_EQ(found.pairs, expected.pairs) << threads;
    EXPECT_EQ(found.statistics, expected.statistics) << threads;
    const CountResult counted = count(t.a, t.b, t.pose, {.statistics = true, .threads = threads});
    EXPECT_EQ(counted.count, expected.pairs.size()) << threads;
    EXPECT_EQ(counted.statistics, expected.statistics) << threads;
  }
}

TEST(Threads, OneMeshWithItselfGivesTheSameOnAnyNumberOfThreads) {
  for (const Mesh& mesh : {make_soup(30000, 3, 0.05), make_knot(300, 40), make_soup(50, 4, 0.5)}) {
    const Model model(mesh);
    const CollideResult expected = self_collide(model, {.statistics = true});
    for (const int threads : k_thread_counts) {
      const QueryOptions options{.statistics = true, .threads = threads};
      const CollideResult found = self_collide(model, options);
      EXPECT_EQ(found.pairs, expected.pairs) << threads;
      EXPECT_EQ(found.statistics, expected.statistics) << threads;
      const CountResult counted = self_count(model, options);
      EXPECT_EQ(counted.count, expected.pairs.size()) << threads;
      EXPECT_EQ(counted.statistics, expected.statistics) << threads;
      std::vector<TrianglePair> shown;
      const auto sink = [&](TrianglePair pair) {
        shown.push_back(pair);
        return Flow::go_on;
      };
      EXPECT_FALSE(self_collide(model, sink, options).stopped);
      std::sort(shown.begin(), shown.end());
      EXPECT_EQ(shown, expected.pairs) << threads;
    }
  }
  EXPECT_EQ(error_of([] { self_count(Model(make_box(1)), {.threads = -1}); }),
            "the number of threads is at least 0, not -1");
}

TEST(Threads, EveryEngineAndTriangleTestAcceptsThreads) {
  const Model a(make_knot(60, 12));
  const Model b(make_torus(50, 20));
  // Every overlap test fits a translation.
  const Pose pose = Pose::from_translation({0.3, 0.1, 0});
  for (const Engine& engine : engines()) {
    const QueryOptions alone{.engine = engine};
    const QueryOptions shared{.engine = engine, .threads = 3};
    const std::string name = std::string(engine.structure.name()) + " " +
                             std::string(engine.traversal.name()) + " " +
                             std::string(engine.triangle_test.name());
    ASSERT_EQ(collide(a, b, pose, shared).pairs, collide(a, b, pose, alone).pairs) << name;
    ASSERT_EQ(count(a, b, pose, shared).count, count(a, b, pose, alone).count) << name;
  }
}

TEST(Threads, RandomMeshesOfAllSizesGiveWhatAnotherEngineFinds) {
  constexpr std::uint64_t k_seed = 7;
  detail::Random random(k_seed);
  for (int i = 0; i < 60; ++i) {
    const int size = static_cast<int>(random.uniform(1, i % 3 == 0 ? 6 : 60));
    const Model a(make_knot(3 + 4 * size, 3 + size));
    // Now and then float32 cannot hold both at once.
    Mesh mesh = make_rock(size, static_cast<std::uint64_t>(i));
    if (i % 5 == 0) {
      std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
      for (Vec3f& v : vertices) v = 1e-9F * v;
      mesh = Mesh(std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()});
    }
    const Model b(mesh);
    const auto unit = [&] { return random.uniform(-1, 1); };
    const Pose pose = Pose::from_quaternion(unit(), unit(), unit(), unit(), {unit(), unit(), 0});
    const auto expected =
        collide(a, b, pose, {.engine = {.structure = "aabb", .traversal = "recursive"}}).pairs;
    ASSERT_EQ(collide(a, b, pose, {.threads = 4}).pairs, expected)
        << "seed " << k_seed << ", case " << i;
  }
}

TEST(Threads, ASinkIsCalledByOneThreadAtATimeAndSeesEachPairOnce) {
  const Tangle t;
  const std::vector<TrianglePair> expected = collide(t.a, t.b, t.pose).pairs;
  for (const int threads : k_thread_counts) {
    std::atomic<int> inside = 0;
    bool alone = true;
    std::vector<TrianglePair> shown;
    const auto sink = [&](TrianglePair pair) {
      alone = ++inside == 1 && alone;
      shown.push_back(pair);
      --inside;
      return Flow::go_on;
    };
    EXPECT_FALSE(collide(t.a, t.b, t.pose, sink, {.threads = threads}).stopped);
    EXPECT_TRUE(alone);
    std::sort(shown.begin(), shown.end());
    EXPECT_EQ(shown, expected) << threads;
  }
}

TEST(Threads, ASinkThatStopsIsShownNothingMore) {
  const Tangle t;
  for (const std::size_t limit : {1, 100, 5000}) {
    std::size_t shown = 0;
    const auto sink = [&](TrianglePair) { return ++shown == limit ? Flow::stop : Flow::go_on; };
    EXPECT_TRUE(collide(t.a, t.b, t.pose, sink, {.threads = 4}).stopped);
    EXPECT_EQ(shown, limit);
  }
}

TEST(Threads, ExceptionsOfSinksReachTheCaller) {
  const Tangle t;
  std::size_t shown = 0;
  const auto sink = [&](TrianglePair) -> Flow {
    if (++shown == 1000) throw std::runtime_error("enough");
    return Flow::go_on;
  };
  EXPECT_THROW(collide(t.a, t.b, t.pose, sink, {.threads = 4}), std::runtime_error);
  const auto wrong = [](TrianglePair) { return static_cast<Flow>(7); };
  EXPECT_NE(error_of([&] { collide(t.a, t.b, t.pose, wrong, {.threads = 4}); }), "");
}

TEST(Threads, ProgressRisesOnTheCallingThread) {
  const Tangle t;
  const std::thread::id caller = std::this_thread::get_id();
  double last = 0;
  bool good = true;
  auto progress = [&](double share) {
    good = good && share >= last && share <= 1 && std::this_thread::get_id() == caller;
    last = share;
  };
  count(t.a, t.b, t.pose, {.threads = 4, .progress = progress});
  EXPECT_TRUE(good);
  EXPECT_EQ(last, 1);
}

TEST(Threads, NegativeNumbersAreRefused) {
  const Model model(make_box(1));
  const std::string sentence = "the number of threads is at least 0, not -1";
  EXPECT_EQ(error_of([&] { collide(model, model, Pose(), {.threads = -1}); }), sentence);
  EXPECT_EQ(error_of([&] { count(model, model, Pose(), {.threads = -1}); }), sentence);
  EXPECT_EQ(error_of([&] { intersects(model, model, Pose(), {.threads = -1}); }), sentence);
  EXPECT_EQ(error_of([&] { Model(make_box(1), {.threads = -1}); }), sentence);
  EXPECT_EQ(error_of([&] { Model(make_box(1), {.structure = "aabb", .threads = -1}); }), sentence);
}

TEST(Threads, PairsAreSortedAsOneThreadSortsThem) {
  constexpr std::uint64_t k_seed = 11;
  detail::Random random(k_seed);
  // Many ids, few, one alone, and the largest that there are; all pairs in many parts or in few.
  for (const double most : {1e6, 300.0, 1.0, 4294967296.0}) {
    for (const auto& [part_count, part_size] : {std::pair<std::size_t, std::size_t>{512, 0},
                                                {512, 3},
                                                {512, 400},
                                                {1, 5000},
                                                {5, 4096},
                                                {33, 130}}) {
      std::vector<std::vector<TrianglePair>> parts(part_count);
      std::vector<TrianglePair> all;
      for (std::size_t part = 0; part < part_count; ++part) {
        // Every third part has none.
        for (std::size_t i = 0; i < part_size && part % 3 != 2; ++i) {
          parts[part].push_back({static_cast<std::uint32_t>(random.uniform(0, most)),
                                 static_cast<std::uint32_t>(random.uniform(0, 1e9))});
        }
        all.insert(all.end(), parts[part].begin(), parts[part].end());
      }
      std::sort(all.begin(), all.end());
      EXPECT_EQ(detail::sorted_pairs(std::span(parts), 4), all)
          << "seed " << k_seed << ", " << most << ", " << part_count << " of " << part_size;
      for (const std::vector<TrianglePair>& part : parts) EXPECT_TRUE(part.empty());
    }
  }
}

/// All bytes that mean something.
void expect_same(const WideTree& one, const WideTree& other, const std::string& name) {
  const auto same_bytes = [](const auto& a, const auto& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
  };
  EXPECT_EQ(one.level_count, other.level_count) << name;
  EXPECT_TRUE(same_bytes(one.ids, other.ids)) << name;
  EXPECT_TRUE(same_bytes(one.boxes, other.boxes)) << name;
  EXPECT_TRUE(same_bytes(one.corners, other.corners)) << name;
  EXPECT_TRUE(same_bytes(one.support, other.support)) << name;
  EXPECT_EQ(one.exponent, other.exponent) << name;
  EXPECT_EQ(one.extent, other.extent) << name;
  ASSERT_EQ(one.blocks.size(), other.blocks.size()) << name;
  constexpr std::size_t k_bytes =
      offsetof(detail::NodeBlock, child_count) + sizeof(detail::NodeBlock::child_count);
  for (std::size_t i = 0; i < one.blocks.size(); ++i) {
    ASSERT_EQ(std::memcmp(&one.blocks[i], &other.blocks[i], k_bytes), 0) << name << ", block " << i;
  }
}

/// A mesh whose triangles are all the same, so that no axis separates them.
Mesh one_triangle_often(std::size_t count) {
  return Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::vector<TriangleIndices>(count, {0, 1, 2}));
}

TEST(Threads, BuildersMakeTheSameTreeOnAnyNumberOfThreads) {
  const std::pair<const char*, Mesh> meshes[] = {{"nothing", Mesh()},
                                                 {"a triangle", one_triangle_often(1)},
                                                 {"a box", make_box(1)},
                                                 {"a rock", make_rock(16, 3)},
                                                 {"a knot", make_knot(600, 60)},
                                                 {"a large rock", make_rock(122, 5)},
                                                 {"one triangle", one_triangle_often(120'000)}};
  for (const auto& [name, mesh] : meshes) {
    for (const auto build : {detail::WideBest::build, detail::WideFast::build}) {
      const WideTree alone = build(mesh, 1, nullptr);
      for (const int threads : k_thread_counts) {
        expect_same(build(mesh, threads, nullptr), alone,
                    std::string(name) + ", " + std::to_string(threads) + " threads");
      }
    }
  }
}

TEST(Threads, ModelsAreBuiltByManyThreadsAtOnce) {
  const Mesh mesh = make_knot(400, 30);
  const Pose pose = Pose::from_translation({0.1, 0, 0});
  const Model alone(mesh);
  const std::vector<TrianglePair> expected = collide(alone, alone, pose).pairs;
  std::atomic<int> right = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i) {
    callers.emplace_back([&] {
      const Model model(mesh, {.threads = 3});
      if (collide(model, alone, pose, {.threads = 2}).pairs == expected) ++right;
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(right, 3);
}

}  // namespace
}  // namespace tandem
