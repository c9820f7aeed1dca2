// What a run of a simulation did, in words and numbers.
#pragma once

#include <tandem/sim/simulation.h>

#include <cstdint>
#include <string>

#include "text/json.h"

namespace tandem::cli {

/// Sums over the frames of a run.
struct RunTotals {
  std::uint64_t frames = 0;
  double close_bodies = 0;
  double touching = 0;
  double near = 0;
  double points = 0;
  double broad_phase_s = 0;
  double collision_s = 0;
  double contact_s = 0;
  double solver_s = 0;
  double deepest = 0;
  std::uint64_t false_pairs = 0;
  /// After the last frame.
  std::size_t asleep = 0;

  void add(const sim::StepReport& report);
  double per_frame(double sum) const { return frames > 0 ? sum / static_cast<double>(frames) : 0; }
};

/// A frame without the times that differ from run to run, and these.
Json frame_row(const sim::Simulation& world, const sim::StepReport& report);

/// A table of means per frame, and how the run went. `run_s` has the pictures too.
std::string run_text(const sim::Simulation& world, const RunTotals& totals,
                     const std::string& back_end, double run_s);

}  // namespace tandem::cli
