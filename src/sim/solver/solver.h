// The solver: which impulses keep bodies apart, by projected Gauss-Seidel.
//
// The contacts make a complementarity problem in velocities (Erleben, Sporring, Henriksen and
// Dohlmann 2005): at each point bodies do not approach, press and never pull, and friction is
// within a cone. Gauss-Seidel goes through the points again and again, solves each for itself and
// projects its impulses onto what is allowed.
#pragma once

#include <tandem/sim/simulation.h>
#include <tandem/vec.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/turn.h"

namespace tandem::sim {

/// A body as the solver sees it. One that does not move has no inverse mass and no inverse inertia.
struct SolverBody {
  double inverse_mass = 0;
  /// In the world.
  Matrix inverse_inertia{};
  Vec3d velocity{0, 0, 0};
  Vec3d angular_velocity{0, 0, 0};
  /// What pushes bodies out of each other: moves them for one step, and is then forgotten.
  Vec3d push{0, 0, 0};
  Vec3d angular_push{0, 0, 0};

  bool moves() const { return inverse_mass > 0; }
};

/// A point at which two bodies meet.
struct SolverPoint {
  /// From the centres of mass, in the world.
  Vec3d arm_a;
  Vec3d arm_b;
  /// Of length 1, from A to B, and two across it.
  Vec3d normal;
  Vec3d tangents[2];
  /// How far apart the bodies are, along the normal; negative where they overlap.
  double separation = 0;

  /// Impulses along the normal and the tangents, from A to B; those of the last step at first.
  double impulse = 0;
  double friction[2] = {0, 0};
};

/// Two bodies and their points, from `first` to `last - 1`.
struct SolverPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::size_t first = 0;
  std::size_t last = 0;

  std::size_t point_count() const { return last - first; }

  double friction = 0;
  double restitution = 0;
};

/// Changes the bodies' velocities, sets their pushes, and leaves its impulses in the points. The
/// velocities include what gravity adds in this step. Pairs that share no moving body are solved
/// side by side, in groups that depend on the pairs alone, so that no byte depends on the threads.
void solve(const Settings& settings, std::span<SolverBody> bodies,
           std::span<const SolverPair> pairs, std::span<SolverPoint> points);

/// Two directions of length 1 across a direction of length 1 and each other.
void make_tangents(const Vec3d& normal, Vec3d (&tangents)[2]);

}  // namespace tandem::sim
