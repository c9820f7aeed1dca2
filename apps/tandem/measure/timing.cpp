#include "measure/timing.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <numeric>

namespace tandem::cli {

namespace {

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_of(const RepeatedTask& task, std::uint64_t repetitions) {
  const double start = processor_seconds();
  task(repetitions);
  return processor_seconds() - start;
}

// The nearest of 1, 2, 5, 10, 20, 50, ... by ratio: a number that reads well in a table.
std::uint64_t round_number(double value) {
  std::uint64_t power = 1;
  while (value >= 10 * static_cast<double>(power)) power *= 10;
  const double digits = value / static_cast<double>(power);
  return power * (digits < std::sqrt(2)    ? 1
                  : digits < std::sqrt(10) ? 2
                  : digits < std::sqrt(50) ? 5
                                           : 10);
}

// How often the task fits into a round.
std::uint64_t choose_repetitions(const RepeatedTask& task, double round_s) {
  constexpr std::uint64_t k_most = 100'000'000;
  for (std::uint64_t repetitions = 1;; repetitions *= 4) {
    const double seconds = seconds_of(task, repetitions);
    if (seconds >= round_s / 8 || repetitions >= k_most) {
      return round_number(std::max(1.0, round_s / seconds * static_cast<double>(repetitions)));
    }
  }
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

double Timing::min_s() const {
  return *std::min_element(rounds_s.begin(), rounds_s.end());
}

double Timing::max_s() const {
  return *std::max_element(rounds_s.begin(), rounds_s.end());
}

double Timing::mean_s() const {
  return std::accumulate(rounds_s.begin(), rounds_s.end(), 0.0) /
         static_cast<double>(rounds_s.size());
}

double Timing::median_s() const {
  return median(rounds_s);
}

double Timing::stddev_s() const {
  if (rounds_s.size() < 2) return 0;
  const double mean = mean_s();
  double sum_sq = 0;
  for (const double seconds : rounds_s) sum_sq += (seconds - mean) * (seconds - mean);
  return std::sqrt(sum_sq / static_cast<double>(rounds_s.size() - 1));
}

std::vector<Timing> time_in_turn(std::span<const RepeatedTask> tasks, const TimingOptions& options,
                                 const Progress& progress) {
  std::vector<Timing> timings(tasks.size());
  std::vector<double> spent_s(tasks.size(), 0);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    timings[i].repetitions = choose_repetitions(tasks[i], options.round_s);
  }
  const auto is_done = [&](std::size_t i, int round) {
    return round > 0 && spent_s[i] >= options.max_task_s;
  };
  for (int round = 0; round < options.max_rounds; ++round) {
    for (std::size_t turn = 0; turn < tasks.size(); ++turn) {
      const std::size_t i = (turn + static_cast<std::size_t>(round)) % tasks.size();
      if (is_done(i, round)) continue;
      const double seconds = seconds_of(tasks[i], timings[i].repetitions);
      spent_s[i] += seconds;
      timings[i].rounds_s.push_back(seconds / static_cast<double>(timings[i].repetitions));
    }
    if (progress) progress((round + 1.0) / options.max_rounds);
  }
  return timings;
}

double median_ratio(const Timing& one, const Timing& other) {
  std::vector<double> ratios(std::min(one.rounds_s.size(), other.rounds_s.size()));
  std::transform(one.rounds_s.begin(),
                 one.rounds_s.begin() + static_cast<std::ptrdiff_t>(ratios.size()),
                 other.rounds_s.begin(), ratios.begin(), std::divides<>());
  return median(std::move(ratios));
}

}  // namespace tandem::cli
