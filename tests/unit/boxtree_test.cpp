// Restricted boxtrees: what their boxes enclose, what a node and a pair cost, how the tests and the
// layouts behave.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "build/builders.h"
#include "build/fit.h"
#include "math/counted.h"
#include "math/random.h"
#include "math/transform.h"
#include "structure/shape.h"
#include "support/collide_cases.h"
#include "support/fitting.h"
#include "support/traversal_harness.h"
#include "tree/boxtree.h"
#include "tree/validate.h"
#include "tree/validate_boxtree.h"
#include "volume/restricted_overlap.h"

namespace tandem::detail {
namespace {

template <class Boxtree>
class EveryLayout : public testing::Test {};
using AllLayouts =
    testing::Types<OnePlaneBoxtree, TwoPlaneBoxtree<FloatPlanes>, TwoPlaneBoxtree<PackedPlanes>>;
TYPED_TEST_SUITE(EveryLayout, AllLayouts);

TYPED_TEST(EveryLayout, EveryTriangleIsInEveryDerivedBoxAboveIt) {
  constexpr bool k_one_plane = std::is_same_v<TypeParam, OnePlaneBoxtree>;
  const std::vector<std::string_view> builders = test::binary_builder_names();
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const test::CollideCase c = test::CollideCases(seed).next();
    if (c.a.empty()) continue;
    Random random(seed);
    const std::string_view builder = builders[random.below(builders.size())];
    TreeShape shape = build_shape(c.a, {.builder = builder}, nullptr);
    ASSERT_EQ(validate_shape(shape, c.a.triangle_count()), "") << c.name;
    const int arity = 2 + static_cast<int>(random.below(15));
    if (k_one_plane) shape = collapse(c.a, shape, arity);
    const BoxtreeOptions options{.leaf_size = 1 + static_cast<int>(random.below(9)),
                                 .parallel_planes = random.below(2) == 0,
                                 .trim = random.below(2) == 0 ? 1 : random.uniform(0, 1)};
    const Tree<Aabb> boxes = fit_by_merging<Aabb>(c.a, shape);
    const TypeParam tree(boxes.view(), options);
    ASSERT_EQ(validate(c.a, tree.view()), "") << c.name;
  }
}

TEST(Boxtree, SingleChildrenAndLopsidedShapes) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Mesh mesh = make_soup(1 + seed % 40, seed);
    const TreeShape shape =
        test::RandomShape(mesh.triangle_count(), 2 + static_cast<int>(seed % 5), seed).shape();
    const Tree<Aabb> boxes = fit_by_merging<Aabb>(mesh, shape);
    const OnePlaneBoxtree tree(boxes.view(), {});
    ASSERT_EQ(validate(mesh, tree.view()), "") << "seed " << seed;
  }
}

// The validator must see what it is there to see.
TEST(Boxtree, ABoxtreeOfAnotherMeshIsNotValid) {
  const Mesh mesh = make_icosphere(3);
  const Tree<Aabb> boxes = fit_by_merging<Aabb>(mesh, SahBuilder::build(mesh, nullptr));
  const OnePlaneBoxtree tree(boxes.view(), {});
  std::vector<Vec3f> moved(mesh.vertices().begin(), mesh.vertices().end());
  moved[7] = moved[7] + Vec3f{0.2F, 0, 0};
  const std::vector<TriangleIndices> triangles(mesh.triangles().begin(), mesh.triangles().end());
  EXPECT_NE(validate(Mesh(moved, triangles), tree.view()), "");
  EXPECT_NE(validate(make_icosphere(4), tree.view()), "");
}

TEST(Boxtree, BytesPerNodeAndPerTriangle) {
  const Mesh mesh = make_knot(200, 20);
  const std::size_t node_count = 2 * mesh.triangle_count() - 1;
  const auto bytes = [&](const BuildOptions& options) {
    return Model(mesh, options).structure_bytes();
  };
  EXPECT_EQ(bytes({.structure = "boxtree"}), 9 * node_count);
  // Without trims: 8 and 4 bytes for each node but the root, and 4 for each triangle.
  EXPECT_EQ(bytes({.structure = "boxtree-two-planes", .boxtree = {.trim = 1}}),
            8 * (node_count - 1) + 4 * mesh.triangle_count());
  EXPECT_EQ(bytes({.structure = "boxtree-packed", .boxtree = {.leaf_size = 1, .trim = 1}}),
            4 * (node_count - 1) + 4 * mesh.triangle_count());
  EXPECT_LE(bytes({.structure = "boxtree-packed"}), 8 * mesh.triangle_count());
}

