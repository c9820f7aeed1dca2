// The rays benchmark: tracers side by side on the primary and the diffuse rays of scenes.
#pragma once

#include <optional>
#include <string>

#include "commands/commands.h"

namespace tandem::cli {

/// Adds `rays` to `tandem bench`.
Command add_bench_rays(CLI::App& bench);

}  // namespace tandem::cli
