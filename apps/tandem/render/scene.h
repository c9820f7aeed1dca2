// This room makes pictures: scenes, a path tracer, and PNG files. It uses the public API, text/,
// options/ and devices/; for threads the library's src/parallel/, and for kernels src/gpu/ and
// src/cuda/.
//
// In this file: what the path tracer renders. A scene is one model, a material for each triangle, a
// sky and a camera.
#pragma once

#include <tandem/tandem.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/progress_bar.h"

namespace tandem::cli {

/// A diffuse surface. It emits light on both sides when its emission is not zero. The camera sees
/// its glow, which does not light other surfaces.
struct Material {
  Vec3d albedo{0.7, 0.7, 0.7};
  Vec3d emission{0, 0, 0};
  Vec3d glow{0, 0, 0};
};

/// Light from all directions, for rays that leave the scene. Its colour changes from the horizon to
/// the zenith, which is in the direction `up`; below the horizon it is that of the horizon.
struct Sky {
  Vec3d zenith{0, 0, 0};
  Vec3d horizon{0, 0, 0};
  Vec3d up{0, 1, 0};

  TANDEM_HD Vec3d along(const Vec3d& direction) const {
    const double height = std::max(0.0, dot(up, direction));
    return (1 - height) * horizon + height * zenith;
  }
};

struct Camera {
  Vec3d eye{0, 0, 5};
  Vec3d target{0, 0, 0};
  Vec3d up{0, 1, 0};
  /// The angle between the upper and the lower side of the picture.
  double field_of_view_degrees = 45;
};

struct Scene {
  std::string name;
  Model model;
  std::vector<Material> materials;
  /// For each triangle of the model.
  std::vector<std::uint32_t> material_of;
  Sky sky;
  Camera camera;
  /// The factor from radiance to the picture's brightness; 0 for one that suits the picture.
  double exposure = 0;

  const Material& material(std::uint32_t triangle) const {
    return materials[material_of[triangle]];
  }
};

/// A spherical lamp as the command line gives it.
struct Lamp {
  Vec3d centre;
  double radius = 0;
  /// Radiance.
  double brightness = 1;
};

/// What the user chose instead of the scene's own camera and lights.
struct SceneChoices {
  std::optional<Camera> camera = std::nullopt;
  std::vector<Lamp> lamps = {};
  /// Whether a mesh that is not a known scene gets a ground, a lamp and a sky.
  bool stage = true;
};

/// The name of the built-in scene.
inline constexpr const char* k_interior = "interior";

/// `interior`, or a mesh (a file or shape:NAME…). Scenes that are known by the name of their file
/// get their usual view and lights. Any other mesh is seen as a whole, on a stage if `choices`
/// wants one. Throws `tandem::Error`.
Scene load_scene(const std::string& source, const SceneChoices& choices, Reporting reporting);

}  // namespace tandem::cli
