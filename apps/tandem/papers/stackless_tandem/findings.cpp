// The findings of the stackless-tandem paper, section 10, compared with measurements. The paper's
// own numbers are those of its tables.
#include <algorithm>

#include "measure/findings.h"
#include "options/named_choices.h"
#include "papers/stackless_tandem/stackless_tandem.h"
#include "text/numbers.h"

namespace tandem::cli::stackless_tandem {

namespace {

using Measurements = std::span<const Measurement>;

const Traversal k_alternating_stack = "alternating-stack";
const Traversal k_dynamic_stack = "dynamic-stack";
const Traversal k_leaf = "leaf";
const Traversal k_recursive = "recursive";
const Traversal k_scheduled = "scheduled";
const Traversal k_stackless = "stackless";
const Traversal k_stackless_post = "stackless-post";
const Traversal k_trail = "trail";

// Differences of 1.5 % count as equal: they are the noise of a quiet machine.
constexpr double k_tie = 1.015;

double time_ratio(const Measurement& measurement, Traversal one, Traversal other) {
  return median_ratio(measurement.row(one).timing, measurement.row(other).timing);
}

double iteration_ratio(const Measurement& measurement, Traversal one, Traversal other) {
  return static_cast<double>(measurement.row(one).statistics.iterations) /
         static_cast<double>(measurement.row(other).statistics.iterations);
}

bool is_separation(const Measurement& measurement) {
  return measurement.kind == SetupKind::separation;
}

std::string same_results(Measurements measurements) {
  Tally tally;
  for (const Measurement& measurement : measurements) {
    const auto same = [&](Traversal one, Traversal other) {
      const Statistics& x = measurement.row(one).statistics;
      const Statistics& y = measurement.row(other).statistics;
      return x.iterations == y.iterations && x.overlaps == y.overlaps;
    };
    tally.add(measurement.setup, same(k_stackless, k_alternating_stack) &&
                                     same(k_stackless_post, k_alternating_stack) &&
                                     same(k_trail, k_dynamic_stack) &&
                                     same(k_recursive, k_dynamic_stack));
  }
  return tally.sentence(
      "all traversals find the same pairs; stackless and stackless-post need as many iterations as "
      "alternating-stack, and trail as many as dynamic-stack.");
}

// A traversal's time divided by its twin's.
struct TwinTimes {
  Tally no_longer;
  Range apart;
  Range others;

