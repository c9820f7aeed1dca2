// The traversals against brute force and against each other: the same pairs of triangles, and the
// same pairs of nodes in the same order wherever the descent rule is the same. On random cases times
// builders, arities and random shapes with single children.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>

#include "build/builders.h"
#include "support/collide_cases.h"
#include "support/fitting.h"
#include "support/traversal_harness.h"
#include "tree/validate.h"

namespace tandem::test {
namespace {

/// The shape of one tree, drawn at random.
detail::TreeShape draw_shape(const Mesh& mesh, detail::Random& random, std::string* name) {
  const std::uint64_t kind = random.below(3);
  const int arity = 2 + static_cast<int>(random.below(4));
  *name += (kind == 0   ? ", median "
            : kind == 1 ? ", sah "
                        : ", random shape ") +
           std::to_string(arity);
  if (kind == 2) return RandomShape(mesh.triangle_count(), arity, random.next()).shape();
  const detail::TreeShape binary = kind == 0 ? detail::MedianBuilder::build(mesh, nullptr)
                                             : detail::SahBuilder::build(mesh, nullptr);
  return collapse(mesh, binary, arity);
}

TEST(TraversalProperty, AllTraversalsReturnTheBruteForceSetInTheOrderOfTheirRule) {
  std::size_t touching_count = 0;
  std::size_t visit_count = 0;
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    const CollideCase c = CollideCases(seed).next();
    std::string name = c.name;
    detail::Random random(seed ^ 0x5eed);
    const detail::TreeShape shape_a = draw_shape(c.a, random, &name);
    const detail::TreeShape shape_b = draw_shape(c.b, random, &name);
    ASSERT_EQ(detail::validate_shape(shape_a, c.a.triangle_count()), "") << name;
    ASSERT_EQ(detail::validate_shape(shape_b, c.b.triangle_count()), "") << name;
    const TraversalHarness harness(c.a, shape_a, c.b, shape_b, c.b_in_a);
    const auto expected =
        collide(Model(c.a), Model(c.b), c.b_in_a, {.algorithm = Algorithm::brute_force}).pairs;
    touching_count += expected.empty() ? 0 : 1;

    ASSERT_EQ(harness.leaf().pairs, expected) << name;

    // Larger volume first.
    const TraversalRecord recursive = harness.recursive();
    const TraversalRecord dynamic_stack = harness.dynamic_stack();
    const TraversalRecord trail = harness.trail();
    ASSERT_EQ(recursive.pairs, expected) << name;
    ASSERT_EQ(dynamic_stack.pairs, expected) << name;
    ASSERT_EQ(trail.pairs, expected) << name;
    ASSERT_EQ(dynamic_stack.visits, recursive.visits) << name;
    ASSERT_EQ(trail.visits, recursive.visits) << name;

    // By turns.
    const TraversalRecord alternating_stack = harness.alternating_stack();
    const TraversalRecord stackless = harness.stackless();
    const TraversalRecord stackless_post = harness.stackless_post();
    ASSERT_EQ(alternating_stack.pairs, expected) << name;
    ASSERT_EQ(stackless.pairs, expected) << name;
    ASSERT_EQ(stackless_post.pairs, expected) << name;
    ASSERT_EQ(stackless.visits, alternating_stack.visits) << name;
    ASSERT_EQ(stackless_post.visits, alternating_stack.visits) << name;

    // By schedule.
    const TraversalRecord scheduled_stack = harness.scheduled_stack();
    const TraversalRecord scheduled = harness.scheduled();
    ASSERT_EQ(scheduled_stack.pairs, expected) << name;
    ASSERT_EQ(scheduled.pairs, expected) << name;
    ASSERT_EQ(scheduled.visits, scheduled_stack.visits) << name;

    // No pair is taken up twice.
    Visits sorted = stackless.visits;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end()) << name;
    visit_count += stackless.visits.size();
  }
  // Worth something only if there was something to traverse.
  EXPECT_GT(touching_count, 600U);
  EXPECT_GT(visit_count, 200'000U);
}

TEST(TraversalProperty, PublicBuildersAndAritiesReturnTheBruteForceSet) {
  for (std::uint64_t seed = 5'001; seed <= 5'300; ++seed) {
    const CollideCase c = CollideCases(seed).next();
    detail::Random random(seed);
    const Model a(c.a, draw_options(Volume::aabb, 16, random));
    const Model b(c.b, draw_options(Volume::aabb, 16, random));
    const auto expected = collide(a, b, c.b_in_a, {.algorithm = Algorithm::brute_force}).pairs;
    for (const AlgorithmInfo& info : algorithms()) {
      ASSERT_EQ(collide(a, b, c.b_in_a, {.algorithm = info.algorithm}).pairs, expected)
          << info.name << ", " << c.name;
    }
  }
}

}  // namespace
}  // namespace tandem::test