TEST(Boxtree, BoxesOfPackedPlanesAreHardlyLooser) {
  // The same cuts in 11 bits lead to a few more pairs of nodes, not to many.
  const Mesh mesh = make_rock(10, 5);
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.7, {0.8, 0.1, 0});
  const auto iterations = [&](Structure structure) {
    const Model model(mesh, {.structure = structure, .boxtree = {.leaf_size = 1, .trim = 0.2}});
    return count(model, model, pose, {.statistics = true}).statistics.iterations;
  };
  const auto full = static_cast<double>(iterations("boxtree-two-planes"));
  const auto packed = static_cast<double>(iterations("boxtree-packed"));
  EXPECT_LT(packed, 1.05 * full);
  EXPECT_GT(packed, 0.95 * full);
}

TEST(Boxtree, OptionsThatMakeNoSenseAreErrors) {
  const Mesh mesh = make_icosphere(1);
  const auto expect_error = [&](const BuildOptions& options) {
    EXPECT_THROW(Model(mesh, options), Error);
  };
  expect_error({.structure = "boxtree-packed", .arity = 3});
  expect_error({.structure = "boxtree-two-planes", .arity = 4});
  expect_error({.structure = "boxtree", .boxtree = {.leaf_size = 2}});
  expect_error({.structure = "aabb", .boxtree = {.leaf_size = 2}});
  expect_error({.structure = "boxtree-packed", .boxtree = {.leaf_size = 65}});
  expect_error({.structure = "boxtree-packed", .boxtree = {.leaf_size = -1}});
  expect_error({.structure = "aabb", .boxtree = {.parallel_planes = true}});
  expect_error({.structure = "boxtree-packed", .boxtree = {.trim = 1.5}});
  expect_error({.structure = "boxtree-packed", .boxtree = {.trim = std::nan("")}});
  const Model model(mesh, {.structure = "boxtree"});
  EXPECT_THROW(collide(model, model, Pose(), {.engine = {.traversal = "stackless"}}), Error);
  EXPECT_THROW(collide(model, model, Pose(), {.engine = {.traversal = "leaf"}}), Error);
  EXPECT_THROW(TrailCursor(model, model, Pose(), "trail"), Error);
  const Model boxes(mesh, {.structure = "aabb"});
  EXPECT_THROW(collide(boxes, boxes, Pose(), {.engine = {.overlap = "lookup"}}), Error);
}

/// A box within another, by random cuts; what the test keeps of it follows.
template <class Box, class CutBox>
void cut_at_random(Random& random, Box& box, const Vec3d& keep, int count, CutBox cut_box) {
  for (int i = 0; i < count; ++i) {
    const int axis = static_cast<int>(random.below(3));
    const int side = static_cast<int>(random.below(2));
    const double bound = box.inward[side][axis];
    const double target = side == 0 ? keep[axis] : -keep[axis];
    // Often up to the point itself.
    const double share = random.below(3) == 0 ? 1 : random.uniform(0, 1);
    const auto plane = static_cast<float>(bound + share * (target - bound));
    if (double{plane} >= bound && double{plane} <= target) cut_box(box, Cut{axis, side, plane});
  }
}

/// Boxes cut down around points that coincide after the pose must meet, whatever the rounding.
template <class Test>
void expect_never_misses(std::uint64_t seed) {
  Random random(seed);
  const auto vec = [&](double size) {
    return Vec3d{random.uniform(-size, size), random.uniform(-size, size),
                 random.uniform(-size, size)};
  };
  for (int i = 0; i < 3'000; ++i) {
    const double size = std::pow(10.0, random.uniform(-3, 3));
    const double distance = random.below(3) == 0 ? size * std::pow(10.0, random.uniform(0, 7)) : 0;
    const Vec3f point_b(vec(size));
    Pose pose = Pose::from_axis_angle(vec(1), random.uniform(-4, 4));
    if (random.below(4) == 0) {
      const double e = 4e-7;
      const double rows[9] = {1 + e, e, -e, -e, 1 - e, e, e, -e, 1 + e};
      pose = Pose::from_rotation(rows);
    }
    pose = Pose::from_translation({distance, -distance, 0}) * pose;
    const Vec3d landed = transform_point(pose, point_b);
    const auto around = [&](const Vec3d& point) {
      return Aabb{
          {round_down(point.x - random.uniform(0, size)),
           round_down(point.y - random.uniform(0, size)),
           round_down(point.z - random.uniform(0, size))},
          {round_up(point.x + random.uniform(0, size)), round_up(point.y + random.uniform(0, size)),
           round_up(point.z + random.uniform(0, size))}};
    };
    const Aabb root_a = around(landed);
    const Aabb root_b = around(Vec3d(point_b));
    const Test test(pose, root_a, root_b);
    auto a = test.root_a();
    auto b = test.root_b();
    ASSERT_TRUE(test.meets_fully(a, b)) << "seed " << seed << ", " << i;
    auto several_a = a;
    auto several_b = b;
    for (int level = 0; level < 30; ++level) {
      cut_at_random(random, a, landed, 1, [&](auto& box, const Cut& cut) { test.cut_a(box, cut); });
      cut_at_random(random, b, Vec3d(point_b), 1,
                    [&](auto& box, const Cut& cut) { test.cut_b(box, cut); });
      ASSERT_TRUE(test.meets(a, b)) << "seed " << seed << ", " << i;
      ASSERT_TRUE(test.meets_fully(a, b)) << "seed " << seed << ", " << i;
      cut_at_random(random, several_a, landed, 3,
                    [&](auto& box, const Cut& cut) { test.move_a(box, cut); });
      cut_at_random(random, several_b, Vec3d(point_b), 3,
                    [&](auto& box, const Cut& cut) { test.move_b(box, cut); });
      test.settle_a(several_a);
      test.settle_b(several_b);
      ASSERT_TRUE(test.meets_fully(several_a, several_b)) << "seed " << seed << ", " << i;
    }
  }
}

