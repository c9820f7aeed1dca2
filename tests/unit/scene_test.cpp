// Scenes: what touches is what each two objects say alone, however they move.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "math/random.h"
#include "scene/box_tree.h"
#include "scene/world_box.h"
#include "support/error_of.h"

namespace tandem {
namespace {

using test::error_of;

Pose random_pose(detail::Random& random, double size) {
  const auto unit = [&] { return random.uniform(-1, 1); };
  return Pose::from_quaternion(unit(), unit(), unit(), unit(),
                               {size * unit(), size * unit(), size * unit()});
}

std::vector<Model> some_models() {
  return {Model(make_icosphere(3, 0.4)), Model(make_torus(14, 6, 0.5, 0.2)),
          Model(make_box(2, {0.7, 0.3, 0.5})), Model(Mesh())};
}

/// Every two objects on their own.
SceneResult one_by_one(const Scene& scene) {
  SceneResult result{{}, {0}, {}};
  const std::vector<ObjectId> ids = scene.objects();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (std::size_t j = i + 1; j < ids.size(); ++j) {
      if (scene.is_allowed(ids[i], ids[j])) continue;
      const auto pairs = collide(scene.model(ids[i]), scene.model(ids[j]),
                                 relative_pose(scene.pose(ids[i]), scene.pose(ids[j])))
                             .pairs;
      if (pairs.empty()) continue;
      result.objects.push_back({ids[i], ids[j]});
      result.pairs.insert(result.pairs.end(), pairs.begin(), pairs.end());
      result.offsets.push_back(result.pairs.size());
    }
  }
  return result;
}

void expect_same(const SceneResult& found, const SceneResult& expected, const std::string& where) {
  ASSERT_EQ(found.objects, expected.objects) << where;
  ASSERT_EQ(found.offsets, expected.offsets) << where;
  ASSERT_EQ(found.pairs, expected.pairs) << where;
}

TEST(Scene, WhatTouchesIsWhatEachTwoObjectsSay) {
  constexpr std::uint64_t k_seed = 3;
  detail::Random random(k_seed);
  const std::vector<Model> models = some_models();
  Scene scene;
  std::vector<ObjectId> ids;
  for (int i = 0; i < 60; ++i) {
    ids.push_back(scene.add(models[i % models.size()], random_pose(random, 1.5)));
  }
  std::size_t touching = 0;
  for (int step = 0; step < 40; ++step) {
    const std::string where = "seed " + std::to_string(k_seed) + ", step " + std::to_string(step);
    const SceneResult expected = one_by_one(scene);
    touching += expected.objects.size();
    expect_same(scene.collide(), expected, where);
    ASSERT_EQ(scene.touching(), expected.objects) << where;
    const std::vector<ObjectPair> close = scene.close_objects();
    ASSERT_TRUE(
        std::includes(close.begin(), close.end(), expected.objects.begin(), expected.objects.end()))
        << where;
    // Some move a little, some far; now and then one goes and another comes.
    for (const ObjectId id : ids) {
      const double kind = random.uniform(0, 1);
      if (kind < 0.5) {
        const Pose step_by = Pose::from_axis_angle(
            {1, 2, 3}, 0.05, {random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0});
        scene.move(id, step_by * scene.pose(id));
      } else if (kind < 0.6) {
        scene.move(id, random_pose(random, 1.5));
      }
    }
    if (step % 3 == 0) {
      scene.remove(ids[static_cast<std::size_t>(step)]);
      ids.erase(ids.begin() + step);
      ids.push_back(scene.add(models[0], random_pose(random, 1.5)));
    }
  }
  EXPECT_GT(touching, 1000U);
}

TEST(Scene, TheSameBytesOnAnyNumberOfThreads) {
  detail::Random random(5);
  const std::vector<Model> models = some_models();
  Scene scene;
  for (int i = 0; i < 300; ++i) scene.add(models[i % 3], random_pose(random, 2.6));
  const SceneResult expected = scene.collide();
  const std::vector<ObjectPair> close = scene.close_objects();
  ASSERT_GT(expected.objects.size(), 150U);
  for (const int threads : {2, 4, 16, 0}) {
    // So that boxes are computed and the tree is fitted on these threads.
    for (const ObjectId id : scene.objects()) scene.move(id, scene.pose(id));
    EXPECT_EQ(scene.close_objects({.threads = threads}), close) << threads;
    expect_same(scene.collide({.threads = threads}), expected, std::to_string(threads));
    EXPECT_EQ(scene.touching({.threads = threads}), expected.objects) << threads;
  }
}

bool operator==(const ObjectClearance& one, const ObjectClearance& other) {
  return one.objects == other.objects && one.distance == other.distance && one.pair == other.pair &&
         one.on_a == other.on_a && one.on_b == other.on_b;
}

/// Every two objects on their own.
std::vector<ObjectClearance> clearances_one_by_one(const Scene& scene, double distance) {
  std::vector<ObjectClearance> result;
  const std::vector<ObjectId> ids = scene.objects();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (std::size_t j = i + 1; j < ids.size(); ++j) {
      if (scene.is_allowed(ids[i], ids[j])) continue;
      const Pose& pose = scene.pose(ids[i]);
      const DistanceResult found = tandem::distance(scene.model(ids[i]), scene.model(ids[j]),
                                                    relative_pose(pose, scene.pose(ids[j])));
      if (!found.pair || found.distance > distance) continue;
      result.push_back({{ids[i], ids[j]},
                        found.distance,
                        *found.pair,
                        transform_point(pose, found.on_a),
                        transform_point(pose, found.on_b)});
    }
  }
  return result;
}

