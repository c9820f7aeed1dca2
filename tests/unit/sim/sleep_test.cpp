// Bodies that rest fall asleep and wake up.
#include <gtest/gtest.h>
#include <tandem/error.h>
#include <tandem/shapes.h>
#include <tandem/sim/simulation.h>

#include <algorithm>

namespace tandem::sim {
namespace {

const Settings k_with_sleep{.sleep_speed = 0.05};

/// A ground, and towers of that many cubes of side 1, 3 apart: body 1 is the lowest of the first.
Simulation make_towers(int towers, int height, const Settings& settings) {
  static const Model cube(make_box(1, {1, 1, 1}));
  static const Model ground(make_box(4, {40, 40, 1}));
  static const MassProperties mass = solid_mass(cube.mesh(), 1000);
  Simulation world(settings);
  world.add_static(ground, {.in_world = Pose::from_translation({0, 0, -0.5})});
  for (int i = 0; i < towers * height; ++i) {
    world.add(cube, mass,
              {.in_world = Pose::from_translation({3.0 * (i / height), 0, 0.5 + i % height})});
  }
  return world;
}

std::size_t asleep(const Simulation& world) {
  const State state = world.state();
  return static_cast<std::size_t>(std::count_if(state.bodies.begin(), state.bodies.end(),
                                                [](const BodyState& at) { return at.asleep; }));
}

/// Steps until so many bodies sleep; the number of steps.
int step_until_asleep(Simulation* world, std::size_t count) {
  constexpr int k_most = 500;
  int steps = 0;
  while (steps < k_most && world->step().asleep != count) ++steps;
  EXPECT_LT(steps, k_most) << "they do not come to rest";
  return steps;
}

TEST(Sleep, NoBodyDoesUnlessAsked) {
  Simulation world = make_towers(1, 3, {});
  for (int i = 0; i < 300; ++i) EXPECT_EQ(world.step().asleep, 0u);
  EXPECT_EQ(asleep(world), 0u);
  EXPECT_THROW(Simulation({.sleep_speed = -1}), Error);
  EXPECT_THROW(Simulation({.sleep_time = -1}), Error);
}

TEST(Sleep, ATowerAtRestStopsAndCostsNothing) {
  Simulation world = make_towers(1, 4, k_with_sleep);
  // All of them at once, and not before their time.
  EXPECT_GE(step_until_asleep(&world, 4), 49);
  const State before = world.state();
  ASSERT_FALSE(before.pressed.empty());
  for (int i = 0; i < 20; ++i) {
    const StepReport report = world.step();
    EXPECT_EQ(report.touching_triangles + report.near_triangles + report.points, 0u);
    EXPECT_EQ(report.asleep, 4u);
  }
  EXPECT_TRUE(world.state().bodies == before.bodies);
  EXPECT_TRUE(world.state().pressed == before.pressed);
  EXPECT_EQ(world.kinetic_energy(), 0);
  EXPECT_EQ(world.step_count(), before.step + 20);
}

TEST(Sleep, ComesToAPileOfBodiesThatAreNotConvex) {
  Simulation world(k_with_sleep);
  const Model ground(make_box(1, {60, 60, 1}));
  world.add_static(ground, {.in_world = Pose::from_translation({0, 0, -0.5})});
  const Model ring(make_shape("torus", 300));
  const MassProperties mass = solid_mass(ring.mesh(), 1000);
  for (int i = 0; i < 8; ++i) {
    world.add(ring, mass,
              {.in_world = Pose::from_axis_angle({1, 1.0 * i, 2}, 0.7 * i,
                                                 {0.5 * (i % 2), 0.3 * (i % 3), 1.5 + 2.8 * i}),
               .friction = 0.8});
  }
  constexpr int k_most = 3000;
  int steps = 0;
  while (steps < k_most && world.step().asleep != 8) ++steps;
  EXPECT_LT(steps, k_most);
  EXPECT_EQ(world.kinetic_energy(), 0);
}

TEST(Sleep, EndsForAWholeTowerThatIsMetAndForNoOther) {
  Simulation world = make_towers(2, 3, k_with_sleep);
  const Model stone(make_icosphere(2, 0.3));
  step_until_asleep(&world, 6);
  const BodyId falling =
      world.add(stone, solid_mass(stone.mesh(), 1000),
                {.in_world = Pose::from_translation({0.1, 0.05, 3.6}), .friction = 0.8});
  int woke_at = -1;
  for (int i = 0; i < 60 && woke_at < 0; ++i) {
    const double height = world.body(falling).centre.z;
    if (world.step().asleep == 6) {
      // Nothing wakes before the stone is at the tower, whose top is at height 3.
      EXPECT_GT(height, 3.28);
      continue;
    }
    woke_at = i;
    for (const BodyId id : {1u, 2u, 3u}) EXPECT_FALSE(world.state().bodies[id].asleep) << id;
    for (const BodyId id : {4u, 5u, 6u}) EXPECT_TRUE(world.state().bodies[id].asleep) << id;
  }
  EXPECT_GT(woke_at, 10);
  for (int i = 0; i < 10; ++i) world.step();
  EXPECT_GT(world.body(falling).centre.z, 3.2) << "the tower does not carry the stone";
}

TEST(Sleep, EndsWhereTheSupportIsTakenAway) {
  Simulation world = make_towers(2, 3, k_with_sleep);
  step_until_asleep(&world, 6);
  world.place(1, Pose::from_translation({-10, 0, 0.5}));
  EXPECT_EQ(asleep(world), 3u);
  for (int i = 0; i < 20; ++i) world.step();
  EXPECT_LT(world.body(2).centre.z, 1.4);
  EXPECT_NEAR(world.body(5).centre.z, 1.5, 0.05);

  // A ground that goes takes all along.
  step_until_asleep(&world, 6);
  world.place(0, Pose::from_translation({0, 0, -5}));
  EXPECT_EQ(asleep(world), 0u);
  for (int i = 0; i < 20; ++i) world.step();
  EXPECT_LT(world.body(6).centre.z, 2.4);
}

TEST(Sleep, IsPartOfStatesAndTheSameForAnyNumberOfThreads) {
  Settings settings = k_with_sleep;
  Simulation one = make_towers(3, 3, settings);
  settings.threads = 2;
  Simulation two = make_towers(3, 3, settings);
  for (int i = 0; i < 120; ++i) {
    one.step();
    two.step();
    ASSERT_TRUE(one.state() == two.state()) << "step " << i;
  }
  ASSERT_GT(asleep(one), 0u);
  const State saved = one.state();
  one.place(4, Pose::from_translation({3.2, 0, 4}));
  two.restore(saved);
  two.place(4, Pose::from_translation({3.2, 0, 4}));
  for (int i = 0; i < 60; ++i) {
    one.step();
    two.step();
  }
  EXPECT_TRUE(one.state() == two.state());
  Simulation without = make_towers(3, 3, {});
  EXPECT_THROW(without.restore(saved), Error);
}

}  // namespace
}  // namespace tandem::sim
