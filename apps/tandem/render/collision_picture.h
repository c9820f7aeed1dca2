// The picture of a collision: both meshes, the touching triangles in colour, the curves in which
// they meet.
#pragma once

#include <tandem/query.h>

#include <filesystem>
#include <span>
#include <vector>

#include "options/picture_size.h"
#include "text/progress_bar.h"

namespace tandem::cli {

struct CollisionPicture {
  PictureSize size{960, 600};
  /// Paths through each pixel, and times that they are reflected.
  int samples = 16;
  int bounces = 3;
};

/// An object of a picture; its touching triangles have a colour of their own.
struct PictureBody {
  const Mesh* mesh;
  Pose in_world;
  /// For each triangle.
  std::vector<bool> touching;
  Vec3d colour;
  Vec3d touching_colour;
};

/// The colours of triangles that are close, that touch, and that cross.
inline constexpr Vec3d k_close_colour{0.95, 0.72, 0.05};
inline constexpr Vec3d k_touching_colour{0.95, 0.42, 0.02};
inline constexpr Vec3d k_crossing_colour{0.9, 0.07, 0.04};

/// Renders bodies, and what they share in the world's frame, from where most of that can be seen.
/// Throws `tandem::Error` when there is nothing to render or the file cannot be written.
void write_contact_picture(const std::filesystem::path& path, std::span<const PictureBody> bodies,
                           std::span<const TriangleIntersection> shared,
                           const CollisionPicture& picture, Reporting reporting);

/// What the pairs share, moved into the world.
std::vector<TriangleIntersection> shared_in_world(const Model& a, const Model& b,
                                                  const Pose& a_in_world, const Pose& b_in_world,
                                                  std::span<const TrianglePair> pairs);

/// The same of two models that stand in the world: `pairs` are coloured, and `shared` is drawn.
/// Throws `tandem::Error` when the file cannot be written.
void write_picture_of_two(const std::filesystem::path& path, const Model& a, const Model& b,
                          const Pose& a_in_world, const Pose& b_in_world,
                          std::span<const TrianglePair> pairs,
                          std::span<const TriangleIntersection> shared,
                          const CollisionPicture& picture, Reporting reporting);

/// The same of two models that touch in these pairs.
void write_collision_picture(const std::filesystem::path& path, const Model& a, const Model& b,
                             const Pose& a_in_world, const Pose& b_in_world,
                             std::span<const TrianglePair> pairs, const CollisionPicture& picture,
                             Reporting reporting);

}  // namespace tandem::cli
