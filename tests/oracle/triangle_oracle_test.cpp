// The exact triangle test against CGAL. TANDEM_EXHAUSTIVE=1 runs ten million pairs instead of
// 200,000.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>
#include <string>

#include "geometry/triangle_test.h"
#include "oracle/cgal_oracle.h"
#include "support/triangle_cases.h"

namespace tandem::test {
namespace {

TEST(TriangleOracle, AgreesWithCgalOnEveryPair) {
  const bool exhaustive = std::getenv("TANDEM_EXHAUSTIVE") != nullptr;
  const int pair_count = exhaustive ? 10'000'000 : 200'000;
  const std::uint64_t seed = 20'260'101;
  TriangleCases cases(seed);
  long touching_count = 0;
  long stage_count[detail::k_triangle_stage_count] = {};
  for (int i = 0; i < pair_count; ++i) {
    const TriangleCase c = cases.next(i % TriangleCases::k_kind_count);
    const detail::TriangleAnswer answer = detail::test_triangles(c.p, c.q);
    ++stage_count[static_cast<int>(answer.stage)];
    touching_count += answer.intersects ? 1 : 0;
    ASSERT_EQ(answer.intersects, cgal_intersects(c.p, c.q))
        << "seed " << seed << ", pair " << i << ": " << describe(c);
  }
  // The suite is worth something only if it reaches every stage and both answers.
  EXPECT_GT(touching_count, pair_count / 10);
  EXPECT_LT(touching_count, pair_count - pair_count / 10);
  for (long count : stage_count) EXPECT_GT(count, pair_count / 100);
  RecordProperty("pairs", pair_count);
  RecordProperty("touching", std::to_string(touching_count));
}

TEST(TriangleOracle, EveryStageAloneNeverContradictsCgal) {
  const std::uint64_t seed = 77;
  TriangleCases cases(seed);
  for (int i = 0; i < 50'000; ++i) {
    const TriangleCase c = cases.next(i % TriangleCases::k_kind_count);
    const bool expected = cgal_intersects(c.p, c.q);
    const detail::ExpansionSigns expansions(c.p, c.q);
    ASSERT_EQ(detail::triangles_intersect_exact(expansions), expected)
        << "expansions, seed " << seed << ", pair " << i << ": " << describe(c);
    detail::TriangleSigns signs(c.p, c.q);
    ASSERT_FALSE(signs.surely_separated() && expected)
        << "rounded sides, seed " << seed << ", pair " << i << ": " << describe(c);
    ASSERT_EQ(detail::triangles_intersect_exact(signs), expected)
        << "exact, seed " << seed << ", pair " << i << ": " << describe(c);
    const detail::Verdict verdict = detail::filter_triangles(c.p, c.q);
    if (verdict == detail::Verdict::unsure) continue;
    ASSERT_EQ(verdict == detail::Verdict::intersecting, expected)
        << "filter, seed " << seed << ", pair " << i << ": " << describe(c);
  }
}

TEST(TriangleOracle, OrderOfCornersAndTrianglesDoesNotMatter) {
  const std::uint64_t seed = 4;
  TriangleCases cases(seed);
  for (int i = 0; i < 12'000; ++i) {
    const TriangleCase c = cases.next(i % TriangleCases::k_kind_count);
    const bool expected = cgal_intersects(c.p, c.q);
    in_all_orders(c, [&](const Triangle& p, const Triangle& q) {
      ASSERT_EQ(detail::test_triangles(p, q).intersects, expected)
          << "seed " << seed << ", pair " << i << ": " << describe(c);
      ASSERT_EQ(detail::test_triangles(q, p).intersects, expected)
          << "swapped, seed " << seed << ", pair " << i << ": " << describe(c);
    });
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace tandem::test
