// Long thin triangles, which leaves tell apart along the product of their longest edges: no pair
// that touches is dropped, and where something is to be farther than a distance, none that is
// nearer. Every instruction set, against brute force.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "build/wide/builders.h"
#include "math/random.h"
#include "math/transform.h"
#include "support/collide_cases.h"
#include "support/sliver_cases.h"
#include "traverse/wide/frame.h"
#include "traverse/wide/instruction_sets.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/pair.h"

namespace tandem::test {
namespace {

using detail::InstructionSet;
using detail::UseInstructionSet;
using detail::WideFrame;
using detail::WideTreeView;

using Pairs = std::set<TrianglePair>;

/// What the leaves' kernel for boxes leaves of all pairs of triangles, with the instruction set in
/// use.
Pairs candidates(const WideFrame& frame, const WideTreeView& a, const WideTreeView& b) {
  std::vector<std::uint32_t> in_a;
  std::vector<std::uint32_t> in_b;
  for (std::uint32_t i = 0; i < a.leaf_count; ++i) {
    for (std::uint32_t j = 0; j < b.leaf_count; ++j) {
      in_a.push_back(i);
      in_b.push_back(j);
    }
  }
  const std::size_t count = in_a.size();
  const std::size_t room = detail::k_pairs_of_children * (count + 1);
  std::vector<std::uint32_t> out_a(room + detail::k_list_slack);
  std::vector<std::uint32_t> out_b(room + detail::k_list_slack);
  const detail::KernelResult result = detail::wide_kernels().leaves(frame).boxes(
      frame, a.boxes, a.corners, b.corners, {in_a.data(), in_b.data()}, count,
      {out_a.data(), out_b.data()}, room);
  EXPECT_EQ(result.taken, count);
  Pairs pairs;
  for (std::size_t i = 0; i < result.written; ++i) {
    pairs.insert({a.ids[out_a[i]], b.ids[out_b[i]]});
  }
  EXPECT_EQ(pairs.size(), result.written);
  return pairs;
}

/// The shortest way between two segments, up to rounding: where lines come closest, if that is
/// within both, or at an end. Never shorter than it is.
double distance_of_segments(const Vec3d& p, const Vec3d& p_end, const Vec3d& q,
                            const Vec3d& q_end) {
  const Vec3d d = p_end - p;
  const Vec3d e = q_end - q;
  const auto on = [](const Vec3d& from, const Vec3d& direction, const Vec3d& point) {
    const double square = dot(direction, direction);
    const double part = square > 0 ? dot(point - from, direction) / square : 0;
    return from + std::clamp(part, 0.0, 1.0) * direction;
  };
  // From several places on one segment to the other and back again: each step comes closer.
  double least = length(p - q);
  const Vec3d n = cross(d, e);
  const double square = dot(n, n);
  const double crossing = square > 0 ? dot(cross(q - p, e), n) / square : 0;
  for (const double part : {0.0, 1.0, std::clamp(crossing, 0.0, 1.0)}) {
    Vec3d x = p + part * d;
    const Vec3d y = on(q, e, x);
    x = on(p, d, y);
    least = std::min(least, length(x - y));
  }
  return least;
}

/// No two points of the triangles' edges are surely nearer than this.
double distance_of_edges(const Triangle& p, const Triangle& q) {
  double least = length(p.corner[0] - q.corner[0]);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      least = std::min(least, distance_of_segments(p.corner[i], p.corner[(i + 1) % 3], q.corner[j],
                                                   q.corner[(j + 1) % 3]));
    }
  }
  return least;
}

bool boxes_overlap(const Triangle& p, const Triangle& q) {
  bool overlap = true;
  for (int k = 0; k < 3; ++k) {
    const auto [p_low, p_high] = std::minmax({p.corner[0][k], p.corner[1][k], p.corner[2][k]});
    const auto [q_low, q_high] = std::minmax({q.corner[0][k], q.corner[1][k], q.corner[2][k]});
    overlap = overlap && p_low <= q_high && q_low <= p_high;
  }
  return overlap;
}

/// How many pairs there were, by what became of them.
struct Tally {
  std::size_t touching = 0;
  std::size_t near = 0;
  std::size_t dropped = 0;
  std::size_t dropped_when_widened = 0;
  std::size_t spread = 0;
};

