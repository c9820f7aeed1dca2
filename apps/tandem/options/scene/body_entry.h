// What a scene file says of bodies for a simulation.
#pragma once

#include <tandem/vec.h>

#include <optional>
#include <string_view>
#include <vector>

#include "text/json_text.h"

namespace tandem::cli {

/// What a simulation reads of a scene file beside what other commands do, for the help.
inline constexpr const char* k_body_entry_help =
    R"(A FILE is a scene as for tandem scene, whose objects are bodies. Each may have
  "static": true          it never moves; all others fall
  "mass": KG              or "density": KG/M3 of a closed mesh (default 1000; an open mesh is
                          hollow, of 8 kg/m2)
  "velocity": [X, Y, Z]   m/s, and "angular_velocity" in rad/s
  "friction": F           0.5 unless given; of two bodies the geometric mean counts
  "restitution": R        0 to 1, 0 unless given; of two bodies the larger one counts
and the scene "gravity": [X, Y, Z] (default 0, 0, -9.81), "time_step": SECONDS (default 0.01).
Parents say where bodies begin; bodies are not tied to them.)";

/// The members of an object that say how it moves.
struct BodyEntry {
  bool is_static = false;
  std::optional<double> density;
  std::optional<double> mass;
  Vec3d velocity{0, 0, 0};
  Vec3d angular_velocity{0, 0, 0};
  double friction = 0.5;
  double restitution = 0;
};

/// And those of the scene.
struct WorldEntry {
  Vec3d gravity{0, 0, -9.81};
  double time_step = 0.01;
};

/// Adds the names of these members.
void add_body_members(std::vector<std::string_view>* known);
void add_world_members(std::vector<std::string_view>* known);

/// Throw `tandem::Error` that names the line of what makes no sense.
BodyEntry read_body_entry(const JsonValue& object);
WorldEntry read_world_entry(const JsonValue& scene);

}  // namespace tandem::cli
