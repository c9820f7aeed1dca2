// The solver's data: pairs of bodies in blocks of eight, which SIMD lanes solve side by side, and
// what is done to a block.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tandem::sim {

/// How many pairs a block has; instruction sets with fewer lanes go through it in parts. Pairs of a
/// block share no body that moves, so no byte depends on the number of lanes.
inline constexpr std::size_t k_lanes = 8;

/// A number of each pair of a block.
using LaneNumbers = double[k_lanes];
/// A vector of each: x, y, z.
using LaneVectors = LaneNumbers[3];

/// How a body moves or is pushed: the velocity, that around the centre, and nothing.
struct alignas(64) BodyMotion {
  double parts[8] = {};
};

/// What does not depend on the points. Lanes without a pair have no mass, and bodies of which
/// nothing is written.
struct alignas(64) PairBlock {
  LaneNumbers inverse_mass[2] = {};
  /// In the world: xx, xy, xz, yy, yz, zz.
  LaneNumbers inverse_inertia[2][6] = {};
  LaneNumbers friction = {};
  LaneNumbers restitution = {};
  /// Of A and of B, among the motions.
  std::uint32_t bodies[2][k_lanes] = {};
  /// A bit for each lane whose body moves.
  std::uint32_t moves[2] = {};
  /// Where its points are: as many as the pair with the most of them has.
  std::uint32_t first_point = 0;
  std::uint32_t point_count = 0;
  /// Whether bodies are so deep in each other at any point that they are pushed apart.
  bool is_too_deep = false;
};

/// The i-th point of each pair of a block. Where a pair has fewer, there is no normal, and so no
/// impulse either.
struct alignas(64) PointBlock {
  LaneVectors normal = {};
  /// The first direction of friction; the second is across it and the normal.
  LaneVectors tangent = {};
  /// From the centres of mass.
  LaneVectors arms[2] = {};
  LaneNumbers separation = {};
  /// Along the normal and the tangents: the impulse that changes the speed by 1.
  LaneNumbers masses[3] = {};
  /// The speed along the normal to reach at least, and that of the pushes.
  LaneNumbers least_speed = {};
  LaneNumbers least_push = {};

  LaneNumbers impulse = {};
  LaneNumbers friction[2] = {};
  LaneNumbers push_impulse = {};
};

/// What the settings say about speeds.
struct SolverSpeeds {
  double time_step = 0;
  double slop = 0;
  double push_out = 0;
  double push_out_speed = 0;
  double bounce_speed = 0;
};

/// What is done to a block and its points, with the best instruction set.
struct SolverKernels {
  /// Derives masses and speeds. The speeds to reach depend on velocities before any impulse.
  void (*prepare)(const SolverSpeeds& speeds, PairBlock& pairs, PointBlock* points,
                  const BodyMotion* velocities);
  void (*apply_last_impulses)(const PairBlock& pairs, const PointBlock* points,
                              BodyMotion* velocities);
  /// A round of Gauss-Seidel.
  void (*solve_velocities)(const PairBlock& pairs, PointBlock* points, BodyMotion* velocities);
  void (*solve_pushes)(const PairBlock& pairs, PointBlock* points, BodyMotion* pushes);
};

const SolverKernels& solver_kernels();

}  // namespace tandem::sim
