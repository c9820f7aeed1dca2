// What the stackless ray paper found on GPUs of its time, compared with one of today.
#include <string>

#include "papers/stackless_rays/stackless_rays.h"
#include "text/numbers.h"

namespace tandem::cli::stackless_rays {

namespace {

/// What one traversal needs over all measurements.
struct Needs {
  Range active_percent;
  Range occupancy_percent;
  Range boxes;
  int registers = 0;
  std::size_t local_bytes = 0;

  void add(const Row& row) {
    active_percent.add(100 * row.device->active_threads);
    occupancy_percent.add(100 * row.device->occupancy);
    boxes.add(row.per_ray(&RayStatistics::box_tests));
    registers = row.device->registers;
    local_bytes = row.device->local_bytes;
  }
  std::string text() const {
    return std::to_string(registers) + " registers and " + std::to_string(local_bytes) +
           " bytes of local memory per thread, warps in " + occupancy_percent.text() +
           " % of the places";
  }
};

/// Per cent that one traversal is faster than another in the same measurement.
double faster(const Row& row, const Row& other) {
  return 100 * (median_ratio(other.timing, row.timing) - 1);
}

}  // namespace

std::vector<std::string> device_findings(std::span<const Measurement> measurements) {
  CompactFindings counted;
  Tally slower;
  Range compact_to_stack;
  Range pairs_speed;
  Range stackless_to_pairs;
  Range active_paths;
  Needs reference;
  Needs compact_needs;
  Needs pairs_needs;
  Needs stackless_needs;
  for (const Measurement& m : measurements) {
    counted.add(m);
    const Row& compact = m.row("compact");
    const Row& pairs = m.row("pairs");
    const Row& stackless = m.row("pairs-stackless");
    slower.add(m.setup(), m.more_rays_per_s(compact) < 0);
    compact_to_stack.add(faster(compact, m.row("stack")));
    pairs_speed.add(m.more_rays_per_s(pairs));
    stackless_to_pairs.add(faster(stackless, pairs));
    active_paths.add(100 * m.active_paths);
    reference.add(m.reference());
    compact_needs.add(compact);
    pairs_needs.add(pairs);
    stackless_needs.add(stackless);
  }
  std::vector<std::string> sentences = counted.sentences();
  sentences.insert(
      sentences.end(),
      {
          slower.sentence(
              "the compact form was slower than the reference: " + counted.speed.text() +
              " % (the paper: -35.7 to -28.0 %). Relative to the stack with its own "
              "order of children, which does the same tests: " +
              compact_to_stack.text() + " %."),
          "Paths were active in " + active_paths.text() +
              " % (the paper: 28.3 to 99.0 %). Of the threads of a warp that visits a node, the "
              "reference kept " +
              reference.active_percent.text() + " % active and the compact form " +
              compact_needs.active_percent.text() +
              " %: each visit of one node, where the reference tests two boxes, is a turn of the "
              "loop "
              "for the whole warp.",
          "The reference takes " + reference.text() + "; the compact form " + compact_needs.text() +
              ". What the stack saves in visits outweighs its memory, which the first cache holds.",
          "A tree made for devices, with both boxes of the children in a node, is faster than the "
          "reference by " +
              pairs_speed.text() + " %; it takes " + pairs_needs.text() + ".",
          "On it, rays without a stack, which remember the last few children that wait, were "
          "faster "
          "than those with one by " +
              stackless_to_pairs.text() + " % (the paper: -35.7 to -28.0 %); they take " +
              stackless_needs.text() + ".",
      });
  return sentences;
}

}  // namespace tandem::cli::stackless_rays
