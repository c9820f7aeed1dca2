#include "simulate/run_report.h"

#include <algorithm>

#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli {

void RunTotals::add(const sim::StepReport& report) {
  ++frames;
  close_bodies += static_cast<double>(report.close_bodies);
  touching += static_cast<double>(report.touching_triangles);
  near += static_cast<double>(report.near_triangles);
  points += static_cast<double>(report.points);
  collision_s += report.collision_s;
  broad_phase_s += report.broad_phase_s;
  contact_s += report.contact_s;
  solver_s += report.solver_s;
  deepest = std::max(deepest, report.deepest);
  asleep = report.asleep;
  false_pairs += report.false_pairs;
}

Json frame_row(const sim::Simulation& world, const sim::StepReport& report) {
  return {{"frame", world.step_count()},
          {"close_bodies", report.close_bodies},
          {"touching_triangles", report.touching_triangles},
          {"near_triangles", report.near_triangles},
          {"points", report.points},
          {"deepest", report.deepest},
          {"asleep", report.asleep},
          {"false_pairs", report.false_pairs},
          {"kinetic_energy", world.kinetic_energy()},
          {"potential_energy", world.potential_energy()},
          {"broad_phase_ms", 1e3 * report.broad_phase_s},
          {"collision_ms", 1e3 * report.collision_s},
          {"contact_ms", 1e3 * report.contact_s},
          {"solver_ms", 1e3 * report.solver_s}};
}

std::string run_text(const sim::Simulation& world, const RunTotals& totals,
                     const std::string& back_end, double run_s) {
  Table table;
  table.add_row({"", "per frame"});
  table.add_row(
      {"pairs of bodies that come close", rounded(totals.per_frame(totals.close_bodies))});
  table.add_row({"touching triangles", rounded(totals.per_frame(totals.touching))});
  table.add_row({"triangles within the margin", rounded(totals.per_frame(totals.near))});
  table.add_row({"points of contact", rounded(totals.per_frame(totals.points))});
  table.add_row({"time to find close bodies", duration(totals.per_frame(totals.broad_phase_s))});
  table.add_row({"time to find triangles (" + back_end + ")",
                 duration(totals.per_frame(totals.collision_s))});
  table.add_row({"time for contacts of them", duration(totals.per_frame(totals.contact_s))});
  table.add_row({"time of the solver", duration(totals.per_frame(totals.solver_s))});
  std::string text = table.text("  ");
  text += "deepest " + three_digits(1e3 * totals.deepest) + " mm, kinetic energy at the end " +
          three_digits(world.kinetic_energy()) + " J\n";
  if (totals.asleep > 0) {
    text += counted(totals.asleep, "body sleeps", "bodies sleep") + " at the end\n";
  }
  if (totals.false_pairs > 0) {
    text += back_end + " named " + counted(totals.false_pairs, "pair", "pairs") +
            " of triangles that share no point\n";
  }
  text += counted(totals.frames, "frame", "frames") + " in " + duration(run_s);
  if (run_s > 0)
    text += ", " + three_digits(static_cast<double>(totals.frames) / run_s) + " per second";
  return text + "\n";
}

}  // namespace tandem::cli
