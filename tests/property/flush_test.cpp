// Pairs of triangles that a kernel decides in lanes of doubles: it may leave any pair open, but is
// never wrong. Every instruction set, against the exact test.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "build/wide/builders.h"
#include "geometry/triangle_exact.h"
#include "math/random.h"
#include "math/transform.h"
#include "support/slot_pairs.h"
#include "support/triangle_cases.h"
#include "traverse/wide/contract_frame.h"
#include "traverse/wide/instruction_sets.h"
#include "traverse/wide/kernels.h"

namespace tandem::test {
namespace {

using detail::InstructionSet;
using detail::UseInstructionSet;

struct Tally {
  std::size_t touching = 0;
  std::size_t apart = 0;
  std::size_t open = 0;
};

/// All pairs of triangles of two meshes, with the instruction set in use.
void check_all_pairs(const Mesh& mesh_a, const Mesh& mesh_b, const Pose& b_in_a,
                     const std::string& where, Tally& tally) {
  const detail::WideTree tree_a = detail::WideBest::build(mesh_a, 1, nullptr);
  const detail::WideTree tree_b = detail::WideBest::build(mesh_b, 1, nullptr);
  const detail::WideTreeView a = tree_a.view();
  const detail::WideTreeView b = tree_b.view();
  if (!a.exact || !b.exact) return;
  const std::size_t count_b = mesh_b.triangle_count();
  // What is left open may replace the input; what touches goes into a list as large.
  SlotPairs all(mesh_a.triangle_count(), count_b);
  SlotPairs others = all;
  const std::size_t count = all.count;
  const detail::PairList pairs = all.list();
  const detail::PairList touching = others.list();
  const detail::FilterResult result = detail::wide_kernels().flush(
      detail::ContractFrame(b_in_a, a, b), a.corners, b.corners, pairs, count, touching, pairs);
  enum class Answer : std::uint8_t { apart, touching, open };
  std::vector<Answer> answers(count, Answer::apart);
  const auto note = [&](const detail::PairList& some, std::size_t some_count, Answer answer) {
    for (std::size_t i = 0; i < some_count; ++i) {
      Answer& of_pair = answers[some.a[i] * count_b + some.b[i]];
      ASSERT_EQ(of_pair, Answer::apart) << "twice, " << where;
      of_pair = answer;
    }
  };
  note(touching, result.touching, Answer::touching);
  note(pairs, result.unsure, Answer::open);
  for (std::size_t i = 0; i < count; ++i) {
    if (answers[i] == Answer::open) {
      ++tally.open;
      continue;
    }
    const Triangle p = detail::widen(mesh_a.triangle(a.ids[i / count_b]));
    const Triangle q = detail::transform_triangle(b_in_a, mesh_b.triangle(b.ids[i % count_b]));
    const detail::ExpansionSigns signs(p, q);
    const bool expected = detail::triangles_intersect_exact(signs);
    ++(expected ? tally.touching : tally.apart);
    ASSERT_EQ(answers[i] == Answer::touching, expected) << where << ", pair " << i;
  }
}

/// The triangle in all orders of its corners, rounded to float32; empty where that is too small.
Mesh in_all_orders(const Triangle& t) {
  std::vector<Vec3f> corners;
  for (const Vec3d& c : t.corner) {
    for (int k = 0; k < 3; ++k) {
      if (std::fabs(c[k]) > 1e38) return {};
    }
    corners.emplace_back(c);
  }
  return Mesh(corners, {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}});
}

/// At rest, moved, turned by a quarter, and by a quarter and a half as rounded sines have them.
Pose pose_for(std::uint64_t seed, double size) {
  detail::Random random(seed);
  const auto away = [&] { return random.uniform(-size, size); };
  const Vec3d move{away(), away(), random.below(2) == 0 ? 0.0 : away()};
  const double quarter = std::numbers::pi / 2;
  switch (random.below(6)) {
    case 0:
      return Pose::from_translation(Vec3d(Vec3f(move)));
    case 1:
      return Pose::from_translation(move);
    case 2:
      return Pose::from_matrix(std::array<double, 16>{0, -1, 0, 0, 1, 0, 0, 0,  //
                                                      0, 0, 1, 0, 0, 0, 0, 1});
    case 3:
      return Pose::from_axis_angle({0, 0, 1}, quarter) * Pose::from_axis_angle({1, 0, 0}, quarter);
    case 4:
      return Pose::from_axis_angle({0, 1, 0}, 2 * quarter, move);
    default:
      return Pose();
  }
}

TEST(Flush, IsNeverWrong) {
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    if (detail::wide_kernels().flush == nullptr) continue;
    Tally tally;
    for (std::uint64_t seed = 1; seed <= 6'000; ++seed) {
      const TriangleCase c = TriangleCases(seed).next();
      const Mesh a = in_all_orders(c.p);
      const Mesh b = in_all_orders(c.q);
      if (a.empty() || b.empty()) continue;
      const Pose pose = pose_for(seed, std::min(1e30, std::fabs(c.p.corner[0].x)));
      check_all_pairs(a, b, pose, c.kind + (", seed " + std::to_string(seed)) + ", " + set.name,
                      tally);
      if (HasFatalFailure()) return;
    }
    // It decides most of them, and both ways.
    EXPECT_GT(tally.touching, 30'000U) << set.name;
    EXPECT_GT(tally.apart, 30'000U) << set.name;
    EXPECT_LT(tally.open, 30'000U) << set.name;
  }
}

/// Boxes that stand face to face, at offsets that doubles hold and at others, and turned.
TEST(Flush, DecidesNearlyAllOfAStackOfBoxes) {
  const Mesh box = make_shape("box", 48);
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    if (detail::wide_kernels().flush == nullptr) continue;
    Tally tally;
    for (int neighbour = 0; neighbour < 27; ++neighbour) {
      for (const double side : {2.0, 1.999}) {
        const auto step = [&](int direction) { return side * (7 + direction) - side * 7; };
        const Vec3d move(step(neighbour % 3 - 1), step(neighbour / 3 % 3 - 1),
                         step(neighbour / 9 - 1));
        const std::string where = std::to_string(neighbour) + ", " + set.name;
        check_all_pairs(box, box, Pose::from_translation(move), where, tally);
        check_all_pairs(box, box, Pose::from_axis_angle({0, 0, 1}, std::numbers::pi / 2, move),
                        "turned, " + where, tally);
        if (HasFatalFailure()) return;
      }
    }
    EXPECT_GT(tally.touching, 5'000U) << set.name;
    EXPECT_LT(tally.open * 100, tally.touching) << set.name;
  }
}

/// Large coordinates beside tiny ones: float32 cannot store both, and then the kernel is not asked.
TEST(Flush, TreesKnowWhetherTheyAreExact) {
  const auto is_exact = [](float large, float small) {
    const Mesh mesh({{0, 0, 0}, {large, 0, 0}, {0, large, small}}, {{0, 1, 2}});
    return detail::WideBest::build(mesh, 1, nullptr).view().exact;
  };
  EXPECT_TRUE(is_exact(0.75F, 0x1p-149F));
  EXPECT_TRUE(is_exact(100, 1));
  EXPECT_TRUE(is_exact(0x1p100F, 0));
  EXPECT_FALSE(is_exact(100, 0x1p-149F));
  EXPECT_FALSE(is_exact(0x1p100F, 0x1p-100F));
}

}  // namespace
}  // namespace tandem::test
