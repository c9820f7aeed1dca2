// The traversals against brute force and against each other: the same pairs of triangles, and the
// same pairs of nodes in the same order wherever the descent rule is the same. On random cases
// times builders, arities and random shapes with single children.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>

#include "math/type_list.h"
#include "structure/shape.h"
#include "support/collide_cases.h"
#include "support/traversal_harness.h"
#include "tree/validate.h"

namespace tandem::test {
namespace {

using detail::TypeList;

/// The shape of one tree, drawn at random.
detail::TreeShape draw_shape(const Mesh& mesh, detail::Random& random, std::string* name) {
  const std::uint64_t kind = random.below(3);
  const int arity = 2 + static_cast<int>(random.below(4));
  *name += (kind == 0   ? ", median "
            : kind == 1 ? ", sah "
                        : ", random shape ") +
           std::to_string(arity);
  if (kind == 2) return RandomShape(mesh.triangle_count(), arity, random.next()).shape();
  const std::string_view builder = kind == 0 ? "median" : "sah";
  return detail::build_shape(mesh, {.builder = builder, .arity = arity}, nullptr);
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
        collide(Model(c.a), Model(c.b), c.b_in_a, {.engine = {.traversal = "brute-force"}}).pairs;
    touching_count += expected.empty() ? 0 : 1;

    ASSERT_EQ(harness.record<detail::Leaf>().pairs, expected) << name;

    // Those of one rule visit the same pairs of nodes in the same order.
    const auto expect_alike = [&]<class First, class... Others>(TypeList<First, Others...>) {
      const TraversalRecord first = harness.record<First>();
      ASSERT_EQ(first.pairs, expected) << name;
      const auto expect_like_first = [&](const TraversalRecord& other) {
        ASSERT_EQ(other.pairs, expected) << name;
        ASSERT_EQ(other.visits, first.visits) << name;
      };
      (expect_like_first(harness.record<Others>()), ...);
    };
    expect_alike(TypeList<detail::Recursive, detail::DynamicStack, detail::Trail>());
    expect_alike(TypeList<detail::AlternatingStack, detail::Stackless, detail::StacklessPost>());
    expect_alike(TypeList<ScheduledStack, detail::Scheduled>());
    if (HasFatalFailure()) return;

    // No pair is visited twice.
    Visits sorted = harness.record<detail::Stackless>().visits;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end()) << name;
    visit_count += sorted.size();
  }
  // Worth something only if there was something to traverse.
  EXPECT_GT(touching_count, 600U);
  EXPECT_GT(visit_count, 200'000U);
}

}  // namespace
}  // namespace tandem::test
