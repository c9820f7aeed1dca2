// The box of a model in the world, wherever it stands.
#pragma once

#include <tandem/model.h>
#include <tandem/pose.h>

#include "scene/box_tree.h"

namespace tandem::detail {

/// Encloses all points that queries see of the model, however they round: if two models touch by
/// `relative_pose` of their poses, their boxes overlap. It has room for what rays are off because
/// they are rounded to float32 in the model's frame (scene.cpp). Empty for an empty mesh.
WorldBox world_box(const Model& model, const Pose& in_world);

}  // namespace tandem::detail
