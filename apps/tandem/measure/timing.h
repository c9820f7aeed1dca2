// This room has what benchmarks and reproductions of papers share: how times are measured, the
// tumble protocol, and how measurements are reported. It uses the public API, text/ and options/.
//
// In this file: times of several tasks, measured so that their ratios are fair.
#pragma once

#include <tandem/model.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tandem::cli {

/// Does what is timed, that many times in a row.
using RepeatedTask = std::function<void(std::uint64_t repetitions)>;

struct TimingOptions {
  /// A round repeats its task for about this long, and at least once.
  double round_s = 0.01;
  /// A task is done after this many rounds, or when its rounds have taken this long together.
  int max_rounds = 100;
  double max_task_s = 2;
};

/// The rounds of one task.
struct Timing {
  /// Repetitions in each round.
  std::uint64_t repetitions = 0;
  /// Processor time of one repetition, round by round.
  std::vector<double> rounds_s;

  double min_s() const;
  double max_s() const;
  double mean_s() const;
  double median_s() const;
  /// The standard deviation of a sample; 0 for a single round.
  double stddev_s() const;
};

/// Times the tasks alternately: the first round of each, the second round of each, and so on. Every
/// round begins with another task. So what slows the machine down for a while slows all of them.
/// Measures the processor time of the calling thread, so that other programs matter little. Each
/// task should have run once before, as the first call may fill caches.
std::vector<Timing> time_in_turn(std::span<const RepeatedTask> tasks, const TimingOptions& options,
                                 const Progress& progress = nullptr);

/// The median over the rounds that both have of one's time divided by the other's.
double median_ratio(const Timing& one, const Timing& other);

}  // namespace tandem::cli
