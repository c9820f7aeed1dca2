// The queries: degenerate inputs first, then sinks, statistics, threads.
#include <gtest/gtest.h>
#include <pthread.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "math/random.h"
#include "query/sort_pairs.h"
#include "support/error_of.h"
#include "support/fitting.h"

namespace tandem {
namespace {

Mesh one_triangle(float z = 0) {
  return {{{0, 0, z}, {1, 0, z}, {0, 1, z}}, {{0, 1, 2}}};
}

class EveryTraversal : public testing::TestWithParam<Traversal> {
 protected:
  QueryOptions options() const { return {.engine = {.traversal = GetParam()}, .statistics = true}; }
  Model model(Mesh mesh) const {
    return Model(std::move(mesh), {.structure = test::structure_for(GetParam())});
  }
};

INSTANTIATE_TEST_SUITE_P(Query, EveryTraversal, testing::ValuesIn(Traversal::all()),
                         [](const auto& info) { return test::test_name(info.param.name()); });

TEST_P(EveryTraversal, AnEmptyMeshTouchesNothing) {
  const Model empty = model(Mesh());
  const Model full = model(make_icosphere(2));
  for (const auto& [a, b] :
       {std::pair(&empty, &full), std::pair(&full, &empty), std::pair(&empty, &empty)}) {
    EXPECT_FALSE(intersects(*a, *b, Pose(), options()));
    EXPECT_EQ(count(*a, *b, Pose(), options()).count, 0U);
    EXPECT_TRUE(collide(*a, *b, Pose(), options()).pairs.empty());
  }
}

TEST_P(EveryTraversal, OneTriangleOnItselfAndAboveItself) {
  const Model a = model(one_triangle());
  EXPECT_EQ(collide(a, a, Pose(), options()).pairs, (std::vector<TrianglePair>{{0, 0}}));
  EXPECT_FALSE(intersects(a, model(one_triangle(1e-30F)), Pose(), options()));
}

TEST_P(EveryTraversal, BoxesThatShareAFaceTouch) {
  // Cubes of side 2: moved by 2 they share a face, by one ulp more they do not.
  const Model box = model(make_box(3));
  const auto touching = [&](double x) {
    return static_cast<bool>(intersects(box, box, Pose::from_translation({x, 0, 0}), options()));
  };
  EXPECT_TRUE(touching(2));
  EXPECT_FALSE(touching(std::nextafter(2.0, 3.0)));
}

TEST_P(EveryTraversal, CoincidentTrianglesAreAllFound) {
  // A hundred copies of one triangle: no split separates them.
  const Mesh one = one_triangle();
  const Model copies = model(Mesh({one.vertices().begin(), one.vertices().end()},
                                  std::vector<TriangleIndices>(100, {0, 1, 2})));
  EXPECT_EQ(count(copies, copies, Pose(), options()).count, 10'000U);
}

TEST_P(EveryTraversal, ASinkCanStopTheQuery) {
  const Model a = model(make_icosphere(6));
  for (const std::size_t limit : {1U, 2U, 7U}) {
    std::vector<TrianglePair> seen;
    const StreamResult result = collide(
        a, a, Pose(),
        [&](TrianglePair pair) {
          seen.push_back(pair);
          return seen.size() == limit ? Flow::stop : Flow::go_on;
        },
        options());
    EXPECT_TRUE(result.stopped);
    EXPECT_EQ(seen.size(), limit);
    EXPECT_EQ(result.statistics.triangle_overlaps, limit);
  }
}

TEST_P(EveryTraversal, AnExceptionOfTheSinkReachesTheCaller) {
  const Model a = model(make_icosphere(2));
  const auto sink = [](TrianglePair) -> Flow { throw std::runtime_error("enough"); };
  EXPECT_THROW(collide(a, a, Pose(), sink, options()), std::runtime_error);
}

TEST_P(EveryTraversal, EachPairIsShownOnceAndTheStreamIsNotMarkedStopped) {
  const Model a = model(make_knot(40, 6));
  const Model b = model(make_torus(20, 8));
  const Pose pose = Pose::from_axis_angle({1, 1, 0}, 0.5, {0.2, 0, 0});
  std::vector<TrianglePair> seen;
  const StreamResult result = collide(
      a, b, pose,
      [&](TrianglePair pair) {
        seen.push_back(pair);
        return Flow::go_on;
      },
      options());
  EXPECT_FALSE(result.stopped);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
  EXPECT_EQ(seen, collide(a, b, pose).pairs);
  EXPECT_GT(seen.size(), 10U);
}

TEST_P(EveryTraversal, StatisticsAreConsistentAndOnlyThereWhenAskedFor) {
  const Model a = model(make_knot(40, 6));
  const Pose pose = Pose::from_axis_angle({1, 1, 0}, 0.5, {0.2, 0, 0});
  const CountResult counted = count(a, a, pose, options());
  const Statistics& s = counted.statistics;
  EXPECT_EQ(s.triangle_overlaps, counted.count);
  EXPECT_GE(s.triangle_tests, s.triangle_overlaps);
  EXPECT_GE(s.iterations, s.overlaps);
  EXPECT_GE(s.overlaps, s.leaf_overlaps);
  QueryOptions without = options();
  without.statistics = false;
  EXPECT_EQ(count(a, a, pose, without).statistics, Statistics());
}

TEST_P(EveryTraversal, ProgressRisesToOne) {
  // Lists of pairs report less often than single pairs.
  const Model a = model(make_icosphere(GetParam() == Traversal("blocks") ? 40 : 8));
  QueryOptions with_progress = options();
  double last = 0;
  int calls = 0;
  const auto watch = [&](double done) {
    EXPECT_GE(done, last);
    EXPECT_LE(done, 1);
    last = done;
    ++calls;
  };
  with_progress.progress = watch;
  count(a, a, Pose::from_axis_angle({1, 2, 3}, 0.1), with_progress);
  EXPECT_GT(calls, 10);
  EXPECT_GT(last, 0.9);
}

TEST_P(EveryTraversal, AnyNumberOfThreadsMayQueryOneModel) {
  const Model a = model(make_knot(60, 6));
  const Model b = model(make_icosphere(5));
  const auto expected = collide(a, b, Pose::from_axis_angle({0, 0, 1}, 0.3, {1, 0, 0})).pairs;
  std::vector<std::thread> threads;
  std::vector<int> equal(4);
  for (int& result : equal) {
    threads.emplace_back([&] {
      const Model copy =
          a;  // NOLINT(performance-unnecessary-copy-initialization): shared on purpose
      result =
          collide(copy, b, Pose::from_axis_angle({0, 0, 1}, 0.3, {1, 0, 0}), options()).pairs ==
                  expected
              ? 1
              : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal, std::vector<int>(4, 1));
}

/// Runs `body` on a thread with a stack of this many bytes. Sanitizers need more.
void run_on_small_stack(std::size_t bytes, const std::function<void()>& body) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
  bytes *= 8;
#endif
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
  const auto call = [](void* function) -> void* {
    (*static_cast<const std::function<void()>*>(function))();
    return nullptr;
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, call, const_cast<std::function<void()>*>(&body)),
            0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

TEST(Query, TheDefaultEngineFitsIntoAStackOf64Kilobytes) {
  // On itself, a mesh leads to the exact test, which has the largest numbers. Sizes that float32
  // does not hold together lead to double precision.
  const Mesh mesh = make_knot(200, 20);
  const Model model(mesh);
  std::vector<Vec3f> far_vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3f& v : far_vertices) v = 1e-30F * v;
  const Model tiny(Mesh(far_vertices, {mesh.triangles().begin(), mesh.triangles().end()}));
  const Pose moved = Pose::from_axis_angle({1, 2, 3}, 0.4, {0.3, 0.1, 0});
  const Vec3d corner(mesh.vertices()[0]);
  std::size_t found = 0;
  run_on_small_stack(std::size_t{1} << 16, [&] {
    Witness witness;
    for (const Pose& pose : {Pose(), moved}) {
      found += intersects(model, model, pose) ? 1 : 0;
      found += intersects(model, model, pose, witness) ? 1 : 0;
      found += count(model, model, pose).count != 0 ? 1 : 0;
      found += collide(model, model, pose).pairs.empty() ? 0 : 1;
    }
    found += intersects(model, tiny, Pose::from_translation(corner)) ? 1 : 0;
    const Pose apart = Pose::from_translation({9, 0, 0});
    for (const Pose& pose : {moved, apart}) {
      found += distance(model, model, pose).pair ? 1 : 0;
      found += distance(model, tiny, pose).pair ? 1 : 0;
      found += within(model, model, pose, 6) ? 1 : 0;
      found += within(model, tiny, pose, 12) ? 1 : 0;
    }
    const Vec3f eye{0, 0, 9};
    found += any_hit(model, {.origin = eye, .direction = mesh.vertices()[0] - eye}) ? 1 : 0;
  });
  EXPECT_EQ(found, 18U);
}

TEST(Query, PairsOfEveryNumberAndSizeAreSorted) {
  detail::Random random(5);
  for (int round = 0; round < 300; ++round) {
    const auto limit = [&] {
      return static_cast<std::uint32_t>(std::min(4294967295.0, std::exp2(random.uniform(0, 32.5))));
    };
    const std::uint32_t limit_a = limit();
    const std::uint32_t limit_b = limit();
    std::vector<TrianglePair> pairs(static_cast<std::size_t>(std::exp2(random.uniform(0, 14))));
    for (TrianglePair& pair : pairs) {
      pair.a = static_cast<std::uint32_t>(random.uniform(0, 1) * limit_a);
      pair.b = static_cast<std::uint32_t>(random.uniform(0, 1) * limit_b);
    }
    if (round % 3 == 0) pairs.push_back({0xffffffff, 0xffffffff});
    std::vector<TrianglePair> expected = pairs;
    std::sort(expected.begin(), expected.end());
    detail::sort_pairs(std::span(pairs));
    ASSERT_EQ(pairs, expected) << round << ": " << pairs.size() << " pairs, ids up to " << limit_a
                               << " and " << limit_b;
  }
}

TEST(Query, HugeCoordinatesAndFarPosesDoNotOverflow) {
  const float big = 3e38F;
  const Model a(Mesh({{-big, -big, 0}, {big, -big, 0}, {0, big, 0}}, {{0, 1, 2}}));
  EXPECT_TRUE(intersects(a, a, Pose::from_axis_angle({1, 2, 3}, 1)));
  EXPECT_FALSE(intersects(a, a, Pose::from_translation({1e60, 0, 0})));
  EXPECT_FALSE(intersects(a, a, Pose::from_axis_angle({1, 2, 3}, 1, {0, 0, -1e60})));
}

TEST(Query, IntersectionNeedsTrianglesThatExist) {
  const Model a(one_triangle());
  EXPECT_EQ(intersection(a, a, Pose(), {0, 0}).count, 3);
  EXPECT_THROW(intersection(a, a, Pose(), {0, 1}), Error);
  EXPECT_THROW(intersection(a, a, Pose(), {1, 0}), Error);
}

TEST(Query, AModelThatWasMovedFromIsStillThatModel) {
  Model source(one_triangle());
  const Model target = std::move(source);
  // NOLINTBEGIN(bugprone-use-after-move): that is the point
  EXPECT_EQ(source.mesh().triangle_count(), 1U);
  EXPECT_EQ(source.structure(), target.structure());
  EXPECT_EQ(source.structure_bytes(), target.structure_bytes());
  source.prepare();
  source.prepare_rays();
  EXPECT_EQ(collide(source, target, Pose()).pairs, (std::vector<TrianglePair>{{0, 0}}));
  EXPECT_TRUE(any_hit(source, {{0.2F, 0.2F, 1}, {0, 0, -1}}));
  Witness witness;
  EXPECT_TRUE(intersects(source, source, Pose(), witness));
  Model other(make_icosphere(2));
  source = std::move(other);
  EXPECT_EQ(source.mesh().triangle_count(), other.mesh().triangle_count());
  // NOLINTEND(bugprone-use-after-move)
}

TEST(Query, ASinkAnswersOneOfTheTwo) {
  const Model a(one_triangle());
  const auto answer = [](TrianglePair) { return static_cast<Flow>(7); };
  const std::string expected = "a sink answers Flow::go_on or Flow::stop, not 7";
  EXPECT_EQ(test::error_of([&] { collide(a, a, Pose(), answer); }), expected);
  const Ray ray{{0.2F, 0.2F, 1}, {0, 0, -1}};
  const auto answer_hit = [](std::size_t, const Hit&) { return static_cast<Flow>(-1); };
  EXPECT_EQ(test::error_of([&] {
              all_hits(a, {&ray, 1}, answer_hit);
            }),
            "a sink answers Flow::go_on or Flow::stop, not -1");
  const Model boxes(one_triangle(), {.structure = "aabb"});
  TrailCursor cursor(boxes, boxes, Pose(), "trail");
  EXPECT_EQ(test::error_of([&] { cursor.advance(9, answer); }), expected);
  EXPECT_EQ(cursor.advance(9, [](TrianglePair) { return Flow::go_on; }).finished, true);
}

Flow refuse(TrianglePair) {
  return Flow::stop;
}

TEST(Query, APlainFunctionIsASink) {
  const Model a(one_triangle());
  EXPECT_TRUE(collide(a, a, Pose(), refuse).stopped);
  EXPECT_TRUE(collide(a, a, Pose(), &refuse).stopped);
}

}  // namespace
}  // namespace tandem
