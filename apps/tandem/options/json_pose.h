// Poses in JSON.
#pragma once

#include <tandem/pose.h>

#include "text/json.h"

namespace tandem::cli {

/// The pose that a value describes: a text as in a file of poses, or an object
///
///   {"translation": [X, Y, Z], "quaternion": [W, X, Y, Z]}     either may be left out
///   {"translation": [X, Y, Z], "axis": [X, Y, Z], "angle": DEGREES}
///   {"matrix": [16 numbers]}                                   row by row
///
/// Throws `tandem::Error`.
Pose parse_json_pose(const Json& value);

}  // namespace tandem::cli
