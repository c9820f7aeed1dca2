// Simulations as a library: bad input, the same bytes, states.
#include <gtest/gtest.h>
#include <tandem/error.h>
#include <tandem/shapes.h>
#include <tandem/sim/simulation.h>

#include <cmath>
#include <limits>
#include <optional>

#include "math/random.h"
#include "traverse/wide/instruction_sets.h"

namespace tandem::sim {
namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

/// Rocks over a ground, at random angles.
Simulation make_pile(std::uint64_t seed, int count, Settings settings) {
  static const Model rock(make_rock(4, 1));
  static const Model ground(make_box(2, {40, 40, 1}));
  static const MassProperties mass = solid_mass(rock.mesh(), 1000);
  detail::Random random(seed);
  Simulation world(std::move(settings));
  world.add_static(ground, {.in_world = Pose::from_translation({0, 0, -0.5})});
  for (int i = 0; i < count; ++i) {
    const Vec3d axis(random.uniform(-1, 1), random.uniform(-1, 1), 1);
    const Vec3d place(2.2 * (i % 3), 2.2 * (i / 3 % 3), 1.5 + 2.4 * (i / 9));
    world.add(rock, mass, {.in_world = Pose::from_axis_angle(axis, random.uniform(0, 6), place)});
  }
  return world;
}

TEST(Simulation, WithoutBodiesDoesNothing) {
  Simulation world;
  EXPECT_EQ(world.step().points, 0u);
  EXPECT_EQ(world.body_count(), 0u);
  EXPECT_EQ(world.state().step, 1u);
}

TEST(Simulation, RefusesWhatMakesNoSense) {
  EXPECT_THROW(Simulation({.time_step = 0}), Error);
  EXPECT_THROW(Simulation({.gravity = {0, k_nan, 0}}), Error);
  EXPECT_THROW(Simulation({.margin = -1}), Error);
  EXPECT_THROW(Simulation({.iterations = 0}), Error);
  Simulation world;
  const Model box(make_box(1));
  EXPECT_THROW(world.add(box, {}), Error);
  MassProperties mass = solid_mass(box.mesh(), 1);
  EXPECT_THROW(world.add(box, mass, {.velocity = {k_nan, 0, 0}}), Error);
  EXPECT_THROW(world.add(box, mass, {.friction = -1}), Error);
  EXPECT_THROW(world.add(box, mass, {.restitution = 1.5}), Error);
  mass.inertia = {};
  EXPECT_THROW(world.add(box, mass), Error);
  EXPECT_EQ(world.body_count(), 0u);
  EXPECT_THROW(world.pose(0), Error);
  EXPECT_THROW(world.restore({.step = 0, .bodies = {{}}, .pressed = {}}), Error);
}

TEST(Simulation, IsTheSameForAnyNumberOfThreads) {
  for (const std::uint64_t seed : {1, 2}) {
    Simulation one = make_pile(seed, 18, {.threads = 1});
    Simulation two = make_pile(seed, 18, {.threads = 2});
    std::size_t points = 0;
    for (int i = 0; i < 500; ++i) {
      points += one.step().points;
      two.step();
    }
    EXPECT_GT(points, 1000u);
    EXPECT_TRUE(one.state() == two.state()) << "seed " << seed;
  }
}

TEST(Simulation, IsTheSameWithEveryInstructionSet) {
  std::optional<State> expected;
  for (const detail::InstructionSet& set : detail::instruction_sets()) {
    const detail::UseInstructionSet use(set);
    // Deep at first, so that bodies are pushed apart, too.
    Simulation world = make_pile(7, 12, {.slop = 0, .push_out = 0.5});
    for (int i = 0; i < 120; ++i) world.step();
    if (!expected) expected = world.state();
    EXPECT_FALSE(expected->pressed.empty());
    EXPECT_TRUE(world.state() == *expected) << set.name;
  }
}

TEST(Simulation, ContinuesFromAStateToTheBit) {
  Simulation world = make_pile(3, 12, {});
  for (int i = 0; i < 60; ++i) world.step();
  const State saved = world.state();
  ASSERT_FALSE(saved.pressed.empty());
  for (int i = 0; i < 40; ++i) world.step();
  Simulation again = make_pile(3, 12, {});
  again.restore(saved);
  for (int i = 0; i < 40; ++i) again.step();
  EXPECT_TRUE(again.state() == world.state());
}

TEST(Simulation, DoesNotDependOnTheTrianglesThatItRemembers) {
  // Fast, so that how far bodies are apart counts; what pressed is asked first.
  Simulation world = make_pile(8, 12, {.gravity = {0, 0, -200}});
  for (int i = 0; i < 25; ++i) world.step();
  State state = world.state();
  ASSERT_FALSE(state.pressed.empty());
  detail::Random random(8);
  for (PressedPoint& point : state.pressed) {
    const auto any_of = [&](BodyId id) {
      return static_cast<std::uint32_t>(random.below(world.model(id).mesh().triangle_count()));
    };
    point.point.pair = {any_of(point.a), any_of(point.b)};
  }
  Simulation again = make_pile(8, 12, {.gravity = {0, 0, -200}});
  again.restore(state);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(again.step().near_triangles, world.step().near_triangles) << "step " << i;
  }
  EXPECT_TRUE(again.state() == world.state());
  // But there has to be such a triangle.
  state.pressed.front().point.pair.a = 1'000'000;
  EXPECT_THROW(again.restore(state), Error);
}

