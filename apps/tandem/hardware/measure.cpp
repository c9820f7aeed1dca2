#include "hardware/measure.h"

#include <tandem/error.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "measure/timing.h"
#include "text/numbers.h"

namespace tandem::cli::hardware {

namespace {

/// How long the two engines take for a query.
void time_step(const Model& model, const Pose& b_in_a, Step* step) {
  const auto repeat = [&](const Engine& engine) {
    return [&, engine](std::uint64_t repetitions) {
      for (std::uint64_t i = 0; i < repetitions; ++i) {
        count(model, model, b_in_a, {.engine = engine});
      }
    };
  };
  const RepeatedTask tasks[] = {repeat({}), repeat(library_twin())};
  const std::vector<Timing> times =
      time_in_turn(tasks, {.round_s = 0.0005, .max_rounds = 5, .max_task_s = 0.2});
  step->default_s = times[0].median_s();
  step->list_pairs_s = times[1].median_s();
}

void check(const Measurement& measurement, const Step& step) {
  const std::string where = " on " + measurement.name + ": this is a bug in Tandem";
  if (step.library.triangle_overlaps > 0) throw Error("triangles touch in close proximity" + where);
  // With other volumes the trees differ.
  if (measurement.config.nodes != chip::Nodes::dop24) return;
  if (step.chip.counts.overlaps < step.library.overlaps ||
      step.chip.counts.triangle_tests < step.library.triangle_tests) {
    throw Error("the chip culls what the library does not" + where);
  }
}

}  // namespace

Engine library_twin() {
  return {.structure = "dop24", .traversal = "list-pairs", .triangle_test = "unit-triangle"};
}

chip::ListCounts Step::list_counts() const {
  return chip::list_counts(static_cast<double>(library.aligned_visits),
                           static_cast<double>(library.tumbled_visits), 1);
}

std::string Measurement::heading() const {
  return name + ": " + counted(triangle_count, "triangle", "triangles") + ", close proximity at " +
         shortest(std::round(distance * 1000) / 1000) + ", " +
         counted(steps_of_turn.size(), "step", "steps");
}

double Measurement::mean(const std::function<double(const Step&)>& of) const {
  const double sum =
      std::accumulate(steps_of_turn.begin(), steps_of_turn.end(), 0.0,
                      [&](double before, const Step& step) { return before + of(step); });
  return sum / static_cast<double>(steps_of_turn.size());
}

double Measurement::worst(const std::function<double(const Step&)>& of) const {
  double most = 0;
  for (const Step& step : steps_of_turn) most = std::max(most, of(step));
  return most;
}

double Measurement::closed_form_us(const Step& step) const {
  return 1e-3 * config.cycle_ns * chip::equation_5(step.list_counts());
}

double Measurement::chip_us(const Step& step) const {
  return 1e-3 * config.cycle_ns * static_cast<double>(step.chip.cycles);
}

Measurement measure_close(const TumblingObject& object, int steps, const chip::Config& config,
                          Software software, Reporting reporting) {
  Measurement result{turn_of(object, 0, steps), config, {}};
  const Model model(object.mesh);
  {
    ProgressBar bar("close proximity of " + object.name, reporting);
    result.distance = clear_distance(model, steps, 0.01, bar.callback());
  }
  const chip::ObjectImage image = chip::object_image(model, config.nodes);
  const chip::CollisionChip chip(config, image, image);
  ProgressBar bar("the chip on " + object.name, reporting);
  const Progress progress = bar.callback();
  for (const Pose& b_in_a : tumble_poses(steps, result.distance)) {
    Step step;
    step.library =
        count(model, model, b_in_a, {.engine = library_twin(), .statistics = true}).statistics;
    step.chip = chip.run(b_in_a);
    check(result, step);
    if (software == Software::timed) time_step(model, b_in_a, &step);
    result.steps_of_turn.push_back(std::move(step));
    if (progress) progress(static_cast<double>(result.steps_of_turn.size()) / steps);
  }
  return result;
}

}  // namespace tandem::cli::hardware
