#include "simulate/file_scene.h"

#include <tandem/error.h>
#include <tandem/mesh_info.h>

#include <map>
#include <utility>

namespace tandem::cli {

namespace {

/// Of weight 1 for each cubic metre or square metre; many bodies may share it.
using Masses = std::map<const Mesh*, sim::MassProperties>;

const sim::MassProperties& unit_mass(const Mesh& mesh, bool solid, Masses* masses) {
  const auto known = masses->find(&mesh);
  if (known != masses->end()) return known->second;
  const bool hollow = !solid && !describe(mesh).closed();
  return masses->emplace(&mesh, hollow ? sim::shell_mass(mesh, 1) : sim::solid_mass(mesh, 1))
      .first->second;
}

sim::MassProperties mass_of(const Mesh& mesh, const BodyEntry& entry, bool solid, Masses* masses) {
  sim::MassProperties mass = unit_mass(mesh, solid, masses);
  if (entry.density && !mass.solid) {
    throw Error("the mesh is not closed, so that it has no density: give it a \"mass\"");
  }
  const double usual = mass.solid ? k_density : k_mass_per_area;
  const double factor = entry.mass ? *entry.mass / mass.mass : entry.density.value_or(usual);
  mass.mass *= factor;
  for (double& moment : mass.inertia) moment *= factor;
  return mass;
}

}  // namespace

SimScene make_file_scene(const SceneFile& file, sim::Settings settings, bool solid,
                         Reporting reporting) {
  if (const auto allowed = file.first_allowed()) {
    allowed->fail("in a simulation all bodies meet: \"allowed\" has no place there");
  }
  const int threads = settings.threads;
  settings.gravity = file.world().gravity;
  settings.time_step = file.world().time_step;
  SimScene scene{.world = sim::Simulation(std::move(settings)), .not_drawn = {}};
  const LoadedScene loaded = file.load({}, threads, reporting);
  Masses masses;
  for (const ObjectId id : loaded.scene().objects()) {
    const Model& model = loaded.scene().model(id);
    const auto& [entry, where] = loaded.bodies()[id];
    const sim::BodyOptions options{.in_world = loaded.scene().pose(id),
                                   .velocity = entry.velocity,
                                   .angular_velocity = entry.angular_velocity,
                                   .friction = entry.friction,
                                   .restitution = entry.restitution};
    try {
      if (entry.is_static) {
        scene.world.add_static(model, options);
        continue;
      }
      const sim::MassProperties mass = mass_of(model.mesh(), entry, solid, &masses);
      scene.world.add(model, mass, options);
      scene.hollow = scene.hollow || !mass.solid;
      ++scene.moving_bodies;
    } catch (const Error& error) {
      where.fail(error.what());
    }
  }
  scene.triangles = loaded.triangle_count();
  return scene;
}

}  // namespace tandem::cli
