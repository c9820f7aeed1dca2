// Every engine returns the brute-force set: on random cases, degenerate ones and ones far from the
// origin among them.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "build/fit.h"
#include "engine/leaf_pair.h"
#include "support/collide_cases.h"
#include "support/fitting.h"
#include "traverse/observer.h"
#include "traverse/tandem/recursive.h"
#include "traverse/tandem/relative_obb_descent.h"
#include "tree/relative_obb.h"
#include "tree/validate.h"

namespace tandem {
namespace {

TEST(EngineProperty, EveryEngineEqualsBruteForce) {
  // Each engine comes as often, in random order, each time with another case and other options.
  const int rounds = std::getenv("TANDEM_EXHAUSTIVE") != nullptr ? 200 : 20;
  const std::vector<Engine> engines = test::exact_engines();
  std::vector<std::size_t> deck;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < engines.size(); ++i) deck.push_back(i);
  }
  detail::Random random(10'000);
  for (std::size_t i = deck.size(); i > 1; --i) std::swap(deck[i - 1], deck[random.below(i)]);

  std::size_t touching_count = 0;
  std::size_t run_count = 0;
  for (std::size_t i = 0; i < deck.size(); ++i) {
    const Engine& engine = engines[deck[i]];
    const test::CollideCase c = test::CollideCases(10'001 + i).next();
    // A test that is limited to some poses needs one of those.
    const bool only_moves = engine.overlap == OverlapTest("aligned");
    const Pose pose = only_moves ? Pose::from_translation(c.b_in_a.translation()) : c.b_in_a;
    const std::string what = test::name_of(engine) + ", " + c.name;
    const Model a(c.a, test::draw_options(engine.structure, 16, random));
    const Model b(c.b, test::draw_options(engine.structure, 16, random));
    const auto expected = collide(a, b, pose, {.engine = {.traversal = "brute-force"}}).pairs;
    touching_count += expected.empty() ? 0 : 1;
    ASSERT_EQ(collide(a, b, pose, {.engine = engine}).pairs, expected) << what;
    const CountResult counted = count(a, b, pose, {.engine = engine, .statistics = true});
    ASSERT_EQ(counted.count, expected.size()) << what;
    ASSERT_EQ(counted.statistics.triangle_overlaps, expected.size()) << what;
    ASSERT_EQ(static_cast<bool>(intersects(a, b, pose, {.engine = engine})), !expected.empty())
        << what;
    ++run_count;
  }
  EXPECT_EQ(run_count, engines.size() * rounds);
  // Worth something only if both answers are common.
  EXPECT_GT(touching_count, run_count / 4);
  EXPECT_LT(touching_count, run_count * 9 / 10);
}

TEST(EngineProperty, TheTestsOfThePapersWorkWithEveryStructure) {
  const Mesh knot = make_knot(30, 6);
  const Mesh rock = make_rock(4, 3);
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.7, {0.8, 0.1, 0});
  for (const Structure structure : test::tandem_structures()) {
    const Model a(knot, {.structure = structure});
    const Model b(rock, {.structure = structure});
    const auto exact = collide(a, b, pose).pairs;
    EXPECT_GT(exact.size(), 20U);
    for (const TriangleTest test : TriangleTest::all()) {
      // No pair here touches without crossing, so all tests agree.
      EXPECT_EQ(collide(a, b, pose, {.engine = {.triangle_test = test}}).pairs, exact)
          << structure.name() << ", " << test.name();
    }
  }
}

class EveryTree : public testing::TestWithParam<Engine> {};
INSTANTIATE_TEST_SUITE_P(Volumes, EveryTree, testing::ValuesIn([] {
                           std::vector<Engine> engines;
                           for (const Engine& engine : test::exact_engines()) {
                             const bool turns = engine.overlap != OverlapTest("aligned");
                             if (turns && engine.traversal == Traversal("list")) {
                               engines.push_back(engine);
                             }
                           }
                           return engines;
                         }()),
                         [](const auto& info) {
                           return test::test_name(std::string(info.param.structure.name()) + "_" +
                                                  std::string(info.param.overlap.name()));
                         });

TEST_P(EveryTree, ListTraversalsTransformEachTumbledNodeOnce) {
  const Structure structure = GetParam().structure;
  const Model a(make_knot(120, 8), {.structure = structure});
  const Model b(make_rock(12, 3), {.structure = structure});
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.7, {0.8, 0.1, 0});
  const auto run = [&](Traversal traversal) {
    const Engine engine{.traversal = traversal, .overlap = GetParam().overlap};
    return count(a, b, pose, {.engine = engine, .statistics = true}).statistics;
  };
  const Statistics recursive = run("recursive");
  EXPECT_GT(recursive.triangle_overlaps, 100U);
  for (const Traversal traversal : {"list", "list-pairs", "list-fours"}) {
    const Statistics list = run(traversal);
    EXPECT_EQ(list.triangle_overlaps, recursive.triangle_overlaps);
    if (structure.name().starts_with("boxtree") && traversal == Traversal("list-fours")) {
      // A boxtree goes through the level between, each node of which it derives once as well.
      EXPECT_GT(list.node_transforms, list.tumbled_visits);
    } else {
      EXPECT_EQ(list.node_transforms, list.tumbled_visits);
    }
    EXPECT_LE(list.node_transforms, 2 * b.mesh().triangle_count() - 1);
    EXPECT_LT(list.node_transforms, recursive.node_transforms);
  }
  // The lists are read once for siblings instead of once for each.
  EXPECT_LT(run("list-pairs").aligned_visits, run("list").aligned_visits);
  // Transforms at the parent serve all pairs of its children.
  EXPECT_LT(run("one-level-up").node_transforms, recursive.node_transforms);
}

