// What the collision chip paper found, compared with measurements.
#include "measure/findings.h"

#include "papers/collision_chip/collision_chip.h"
#include "text/numbers.h"

namespace tandem::cli::collision_chip {

std::vector<std::string> findings(std::span<const Measurement> measurements) {
  Range mean_transforms;
  Range worst_transforms;
  Range pairs_reads;
  Range fours_reads;
  Range fours_tumbled;
  Range list_times;
  Range pairs_times;
  Range chip_times;
  Range worst_chip_times;
  std::uint64_t query_count = 0;
  for (const Measurement& measurement : measurements) {
    const Row& recursive = measurement.row("recursive");
    const Row& list = measurement.row("list");
    const Row& pairs = measurement.row("list-pairs");
    const Row& fours = measurement.row("list-fours");
    const auto most = [](const Row& row) {
      return static_cast<double>(row.most(&Statistics::node_transforms));
    };
    mean_transforms.add(recursive.mean(&Statistics::node_transforms) /
                        list.mean(&Statistics::node_transforms));
    worst_transforms.add(most(recursive) / most(list));
    const double reads = list.mean(&Statistics::aligned_visits);
    pairs_reads.add(pairs.mean(&Statistics::aligned_visits) / reads);
    fours_reads.add(fours.mean(&Statistics::aligned_visits) / reads);
    fours_tumbled.add(fours.mean(&Statistics::tumbled_visits) /
                      list.mean(&Statistics::tumbled_visits));
    list_times.add(list.query_s / recursive.query_s);
    pairs_times.add(pairs.query_s / recursive.query_s);
    chip_times.add(pairs.mean_chip_us());
    worst_chip_times.add(pairs.worst_chip_us());
    query_count += 3 * list.steps.size();
  }
  return {
      "Each tumbled node was transformed exactly once, in all " + grouped(query_count) +
          " queries of the list traversals.",
      "Recursion transformed " + mean_transforms.text() + " times as many nodes on average, " +
          worst_transforms.text() + " times as many at worst.",
      "Siblings taken together read " + pairs_reads.text() +
          " of the aligned nodes that single ones read (the paper: half); grandchildren taken "
          "together read " +
          fours_reads.text() + " of them, and transformed " + fours_tumbled.text() +
          " times as many tumbled nodes, as levels in between are skipped.",
      "In software the list traversal took " + list_times.text() +
          " of the time of recursion, and with siblings together " + pairs_times.text() + ".",
      "From the counts of siblings together, equation 5 gives the chip " + chip_times.text() +
          " µs on average, " + worst_chip_times.text() +
          " µs at worst (the paper's objects: 9 to 153 and 77 to 5,638 µs).",
  };
}

}  // namespace tandem::cli::collision_chip
