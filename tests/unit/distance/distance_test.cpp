// Distances of models: degenerate ones first, bad input, and what the results promise.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/error_of.h"

namespace tandem {
namespace {

using test::error_of;
constexpr double k_infinity = std::numeric_limits<double>::infinity();

TEST(Distance, AnEmptyMeshIsInfinitelyFar) {
  const Model empty{Mesh()};
  const Model box(make_box(1));
  for (const auto& [a, b] :
       {std::pair(empty, box), std::pair(box, empty), std::pair(empty, empty)}) {
    const DistanceResult result = distance(a, b, {});
    EXPECT_EQ(result.distance, k_infinity);
    EXPECT_EQ(result.lower_bound, k_infinity);
    EXPECT_FALSE(result.pair);
    EXPECT_FALSE(within(a, b, {}, 1e30));
    EXPECT_FALSE(within(a, b, {}, k_infinity));
    EXPECT_EQ(count_within(a, b, {}, 1).count, 0U);
    EXPECT_TRUE(contacts_within(a, b, {}, 1).contacts.empty());
  }
}

TEST(Distance, OfTwoBoxes) {
  const Model box(make_box(1));
  const DistanceResult apart = distance(box, box, Pose::from_translation({5, 0.25, 0}));
  EXPECT_EQ(apart.distance, 3);
  EXPECT_EQ(apart.lower_bound, 3);
  EXPECT_EQ(apart.on_a.x, 1);
  EXPECT_EQ(apart.on_b.x, 4);
  EXPECT_EQ(apart.normal, (Vec3d{1, 0, 0}));
  const DistanceResult touching = distance(box, box, Pose::from_translation({2, 0, 0}));
  EXPECT_EQ(touching.distance, 0);
  EXPECT_EQ(touching.lower_bound, 0);
  ASSERT_TRUE(touching.pair);
  EXPECT_EQ(touching.on_a, touching.on_b);
  EXPECT_EQ(touching.on_a.x, 1);
}

TEST(Distance, TheFirstOfEquallyClosePairs) {
  const Model grid(make_plane(4));
  const DistanceResult result = distance(grid, grid, Pose::from_translation({0, 0, 1}));
  EXPECT_EQ(result.distance, 1);
  EXPECT_EQ(result.pair, (TrianglePair{0, 0}));
}

TEST(Distance, ALimitLeavesOutWhatIsAsFar) {
  const Model box(make_box(2));
  const Pose pose = Pose::from_translation({5, 0, 0});
  EXPECT_EQ(distance(box, box, pose, {.limit = 3.5}).distance, 3);
  for (const double limit : {3.0, 1.0, 0.0}) {
    const DistanceResult none = distance(box, box, pose, {.limit = limit});
    EXPECT_EQ(none.distance, k_infinity) << limit;
    EXPECT_EQ(none.lower_bound, limit);
    EXPECT_FALSE(none.pair);
  }
  EXPECT_EQ(distance(box, box, Pose::from_translation({2, 0, 0}), {.limit = 0}).distance,
            k_infinity);
  EXPECT_EQ(distance(box, box, Pose::from_translation({2, 0, 0}), {.limit = 1e-300}).distance, 0);
}

TEST(Distance, BadInputIsOneSentence) {
  const Model box(make_box(1));
  EXPECT_EQ(error_of([&] { within(box, box, {}, -1); }),
            "the distance of a query is -1, but it must be at least 0");
  EXPECT_EQ(error_of([&] { count_within(box, box, {}, NAN); }),
            "the distance of a query is not a number");
  EXPECT_EQ(error_of([&] { collide_within(box, box, {}, -k_infinity); }),
            "the distance of a query is -inf, but it must be at least 0");
  EXPECT_EQ(error_of([&] { contacts_within(box, box, {}, -1e-9); }),
            "the distance of a query is -1e-09, but it must be at least 0");
  EXPECT_EQ(error_of([&] { distance(box, box, {}, {.limit = NAN}); }),
            "the limit of a distance is not a number");
  EXPECT_EQ(error_of([&] { distance(box, box, {}, {.relative_error = -0.1}); }),
            "the relative error of a distance is -0.1, but it must be at least 0");
  EXPECT_EQ(error_of([&] { distance(box, box, {}, {.absolute_error = -2}); }),
            "the absolute error of a distance is -2, but it must be at least 0");
  EXPECT_EQ(error_of([&] { distance_batch(box, box, std::vector<Pose>(3), {.threads = -1}); }),
            error_of([&] { count_batch(box, box, std::vector<Pose>(3), {.threads = -1}); }));
  EXPECT_EQ(error_of([&] { within_batch(box, box, std::vector<Pose>(1), -1); }),
            "the distance of a query is -1, but it must be at least 0");
  EXPECT_NE(error_of([&] { distance(box, box, {}, TrianglePair{0, 1000}); }), "");
}

TEST(Distance, EnginesThatFindNoneSaySo) {
  const Model box(make_box(1));
  const std::string error =
      "the traversal stackless finds no distances; leave the engine automatic, or name the "
      "structure wide or triangles";
  const Engine stackless{.structure = "aabb", .traversal = "stackless"};
  const Pose pose = Pose::from_translation({3, 0, 0});
  EXPECT_EQ(error_of([&] { distance(box, box, pose, {.engine = stackless}); }), error);
  EXPECT_EQ(error_of([&] { within(box, box, pose, 1, {.engine = stackless}); }), error);
  EXPECT_EQ(error_of([&] {
              within(box, box, pose, 1, {.engine = {.triangle_test = "separating-axes"}});
            }),
            "distances come from the exact triangle test alone, not from separating-axes");
}

/// The default structure is made where a model does not have it.
TEST(Distance, OfModelsMadeForOtherStructures) {
  const Model box(make_box(2));
  const Model tree(make_box(2), {.structure = "aabb"});
  const Pose pose = Pose::from_translation({3, 0, 0});
  EXPECT_EQ(distance(tree, tree, pose).distance, 1);
  EXPECT_EQ(distance(box, tree, pose).distance, 1);
  EXPECT_EQ(collide_within(tree, tree, pose, 1).pairs, collide_within(box, box, pose, 1).pairs);
  EXPECT_EQ(distance(box, box, pose, {.engine = {.structure = "triangles"}}).distance, 1);
  EXPECT_EQ(distance(box, box, pose, {.engine = {.structure = "wide"}}).distance, 1);
}

TEST(Distance, AWitnessOfOtherModelsDoesNoHarm) {
  const Model box(make_box(1));
  const Model knot(make_knot(24, 4));
  DistanceWitness witness;
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.7, {6, 0, 1});
  EXPECT_EQ(distance(knot, knot, pose, witness).distance, distance(knot, knot, pose).distance);
  EXPECT_EQ(distance(box, box, pose, witness).distance, distance(box, box, pose).distance);
  EXPECT_EQ(distance(box, knot, pose, witness).pair, distance(box, knot, pose).pair);
  witness.clear();
  EXPECT_EQ(distance(box, knot, pose, witness).pair, distance(box, knot, pose).pair);
}

TEST(Distance, StatisticsAreThereWhenAskedFor) {
  const Model knot(make_knot(100, 10));
  const Pose pose = Pose::from_translation({9, 0, 0});
  EXPECT_EQ(distance(knot, knot, pose).statistics, Statistics());
  const Statistics found = distance(knot, knot, pose, {.statistics = true}).statistics;
  EXPECT_GT(found.iterations, 0U);
  EXPECT_GT(found.triangle_tests, 0U);
  EXPECT_LT(found.triangle_tests, 10'000U);
  EXPECT_EQ(found.triangle_overlaps, 0U);
}

TEST(Within, ZeroIsCollide) {
  const Model knot(make_knot(24, 4));
  const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.7, {0.4, 0.1, 0.2});
  const auto pairs = collide(knot, knot, pose).pairs;
  ASSERT_FALSE(pairs.empty());
  EXPECT_EQ(collide_within(knot, knot, pose, 0).pairs, pairs);
  EXPECT_EQ(count_within(knot, knot, pose, 0).count, pairs.size());
  EXPECT_TRUE(within(knot, knot, pose, 0));
  EXPECT_EQ(contacts_within(knot, knot, pose, 0).contacts, contacts(knot, knot, pose).contacts);
}

TEST(Within, AsFarAsTheDistanceIsWithin) {
  const Model box(make_box(2));
  const Pose pose = Pose::from_axis_angle({1, 1, 0}, 0.3, {4, 1, 0.5});
  const double least = distance(box, box, pose).distance;
  ASSERT_GT(least, 0);
  EXPECT_TRUE(within(box, box, pose, least));
  EXPECT_FALSE(within(box, box, pose, std::nextafter(least, 0.0)));
  EXPECT_TRUE(within(box, box, pose, k_infinity));
  EXPECT_EQ(count_within(box, box, pose, k_infinity).count,
            box.mesh().triangle_count() * box.mesh().triangle_count());
}

TEST(Within, ContactsBeforeBodiesOverlap) {
  const Model box(make_box(1));
  const auto found = contacts_within(box, box, Pose::from_translation({0, 0, 2.25}), 0.5);
  ASSERT_FALSE(found.contacts.empty());
  for (const Contact& c : found.contacts) {
    EXPECT_EQ(c.separation,
              distance(box, box, Pose::from_translation({0, 0, 2.25}), c.pair).distance);
    if (c.separation != 0.25) continue;
    EXPECT_EQ(c.normal, (Vec3d{0, 0, 1}));
    EXPECT_EQ(c.points[0].z, 1.125);
    EXPECT_EQ(c.points[0], c.points[1]);
    EXPECT_TRUE(c.opposed);
  }
  EXPECT_EQ(reduce_contacts(found.contacts).patch_count, 1U);
}

}  // namespace
}  // namespace tandem
