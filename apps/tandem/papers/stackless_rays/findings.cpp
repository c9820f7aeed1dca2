// What the stackless ray paper found, compared with measurements.
#include "measure/findings.h"

#include <algorithm>

#include "papers/stackless_rays/stackless_rays.h"

namespace tandem::cli::stackless_rays {

std::vector<std::string> findings(std::span<const Measurement> measurements) {
  Tally same_tests;
  Tally same_backtrack;
  Tally visits_as_paper;
  Range more_visits;
  Range fewer_boxes;
  Range compact_speed;
  Range trail_boxes;
  Range trail_speed;
  Range backtrack_speed;
  Range skip_boxes;
  Range skip_triangles;
  for (const Measurement& m : measurements) {
    const std::string setup = m.scene + " " + std::to_string(m.bounces);
    const auto row = [&](RayTraversal traversal) -> const Row& { return m.row(traversal); };
    const Row& stack = row("stack");
    const Row& automaton = row("automaton");
    const Row& compact = row("compact");
    const auto equal_tests = [](const Row& one, const Row& other) {
      return one.statistics.box_tests == other.statistics.box_tests &&
             one.statistics.triangle_tests == other.statistics.triangle_tests;
    };
    same_tests.add(setup, equal_tests(automaton, stack) && equal_tests(compact, stack));
    same_backtrack.add(setup, row("backtrack").statistics == m.reference().statistics);
    const double automaton_more = m.more(automaton, &RayStatistics::node_visits);
    const double compact_more = m.more(compact, &RayStatistics::node_visits);
    visits_as_paper.add(setup, std::max(automaton_more, compact_more) <= 140);
    more_visits.add(automaton_more);
    more_visits.add(compact_more);
    fewer_boxes.add(m.more(compact, &RayStatistics::box_tests));
    compact_speed.add(m.more_rays_per_s(compact));
    trail_boxes.add(m.more(row("restart-trail"), &RayStatistics::box_tests));
    trail_speed.add(m.more_rays_per_s(row("restart-trail")));
    backtrack_speed.add(m.more_rays_per_s(row("backtrack")));
    skip_boxes.add(m.more(row("skip"), &RayStatistics::box_tests));
    skip_triangles.add(m.more(row("skip"), &RayStatistics::triangle_tests));
  }
  return {
      same_tests.sentence(
          "the automaton and its compact form tested as many boxes and triangles as "
          "the stack with the same order of children."),
      visits_as_paper.sentence(
          "the automaton and its compact form visited at most 140 % more nodes than the "
          "reference: " +
          more_visits.text() + " % (the paper: 132.9 to 138.6 %)."),
      "Boxes tested in the axis-based order, relative to the distance-based one: " +
          fewer_boxes.text() + " % (the paper: -5.4 to -3.5 %).",
      "Speed of the compact form relative to the reference: " + compact_speed.text() +
          " % (the paper, on GPUs: -35.7 to -28.0 %).",
      same_backtrack.sentence("backtracking in constant time did exactly what the reference does, "
                              "with 24 bytes of state instead of its stack.") +
          " Its speed: " + backtrack_speed.text() + " %.",
      "The restart trail tested " + trail_boxes.text() +
          " % more boxes; its speed: " + trail_speed.text() + " %.",
      "Skip pointers, in one order for all rays, relative to the reference: boxes " +
          skip_boxes.text() + " %, triangles " + skip_triangles.text() + " %.",
  };
}

}  // namespace tandem::cli::stackless_rays
