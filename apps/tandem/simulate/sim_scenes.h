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
#include <span>
#include <string>
#include <string_view>

namespace tandem::cli {

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
  std::size_t body_triangles = 0;
  std::size_t moving_bodies = 0;
  /// Whether the mesh of the bodies was open, so that they are hollow.
  bool hollow = false;
  /// Brings bodies that left at the bottom back to the top; does nothing in other scenes. Depends
  /// on the state alone, so that a run can be continued.
  std::function<void(sim::Simulation&)> between_steps;
};

struct SimSceneInfo {
  std::string_view name;
  std::string_view description;
  SimScene (*make)(const SimSceneOptions& options);
};

/// stack, pile and rockslide.
std::span<const SimSceneInfo> sim_scenes();

}  // namespace tandem::cli
