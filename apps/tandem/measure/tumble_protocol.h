// The tumble protocol (restricted boxtree paper, section 5): two copies of an object, the second of
// which turns at some distance from the first.
#pragma once

#include <tandem/mesh.h>
#include <tandem/pose.h>

#include <string>
#include <string_view>
#include <vector>

#include "text/progress_bar.h"

namespace tandem::cli {

/// The object, moved and scaled so that its box is around the origin with the longest side 2.
struct TumblingObject {
  /// As the user named it.
  std::string source;
  /// For tables and file names: the file's name without folder and ending.
  std::string name;
  Mesh mesh;
};

/// Reads or makes the objects of a comma-separated list. No two get the same name. Throws
/// `tandem::Error`, also for an object without extent.
std::vector<TumblingObject> load_tumbling_objects(std::string_view sources, Reporting reporting);

/// Where B stands in A's frame, step by step: turned by Rz(θ)·Rx(θ), θ = 2π(i + 0.5)/steps, and moved
/// by (distance, 0, 0).
std::vector<Pose> tumble_poses(int steps, double distance);

/// The steps that `text` says, from 1 to 100,000. Throws `tandem::Error` that begins with `option`.
int tumble_steps(std::string_view text, std::string_view option);

}  // namespace tandem::cli