  TwinTimes(Measurements measurements, Traversal traversal, Traversal twin) {
    for (const Measurement& measurement : measurements) {
      const double ratio = time_ratio(measurement, traversal, twin);
      no_longer.add(measurement.setup, ratio < k_tie);
      (is_separation(measurement) ? apart : others).add(ratio);
    }
  }
  std::string shares() const {
    return others.text() + " of its time, on separation " + apart.text();
  }
};

std::string against_alternating(Measurements measurements, Traversal traversal,
                                const std::string& paper) {
  const TwinTimes times(measurements, traversal, k_alternating_stack);
  return times.no_longer.sentence(name_of(traversal) +
                                  " takes no longer than alternating-stack. Here " +
                                  times.shares() + "; in the paper " + paper + ".");
}

std::string pruning(Measurements measurements) {
  Tally tally;
  Range ratios;
  for (const Measurement& measurement : measurements) {
    if (is_separation(measurement)) continue;
    const double ratio = iteration_ratio(measurement, k_alternating_stack, k_dynamic_stack);
    tally.add(measurement.setup,
              ratio >= 1 && iteration_ratio(measurement, k_leaf, k_dynamic_stack) >= 1);
    ratios.add(ratio);
  }
  return tally.sentence(
      "the dynamic rule prunes best. Alternating needs " + ratios.text() +
      " times its iterations; in the paper 0.71 to 87 times, and dynamic is best in 16 of 17.");
}

std::string much_overlap(Measurements measurements) {
  Tally tally;
  for (const Measurement& measurement : measurements) {
    const bool much = measurement.table == 2 || measurement.table == 4 || measurement.table == 6;
    if (!much) continue;
    bool fastest = true;
    for (const Traversal other : {k_alternating_stack, k_stackless, k_stackless_post, k_leaf}) {
      fastest &= time_ratio(measurement, k_dynamic_stack, other) < k_tie;
    }
    tally.add(measurement.setup, fastest);
  }
  return tally.sentence(
      "with much overlap (intersection, close proximity, scalability) dynamic-stack is the fastest "
      "of the paper's five; there in 10 of 11.");
}

std::string little_overlap(Measurements measurements) {
  Tally tally;
  Range ratios;
  for (const Measurement& measurement : measurements) {
    if (measurement.table != 3 && measurement.table != 5) continue;
    const double ratio = time_ratio(measurement, k_stackless, k_dynamic_stack);
    tally.add(measurement.setup, ratio < k_tie);
    ratios.add(ratio);
  }
  return tally.sentence(
      "with little or no overlap (separation, small proximity) stackless takes no longer than "
      "dynamic-stack. Here " +
      ratios.text() + " of its time; in the paper 0.14 to 0.99.");
}

std::string scalability(Measurements measurements) {
  const Measurement* first = nullptr;
  const Measurement* last = nullptr;
  for (const Measurement& measurement : measurements) {
    if (measurement.table != 6) continue;
    if (first == nullptr) first = &measurement;
    last = &measurement;
  }
  if (first == last) return "Scalability was not measured.";
  const auto growth = [&](Traversal traversal) {
    return last->row(traversal).timing.median_s() / first->row(traversal).timing.median_s();
  };
  Tally tally;
  tally.add(last->setup, growth(k_dynamic_stack) < k_tie * growth(k_alternating_stack) &&
                             growth(k_dynamic_stack) < k_tie * growth(k_leaf));
  std::string claim = "dynamic-stack scales best. From " + grouped(first->triangles_a) + " to " +
                      grouped(last->triangles_a) + " triangles times grow";
  for (const Traversal traversal :
       {k_dynamic_stack, k_alternating_stack, k_stackless, k_leaf, k_trail}) {
    claim += (traversal == k_dynamic_stack ? " " : ", ") + ratio_text(growth(traversal)) +
             "-fold (" + name_of(traversal) + ")";
  }
  return tally.sentence(
      claim +
      "; in the paper the first four grow 20.7, 23.0, 22.5 and 39.5-fold, from 796 to 203,776.");
}

std::string different_sizes(Measurements measurements) {
  Tally tally;
  Range times;
  Range iterations;
  for (const Measurement& measurement : measurements) {
    if (measurement.table != 7) continue;
    times.add(time_ratio(measurement, k_dynamic_stack, k_alternating_stack));
    iterations.add(iteration_ratio(measurement, k_dynamic_stack, k_alternating_stack));
    tally.add(measurement.setup,
              time_ratio(measurement, k_dynamic_stack, k_alternating_stack) * k_tie < 1);
  }
  return tally.sentence(
      "with objects of different sizes dynamic-stack is faster than alternating-stack. Here it "
      "takes " +
      times.text() + " of its time and " + iterations.text() +
      " of its iterations; in the paper 0.02 and 0.01.");
}

std::string different_counts(Measurements measurements) {
  Tally tally;
  std::string ratios;
  for (const Measurement& measurement : measurements) {
    if (measurement.table != 8) continue;
    const double ratio = time_ratio(measurement, k_stackless, k_dynamic_stack);
    tally.add(measurement.setup, ratio < k_tie);
    ratios += (ratios.empty() ? "" : ", ") + ratio_text(ratio) + " (" + measurement.setup + ")";
  }
  return tally.sentence(
      "with different numbers of triangles stackless takes no longer than dynamic-stack. Here " +
      ratios + " of its time; in the paper 0.97 and 0.92.");
}

std::string leaf_against_dynamic(Measurements measurements) {
  Tally tally;
  Range apart;
  Range others;
  for (const Measurement& measurement : measurements) {
    const double ratio = time_ratio(measurement, k_leaf, k_dynamic_stack);
    tally.add(measurement.setup, ratio > 1 / k_tie);
    (is_separation(measurement) ? apart : others).add(ratio);
  }
  return tally.sentence("leaf takes at least as long as dynamic-stack. Here " + others.text() +
                        " times, on separation " + apart.text() +
                        " times; in the paper 0.95 to 196, on separation 56 to 76.");
}

// Section 11 asks whether the dynamic rule needs more than a few bytes.
std::string trail_against_dynamic(Measurements measurements) {
  const TwinTimes times(measurements, k_trail, k_dynamic_stack);
  return "Open in the paper, the dynamic rule without a stack: trail takes no longer than "
         "dynamic-stack " +
         times.no_longer.where() + ". Here " + times.shares() + ".";
}

// Section 11 asks for a predictable rule with fewer iterations.
std::string scheduled_rule(Measurements measurements) {
  Tally fewer;
  Range iterations;
  Range of_dynamic;
  Range times;
  for (const Measurement& measurement : measurements) {
    if (is_separation(measurement)) continue;
    const double ratio = iteration_ratio(measurement, k_scheduled, k_alternating_stack);
    fewer.add(measurement.setup, ratio <= 1);
    iterations.add(ratio);
    of_dynamic.add(iteration_ratio(measurement, k_scheduled, k_dynamic_stack));
    times.add(time_ratio(measurement, k_scheduled, k_alternating_stack));
  }
  return "Open in the paper, a better predictable rule: scheduled needs no more iterations than "
         "alternating " +
         fewer.where() + ". Here " + iterations.text() + " of alternating's, " + of_dynamic.text() +
         " of dynamic's, and " + times.text() + " of alternating-stack's time.";
}

std::string fastest(Measurements measurements) {
  std::vector<std::pair<int, std::string>> wins;
  for (const Contender& contender : contenders()) {
    const auto won = std::count_if(
        measurements.begin(), measurements.end(), [&](const Measurement& measurement) {
          const auto best = std::min_element(
              measurement.rows.begin(), measurement.rows.end(),
              [](const Row& x, const Row& y) { return x.timing.median_s() < y.timing.median_s(); });
          return best->traversal == contender.traversal;
        });
    if (won > 0) wins.emplace_back(static_cast<int>(won), name_of(contender.traversal));
  }
  std::sort(wins.rbegin(), wins.rend());
  std::string text;
  for (const auto& [won, name] : wins) {
    text += (text.empty() ? "" : ", ") + name + " in " + std::to_string(won);
  }
  return "The fastest of all here: " + text + " of " + std::to_string(measurements.size()) +
         " setups.";
}

}  // namespace

std::vector<std::string> findings(std::span<const Measurement> measurements) {
  return {
      same_results(measurements),
      against_alternating(measurements, k_stackless, "0.89 to 1.00, on separation 0.15 to 0.18"),
      against_alternating(measurements, k_stackless_post,
                          "0.90 to 1.00, on separation 0.15 to 0.16"),
      pruning(measurements),
      much_overlap(measurements),
      little_overlap(measurements),
      scalability(measurements),
      different_sizes(measurements),
      different_counts(measurements),
      leaf_against_dynamic(measurements),
      trail_against_dynamic(measurements),
      scheduled_rule(measurements),
      fastest(measurements),
  };
}

}  // namespace tandem::cli::stackless_tandem
