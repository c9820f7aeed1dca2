// Poses in and out: a Pose, a 4 x 4 matrix or the upper three rows of one; None is the identity.
#pragma once

#include <tandem/pose.h>

#include <vector>

#include "arguments.h"
#include "arrays.h"

namespace tandem::python {

Pose to_pose(PoseLike value, const char* argument);

/// Many of them: an array of shape (n, 4, 4) or (n, 3, 4), or a sequence of poses.
std::vector<Pose> to_poses(PosesLike value, const char* argument);

/// Of shape (4, 4).
py::array_t<double> from_pose(const Pose& pose);

}  // namespace tandem::python
