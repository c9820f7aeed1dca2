// The kernels that find which objects of a scene are close, run by the executor on the CPU.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "gpu/broad_phase.h"
#include "gpu/on_cpu.h"
#include "math/random.h"
#include "query/model_access.h"
#include "structure/wide.h"

namespace tandem::test {
namespace {

/// Models and where they stand.
struct Objects {
  std::vector<Model> models;
  std::vector<std::uint32_t> model_of;
  std::vector<Pose> in_world;
};

struct Found {
  std::vector<ObjectPair> pairs;
  std::vector<BatchQuery> queries;
  std::uint32_t count = 0;
};

/// How many objects are each compared with each; more are sorted and swept.
enum class Way : std::uint32_t { swept = 0, compared = 1'000'000 };

Found find_close(const Objects& objects, std::uint32_t capacity, std::uint64_t seed,
                 detail::CloseOrder order = detail::CloseOrder::sorted, Way way = Way::compared) {
  std::vector<detail::WideTreeView> trees;
  for (const Model& model : objects.models) {
    trees.push_back(detail::structures_of(model).get<detail::WideStructure>().view());
  }
  OnCpu on(seed);
  const auto object_count = static_cast<std::uint32_t>(objects.model_of.size());
  const detail::CloseObjects<OnCpu> close(on, object_count, capacity,
                                          static_cast<std::uint32_t>(way));
  close.find(on, {trees.data(), objects.model_of.data(), objects.in_world.data(), object_count},
             order);
  const std::uint32_t kept = std::min(capacity, *close.count());
  return {std::vector(close.pairs(), close.pairs() + kept),
          std::vector(close.queries(), close.queries() + kept), *close.count()};
}

Objects random_objects(std::uint64_t seed, std::uint32_t count) {
  detail::Random random(seed);
  Objects objects;
  objects.models = {Model(make_shape("knot", 200)), Model(make_soup(3, seed)), Model(Mesh()),
                    Model(make_plane(2))};
  const double half = random.uniform(0.5, 2) * std::cbrt(count);
  // Some are far from the origin, where positions are coarse.
  const double far = random.below(3) == 0 ? 1e9 : 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    objects.model_of.push_back(static_cast<std::uint32_t>(random.below(objects.models.size())));
    const auto place = [&] { return random.uniform(-half, half); };
    objects.in_world.push_back(Pose::from_axis_angle(
        {place(), place(), 3 * half}, random.uniform(0, 6), {far + place(), place(), place()}));
  }
  return objects;
}

Scene scene_of(const Objects& objects) {
  Scene scene;
  for (std::size_t i = 0; i < objects.model_of.size(); ++i) {
    scene.add(objects.models[objects.model_of[i]], objects.in_world[i]);
  }
  return scene;
}

TEST(BroadPhaseKernels, FindAllThatTheSceneFinds) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto count = static_cast<std::uint32_t>(1 + seed * seed % 97);
    const Objects objects = random_objects(seed, count);
    const Found found = find_close(objects, count * count, seed);
    ASSERT_TRUE(std::is_sorted(found.pairs.begin(), found.pairs.end()));
    ASSERT_EQ(found.pairs.size(), found.count);
    for (const Way way : {Way::compared, Way::swept}) {
      Found unsorted = find_close(objects, count * count, seed, detail::CloseOrder::any, way);
      std::sort(unsorted.pairs.begin(), unsorted.pairs.end());
      ASSERT_EQ(unsorted.pairs, found.pairs);
    }
    // The device's boxes are rounded outwards, so it may find more.
    const Scene scene = scene_of(objects);
    for (const ObjectPair& pair : scene.close_objects()) {
      ASSERT_TRUE(std::binary_search(found.pairs.begin(), found.pairs.end(), pair))
          << pair.a << " " << pair.b;
    }
    for (std::size_t i = 0; i < found.pairs.size(); ++i) {
      const auto [a, b] = found.pairs[i];
      ASSERT_LT(a, b);
      EXPECT_EQ(found.queries[i].a, objects.model_of[a]);
      EXPECT_EQ(found.queries[i].b, objects.model_of[b]);
      const Pose expected = relative_pose(objects.in_world[a], objects.in_world[b]);
      EXPECT_EQ(std::memcmp(&found.queries[i].b_in_a, &expected, sizeof expected), 0);
    }
  }
}

TEST(BroadPhaseKernels, WhatDoesNotFitIsCounted) {
  const Objects objects = random_objects(5, 80);
  const Found all = find_close(objects, 10'000, 1);
  ASSERT_GT(all.count, 3u);
  for (const Way way : {Way::compared, Way::swept}) {
    const Found few = find_close(objects, 3, 2, detail::CloseOrder::sorted, way);
    EXPECT_EQ(few.count, all.count);
    EXPECT_EQ(few.pairs.size(), 3u);
    for (const ObjectPair& pair : few.pairs) {
      EXPECT_TRUE(std::binary_search(all.pairs.begin(), all.pairs.end(), pair));
    }
  }
}

}  // namespace
}  // namespace tandem::test
