// This room simulates: the scenes of the paper on blocked tandem traversal (section 3), who finds
// their contacts, and their states and pictures as files. It uses the public API, tandem::sim,
// text/, options/, devices/, measure/, peers/ and render/.
//
// In this file: the scenes.
#pragma once

#include <tandem/mesh.h>
#include <tandem/sim/simulation.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tandem::cli {

/// What a solid body weighs in kg/m³, and a hollow one in kg/m²: sheet metal of a millimetre.
inline constexpr double k_density = 1000;
inline constexpr double k_mass_per_area = 8;

struct SimSceneOptions {
  /// About how many bodies move: a stack is a cube of them. 0 for the scene's own number.
  int objects = 0;
  /// How often each triangle of a body becomes four.
  int subdivide = 0;
  /// The body instead of the scene's own; scaled so that its longest side is 2.
  const Mesh* mesh = nullptr;
  /// Refuse a body that is not closed, instead of taking it as hollow.
  bool solid = false;
  std::uint64_t seed = 1;
  sim::Settings settings = {};
};

/// A simulation, and what is to be done to it between steps.
struct SimScene {
  sim::Simulation world;
  /// Of all bodies together, and of one that moves where all of these have the same mesh.
  std::size_t triangles = 0;
  std::size_t body_triangles = 0;
  std::size_t moving_bodies = 0;
  /// What all that moves looks like, in as few triangles as that takes: before it was subdivided.
  /// Null where bodies differ.
  std::optional<Mesh> look = std::nullopt;
  /// Whether meshes of bodies that move were open, so that they are hollow.
  bool hollow = false;
  /// Bodies that stand between what is to be seen and the viewer of pictures.
  std::vector<sim::BodyId> not_drawn;
  /// Brings bodies that left at the bottom back to the top; does nothing in other scenes. Depends
  /// on the state alone, so that a run can be continued.
  std::function<void(sim::Simulation&)> between_steps = [](sim::Simulation&) {};
};

struct SimSceneInfo {
  std::string_view name;
  std::string_view description;
  SimScene (*make)(const SimSceneOptions& options);
  /// Bodies are brought back up, which gives them energy.
  bool lifts_bodies = false;
};

/// stack, pile and rockslide.
std::span<const SimSceneInfo> sim_scenes();

}  // namespace tandem::cli
