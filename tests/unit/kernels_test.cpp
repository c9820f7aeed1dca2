// Linked with kernels that were compiled in one of the ways in which Highway can be set up.
// Whatever targets that leaves, there are kernels, and they find what brute force finds.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "geometry/distance/point_triangle.h"
#include "math/transform.h"
#include "support/collide_cases.h"
#include "support/point_cases.h"
#include "support/ray_cases.h"
#include "support/sliver_cases.h"
#include "traverse/wide/instruction_sets.h"
#include "traverse/wide/kernels.h"

namespace tandem::test {
namespace {

using detail::InstructionSet;
using detail::UseInstructionSet;

/// Before any instruction set is asked for, as in a program that links the library.
TEST(Kernels, TheMachineRunsOneOfTheInstructionSets) {
  const detail::WideKernels& best = detail::wide_kernels();
  EXPECT_NE(best.descend_in_one.both, nullptr);
  const std::vector<InstructionSet> sets = detail::instruction_sets();
  ASSERT_FALSE(sets.empty());
  const UseInstructionSet use(sets.front());
  EXPECT_EQ(&detail::wide_kernels(), &best) << sets.front().name;
}

TEST(Kernels, CollisionsAreThoseOfBruteForce) {
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const CollideCase c = CollideCases(seed).next();
      const Model a(c.a);
      const Model b(c.b);
      const auto expected = collide(a, b, c.b_in_a, {.engine = {.traversal = "brute-force"}}).pairs;
      ASSERT_EQ(collide(a, b, c.b_in_a).pairs, expected) << c.name << ", " << set.name;
      ASSERT_EQ(static_cast<bool>(intersects(a, b, c.b_in_a)), !expected.empty())
          << c.name << ", " << set.name;
      ASSERT_EQ(self_collide(a).pairs,
                self_collide(a, {.engine = {.traversal = "brute-force"}}).pairs)
          << c.name << ", " << set.name;
    }
  }
}

TEST(Kernels, DistancesAreThoseOfBruteForce) {
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      const CollideCase c = CollideCases(seed).next();
      const Model a(c.a);
      const Model b(c.b);
      const Pose pose = Pose::from_translation({2, 1, 0}) * c.b_in_a;
      const Engine brute{.structure = "triangles"};
      const DistanceResult expected = distance(a, b, pose, {.engine = brute});
      const DistanceResult found = distance(a, b, pose);
      ASSERT_EQ(found.distance, expected.distance) << c.name << ", " << set.name;
      if (found.distance != 0) {
        ASSERT_EQ(found.pair, expected.pair) << c.name << ", " << set.name;
      }
      ASSERT_EQ(count_within(a, b, pose, 0.5).count,
                count_within(a, b, pose, 0.5, {.engine = brute}).count)
          << c.name << ", " << set.name;
    }
  }
}

/// Leaves of long thin triangles are compared along their edges too.
TEST(Kernels, CollisionsOfSliversAreThoseOfBruteForce) {
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const CollideCase c = SliverCases(seed).next();
      const Model a(c.a);
      const Model b(c.b);
      ASSERT_EQ(collide(a, b, c.b_in_a).pairs,
                collide(a, b, c.b_in_a, {.engine = {.traversal = "brute-force"}}).pairs)
          << c.name << ", " << set.name;
    }
  }
}

TEST(Kernels, RaysAreThoseOfBruteForce) {
  const Mesh mesh = make_knot(40, 6);
  const Model model(mesh);
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    RayCases cases(mesh, 5);
    for (int i = 0; i < 2'000; ++i) {
      const Ray ray = cases.next();
      ASSERT_EQ(closest_hit(model, ray), closest_hit(model, ray, {.traversal = "brute-force"}))
          << set.name << ", ray " << i;
    }
  }
}

TEST(Kernels, ClosestPointsAreThoseOfBruteForce) {
  const Mesh mesh = make_knot(40, 6);
  const Model model(mesh);
  for (const InstructionSet& set : detail::instruction_sets()) {
    const UseInstructionSet use(set);
    PointCases cases(mesh, 6);
    for (int i = 0; i < 500; ++i) {
      const Vec3d point = cases.next();
      double least = std::numeric_limits<double>::infinity();
      for (std::uint32_t id = 0; id < mesh.triangle_count(); ++id) {
        least = std::min(least,
                         detail::point_distance(point, detail::widen(mesh.triangle(id))).distance);
      }
      ASSERT_EQ(closest_point(model, point).distance, least) << set.name << ", point " << i;
    }
  }
}

}  // namespace
}  // namespace tandem::test
