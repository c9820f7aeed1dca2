// What the stackless ray paper found, compared with measurements.
#include <algorithm>

#include "papers/stackless_rays/stackless_rays.h"

namespace tandem::cli::stackless_rays {

void CompactFindings::add(const Measurement& m) {
  const std::string setup = m.setup();
  const Row& stack = m.row("stack");
  const Row& automaton = m.row("automaton");
  const Row& compact = m.row("compact");
  const auto equal_tests = [](const Row& one, const Row& other) {
    return one.statistics.box_tests == other.statistics.box_tests &&
           one.statistics.triangle_tests == other.statistics.triangle_tests;
  };
  same_tests_.add(setup, equal_tests(automaton, stack) && equal_tests(compact, stack));
  const double automaton_more = m.more(automaton, &RayStatistics::node_visits);
  const double compact_more = m.more(compact, &RayStatistics::node_visits);
  visits_as_paper_.add(setup, std::max(automaton_more, compact_more) <= 140);
  more_visits_.add(automaton_more);
  more_visits_.add(compact_more);
  fewer_boxes_.add(m.more(compact, &RayStatistics::box_tests));
  speed.add(m.more_rays_per_s(compact));
}

std::vector<std::string> CompactFindings::sentences() const {
  return {
      same_tests_.sentence(
          "the automaton and its compact form tested as many boxes and triangles as "
          "the stack with the same order of children."),
      visits_as_paper_.sentence(
          "the automaton and its compact form visited at most 140 % more nodes than the "
          "reference: " +
          more_visits_.text() + " % (the paper: 132.9 to 138.6 %)."),
      "Boxes tested in the axis-based order, relative to the distance-based one: " +
          fewer_boxes_.text() + " % (the paper: -5.4 to -3.5 %).",
  };
}

std::vector<std::string> findings(std::span<const Measurement> measurements) {
  CompactFindings counted;
  Tally same_backtrack;
  Range trail_boxes;
  Range trail_speed;
  Range backtrack_speed;
  Range skip_boxes;
  Range skip_triangles;
  for (const Measurement& m : measurements) {
    counted.add(m);
    const Row& trail = m.row("restart-trail");
    const Row& skip = m.row("skip");
    same_backtrack.add(m.setup(), m.row("backtrack").statistics == m.reference().statistics);
    trail_boxes.add(m.more(trail, &RayStatistics::box_tests));
    trail_speed.add(m.more_rays_per_s(trail));
    backtrack_speed.add(m.more_rays_per_s(m.row("backtrack")));
    skip_boxes.add(m.more(skip, &RayStatistics::box_tests));
    skip_triangles.add(m.more(skip, &RayStatistics::triangle_tests));
  }
  std::vector<std::string> sentences = counted.sentences();
  sentences.insert(
      sentences.end(),
      {"Speed of the compact form relative to the reference: " + counted.speed.text() +
           " % (the paper, on GPUs: -35.7 to -28.0 %).",
       same_backtrack.sentence("backtracking in constant time did exactly what the reference does, "
                               "with 24 bytes of state instead of its stack.") +
           " Its speed: " + backtrack_speed.text() + " %.",
       "The restart trail tested " + trail_boxes.text() +
           " % more boxes; its speed: " + trail_speed.text() + " %.",
       "Skip pointers, in one order for all rays, relative to the reference: boxes " +
           skip_boxes.text() + " %, triangles " + skip_triangles.text() + " %."});
  return sentences;
}

}  // namespace tandem::cli::stackless_rays
