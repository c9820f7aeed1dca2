// Rigid bodies of any meshes: gravity, contacts, friction.
//
//   tandem::sim::Simulation world;
//   const tandem::Model box(tandem::make_box(1));
//   world.add_static(floor);
//   world.add(box, tandem::sim::solid_mass(box.mesh(), 1000), {.in_world = above_the_floor});
//   for (int i = 0; i < 300; ++i) world.step();
//
// A step finds the contacts of all bodies (those that touch, and those closer than a margin),
// solves for the impulses that keep them apart, and moves the bodies. No byte of a run depends on
// the number of threads, on the processor or on the back end that finds the contacts.
#pragma once

#include <tandem/batch.h>
#include <tandem/contact.h>
#include <tandem/export.h>
#include <tandem/model.h>
#include <tandem/pose.h>
#include <tandem/sim/mass.h>
#include <tandem/vec.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tandem::sim {

/// Names a body. Ids count up from 0.
using BodyId = std::uint32_t;

/// Finds all touching triangles of many pairs of models: `collide_batch`, or something that gives
/// the same pairs.
using FindTouching =
    std::function<BatchResult(std::span<const Model> models, std::span<const BatchQuery> queries)>;

/// Lengths in metres, times in seconds, masses in kilograms.
struct Settings {
  Vec3d gravity{0, 0, -9.81};
  double time_step = 0.01;
  /// Bodies that are closer than this have contacts before they touch; those that may come closer
  /// in a step than this have them from as far away.
  double margin = 0.01;
  /// How deep bodies may rest in each other. What is deeper is pushed out, without adding to the
  /// velocities.
  double slop = 0.002;
  /// Which share of what is too deep is pushed out in a step, and how fast at most.
  double push_out = 0.1;
  double push_out_speed = 0.2;
  /// Bodies that meet more slowly than this do not bounce.
  double bounce_speed = 0.5;
  /// Bodies that press on each other fall asleep together, when all of them have been slower than
  /// this for `sleep_time`: they stay where they are, and cost next to nothing, until another body
  /// comes within the margin of one. 0: none sleeps.
  double sleep_speed = 0;
  double sleep_time = 0.5;
  /// Rounds of the projected Gauss-Seidel solver for velocities, and for pushing out.
  int iterations = 30;
  int push_out_iterations = 10;
  /// How many threads share a step; 0 stands for as many as the machine has.
  int threads = 1;
  /// Who finds the touching triangles; the default engine unless something is set. Contacts of
  /// triangles that do not touch yet always come from the default engine.
  FindTouching find_touching = {};
};

struct BodyOptions {
  /// Where the frame of the mesh stands.
  Pose in_world = {};
  /// Of the centre of mass, and around it, in the world.
  Vec3d velocity{0, 0, 0};
  Vec3d angular_velocity{0, 0, 0};
  /// Of two bodies the geometric mean counts.
  double friction = 0.5;
  /// Of two bodies the larger one counts. 0 does not bounce, 1 keeps all speed.
  double restitution = 0;
};

/// How a body moves: all that a run depends on.
struct BodyState {
  /// The centre of mass in the world.
  Vec3d centre{0, 0, 0};
  /// A quaternion w x y z of length 1, from the frame of the mesh to the world.
  std::array<double, 4> orientation{1, 0, 0, 0};
  Vec3d velocity{0, 0, 0};
  Vec3d angular_velocity{0, 0, 0};
  /// For how many steps it has been slower than `Settings::sleep_speed`, and whether it sleeps.
  std::uint32_t slow_steps = 0;
  bool asleep = false;

  friend bool operator==(const BodyState&, const BodyState&) = default;
};

/// A point at which two bodies press on each other.
struct PressedPoint {
  BodyId a = 0;
  BodyId b = 0;
  /// In the frame of A's mesh, as in a manifold. The normal points from A to B.
  ManifoldPoint point;
  /// The impulses of the last step along the normal, and of friction, in the world.
  double impulse = 0;
  Vec3d friction{0, 0, 0};

  friend bool operator==(const PressedPoint&, const PressedPoint&) = default;
};

