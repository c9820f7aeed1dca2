// States of simulations as JSON files, from which a run continues to the bit.
#pragma once

#include <tandem/sim/simulation.h>

#include <string>

#include "text/json.h"

namespace tandem::cli {

/// `about` says how the simulation was made; `read_state` expects the same again.
void write_state(const std::string& file, const Json& about, const sim::State& state);

/// Throws `tandem::Error` that names the file for one that is none, or that was made by a
/// simulation that `about` does not describe.
sim::State read_state(const std::string& file, const Json& about);

}  // namespace tandem::cli
