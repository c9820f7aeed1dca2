// The picture of a collision: both meshes, the touching triangles in colour, the curves in which
// they meet.
#pragma once

#include <tandem/query.h>

#include <filesystem>
#include <span>

#include "options/picture_size.h"
#include "text/progress_bar.h"

namespace tandem::cli {

struct CollisionPicture {
  PictureSize size{960, 600};
  int samples = 16;
};

/// Renders both models where they stand in the world, from where most of the contact can be seen.
/// `pairs` are the touching ones. Throws `tandem::Error` when the file cannot be written.
void write_collision_picture(const std::filesystem::path& path, const Model& a, const Model& b,
                             const Pose& a_in_world, const Pose& b_in_world,
                             std::span<const TrianglePair> pairs, const CollisionPicture& picture,
                             Reporting reporting);

}  // namespace tandem::cli
