// Scenes of Python.
#pragma once

#include <tandem/scene.h>

#include "batches.h"
#include "guarded.h"

namespace tandem::python {

using GuardedScene = Guarded<Scene>;

/// What touches in a scene, as arrays.
struct SceneLists {
  py::array objects;
  PairLists lists;
};
SceneLists scene_lists(SceneResult result);

}  // namespace tandem::python
