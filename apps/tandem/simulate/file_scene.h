// Scenes that users describe in files.
#pragma once

#include "options/scene/scene_file.h"
#include "simulate/sim_scenes.h"

namespace tandem::cli {

/// The bodies of a scene file. Takes gravity and time step from the file, all other settings from
/// `settings`. With `solid` a body whose mesh is not closed is refused, otherwise it is hollow.
/// Throws `tandem::Error` that names the line of what cannot be simulated.
SimScene make_file_scene(const SceneFile& file, sim::Settings settings, bool solid,
                         Reporting reporting);

}  // namespace tandem::cli