TEST(RestrictedBox, TestsNeverMissBoxesThatShareAPoint) {
  expect_never_misses<RestrictedAlignment<>>(1);
  expect_never_misses<RestrictedLookup<>>(2);
  expect_never_misses<RestrictedSatLite<>>(3);
  expect_never_misses<RestrictedSat<>>(4);
}

/// Kept up to date or worked out anew, extents are the same up to rounding: so are the answers for
/// boxes that are clearly apart or clearly meet.
template <class Test>
double share_told_apart(std::uint64_t seed) {
  Random random(seed);
  int apart = 0;
  constexpr int k_count = 2'000;
  for (int i = 0; i < k_count; ++i) {
    const Aabb cube{{-1, -1, -1}, {1, 1, 1}};
    const Pose pose = Pose::from_axis_angle({1, 2, 3}, random.uniform(-3, 3),
                                            {random.uniform(0, 1), random.uniform(0, 1), 0});
    const Test test(pose, cube, cube);
    auto a = test.root_a();
    auto b = test.root_b();
    auto anew_a = a;
    auto anew_b = b;
    const Vec3d in_a{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const Vec3d in_b{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    cut_at_random(random, a, in_a, 20, [&](auto& box, const Cut& cut) {
      test.cut_a(box, cut);
      test.move_a(anew_a, cut);
    });
    cut_at_random(random, b, in_b, 20, [&](auto& box, const Cut& cut) {
      test.cut_b(box, cut);
      test.move_b(anew_b, cut);
    });
    test.settle_a(anew_a);
    test.settle_b(anew_b);
    EXPECT_EQ(test.meets_fully(a, b), test.meets_fully(anew_a, anew_b)) << "seed " << seed;
    apart += test.meets_fully(a, b) ? 0 : 1;
  }
  return static_cast<double>(apart) / k_count;
}

TEST(RestrictedBox, MoreAxesTellMoreApart) {
  const double alignment = share_told_apart<RestrictedAlignment<>>(1);
  const double lookup = share_told_apart<RestrictedLookup<>>(1);
  const double lite = share_told_apart<RestrictedSatLite<>>(1);
  const double full = share_told_apart<RestrictedSat<>>(1);
  EXPECT_GT(lookup, 0.3);
  EXPECT_GE(alignment, lookup);
  EXPECT_GT(lite, alignment);
  EXPECT_GT(full, lite);
}

/// Operations for the work on a node of A, on one of B, and on a pair that meets.
struct Operations {
  long node_a;
  long node_b;
  long pair;
  long total() const { return node_a + node_b + pair; }
};

template <class Test>
Operations operations() {
  const Aabb cube{{-1, -1, -1}, {1, 1, 1}};
  const Test test(Pose::from_axis_angle({1, 2, 3}, 0.5, {0.1, 0, 0}), cube, cube);
  auto a = test.root_a();
  auto b = test.root_b();
  Counted::operation_count = 0;
  test.cut_a(a, {0, 1, -0.9});
  const long node_a = Counted::operation_count;
  test.cut_b(b, {1, 0, -0.8});
  const long node_b = Counted::operation_count - node_a;
  EXPECT_TRUE(test.meets(a, b));
  return {node_a, node_b, Counted::operation_count - node_a - node_b};
}

TEST(RestrictedBox, ANodePairCostsNoMoreThanInThePaper) {
  EXPECT_LE(operations<RestrictedAlignment<Counted>>().total(), 12);
  EXPECT_LE(operations<RestrictedSatLite<Counted>>().total(), 24);
  EXPECT_LE(operations<RestrictedSat<Counted>>().total(), 82);
}

TEST(RestrictedBox, OperationsAreWhatTheCommentsSay) {
  EXPECT_EQ(operations<RestrictedAlignment<Counted>>().total(), 12);
  EXPECT_EQ(operations<RestrictedLookup<Counted>>().total(), 10);
  EXPECT_EQ(operations<RestrictedSatLite<Counted>>().total(), 22);
  EXPECT_EQ(operations<RestrictedSat<Counted>>().total(), 70);
}

}  // namespace
}  // namespace tandem::detail
