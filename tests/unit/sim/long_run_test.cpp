// Runs of many steps: bodies that rest stay where they are, and nothing ever becomes NaN. With
// TANDEM_EXHAUSTIVE=1 in the environment at the size of the blocked tandem paper, which takes many
// minutes.
#include <gtest/gtest.h>
#include <tandem/shapes.h>
#include <tandem/sim/simulation.h>

#include <cmath>
#include <cstdlib>

#include "math/random.h"

namespace tandem::sim {
namespace {

bool is_exhaustive() {
  return std::getenv("TANDEM_EXHAUSTIVE") != nullptr;
}

Settings settings() {
  return {.threads = is_exhaustive() ? 0 : 1};
}

/// Boxes of side 1 in a cube, each on and beside others, without gaps.
TEST(LongRun, AStackOfBoxesStands) {
  const int side = is_exhaustive() ? 10 : 3;
  const int steps = is_exhaustive() ? 1000 : 150;
  Simulation world(settings());
  const Model box(make_box(1, {1, 1, 1}));
  const MassProperties mass = solid_mass(box.mesh(), 1000);
  const double reach = 2.0 * side;
  world.add_static(Model(make_box(1, {2 * reach, 2 * reach, 1})),
                   {.in_world = Pose::from_translation({0, 0, -0.5}), .friction = 0.6});
  std::vector<Vec3d> starts = {{0, 0, 0}};
  for (int i = 0; i < side * side * side; ++i) {
    starts.emplace_back(i % side - 0.5 * (side - 1), i / side % side - 0.5 * (side - 1),
                        i / side / side + 0.5);
    world.add(box, mass, {.in_world = Pose::from_translation(starts.back()), .friction = 0.6});
  }
  const double energy = world.potential_energy();
  for (int i = 0; i < steps; ++i) {
    const StepReport report = world.step();
    // Bodies may rest as deep as the slop; a step's weight adds to that what it falls.
    ASSERT_LT(report.deepest, 2 * Settings().slop) << "step " << i;
  }
  for (BodyId id = 1; id < world.body_count(); ++id) {
    const Vec3d moved = world.body(id).centre - starts[id];
    // Boxes may sink by the slop at each contact below them, and lean apart as much.
    ASSERT_LT(length(moved), Settings().slop * (side + 1)) << id;
    ASSERT_LT(length(world.body(id).velocity), 0.02) << id;
  }
  EXPECT_LE(world.potential_energy() + world.kinetic_energy(), energy * (1 + 1e-6));
}

TEST(LongRun, APileInABinStaysThere) {
  const int side = is_exhaustive() ? 6 : 2;
  const int steps = is_exhaustive() ? 10'000 : 3'000;
  Simulation world(settings());
  const Model rock(make_rock(is_exhaustive() ? 12 : 4, 1));
  const MassProperties mass = solid_mass(rock.mesh(), 1000);
  const double half = 1.3 * side;
  const double height = 4.0 * side;
  const auto wall = [&](const Vec3d& lower, const Vec3d& upper) {
    world.add_static(Model(make_box(1, upper - lower)),
                     {.in_world = Pose::from_translation(0.5 * (lower + upper))});
  };
  wall({-half - 1, -half - 1, -1}, {half + 1, half + 1, 0});
  for (const double sign : {-1.0, 1.0}) {
    const double low = sign < 0 ? -half - 1 : half;
    const double high = low + 1;
    wall({low, -half - 1, 0}, {high, half + 1, height});
    wall({-half, low, 0}, {half, high, height});
  }
  const BodyId first = static_cast<BodyId>(world.body_count());
  detail::Random random(1);
  for (int i = 0; i < side * side * side; ++i) {
    const Vec3d place(2.5 * (i % side - 0.5 * (side - 1)),
                      2.5 * (i / side % side - 0.5 * (side - 1)), 1.4 + 2.5 * (i / side / side));
    world.add(rock, mass,
              {.in_world = Pose::from_axis_angle({random.uniform(-1, 1), random.uniform(-1, 1), 1},
                                                 random.uniform(0, 6), place)});
  }
  const double energy = world.potential_energy();
  for (int i = 0; i < steps; ++i) {
    world.step();
    if (i % 50 != 0) continue;
    // No energy comes from nowhere, to what pushing bodies out of each other lifts them.
    ASSERT_LT(world.kinetic_energy() + world.potential_energy(), 1.01 * energy) << "step " << i;
    for (BodyId id = first; id < world.body_count(); ++id) {
      const Vec3d at = world.body(id).centre;
      ASSERT_TRUE(std::isfinite(at.x) && std::isfinite(at.y) && std::isfinite(at.z)) << id;
      ASSERT_LT(std::max(std::fabs(at.x), std::fabs(at.y)), half) << id << ", step " << i;
      ASSERT_GT(at.z, 0) << id << ", step " << i;
    }
  }
  // By then all has come to rest: slower than some millimetres per second.
  EXPECT_LT(world.kinetic_energy(), 1e-4 * mass.mass * side * side * side);
}

}  // namespace
}  // namespace tandem::sim
