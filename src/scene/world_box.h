// The box of a model in the world.
#pragma once

#include <tandem/model.h>
#include <tandem/pose.h>

#include "tree/wide/world_box.h"

namespace tandem::detail {

/// That of its wide tree.
WorldBox world_box(const Model& model, const Pose& in_world);

}  // namespace tandem::detail