TEST(Scene, ClearancesAreWhatEachTwoObjectsSay) {
  constexpr double k_infinity = std::numeric_limits<double>::infinity();
  detail::Random random(8);
  const std::vector<Model> models = some_models();
  Scene scene;
  for (int i = 0; i < 24; ++i) {
    scene.add(models[i % models.size()], random_pose(random, 2.5),
              {.name = "", .group = i % 5 == 0 ? "free" : ""});
  }
  scene.allow("free", "free");
  std::size_t apart = 0;
  for (const double distance : {0.0, 0.05, 0.5, 3.0, k_infinity}) {
    const std::vector<ObjectClearance> expected = clearances_one_by_one(scene, distance);
    for (const ObjectClearance& each : expected) apart += each.distance > 0 ? 1 : 0;
    for (const int threads : {1, 2, 0}) {
      const std::vector<ObjectClearance> found = scene.clearances(distance, {.threads = threads});
      ASSERT_EQ(found.size(), expected.size()) << distance;
      for (std::size_t i = 0; i < found.size(); ++i) {
        // Which of the touching pairs it is, is not promised.
        ObjectClearance as_expected = expected[i];
        if (expected[i].distance == 0) {
          as_expected.pair = found[i].pair;
          as_expected.on_a = found[i].on_a;
          as_expected.on_b = found[i].on_b;
        }
        ASSERT_TRUE(found[i] == as_expected) << distance << ", " << i;
      }
    }
  }
  EXPECT_GT(apart, 100U);
  // What touches is as close as 0.
  std::vector<ObjectPair> touching;
  for (const ObjectClearance& each : scene.clearances(0)) touching.push_back(each.objects);
  EXPECT_EQ(touching, scene.touching());
}

TEST(Scene, AnObjectExactlyAsCloseAsTheClearanceCounts) {
  Scene scene;
  const Model cube(make_box(1, {2, 2, 2}));
  scene.add(cube);
  scene.add(cube, Pose::from_translation({0, 0, 2.5}));
  ASSERT_EQ(scene.clearances(0.5).size(), 1U);
  EXPECT_EQ(scene.clearances(0.5)[0].distance, 0.5);
  EXPECT_EQ(scene.clearances(0.5)[0].on_a.z, 1);
  EXPECT_EQ(scene.clearances(0.5)[0].on_b.z, 1.5);
  EXPECT_TRUE(scene.clearances(std::nextafter(0.5, 0)).empty());
  EXPECT_EQ(error_of([&] { scene.clearances(-1); }), "a clearance is 0 or more, not -1.000000");
  EXPECT_NE(error_of([&] { scene.clearances(std::nan("")); }), "");
}

TEST(Scene, ManyThreadsMayAskAtOnce) {
  detail::Random random(6);
  const std::vector<Model> models = some_models();
  Scene scene;
  for (int i = 0; i < 50; ++i) scene.add(models[i % 3], random_pose(random, 1.2));
  const std::vector<ObjectPair> expected = one_by_one(scene).objects;
  // Often moved, yet fitted by one thread.
  for (int i = 0; i < 100; ++i) scene.move(0, scene.pose(0));
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      if (scene.touching({.threads = 2}) == expected) ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 4);
}

