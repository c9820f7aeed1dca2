// How scenes are made.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "render/scene.h"

namespace tandem::cli {

/// Puts a scene together piece by piece.
class SceneBuilder {
 public:
  std::uint32_t add_material(const Material& material);

  /// A mesh, scaled around the origin and then moved by the pose. Each triangle gets `material`, or
  /// the one that `material_of` returns for it.
  void add(const Mesh& mesh, double scale, const Pose& pose, std::uint32_t material);
  void add(const Mesh& mesh, double scale, const Pose& pose,
           const std::function<std::uint32_t(std::uint32_t triangle)>& material_of);

  /// A box between two corners.
  void add_box(const Vec3d& lower, const Vec3d& upper, std::uint32_t material);
  /// A parallelogram with two sides that begin at a corner.
  void add_quad(const Vec3d& corner, const Vec3d& side1, const Vec3d& side2,
                std::uint32_t material);
  /// A bar from one point to another, with `sides` flat sides and open ends.
  void add_bar(const Vec3d& from, const Vec3d& to, double radius, int sides,
               std::uint32_t material);

  /// The box of everything so far.
  Bounds bounds() const;

  /// Builds the model, by "best" for long renderings or by "fast" for short ones.
  Scene build(std::string name, const Sky& sky, const Camera& camera, Reporting reporting,
              Builder builder = "best") &&;

 private:
  void add_vertex(const Vec3d& point);
  void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t material);

  std::vector<Vec3f> vertices_;
  std::vector<TriangleIndices> triangles_;
  std::vector<std::uint32_t> material_of_;
  std::vector<Material> materials_;
};

/// Adds a ground and a large lamp below and above a box, and sets the sky.
void add_stage(SceneBuilder& builder, const Bounds& box, Sky* sky);

/// Adds spherical lamps.
void add_lamps(SceneBuilder& builder, const std::vector<Lamp>& lamps);

/// A camera in that direction from a ball, at the distance at which the ball fills the picture.
Camera frame_ball(const Vec3d& centre, double radius, const Vec3d& direction);

/// Moves a camera back along its view until it sees all these points, not too close to the border,
/// in a picture that is `aspect` times as wide as high.
void move_back(Camera* camera, std::span<const Vec3d> points, double aspect);

/// A hall with columns, windows and things on pedestals: about 120,000 triangles.
Scene make_interior(const SceneChoices& choices, Reporting reporting);

}  // namespace tandem::cli
