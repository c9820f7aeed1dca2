// Witnesses: what is remembered of earlier queries changes no answer, whatever the motion.
#include <gtest/gtest.h>
#include <tandem/tandem.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "math/random.h"
#include "query/model_access.h"
#include "structure/wide.h"
#include "traverse/observer.h"
#include "traverse/wide/clearance.h"
#include "traverse/wide/far_roots.h"
#include "traverse/wide/instruction_sets.h"
#include "traverse/wide/roots.h"

namespace tandem {
namespace {

using detail::Random;

Vec3d random_direction(Random& random) {
  while (true) {
    const Vec3d v{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const double size = length(v);
    if (size > 0.1 && size <= 1) return (1 / size) * v;
  }
}

Pose random_pose(Random& random, double distance) {
  return Pose::from_quaternion(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                               random.uniform(-1, 1), distance * random_direction(random));
}

Mesh scaled(const Mesh& mesh, float scale, const Vec3f& move = {0, 0, 0}) {
  std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
  for (Vec3f& v : vertices) v = scale * v + move;
  return {std::move(vertices), {mesh.triangles().begin(), mesh.triangles().end()}};
}

/// A mesh and a small triangle far away from it.
Mesh with_stray(const Mesh& mesh, float far) {
  std::vector<Vec3f> vertices(mesh.vertices().begin(), mesh.vertices().end());
  std::vector<TriangleIndices> triangles(mesh.triangles().begin(), mesh.triangles().end());
  const auto first = static_cast<std::uint32_t>(vertices.size());
  for (const Vec3f& corner : {Vec3f{far, 0, 0}, Vec3f{far, 1, 0}, Vec3f{far, 0, 1}}) {
    vertices.push_back(corner);
  }
  triangles.push_back({first, first + 1, first + 2});
  return {std::move(vertices), std::move(triangles)};
}

/// Models of about the same size, each as large as its distance from the origin allows.
std::vector<Model> some_models() {
  return {Model(make_knot(60, 6)),
          Model(make_rock(8, 3)),
          Model(make_box(1, {1, 2, 0.5})),
          Model(scaled(make_torus(20, 8, 1, 0.3), 1, {2, -1, 1})),
          Model(with_stray(make_icosphere(2, 0.6), 1e3F)),
          Model(make_soup(200, 5)),
          Model(Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}))};
}

const detail::WideTreeView& view_of(const Model& model) {
  return detail::structures_of(model).get<detail::WideStructure>().view();
}

bool surely_farther(const Model& a, const Model& b, const Pose& b_in_a, double distance) {
  detail::NullObserver observer;
  return detail::surely_farther(detail::wide_kernels(), view_of(a), view_of(b), b_in_a, distance,
                                observer);
}

TEST(Witness, ChangesNoAnswerAndSavesMostSearches) {
  const Model knot(make_knot(60, 6));
  const Model rock(make_rock(8, 3));
  Witness witness;
  Statistics with;
  Statistics without;
  int touching_count = 0;
  for (int i = 0; i < 400; ++i) {
    const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.01 * i, {4.5 - 0.01 * i, 0.2, 0});
    const IntersectsResult plain = intersects(knot, rock, pose, {.statistics = true});
    const IntersectsResult guided = intersects(knot, rock, pose, witness, {.statistics = true});
    ASSERT_EQ(guided.pair.has_value(), plain.pair.has_value()) << i;
    touching_count += guided ? 1 : 0;
    with.iterations += guided.statistics.iterations;
    without.iterations += plain.statistics.iterations;
    if (guided) {
      ASSERT_GT(intersection(knot, rock, pose, *guided.pair).count, 0) << i;
    }
  }
  EXPECT_GT(touching_count, 100);
  EXPECT_LT(touching_count, 400);
  EXPECT_LT(4 * with.iterations, without.iterations);
}

TEST(Witness, SavesMostSearchesWhereNothingTouches) {
  const Model knot(make_knot(200, 20));
  constexpr int k_steps = 2000;
  const auto pose_at = [](int step, double distance) {
    return Pose::from_axis_angle({1, 2, 3}, 2 * std::numbers::pi * step / k_steps,
                                 {0.1 * distance, 0.2 * distance, distance});
  };
  // A little farther than where they touch at some step.
  double distance = 4;
  for (int i = 0; i < k_steps; ++i) {
    while (intersects(knot, knot, pose_at(i, distance))) distance *= 1.01;
  }
  distance *= 1.01;
  Witness witness;
  int searches = 0;
  int plain_searches = 0;
  for (int i = 0; i < k_steps; ++i) {
    const Pose pose = pose_at(i, distance);
    const IntersectsResult plain = intersects(knot, knot, pose, {.statistics = true});
    const IntersectsResult guided = intersects(knot, knot, pose, witness, {.statistics = true});
    ASSERT_FALSE(plain) << i;
    ASSERT_FALSE(guided) << i;
    searches += guided.statistics.iterations > 0 ? 1 : 0;
    plain_searches += plain.statistics.iterations > 0 ? 1 : 0;
  }
  EXPECT_GT(plain_searches, 200);
  EXPECT_LT(3 * searches, plain_searches);
}