TEST(Scene, LabelsSayWhatMayTouch) {
  const Model box(make_box(1));
  Scene scene;
  const ObjectId cup = scene.add(box, {}, {.name = "cup"});
  const ObjectId table = scene.add(box, {}, {.name = "table", .group = "furniture"});
  const ObjectId chair = scene.add(box, {}, {.name = "chair", .group = "furniture"});
  const ObjectId nameless = scene.add(box);
  EXPECT_EQ(scene.touching().size(), 6U);
  scene.allow("cup", "furniture");
  EXPECT_TRUE(scene.is_allowed(cup, table));
  EXPECT_TRUE(scene.is_allowed(chair, cup));
  EXPECT_FALSE(scene.is_allowed(chair, table));
  EXPECT_FALSE(scene.is_allowed(cup, nameless));
  EXPECT_EQ(scene.touching(),
            (std::vector<ObjectPair>{
                {cup, nameless}, {table, chair}, {table, nameless}, {chair, nameless}}));
  scene.allow("furniture", "furniture");
  EXPECT_TRUE(scene.is_allowed(chair, table));
  scene.forbid("furniture", "cup");
  EXPECT_FALSE(scene.is_allowed(cup, table));
  // Labels of objects to come.
  scene.allow("cup", "lamp");
  const ObjectId lamp = scene.add(box, {}, {.group = "lamp"});
  EXPECT_TRUE(scene.is_allowed(cup, lamp));
  EXPECT_NE(error_of([&] { scene.allow("", "cup"); }), "");
  EXPECT_NE(error_of([&] { scene.forbid("cup", ""); }), "");
}

TEST(Scene, ObjectsThatAreNotThereAreNamed) {
  Scene scene;
  EXPECT_EQ(scene.size(), 0U);
  EXPECT_TRUE(scene.touching().empty());
  EXPECT_FALSE(scene.closest_hit({{0, 0, 0}, {1, 0, 0}}));
  const ObjectId only = scene.add(Model(make_box(1)));
  scene.remove(only);
  const std::string sentence = "the scene has no object 0";
  EXPECT_EQ(error_of([&] { scene.move(only, {}); }), sentence);
  EXPECT_EQ(error_of([&] { scene.remove(only); }), sentence);
  EXPECT_EQ(error_of([&] { static_cast<void>(scene.model(only)); }), sentence);
  EXPECT_EQ(error_of([&] { static_cast<void>(scene.is_allowed(only, only)); }), sentence);
  EXPECT_FALSE(scene.contains(only));
  EXPECT_EQ(scene.add(Model(make_box(1))), 1U) << "ids are not used again";
  EXPECT_NE(error_of([&] { scene.add(Model(make_box(1), {.structure = "aabb"})); }), "");
  EXPECT_NE(error_of([&] { static_cast<void>(scene.touching({.threads = -1})); }), "");
}

TEST(Scene, RaysHitWhatEachObjectSays) {
  constexpr std::uint64_t k_seed = 9;
  detail::Random random(k_seed);
  const std::vector<Model> models = some_models();
  Scene scene;
  for (int i = 0; i < 80; ++i) scene.add(models[i % models.size()], random_pose(random, 2.5));
  std::size_t hits = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto unit = [&] { return static_cast<float>(random.uniform(-1, 1)); };
    Ray ray{{4 * unit(), 4 * unit(), 4 * unit()}, {unit(), unit(), unit()}};
    if (i % 7 == 0) ray.direction = {1e-6F * unit(), 0, unit()};
    if (i % 11 == 0) ray.t_max = 2 + unit();
    if (i % 13 == 0) ray.t_min = 1 + unit();
    SceneHit expected;
    for (const ObjectId id : scene.objects()) {
      // One object alone sees the ray in its own frame.
      Scene alone;
      static_cast<void>(alone.add(scene.model(id), scene.pose(id)));
      const SceneHit hit = alone.closest_hit(ray);
      if (hit && hit.hit.distance < expected.hit.distance) expected = {id, hit.hit};
    }
    const std::string where = "seed " + std::to_string(k_seed) + ", ray " + std::to_string(i);
    ASSERT_EQ(scene.closest_hit(ray), expected) << where;
    ASSERT_EQ(scene.any_hit(ray), bool{expected}) << where;
    hits += expected ? 1 : 0;
  }
  EXPECT_GT(hits, 500U);
  EXPECT_LT(hits, 3900U);
}

TEST(Scene, RaysHitAtTheDistanceInTheWorld) {
  Scene scene;
  const ObjectId far =
      scene.add(Model(make_box(1)), Pose::from_axis_angle({0, 0, 1}, 0.5, {9, 0, 0}));
  const ObjectId near = scene.add(Model(make_box(1)), Pose::from_translation({4, 0, 0}));
  const SceneHit hit = scene.closest_hit({{0, 0.1F, 0.2F}, {1, 0, 0}});
  EXPECT_EQ(hit.object, near);
  EXPECT_EQ(hit.hit.distance, 3);
  scene.remove(near);
  const SceneHit behind = scene.closest_hit({{0, 0.1F, 0.2F}, {1, 0, 0}});
  EXPECT_EQ(behind.object, far);
  EXPECT_NEAR(behind.hit.distance, 9 - 1 / std::cos(0.5) - 0.1 * std::tan(0.5), 0.2);
  // Of two at the same place, the first.
  const ObjectId again = scene.add(Model(make_box(1)), scene.pose(far));
  EXPECT_EQ(scene.closest_hit({{0, 0.1F, 0.2F}, {1, 0, 0}}).object, std::min(far, again));
}

