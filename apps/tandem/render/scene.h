// What the path tracer renders: one model, a material for each triangle, lights, a sky, a camera.
#pragma once

#include <tandem/tandem.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "text/progress_bar.h"

namespace tandem::cli {

/// A diffuse surface; it shines on both sides when its emission is not zero. Its glow is seen by the
/// camera and lights nothing.
struct Material {
  Vec3d albedo{0.7, 0.7, 0.7};
  Vec3d emission{0, 0, 0};
  Vec3d glow{0, 0, 0};
};

/// Light from everywhere that no surface hides: from the horizon's to the zenith's along `up`, and
/// the horizon's from below.
struct Sky {
  Vec3d zenith{0, 0, 0};
  Vec3d horizon{0, 0, 0};
  Vec3d up{0, 1, 0};

  Vec3d along(const Vec3d& direction) const {
    const double height = std::max(0.0, dot(up, direction));
    return (1 - height) * horizon + height * zenith;
  }
};

struct Camera {
  Vec3d eye{0, 0, 5};
  Vec3d target{0, 0, 0};
  Vec3d up{0, 1, 0};
  /// Of the picture's height.
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
  /// What radiance is multiplied by in pictures; 0 for what suits the picture.
  double exposure = 0;

  const Material& material(std::uint32_t triangle) const {
    return materials[material_of[triangle]];
  }
};

/// Puts a scene together piece by piece.
class SceneBuilder {
 public:
  std::uint32_t add_material(const Material& material);

  /// A mesh scaled around the origin, then moved by the pose. Each triangle gets `material`, or what
  /// `material_of` says of it.
  void add(const Mesh& mesh, double scale, const Pose& pose, std::uint32_t material);
  void add(const Mesh& mesh, double scale, const Pose& pose,
           const std::function<std::uint32_t(std::uint32_t triangle)>& material_of);

  /// A box between two corners.
  void add_box(const Vec3d& lower, const Vec3d& upper, std::uint32_t material);
  /// A parallelogram over two sides at a corner.
  void add_quad(const Vec3d& corner, const Vec3d& side1, const Vec3d& side2,
                std::uint32_t material);
  /// A round bar from one point to another; `sides` flat sides.
  void add_bar(const Vec3d& from, const Vec3d& to, double radius, int sides,
               std::uint32_t material);

  /// The box of everything so far.
  Bounds bounds() const;

  /// Builds the model.
  Scene build(std::string name, const Sky& sky, const Camera& camera, Reporting reporting) &&;

 private:
  void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t material);

  std::vector<Vec3f> vertices_;
  std::vector<TriangleIndices> triangles_;
  std::vector<std::uint32_t> material_of_;
  std::vector<Material> materials_;
};

/// A spherical lamp as the command line gives it.
struct Lamp {
  Vec3d centre;
  double radius = 0;
  /// Radiance.
  double brightness = 1;
};

/// What the user chose instead of a scene's own camera and lights.
struct SceneChoices {
  std::optional<Camera> camera = std::nullopt;
  std::vector<Lamp> lamps = {};
  /// Whether a mesh that is no known scene stands on a ground under a lamp.
  bool stage = true;
};

/// The name of the built-in scene.
inline constexpr const char* k_interior = "interior";

/// `interior`, or a mesh (a file or shape:NAME…). Scenes that are known by their file's name get
/// their views and lights; any other mesh is seen whole, on a stage unless that is not wanted. Throws `tandem::Error`.
Scene load_scene(const std::string& source, const SceneChoices& choices, Reporting reporting);

/// A hall with columns, windows and things on pedestals: about 120,000 triangles.
Scene make_interior(const SceneChoices& choices, Reporting reporting);

/// A ground, a large lamp and a sky for whatever has been built so far, which the camera sees whole
/// from `direction`.
void add_stage(SceneBuilder& builder, Sky* sky);
/// Where to stand so that a ball fills the picture.
Camera frame(const Vec3d& centre, double radius, const Vec3d& direction);

/// Adds the user's lamps.
void add_lamps(SceneBuilder& builder, const std::vector<Lamp>& lamps);

}  // namespace tandem::cli
