// Equation 5 of the collision chip paper: the cycles of a query from the number of its lists and
// the mean number of aligned pairs on them.
#pragma once

namespace tandem::chip {

/// `lists` is τ, `pairs_per_list` is α.
constexpr double equation_5(double lists, double pairs_per_list) {
  return (100 + (pairs_per_list - 2) * 10) * lists;
}

/// The same from counts of visited nodes, when each list is read `reads` times: twice by the
/// one-node list traversal, whose counts table 1 prints, and once by that of siblings.
constexpr double equation_5_of_visits(double aligned_nodes, double tumbled_nodes, int reads) {
  return equation_5(tumbled_nodes / 2, aligned_nodes / (reads * tumbled_nodes));
}

/// The paper's clock: 266 MHz.
inline constexpr double k_paper_cycle_ns = 3.76;

}  // namespace tandem::chip
