// Scenes of Python.
#pragma once

#include <tandem/scene.h>

#include <vector>

#include "batches.h"
#include "guarded.h"
#include "options.h"

namespace tandem::python {

using GuardedScene = Guarded<Scene>;

/// What touches in a scene, as arrays.
struct SceneLists {
  py::array objects;
  PairLists lists;
};
SceneLists scene_lists(SceneResult result);

/// Throws, naming the argument, unless it is a distance.
void check_clearance(double distance);
/// Of shape (n,), with the fields of `clearance_dtype`.
py::array from_clearances(std::vector<ObjectClearance> clearances);

/// The options of a scene's queries.
class SceneCall {
 public:
  SceneCall(int threads, CallableLike progress) : reporter_(progress) {
    options_.threads = threads;
    options_.progress = reporter_.progress();
  }
  SceneCall(const SceneCall&) = delete;
  SceneCall& operator=(const SceneCall&) = delete;

  const SceneOptions& options() const { return options_; }

 private:
  Reporter reporter_;
  SceneOptions options_;
};

}  // namespace tandem::python
