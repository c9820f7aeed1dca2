// What physics says, with tolerances that follow from the method: the time step, the margin and the
// depth at which bodies may rest.
#include <gtest/gtest.h>
#include <tandem/shapes.h>
#include <tandem/sim/simulation.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "math/random.h"

namespace tandem::sim {
namespace {

constexpr double k_gravity = 9.81;

/// A cube of side 1 that weighs a tonne.
const Model& cube() {
  static const Model model(make_box(1, {1, 1, 1}));
  return model;
}
const MassProperties& cube_mass() {
  static const MassProperties mass = solid_mass(cube().mesh(), 1000);
  return mass;
}
const Model& ground() {
  static const Model model(make_box(4, {40, 40, 1}));
  return model;
}
/// Its upper side is at height 0.
const Pose k_ground_pose = Pose::from_translation({0, 0, -0.5});

TEST(Physics, ABodyInFreeFallFollowsTheParabola) {
  Simulation world;
  const BodyId body = world.add(cube(), cube_mass(),
                                {.in_world = {}, .velocity = {3, 0, 4}, .angular_velocity = {}});
  const double dt = Settings().time_step;
  const int steps = 100;
  for (int i = 0; i < steps; ++i) world.step();
  // The sum of velocities that change at the beginning of each step.
  const double time = steps * dt;
  EXPECT_NEAR(world.body(body).centre.x, 3 * time, 1e-9);
  EXPECT_NEAR(world.body(body).centre.z, 4 * time - 0.5 * k_gravity * time * (time + dt), 1e-9);
}

TEST(Physics, ASpinningBodyKeepsItsAngularMomentumAndGainsNoEnergyBeyondTheStepsError) {
  // About the middle axis, which is not stable: the body tumbles.
  Simulation world({.gravity = {0, 0, 0}, .time_step = 0.005});
  const Model brick(make_box(1, {1, 2, 4}));
  world.add(brick, solid_mass(brick.mesh(), 1), {.angular_velocity = {0.01, 3, 0.01}});
  const Vec3d momentum = world.angular_momentum();
  const double energy = world.kinetic_energy();
  for (int i = 0; i < 4000; ++i) {
    world.step();
    ASSERT_NEAR(length(world.angular_momentum() - momentum) / length(momentum), 0, 1e-11);
    // The midpoint rule is off by (rate · step)² / 12 of a turn per turn.
    ASSERT_NEAR(world.kinetic_energy() / energy, 1, 1e-2) << "step " << i;
  }
}

TEST(Physics, BodiesThatCollideFreelyKeepMomentum) {
  Simulation world({.gravity = {0, 0, 0}});
  world.add(cube(), cube_mass(), {.velocity = {2, 0, 0}, .restitution = 0.5});
  world.add(cube(), cube_mass(),
            {.in_world = Pose::from_axis_angle({1, 2, 3}, 0.7, {2, 0.3, 0.2}),
             .velocity = {-1, 0.1, 0},
             .angular_velocity = {0, 1, 1},
             .restitution = 0.5});
  const Vec3d momentum = world.momentum();
  const Vec3d angular = world.angular_momentum();
  const double energy = world.kinetic_energy();
  bool met = false;
  for (int i = 0; i < 200; ++i) {
    met = world.step().points > 0 || met;
    ASSERT_NEAR(length(world.momentum() - momentum), 0, 1e-9 * length(momentum));
    ASSERT_NEAR(length(world.angular_momentum() - angular), 0, 1e-6 * length(angular));
  }
  EXPECT_TRUE(met);
  EXPECT_LT(world.kinetic_energy(), energy);
}

TEST(Physics, EqualCubesThatMeetHeadOnElasticallySwapTheirVelocities) {
  Simulation world({.gravity = {0, 0, 0}});
  const BodyId a = world.add(cube(), cube_mass(), {.velocity = {2, 0, 0}, .restitution = 1});
  const BodyId b = world.add(cube(), cube_mass(),
                             {.in_world = Pose::from_translation({2, 0, 0}), .restitution = 1});
  for (int i = 0; i < 150; ++i) world.step();
  // The solver stops after 30 rounds; faces meet in four points, which it balances by halves.
  EXPECT_NEAR(world.body(a).velocity.x, 0, 1e-2);
  EXPECT_NEAR(world.body(b).velocity.x, 2, 1e-2);
}

TEST(Physics, ADroppedCubeComesToRestOnTheGround) {
  Simulation world;
  world.add_static(ground(), {.in_world = k_ground_pose});
  const BodyId body =
      world.add(cube(), cube_mass(), {.in_world = Pose::from_translation({0, 0, 1})});
  for (int i = 0; i < 200; ++i) world.step();
  EXPECT_LT(length(world.body(body).velocity), 1e-3);
  const Settings settings;
  // Between a little too deep and the margin's height.
  EXPECT_GT(world.body(body).centre.z, 0.5 - 2 * settings.slop);
  EXPECT_LT(world.body(body).centre.z, 0.5 + settings.margin);
}

/// How far a cube goes along a slope of that angle in two seconds.
double slide(double degrees, double friction) {
  const double angle = degrees * std::numbers::pi / 180;
  Simulation world;
  const Pose slope = Pose::from_axis_angle({0, 1, 0}, angle);
  world.add_static(ground(), {.in_world = slope * k_ground_pose, .friction = friction});
  const BodyId body =
      world.add(cube(), cube_mass(),
                {.in_world = slope * Pose::from_translation({-10, 0, 0.5}), .friction = friction});
  const Vec3d start = world.body(body).centre;
  for (int i = 0; i < 200; ++i) world.step();
  return length(world.body(body).centre - start);
}

TEST(Physics, ABlockOnASlopeSticksOrSlidesAsItsFrictionSays) {
  // It slides where the tangent of the angle is over the friction, tan 20° = 0.364.
  EXPECT_LT(slide(20, 0.45), 0.01);
  const double angle = 20 * std::numbers::pi / 180;
  const double expected = 0.5 * k_gravity * (std::sin(angle) - 0.2 * std::cos(angle)) * 2 * 2;
  // Half a step of 0.01 in 2 seconds, and a block that settles first.
  EXPECT_NEAR(slide(20, 0.2) / expected, 1, 0.03);
  EXPECT_NEAR(slide(20, 0) / (0.5 * k_gravity * std::sin(angle) * 4), 1, 0.02);
}

TEST(Physics, AStackStands) {
  Simulation world;
  world.add_static(ground(), {.in_world = k_ground_pose});
  constexpr int k_height = 6;
  for (int i = 0; i < k_height; ++i) {
    world.add(cube(), cube_mass(), {.in_world = Pose::from_translation({0, 0, 0.5 + i})});
  }
  for (int i = 0; i < 300; ++i) world.step();
  for (BodyId id = 1; id <= k_height; ++id) {
    const Vec3d centre = world.body(id).centre;
    EXPECT_LT(std::hypot(centre.x, centre.y), 0.01) << id;
    EXPECT_NEAR(centre.z, id - 0.5, 0.05) << id;
  }
  EXPECT_LT(world.kinetic_energy(), 1e-2);
}

TEST(Physics, AFallingBodyIsStoppedBeforeItIsInside) {
  // 10 cm per step, ten times the margin.
  Simulation world;
  world.add_static(ground(), {.in_world = k_ground_pose});
  const Model rock(make_rock(8, 0));
  world.add(rock, solid_mass(rock.mesh(), 1000),
            {.in_world = Pose::from_translation({0.1, 0.2, 1.53}), .velocity = {0, 0, -10}});
  double deepest = 0;
  for (int i = 0; i < 100; ++i) deepest = std::max(deepest, world.step().deepest);
  EXPECT_LT(deepest, Settings().slop);
}

/// How many pairs of triangles count, besides those that touch, in a step of a fine ball that comes
/// down with a speed and has a gap below it.
std::size_t near_triangles(double speed, double gap) {
  Simulation world;
  world.add_static(ground(), {.in_world = k_ground_pose});
  const Model ball(make_icosphere(40, 0.5));
  world.add(
      ball, solid_mass(ball.mesh(), 1000),
      {.in_world = Pose::from_translation({0.1, 0.2, 0.5 + gap}), .velocity = {0, 0, -speed}});
  return world.step().near_triangles;
}

TEST(Physics, AFastBodyIsStoppedByWhatMeetsFirst) {
  // It comes 10 cm down per step. All that is as near to the ground would be nine times as much.
  const std::size_t at_rest = near_triangles(0, 1e-4);
  const std::size_t fast = near_triangles(10, 0.012);
  EXPECT_GT(fast, 0U);
  EXPECT_LE(fast, 2 * at_rest);
}

/// Bodies that have fallen into a bin, at random angles; the first of them is body 5.
Simulation make_bin(const Mesh& mesh, std::uint64_t seed) {
  Simulation world;
  world.add_static(ground(), {.in_world = k_ground_pose});
  const Model wall(make_box(1, {1, 12, 12}));
  for (int i = 0; i < 4; ++i) {
    world.add_static(wall, {.in_world = Pose::from_axis_angle({0, 0, 1}, i * std::numbers::pi / 2) *
                                        Pose::from_translation({3.2, 0, 6})});
  }
  const Model body(mesh);
  const MassProperties mass = solid_mass(mesh, 1000);
  detail::Random random(seed);
  for (int i = 0; i < 12; ++i) {
    const Vec3d place(2.6 * (i % 2) - 1.3, 2.6 * (i / 2 % 2) - 1.3, 1.5 + 2.6 * (i / 4));
    const Vec3d axis(random.uniform(-1, 1), random.uniform(-1, 1), 1);
    world.add(body, mass, {.in_world = Pose::from_axis_angle(axis, random.uniform(0, 6), place)});
  }
  return world;
}

/// How fast bodies are in five seconds, all together as one of them, and how far one goes.
struct Motion {
  double speed = 0;
  double way = 0;
};

Motion motion_in_five_seconds(Simulation* world) {
  const State before = world->state();
  const double mass = world->mass(static_cast<BodyId>(world->body_count() - 1)).mass;
  Motion motion;
  for (int i = 0; i < 500; ++i) {
    world->step();
    motion.speed = std::max(motion.speed, std::sqrt(2 * world->kinetic_energy() / mass));
  }
  for (BodyId id = 0; id < world->body_count(); ++id) {
    motion.way = std::max(motion.way, length(world->body(id).centre - before.bodies[id].centre));
  }
  return motion;
}

/// All of them together are slower than a tenth of what gravity adds to one in a step, which the
/// solver takes away again. In rest they settle by no more than they may be deep.
bool is_rest(const Motion& motion) {
  return motion.speed < 0.1 * k_gravity * Settings().time_step && motion.way < Settings().slop;
}

TEST(Physics, BodiesThatAreNotConvexComeToRestInEachOthersDents) {
  // Friction takes the energy of every motion, but a ring may roll and rock for a while.
  constexpr int k_most = 20;
  const Mesh rings = make_shape("torus", 400);
  const Mesh rocks = make_rock(8, 1);
  for (const Mesh* mesh : {&rings, &rocks}) {
    for (const std::uint64_t seed : {1, 2}) {
      Simulation world = make_bin(*mesh, seed);
      Motion motion = motion_in_five_seconds(&world);
      for (int i = 1; i < k_most && !is_rest(motion); ++i) motion = motion_in_five_seconds(&world);
      ASSERT_TRUE(is_rest(motion)) << "seed " << seed << ": in the end " << motion.speed
                                   << " m/s, and " << motion.way << " m in five seconds";
      // And then they stay.
      for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(is_rest(motion_in_five_seconds(&world))) << "seed " << seed;
      }
    }
  }
}

TEST(Physics, AFastBodyDoesNotPassThroughAThinWall) {
  // 60 m/s: 0.6 m per step, and the wall is a plane.
  Simulation world({.gravity = {0, 0, 0}});
  world.add_static(Model(make_plane(4)),
                   {.in_world = Pose::from_axis_angle({0, 1, 0}, -std::numbers::pi / 2)});
  const Model ball(make_icosphere(3, 0.1));
  const BodyId body =
      world.add(ball, solid_mass(ball.mesh(), 1000),
                {.in_world = Pose::from_translation({-3.17, 0.1, 0.2}), .velocity = {60, 0, 0}});
  for (int i = 0; i < 30; ++i) world.step();
  EXPECT_LT(world.body(body).centre.x, 0);
}

}  // namespace
}  // namespace tandem::sim