TEST(Simulation, IsTheSameWhicheverEngineFindsTheTouchingTriangles) {
  const auto with = [](Engine engine) {
    return [engine](std::span<const Model> models, std::span<const BatchQuery> queries) {
      return collide_batch(models, queries, {.engine = engine, .threads = 1, .progress = {}});
    };
  };
  for (const double margin : {0.0, 0.01}) {
    Simulation usual = make_pile(4, 12, {.margin = margin});
    Simulation stackless = make_pile(
        4, 12,
        {.margin = margin, .find_touching = with({.structure = "aabb", .traversal = "stackless"})});
    Simulation obb =
        make_pile(4, 12, {.margin = margin, .find_touching = with({.structure = "obb"})});
    std::size_t touching = 0;
    for (int i = 0; i < 100; ++i) {
      const StepReport report = usual.step();
      touching += report.touching_triangles;
      for (Simulation* other : {&stackless, &obb}) {
        const StepReport here = other->step();
        ASSERT_EQ(here.touching_triangles, report.touching_triangles) << "step " << i;
        ASSERT_EQ(here.near_triangles, report.near_triangles);
        ASSERT_EQ(here.false_pairs, 0u);
        ASSERT_TRUE(other->state() == usual.state()) << "step " << i;
      }
    }
    EXPECT_GT(touching, 100u);
  }
}

TEST(Simulation, AllEnginesFindTheSameTouchingTrianglesInEachStep) {
  std::size_t touching = 0;
  std::size_t checked = 0;
  const auto check_all = [&](std::span<const Model> models, std::span<const BatchQuery> queries) {
    const BatchResult expected = collide_batch(models, queries, {.threads = 1, .progress = {}});
    touching += expected.pairs.size();
    for (const Structure structure : Structure::all()) {
      if (!exists(Engine{.structure = structure})) continue;  // those for rays
      const BatchResult found = collide_batch(
          models, queries, {.engine = {.structure = structure}, .threads = 1, .progress = {}});
      EXPECT_TRUE(found.offsets == expected.offsets && found.pairs == expected.pairs)
          << structure.name();
      ++checked;
    }
    return expected;
  };
  // From where bodies have met: before that few triangles touch.
  Simulation before = make_pile(6, 9, {});
  for (int i = 0; i < 100; ++i) before.step();
  Simulation world = make_pile(6, 9, {.find_touching = check_all});
  world.restore(before.state());
  for (int i = 0; i < 40 && !HasFailure(); ++i) world.step();
  EXPECT_GT(touching, 50u);
  EXPECT_GT(checked, 40u * 10);
}

TEST(Simulation, ABodyCanBePutElsewhere) {
  Simulation world = make_pile(5, 2, {});
  for (int i = 0; i < 100; ++i) world.step();
  const Pose above = Pose::from_axis_angle({1, 2, 3}, 2.5, {0, 0, 50});
  world.place(1, above, {1, 2, 3});
  EXPECT_EQ(world.body(1).velocity, Vec3d(1, 2, 3));
  EXPECT_NEAR(length(transform_point(world.pose(1), {1, 1, 1}) - transform_point(above, {1, 1, 1})),
              0, 1e-13);
  for (const PressedPoint& point : world.pressed()) EXPECT_NE(point.b, 1u);
  EXPECT_THROW(world.place(1, above, {k_nan, 0, 0}), Error);
  EXPECT_THROW(world.place(7, above), Error);
}

}  // namespace
}  // namespace tandem::sim