/// A moment of a run, from which it continues to the bit.
struct State {
  std::uint64_t step = 0;
  std::vector<BodyState> bodies;
  std::vector<PressedPoint> pressed;

  friend bool operator==(const State&, const State&) = default;
};

/// What a step did. Bodies that sleep are not looked at: what is between them does not count.
struct StepReport {
  /// Pairs of bodies whose boxes come close.
  std::size_t close_bodies = 0;
  /// Pairs of triangles that touch, and those that are closer than the margin beside them.
  std::size_t touching_triangles = 0;
  std::size_t near_triangles = 0;
  /// Points that the solver had.
  std::size_t points = 0;
  /// How deep bodies are in each other at most, at these points.
  double deepest = 0;
  /// Bodies that sleep after the step.
  std::size_t asleep = 0;
  /// Pairs that `find_touching` named although the triangles share no point, and which were left
  /// out.
  std::size_t false_pairs = 0;
  /// Wall time for finding close bodies, for finding pairs of triangles, for contacts and manifolds
  /// of them, and for the solver and what it moves.
  double broad_phase_s = 0;
  double collision_s = 0;
  double contact_s = 0;
  double solver_s = 0;
};

/// Bodies that fall, meet, slide and rest.
///
/// Functions that take a body throw `tandem::Error` for one that is not there. One thread may use a
/// simulation at a time.
class Simulation {
 public:
  /// Throws `tandem::Error` for settings that are NaN, negative or make no sense.
  TANDEM_API explicit Simulation(Settings settings = {});
  TANDEM_API ~Simulation();
  TANDEM_API Simulation(Simulation&& other) noexcept;
  TANDEM_API Simulation& operator=(Simulation&& other) noexcept;

  /// Throws `tandem::Error` for a mass or an inertia that is not positive and finite, velocities
  /// that are not finite, a friction or restitution that is negative or NaN, a restitution over 1.
  TANDEM_API BodyId add(const Model& model, const MassProperties& mass,
                        const BodyOptions& options = {});
  /// A body that never moves. Velocities are ignored.
  TANDEM_API BodyId add_static(const Model& model, const BodyOptions& options = {});

  /// Moves everything on by one time step. Throws `tandem::Error` when a body leaves the range of
  /// poses, and what `find_touching` throws; the state is then that before the step.
  TANDEM_API StepReport step();

  TANDEM_API const Settings& settings() const;
  /// How many steps there were, those before a state that was restored included.
  TANDEM_API std::uint64_t step_count() const;
  TANDEM_API std::size_t body_count() const;
  TANDEM_API bool is_static(BodyId body) const;
  TANDEM_API const Model& model(BodyId body) const;
  /// As it was added; a body that never moves has none.
  TANDEM_API const MassProperties& mass(BodyId body) const;
  TANDEM_API double friction(BodyId body) const;
  TANDEM_API double restitution(BodyId body) const;
  /// Where the frame of the mesh stands.
  TANDEM_API Pose pose(BodyId body) const;
  TANDEM_API const BodyState& body(BodyId body) const;
  /// Puts a body elsewhere, with these velocities; what pressed on it is forgotten, and what
  /// slept beside it wakes up; a static body wakes all. Throws `tandem::Error` for velocities that
  /// are not finite.
  TANDEM_API void place(BodyId body, const Pose& in_world, const Vec3d& velocity = {0, 0, 0},
                        const Vec3d& angular_velocity = {0, 0, 0});

  /// The contacts of the last step.
  TANDEM_API std::span<const PressedPoint> pressed() const;

  TANDEM_API State state() const;
  /// Continues from a state of a simulation with the same bodies and settings. Throws
  /// `tandem::Error` for one that does not fit.
  TANDEM_API void restore(const State& state);

  /// Of all bodies that move: in joules, kg m/s and kg m²/s about the origin. Heights count from
  /// the origin.
  TANDEM_API double kinetic_energy() const;
  TANDEM_API double potential_energy() const;
  TANDEM_API Vec3d momentum() const;
  TANDEM_API Vec3d angular_momentum() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tandem::sim
