// Simulators of rigid bodies in other libraries.
#pragma once

#include <tandem/pose.h>
#include <tandem/sim/simulation.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace tandem::cli {

/// Where the mesh of a body stands, and how the body moves.
struct BodyMotion {
  Pose in_world;
  Vec3d velocity{0, 0, 0};
  Vec3d angular_velocity{0, 0, 0};
};

/// The bodies of a simulation as another library moves them.
class SimulatorPeer {
 public:
  virtual ~SimulatorPeer() = default;
  SimulatorPeer() = default;
  SimulatorPeer(const SimulatorPeer&) = delete;
  SimulatorPeer& operator=(const SimulatorPeer&) = delete;

  virtual void step() = 0;
  virtual BodyMotion motion(sim::BodyId body) const = 0;
  virtual void place(sim::BodyId body, const BodyMotion& motion) = 0;
};

struct SimulatorInfo {
  std::string_view name;
  std::string_view description;
  /// With the bodies of `world`, where they are and as they move, which must outlive it.
  std::unique_ptr<SimulatorPeer> (*make)(const sim::Simulation& world);
};

/// Those of the libraries in this build.
std::span<const SimulatorInfo> simulators();

// Each is defined in a file of its own.
std::unique_ptr<SimulatorPeer> make_bullet_simulator(const sim::Simulation& world);

}  // namespace tandem::cli
