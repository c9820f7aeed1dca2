// A body as the simulator knows it: what does not change about it, and how its state follows from
// where its mesh stands.
#pragma once

#include <tandem/model.h>
#include <tandem/pose.h>
#include <tandem/sim/simulation.h>

#include "sim/solver/solver.h"
#include "sim/turn.h"

namespace tandem::sim {

/// What does not change about a body.
struct Body {
  bool moves = true;
  MassProperties properties;
  double inverse_mass = 0;
  /// About the centre of mass, in the frame of the mesh.
  Matrix inertia{};
  Matrix inverse_inertia{};
  double friction = 0;
  double restitution = 0;
  /// Of the smallest ball around the centre that holds the mesh.
  double radius = 0;
};

/// Of a mesh that moves with that mass, and of one that does not. Throws `tandem::Error` for a mass
/// or options that make no sense.
Body moving_body(const Model& model, const MassProperties& mass, const BodyOptions& options);
Body static_body(const Model& model, const BodyOptions& options);

/// Where the frame of the mesh stands, and the state of a body at rest whose mesh stands there.
Pose pose_of(const Body& body, const BodyState& at);
BodyState state_at(const Body& body, const Pose& pose);

Vec3d angular_momentum_of(const Body& body, const BodyState& state);

/// The state after a time with these velocities and pushes. The angular momentum stays what it is,
/// to the rounding, so that a body that spins freely can gain no energy beyond what its momentum
/// allows.
BodyState moved(const Body& body, const BodyState& state, const SolverBody& solved, double time);

}  // namespace tandem::sim
