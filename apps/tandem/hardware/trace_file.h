// Traces of a query on the chip: who was busy when.
#pragma once

#include <functional>
#include <string>

#include "chip/chip.h"

namespace tandem::cli::hardware {

/// Throws `tandem::Error` unless the file ends in .json or .svg.
void check_trace_name(const std::string& file);

/// Runs the query and writes what its units did: as events that Chrome (chrome://tracing) and
/// Perfetto show, one row for each unit and one for visits, times in µs; or as a picture of how
/// busy each unit was.
chip::Report run_with_trace(const chip::CollisionChip& chip, const Pose& b_in_a,
                            const std::string& file);

}  // namespace tandem::cli::hardware
