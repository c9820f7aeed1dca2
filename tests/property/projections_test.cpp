// Pairs of triangles that are nearly in one plane, which a kernel tells apart in a projection: no
// pair that touches is dropped. Every instruction set, against the exact test.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <cstdint>
#include <numbers>
#include <string>

#include "build/wide/builders.h"
#include "math/transform.h"
#include "support/collide_cases.h"
#include "support/sliver_cases.h"
#include "support/slot_pairs.h"
#include "traverse/wide/frame.h"
#include "traverse/wide/instruction_sets.h"
#include "traverse/wide/kernels.h"

namespace tandem::test {
namespace {

using detail::InstructionSet;
using detail::UseInstructionSet;

struct Tally {
  std::size_t touching = 0;
  std::size_t dropped = 0;
  std::size_t spread = 0;
};

/// All pairs of triangles of one case, with the instruction set in use.
void check_all_pairs(const CollideCase& c, const std::string& where, Tally& tally) {
  const detail::WideTree tree_a = detail::WideBest::build(c.a, 1, nullptr);
  const detail::WideTree tree_b = detail::WideBest::build(c.b, 1, nullptr);
  const detail::WideTreeView a = tree_a.view();
  const detail::WideTreeView b = tree_b.view();
  const detail::WideFrame frame(c.b_in_a, a, b);
  if (!frame.in_range) return;
  tally.spread += frame.spread ? 1 : 0;
  const auto count_a = static_cast<std::uint32_t>(c.a.triangle_count());
  const auto count_b = static_cast<std::uint32_t>(c.b.triangle_count());
  SlotPairs pairs(count_a, count_b);
  const std::size_t left = detail::wide_kernels().leaves(frame).drop_apart_in_projection(
      frame, a.corners, b.corners, pairs.list(), pairs.count);
  tally.dropped += pairs.count - left;
  // What is left keeps its order.
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < count_a; ++i) {
    for (std::uint32_t j = 0; j < count_b; ++j) {
      const bool kept = next < left && pairs.a[next] == i && pairs.b[next] == j;
      next += kept ? 1 : 0;
      const Triangle p = detail::widen(c.a.triangle(a.ids[i]));
      const Triangle q = detail::transform_triangle(c.b_in_a, c.b.triangle(b.ids[j]));
      const bool touching = intersects(p, q);
      ASSERT_TRUE(kept || !touching) << where << ", slots " << i << " and " << j;
      tally.touching += touching ? 1 : 0;
    }
  }
  ASSERT_EQ(next, left) << where;
}

TEST(Projections, NoPairThatTouchesIsDropped) {
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    Tally tally;
    for (std::uint64_t seed = 70'001; seed <= 74'000; ++seed) {
      const CollideCase c = SliverCases(seed).next();
      check_all_pairs(c, c.name + ", " + set.name, tally);
      if (HasFatalFailure()) return;
    }
    // Each kind of pair was there.
    EXPECT_GT(tally.touching, 5'000U) << set.name;
    EXPECT_GT(tally.dropped, 5'000U) << set.name;
    EXPECT_GT(tally.spread, 100U) << set.name;
  }
}

/// A half turn by rounded sines leaves faces flush up to a rounding.
TEST(Projections, FlushSheetsEqualBruteForce) {
  const Model sheet(make_shape("sheet", 900));
  const double half = std::numbers::pi;
  for (const double move : {0.0, 0.25, 0.4, 1.0}) {
    for (const Pose& pose : {Pose::from_translation({move, 0.1 * move, 0}),
                             Pose::from_axis_angle({0, 0, 1}, half, {move, 0, 0}) *
                                 Pose::from_axis_angle({1, 0, 0}, half)}) {
      const auto expected =
          collide(sheet, sheet, pose, {.engine = {.traversal = "brute-force"}}).pairs;
      ASSERT_FALSE(expected.empty()) << move;
      for (const InstructionSet& set : detail::instruction_sets()) {
        const UseInstructionSet use(set);
        ASSERT_EQ(collide(sheet, sheet, pose).pairs, expected) << move << ", " << set.name;
      }
    }
  }
}

}  // namespace
}  // namespace tandem::test