TEST(Scene, BoxesHoldForPosesThatAreBarelyRigidAndForMeshesFarFromTheirOrigin) {
  constexpr std::uint64_t k_seed = 21;
  detail::Random random(k_seed);
  for (int i = 0; i < 300; ++i) {
    std::vector<Vec3f> vertices;
    const Mesh ball = make_icosphere(2);
    const double away = i % 2 == 0 ? 0 : random.uniform(0, 1e5);
    for (const Vec3f& v : ball.vertices())
      vertices.push_back(v + Vec3f(static_cast<float>(away), 0, 0));
    const Model model(Mesh(vertices, {ball.triangles().begin(), ball.triangles().end()}));
    const Pose rigid = random_pose(random, i % 3 == 0 ? 1e6 : 1);
    double rows[9];
    for (int k = 0; k < 9; ++k)
      rows[k] = rigid.rotation(k / 3, k % 3) * (1 + random.uniform(-1, 1) * 3e-7);
    const Pose pose = Pose::from_rotation(rows, rigid.translation());
    const detail::WorldBox box = detail::world_box(model, pose);
    for (const Vec3f& v : vertices) {
      const Vec3d moved = transform_point(pose, Vec3d(v));
      for (int k = 0; k < 3; ++k) {
        ASSERT_LE(box.lower[k], moved[k]) << "seed " << k_seed << ", case " << i;
        ASSERT_GE(box.upper[k], moved[k]) << "seed " << k_seed << ", case " << i;
      }
    }
  }
}

TEST(BoxTree, PairsAreThoseOfAllTwoBoxes) {
  constexpr std::uint64_t k_seed = 13;
  detail::Random random(k_seed);
  for (const std::size_t count : {0, 1, 2, 4, 5, 9, 50, 700}) {
    detail::BoxTree tree;
    std::vector<detail::WorldBox> boxes(count);
    for (int step = 0; step < 10; ++step) {
      for (detail::WorldBox& box : boxes) {
        const auto unit = [&] { return random.uniform(-1, 1); };
        // Some boxes are points, some are at the same place, some are huge, some are empty.
        const double size = step % 2 == 0 ? 0.3 : random.uniform(0, 1) < 0.05 ? 1e300 : 0;
        box.lower = {unit(), step == 3 ? 0 : unit(), unit()};
        box.upper = box.lower + Vec3d{size, size, size};
        if (step == 5) box.upper = box.lower - Vec3d{1, 1, 1};
      }
      tree.update(boxes);
      std::vector<ObjectPair> expected;
      for (std::uint32_t i = 0; i < count; ++i) {
        for (std::uint32_t j = i + 1; j < count; ++j) {
          if (boxes[i].overlaps(boxes[j])) expected.push_back({i, j});
        }
      }
      const std::vector<ObjectPair> found = tree.overlapping_pairs(1 + step % 3);
      ASSERT_EQ(found, expected) << "seed " << k_seed << ", " << count << " boxes, step " << step;
    }
  }
}

TEST(BoxTree, IsBuiltAnewOnlyWhenItMust) {
  detail::Random random(1);
  std::vector<detail::WorldBox> boxes;
  for (int i = 0; i < 500; ++i) {
    const Vec3d at{random.uniform(0, 10), random.uniform(0, 10), random.uniform(0, 10)};
    boxes.push_back({at, at + Vec3d{0.3, 0.3, 0.3}});
  }
  detail::BoxTree tree;
  tree.update(boxes);
  EXPECT_EQ(tree.build_count(), 1U);
  for (int step = 0; step < 20; ++step) {
    for (detail::WorldBox& box : boxes) {
      const Vec3d move{random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), 0};
      box = {box.lower + move, box.upper + move};
    }
    tree.update(boxes);
  }
  EXPECT_EQ(tree.build_count(), 1U) << "small moves";
  std::shuffle(boxes.begin(), boxes.end(), std::minstd_rand(1));
  tree.update(boxes);
  EXPECT_EQ(tree.build_count(), 2U) << "everything elsewhere";
  boxes.pop_back();
  tree.update(boxes);
  EXPECT_EQ(tree.build_count(), 3U) << "one fewer";
}

}  // namespace
}  // namespace tandem
