// Times of several tasks, measured so that their ratios are fair.
#pragma once

#include <tandem/model.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace tandem::cli {

/// Does what is to be timed so many times in a row.
using RepeatedTask = std::function<void(std::uint64_t repetitions)>;

struct TimingOptions {
  /// A round repeats its task for about so long, at least once.
  double round_s = 0.01;
  /// A task is done after so many rounds, or once its rounds have taken so long together.
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
  /// Of a sample; 0 for a single round.
  double stddev_s() const;
};

/// Times the tasks in turn: the first round of each, the second round of each, and so on, beginning
/// with another task each time. What slows the machine down for a while then slows all of them.
/// Processor time of the calling thread is measured, so that other programs matter little. The
/// tasks should have run once before, as the first call may fill caches.
std::vector<Timing> time_in_turn(std::span<const RepeatedTask> tasks, const TimingOptions& options,
                                 const Progress& progress = nullptr);

/// The median over the rounds of both of one's time divided by the other's in the same round.
double median_ratio(const Timing& one, const Timing& other);

}  // namespace tandem::cli
