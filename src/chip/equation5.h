// Equation 5 of the collision chip paper: the cycles of a query from the number of its lists and
// the mean number of aligned pairs on them.
#pragma once

#include "chip/report.h"

namespace tandem::chip {

/// The numbers that equation 5 takes: τ and α.
struct ListCounts {
  double lists = 0;
  double pairs_per_list = 0;
};

/// From counts of visited nodes, when each list is read `reads` times: twice by the one-node list
/// traversal, whose counts table 1 prints, and once by that of siblings.
constexpr ListCounts list_counts(double aligned_nodes, double tumbled_nodes, int reads) {
  return {tumbled_nodes / 2, aligned_nodes / (reads * tumbled_nodes)};
}

constexpr double equation_5(const ListCounts& counts) {
  return (100 + (counts.pairs_per_list - 2) * 10) * counts.lists;
}

/// The share of a phase in it, as section 5 derives it: per list, 10 cycles to fetch two tumbled
/// nodes, 12 to fill and 24 to issue each, 6 until the last result, 4 from each aligned node to the
/// next, and 2 more for each pair after the second.
constexpr double equation_5(const ListCounts& counts, Phase phase) {
  switch (phase) {
    case Phase::fetch:
      return 10 * counts.lists;
    case Phase::fill:
      return 24 * counts.lists;
    case Phase::transform:
      return 48 * counts.lists;
    case Phase::drain:
      return 6 * counts.lists;
    case Phase::compare:
      return (8 * counts.pairs_per_list - 4) * counts.lists;
    case Phase::memory_wait:
      return 2 * (counts.pairs_per_list - 2) * counts.lists;
    default:
      return 0;
  }
}

/// The paper's clock: 266 MHz.
inline constexpr double k_paper_cycle_ns = 3.76;

}  // namespace tandem::chip