TEST(Witness, AnyMotionGivesTheAnswersOfPlainQueries) {
  const std::vector<Model> models = some_models();
  int touching = 0;
  int apart = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Random random(seed);
    const Model& a = models[random.below(models.size())];
    const Model& b = models[random.below(models.size())];
    Witness witness;
    Vec3d place = random.uniform(0, 4) * random_direction(random);
    Vec3d axis = random_direction(random);
    double angle = random.uniform(0, 6);
    // From steps that change no digit of a coordinate to steps as long as the models.
    double step = std::exp(random.uniform(-16, 0));
    Vec3d direction = random_direction(random);
    for (int i = 0; i < 200; ++i) {
      if (random.uniform(0, 1) < 0.02) step = std::exp(random.uniform(-16, 0));
      if (random.uniform(0, 1) < 0.05) direction = random_direction(random);
      if (random.uniform(0, 1) < 0.02) axis = random_direction(random);
      if (random.uniform(0, 1) < 0.01) place = random.uniform(0, 5) * random_direction(random);
      if (length(place) > 5) direction = (-1 / length(place)) * place;
      place = place + step * direction;
      angle += random.uniform(-1, 1) * step;
      const Pose pose = Pose::from_axis_angle(axis, angle, place);
      const bool expected = bool{intersects(a, b, pose)};
      const IntersectsResult found = intersects(a, b, pose, witness);
      ASSERT_EQ(bool{found}, expected) << "seed " << seed << ", step " << i;
      (expected ? touching : apart) += 1;
    }
  }
  EXPECT_GT(touching, 2000);
  EXPECT_GT(apart, 2000);
}

TEST(Witness, OfOtherModelsIsHarmless) {
  const Model many(make_knot(60, 6));
  const Model one(Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}));
  Witness witness;
  EXPECT_TRUE(intersects(many, many, Pose(), witness));
  EXPECT_TRUE(intersects(one, one, Pose(), witness));
  EXPECT_FALSE(intersects(one, one, Pose::from_translation({0, 0, 1}), witness));
  EXPECT_FALSE(intersects(one, one, Pose::from_translation({0, 0, 1.01}), witness));
  EXPECT_FALSE(intersects(Model{Mesh()}, one, Pose(), witness));
  witness.clear();
  EXPECT_TRUE(intersects(one, one, Pose(), witness));
}

TEST(Witness, OfModelsThatAreGoneIsHarmless) {
  // What was apart says nothing of models that came later, even at the same address.
  const Model one(Mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}));
  const Pose above = Pose::from_translation({0, 0, 1});
  Witness witness;
  for (int i = 0; i < 20; ++i) {
    const Model far(make_box(1, {0.1, 0.1, 0.1}));
    EXPECT_FALSE(intersects(far, one, above, witness));
    EXPECT_FALSE(intersects(far, one, above, witness));
  }
  for (int i = 0; i < 20; ++i) {
    const Model near(make_box(1, {4, 4, 2}));
    EXPECT_TRUE(intersects(near, one, above, witness));
  }
}

TEST(Witness, OfAnOlderVersionIsNotUsed) {
  const Model ball(make_icosphere(3, 1));
  const Model box(make_box(1, {1, 1, 1}));
  const Pose beside = Pose::from_translation({3, 0, 0});
  Witness witness;
  EXPECT_FALSE(intersects(ball, box, beside, witness));
  EXPECT_FALSE(intersects(ball, box, beside, witness));
  std::vector<Vec3f> larger(ball.mesh().vertices().begin(), ball.mesh().vertices().end());
  for (Vec3f& v : larger) v = 3.0F * v;
  const Model grown = ball.refit(larger);
  EXPECT_TRUE(intersects(grown, box, beside, witness));
}

TEST(Witness, WorksWithEveryEngine) {
  for (const Structure& structure : Structure::all()) {
    if (!exists(Engine{.structure = structure})) continue;
    const Model knot(make_knot(30, 5), {.structure = structure});
    Witness witness;
    for (int i = 0; i < 60; ++i) {
      const Pose pose = Pose::from_axis_angle({1, 2, 3}, 0.02 * i, {6 - 0.1 * i, 0.2, 0});
      ASSERT_EQ(bool{intersects(knot, knot, pose, witness)}, bool{intersects(knot, knot, pose)})
          << structure.name() << ", step " << i;
    }
  }
}

