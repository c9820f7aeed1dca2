// This room has what commands and a reproduction share about the collision chip: its configuration
// as a file, runs of it in close proximity beside the library, tables of them, and traces. It uses
// the public API, text/, options/, measure/, and the library's room chip.
//
// In this file: configurations as JSON.
#pragma once

#include <optional>
#include <string>

#include "chip/config.h"
#include "text/json.h"

namespace tandem::cli::hardware {

/// Reads a configuration: an object whose members replace the defaults. Without a file it is the
/// default. Throws `tandem::Error` that names the line of what is wrong.
chip::Config read_config(const std::optional<std::string>& file);

/// The configuration in the form in which it is read.
Json to_json(const chip::Config& config);

/// What a file may have, for the help.
std::string config_help();

}  // namespace tandem::cli::hardware