/// Each node has one triangle and the rest below it: as deep as trees may be.
detail::TreeShape chain(std::uint32_t triangle_count) {
  detail::TreeShape shape;
  const std::uint32_t size = 2 * triangle_count - 1;
  for (std::uint32_t id = 0; id + 1 < triangle_count; ++id) {
    shape.push_back(detail::Link::inner(size));
    shape.push_back(detail::Link::leaf(id));
  }
  shape.push_back(detail::Link::leaf(triangle_count - 1));
  return shape;
}

TEST(Volumes, RelativeOrientedBoxesLoseNothingDownTheLongestWay) {
  std::size_t touching_count = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Mesh mesh = make_soup(detail::k_max_depth + 1, seed, 0.3);
    const detail::TreeShape shape = chain(static_cast<std::uint32_t>(mesh.triangle_count()));
    ASSERT_EQ(detail::validate_shape(shape, mesh.triangle_count()), "");
    const detail::RelativeObbTree tree(detail::fit_tree<detail::Obb>(mesh, shape).view());
    const Pose pose = Pose::from_axis_angle({1, 2, 3}, static_cast<double>(seed), {0.1, 0, 0});
    const Model model(mesh);
    const auto expected =
        collide(model, model, pose, {.engine = {.traversal = "brute-force"}}).pairs;
    std::vector<TrianglePair> pairs;
    const auto append = [&](TrianglePair pair) {
      pairs.push_back(pair);
      return Flow::go_on;
    };
    detail::NullObserver observer;
    detail::LeafPair leaf_pair({mesh, mesh, pose}, append, observer);
    const detail::RelativeObbDescent descent(tree.view(), tree.view(), pose, observer);
    traverse_recursive(descent, leaf_pair, observer);
    std::sort(pairs.begin(), pairs.end());
    ASSERT_EQ(pairs, expected) << "seed " << seed;
    touching_count += expected.size();
  }
  EXPECT_GT(touching_count, 500U);
}

TEST(Volumes, BytesPerNode) {
  EXPECT_EQ(bytes_per_node("sphere"), 20U);
  EXPECT_EQ(bytes_per_node("aabb"), 28U);
  EXPECT_EQ(bytes_per_node("obb"), 64U);
  EXPECT_EQ(bytes_per_node("obb-relative"), 64U);
  EXPECT_EQ(bytes_per_node("boxtree"), 9U);
  EXPECT_LE(bytes_per_node("boxtree-packed"), 4U);
  EXPECT_EQ(bytes_per_node("dop24"), 100U);
}

}  // namespace
}  // namespace tandem
