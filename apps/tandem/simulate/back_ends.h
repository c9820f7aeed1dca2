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

/// The same for a device, which also adds to `device_s` how long the device alone takes, by its own
/// events: queries are there and pairs stay there. Nothing for back ends that are no device.
sim::FindTouching find_timed_back_end(const std::string& name, double* device_s);

}  // namespace tandem::cli
