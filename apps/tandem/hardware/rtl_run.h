// The chip in SystemVerilog beside its model, in programs that were built with Verilator.
#pragma once

#include <tandem/pose.h>

#include "chip/chip.h"

namespace tandem::cli::hardware {

struct RtlRun {
  chip::Cycle cycles = 0;
  /// Of these, what its controller takes for decisions.
  chip::Cycle control_cycles = 0;
};

/// Runs the query on the chip in SystemVerilog. Throws `tandem::Error` where it does not find the
/// same triangles in the same order and in as many cycles as the model does when its controller
/// takes time, for a configuration that it cannot have, and in programs that do not have it.
RtlRun run_rtl(const chip::Config& config, const chip::ObjectImage& a, const chip::ObjectImage& b,
               const Pose& b_in_a);

}  // namespace tandem::cli::hardware
