// Who finds the touching triangles of a simulation.
#pragma once

#include <tandem/sim/simulation.h>

#include <string>

namespace tandem::cli {

/// The back ends by name, for the help.
std::string back_end_names();

/// `engine` (nothing to set), a structure of the library or STRUCTURE/TRAVERSAL, `fcl`, `cuda` or
/// `cuda-blocked`. Throws `tandem::Error` for others, and where this build or this machine lacks
/// it.
sim::FindTouching find_back_end(const std::string& name, int threads);

}  // namespace tandem::cli
