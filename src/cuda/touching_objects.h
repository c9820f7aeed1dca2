// From what was asked of close objects to those that touch, or that come as close as a distance.
#pragma once

#include <tandem/batch.h>
#include <tandem/distance.h>
#include <tandem/scene.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace tandem::cuda {

/// Query i of the batch was about the i-th two objects.
inline SceneResult touching_objects(std::span<const ObjectPair> asked, BatchResult batch) {
  SceneResult result{{}, {0}, std::move(batch.pairs)};
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (batch.count(i) == 0) continue;
    result.objects.push_back(asked[i]);
    result.offsets.push_back(batch.offsets[i + 1]);
  }
  return result;
}

/// The limit for distances of objects that come as close as a distance: that counts too.
inline double limit_for(double distance) {
  return std::nextafter(distance, std::numeric_limits<double>::infinity());
}

/// Result i is for the i-th two objects, of which the first one stands at `pose_of(asked[i].a)`.
template <class PoseOf>
std::vector<ObjectClearance> close_objects(std::span<const ObjectPair> asked,
                                           std::span<const DistanceResult> results,
                                           const PoseOf& pose_of) {
  std::vector<ObjectClearance> found;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (!results[i].pair) continue;
    const Pose& a_in_world = pose_of(asked[i].a);
    found.push_back({asked[i], results[i].distance, *results[i].pair,
                     transform_point(a_in_world, results[i].on_a),
                     transform_point(a_in_world, results[i].on_b)});
  }
  return found;
}

}  // namespace tandem::cuda
