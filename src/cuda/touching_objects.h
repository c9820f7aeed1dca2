// From what was asked of close objects to those that touch.
#pragma once

#include <tandem/batch.h>
#include <tandem/scene.h>

#include <span>
#include <utility>

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

}  // namespace tandem::cuda