TEST(Clearance, NoVertexMovesFarther) {
  const std::vector<Model> models = some_models();
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    const Model& model = models[random.below(models.size())];
    const Pose from = random_pose(random, std::exp(random.uniform(-5, 20)));
    const double turn = std::exp(random.uniform(-20, 1));
    const Pose change =
        Pose::from_axis_angle(random_direction(random), turn,
                              std::exp(random.uniform(-20, 2)) * random_direction(random));
    const Pose to = change * from;
    const double bound = detail::farthest_move(view_of(model).root, from, to);
    double farthest = 0;
    for (const Vec3f& vertex : model.mesh().vertices()) {
      const Vec3d move = transform_point(to, Vec3d(vertex)) - transform_point(from, Vec3d(vertex));
      farthest = std::max(farthest, length(move));
    }
    ASSERT_LE(farthest, bound) << "seed " << seed;
  }
}

TEST(Clearance, WhatIsSurelyFartherStaysApart) {
  const std::vector<Model> models = some_models();
  for (const detail::InstructionSet& set : detail::instruction_sets()) {
    const detail::UseInstructionSet use(set);
    int farther = 0;
    int closer = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      Random random(seed);
      const Model& a = models[random.below(models.size())];
      const Model& b = models[random.below(models.size())];
      const Pose pose = random_pose(random, random.uniform(0, 6));
      double distance = std::exp(random.uniform(-6, 1));
      if (!surely_farther(a, b, pose, distance)) {
        ++closer;
        continue;
      }
      ++farther;
      // As far as it will go.
      while (surely_farther(a, b, pose, 1.25 * distance)) distance *= 1.25;
      for (int i = 0; i < 40; ++i) {
        const Pose moved = Pose::from_translation(distance * random_direction(random)) * pose;
        ASSERT_FALSE(intersects(a, b, moved)) << set.name << ", seed " << seed;
      }
    }
    EXPECT_GT(farther, 50);
    EXPECT_GT(closer, 20);
  }
}

TEST(Clearance, WholeModelsStayApartWithinTheLargestGap) {
  const std::vector<Model> models = some_models();
  int apart = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    const Model& a = models[random.below(models.size())];
    const Model& b = models[random.below(models.size())];
    const Pose pose = random_pose(random, random.uniform(0, 8));
    const double gap = detail::largest_gap(view_of(a), view_of(b), pose);
    ASSERT_EQ(gap > 0, detail::roots_apart(view_of(a), view_of(b), pose)) << "seed " << seed;
    if (gap == 0) continue;
    ++apart;
    for (int i = 0; i < 20; ++i) {
      const Pose moved = Pose::from_translation(gap * random_direction(random)) * pose;
      ASSERT_FALSE(intersects(a, b, moved)) << "seed " << seed;
    }
  }
  EXPECT_GT(apart, 200);
}

TEST(Clearance, WholeModelsAreFarApartOnlyIfTheyAre) {
  int far = 0;
  int farther = 0;
  for (const double scale : {1.0, 1e-20, 1e20}) {
    std::vector<Model> models;
    for (const Model& model : some_models()) {
      models.emplace_back(scaled(model.mesh(), static_cast<float>(scale)));
    }
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      Random random(seed);
      const Model& a = models[random.below(models.size())];
      const Model& b = models[random.below(models.size())];
      const Pose pose = random_pose(random, scale * random.uniform(0, 8));
      const double exact = distance(a, b, pose).distance;
      if (exact == 0) continue;
      const auto far_apart = [&](double within) {
        return detail::roots_far_apart(view_of(a), view_of(b), pose, within);
      };
      ASSERT_FALSE(far_apart(exact)) << "scale " << scale << ", seed " << seed;
      ASSERT_FALSE(far_apart(exact * random.uniform(1, 3)))
          << "scale " << scale << ", seed " << seed;
      for (const double share : {0.5, 0.8, 0.95}) {
        const bool seen = detail::roots_apart(view_of(a), view_of(b), pose, share * exact);
        const bool seen_farther = far_apart(share * exact);
        ASSERT_TRUE(seen_farther || !seen) << "scale " << scale << ", seed " << seed;
        far += seen ? 1 : 0;
        farther += seen_farther ? 1 : 0;
      }
    }
  }
  EXPECT_GT(farther, far + far / 20);
}

TEST(Clearance, IsCloseToTheDistanceOfBoxes) {
  // Boxes along the axes: the distance between them is the gap.
  for (const double scale : {1.0, 1e-3, 1e20}) {
    const Model other(scaled(make_box(1, {2, 2, 2}), static_cast<float>(scale)));
    const Model same(scaled(make_box(1, {2, 2, 2}), static_cast<float>(scale)));
    for (const double gap : {1e-3, 0.5, 40.0}) {
      const Pose beside = Pose::from_translation({scale * (2 + gap), 0, 0});
      EXPECT_TRUE(surely_farther(other, same, beside, scale * gap * 0.99)) << scale << " " << gap;
      EXPECT_FALSE(surely_farther(other, same, beside, scale * gap * 1.01)) << scale << " " << gap;
    }
  }
}

}  // namespace
}  // namespace tandem
