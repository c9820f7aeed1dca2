// tandem bench simulate: the same bodies moved by Tandem's back ends and by other simulators.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulate/sim_scenes.h"
#include "text/progress_bar.h"

namespace tandem::cli::simulate_bench {

/// What is simulated, and how long.
struct Setup {
  const SimSceneInfo* scene = nullptr;
  SimSceneOptions options;
  /// Frames by the default engine before those that are measured.
  int before = 0;
  int frames = 0;
};

/// What one of them took and did, from the same start as all others.
struct Row {
  std::string contender;
  /// Wall time per frame, and of that what Tandem's simulator says of itself; nothing for others.
  double frame_s = 0;
  struct Parts {
    double broad_phase_s = 0;
    double collision_s = 0;
    double contact_s = 0;
    double solver_s = 0;
    double touching = 0;
    double points = 0;
  };
  std::optional<Parts> parts;
  /// Of a CUDA device: its own time per frame to find touching triangles, without copies.
  std::optional<double> device_s;
  /// Named as touching without sharing a point.
  std::uint64_t false_pairs = 0;
  /// By one function for all: the deepest point of all manifolds of all frames that are looked at.
  double deepest = 0;
  /// Of kinetic and potential energy, from the first frame to the last, and the largest rise
  /// between any two frames; none in scenes that lift bodies.
  std::optional<double> energy_change;
  std::optional<double> energy_rise;
  /// How far the centre of a body has gone at most.
  double farthest = 0;
};

struct Measurement {
  std::string scene;
  std::size_t objects = 0;
  /// Of one object.
  std::size_t triangles = 0;
  int frames = 0;
  /// At the start, in joules.
  double energy = 0;
  std::vector<Row> rows;
};

/// Contenders are back ends of Tandem and names of other simulators. All begin with the same bodies
/// in the same places. Throws `tandem::Error` where Tandem's own back ends do not
/// end in the same state.
Measurement measure(const Setup& setup, const std::vector<std::string>& contenders,
                    const Progress& progress);

}  // namespace tandem::cli::simulate_bench
