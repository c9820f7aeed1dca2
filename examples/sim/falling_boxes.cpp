// Three boxes that fall onto a floor, each on the one before, and come to rest.
#include <tandem/sim/simulation.h>
#include <tandem/tandem.h>

#include <iostream>

int main() {
  const tandem::Model box(tandem::make_box(1, {1, 1, 1}));
  const tandem::Model floor(tandem::make_box(1, {10, 10, 1}));
  const tandem::sim::MassProperties mass = tandem::sim::solid_mass(box.mesh(), 1000);

  tandem::sim::Simulation world;
  world.add_static(floor, {.in_world = tandem::Pose::from_translation({0, 0, -0.5})});
  for (int i = 0; i < 3; ++i) {
    const auto above = tandem::Pose::from_axis_angle({0, 0, 1}, 0.2 * i, {0, 0, 0.8 + 1.2 * i});
    world.add(box, mass, {.in_world = above, .friction = 0.6});
  }

  for (int i = 0; i < 300; ++i) world.step();
  for (tandem::sim::BodyId id = 1; id <= 3; ++id) {
    std::cout << "box " << id << " rests at height " << world.body(id).centre.z << "\n";
  }
  std::cout << world.pressed().size() << " points of contact\n";
  return world.kinetic_energy() < 1 ? 0 : 1;
}