/// One case, with one instruction set: first as it is, then widened by `distance`.
void check_leaves(const CollideCase& c, double distance, const std::string& where, Tally& tally) {
  const detail::WideTree tree_a = detail::WideBest::build(c.a, 1, nullptr);
  const detail::WideTree tree_b = detail::WideBest::build(c.b, 1, nullptr);
  const WideTreeView a = tree_a.view();
  const WideTreeView b = tree_b.view();
  WideFrame frame(c.b_in_a, a, b);
  if (!frame.in_range) return;
  tally.spread += frame.spread ? 1 : 0;
  const Pairs kept = candidates(frame, a, b);
  const double in_units = std::ldexp(distance, -a.exponent);
  frame.widen(in_units);
  const Pairs kept_when_widened = candidates(frame, a, b);
  for (std::uint32_t i = 0; i < c.a.triangle_count(); ++i) {
    for (std::uint32_t j = 0; j < c.b.triangle_count(); ++j) {
      const Triangle p = detail::widen(c.a.triangle(i));
      const Triangle q = detail::transform_triangle(c.b_in_a, c.b.triangle(j));
      const bool touching = intersects(p, q);
      const bool near = touching || distance_of_edges(p, q) <= distance;
      const bool is_kept = kept.contains({i, j});
      const bool is_kept_when_widened = kept_when_widened.contains({i, j});
      ASSERT_TRUE(is_kept || !touching) << where << ", " << i << " and " << j;
      ASSERT_TRUE(is_kept_when_widened || !near)
          << where << ", " << i << " and " << j << ", widened by " << distance;
      // What touches along all axes was dropped along the edges.
      const bool overlap = boxes_overlap(p, q);
      tally.touching += touching ? 1 : 0;
      tally.near += near ? 1 : 0;
      tally.dropped += overlap && !is_kept ? 1 : 0;
      tally.dropped_when_widened += overlap && !is_kept_when_widened ? 1 : 0;
    }
  }
}

TEST(LongEdges, LeavesDropNoPairThatTouchesOrIsNearer) {
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    Tally tally;
    for (std::uint64_t seed = 1; seed <= 4'000; ++seed) {
      SliverCases cases(seed);
      const CollideCase c = cases.next();
      detail::Random random(seed);
      const double distance = cases.size() * std::pow(10.0, random.uniform(-8, -0.5));
      check_leaves(c, distance, c.name + ", " + set.name, tally);
      if (HasFatalFailure()) return;
    }
    // Each kind of pair was there.
    EXPECT_GT(tally.touching, 5'000U) << set.name;
    EXPECT_GT(tally.near, tally.touching + 5'000) << set.name;
    EXPECT_GT(tally.dropped, 5'000U) << set.name;
    EXPECT_GT(tally.dropped_when_widened, 1'000U) << set.name;
    EXPECT_GT(tally.spread, 100U) << set.name;
  }
}

void expect_brute_force(const Mesh& mesh_a, const Mesh& mesh_b, const Pose& pose,
                        const std::string& name) {
  const Model a(mesh_a);
  const Model b(mesh_b);
  const auto expected = collide(a, b, pose, {.engine = {.traversal = "brute-force"}}).pairs;
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    ASSERT_EQ(collide(a, b, pose).pairs, expected) << name << ", " << set.name;
    ASSERT_EQ(static_cast<bool>(intersects(a, b, pose)), !expected.empty())
        << name << ", " << set.name;
  }
}

TEST(LongEdges, SliversEqualBruteForce) {
  for (std::uint64_t seed = 50'001; seed <= 51'000; ++seed) {
    const CollideCase c = SliverCases(seed).next();
    expect_brute_force(c.a, c.b, c.b_in_a, c.name);
    if (HasFatalFailure()) return;
  }
}

TEST(LongEdges, PartsOfMachinesEqualBruteForce) {
  const Mesh parts[] = {make_shape("sheet", 600), make_shape("pipes", 600),
                        make_shape("screw", 600)};
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    detail::Random random(seed);
    const auto unit = [&] { return random.uniform(-1, 1); };
    const Mesh& a = parts[random.below(3)];
    const Mesh& b = parts[random.below(3)];
    const Vec3d move{unit(), unit(), unit()};
    const Pose pose = seed % 4 == 0 ? Pose::from_translation({0, 0, 0.25 * unit()})
                                    : Pose::from_quaternion(1, unit(), unit(), unit(), move);
    expect_brute_force(a, b, pose, "parts, seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

/// A witness asks by how much two models are surely apart, in which distances are widened.
TEST(LongEdges, WitnessesOfSliversChangeNoAnswer) {
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    std::size_t touching_count = 0;
    std::size_t count = 0;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
      SliverCases cases(60'000 + seed);
      const CollideCase c = cases.next();
      const Model a(c.a);
      const Model b(c.b);
      detail::Random random(seed);
      const auto unit = [&] { return random.uniform(-1, 1); };
      const double size = cases.size() * std::pow(10.0, random.uniform(-4, -0.5));
      const Vec3d way{size * unit(), size * unit(), size * unit()};
      Witness witness;
      for (int step = -10; step <= 10; ++step) {
        const Pose pose = Pose::from_translation(0.3 * step * way) * c.b_in_a;
        const bool expected =
            static_cast<bool>(intersects(a, b, pose, {.engine = {.traversal = "brute-force"}}));
        ASSERT_EQ(static_cast<bool>(intersects(a, b, pose, witness)), expected)
            << c.name << ", " << set.name << ", step " << step;
        touching_count += expected ? 1 : 0;
        ++count;
      }
    }
    EXPECT_GT(touching_count, count / 10) << set.name;
    EXPECT_LT(touching_count, count - count / 10) << set.name;
  }
}

}  // namespace
}  // namespace tandem::test
