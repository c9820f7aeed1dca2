// Close proximity, and what the traversals do there: counts, times, and the time of the chip.
#include <algorithm>
#include <numeric>

#include "bench/tumble_bench.h"
#include "chip/equation5.h"
#include "options/named_choices.h"
#include "papers/collision_chip/collision_chip.h"

namespace tandem::cli::collision_chip {

namespace {

const Traversal k_traversals[] = {"recursive", "list", "list-pairs", "list-fours"};

void check(const Measurement& measurement, const Row& row, const Statistics& statistics) {
  const std::string where = " on " + measurement.name + ": this is a bug in Tandem";
  if (statistics.triangle_overlaps > 0) throw Error("triangles touch in close proximity" + where);
  if (row.traversal != Traversal("recursive") &&
      statistics.node_transforms != statistics.tumbled_visits) {
    throw Error("a list traversal transformed a node twice" + where);
  }
}

// The times come from the tumble benchmark.
void add_times(Measurement& measurement, const TumblingObject& object, int steps,
               const ReproduceOptions& options) {
  tumble_bench::Plan plan{.combinations = {},
                          .distances = {measurement.distance},
                          .steps = steps,
                          .timing = {.round_s = 0.002, .max_rounds = 5, .max_task_s = 10},
                          .reporting = options.reporting};
  for (const Row& row : measurement.rows) {
    plan.combinations.push_back({row.traversal, {}, {.structure = "dop24"}});
  }
  tumble_bench::measure(object, plan, [&](const tumble_bench::Measurement& times) {
    for (std::size_t i = 0; i < times.rows.size(); ++i) {
      measurement.rows[i].query_s = times.query_s(times.rows[i]);
    }
  });
}

// Microseconds that the chip takes by equation 5. `list` reads each list twice, `list_pairs` once.
double chip_us(Traversal traversal, double aligned_visits, double tumbled_visits) {
  const int reads = traversal == Traversal("list") ? 2 : 1;
  return 1e-3 * chip::k_paper_cycle_ns *
         chip::equation_5(chip::list_counts(aligned_visits, tumbled_visits, reads));
}

}  // namespace

double Row::mean(std::uint64_t Statistics::*counter) const {
  return std::accumulate(steps.begin(), steps.end(), 0.0,
                         [&](double sum, const Statistics& step) {
                           return sum + static_cast<double>(step.*counter);
                         }) /
         static_cast<double>(steps.size());
}

std::uint64_t Row::most(std::uint64_t Statistics::*counter) const {
  std::uint64_t most = 0;
  for (const Statistics& step : steps) most = std::max(most, step.*counter);
  return most;
}

bool Row::has_chip_time() const {
  return traversal == Traversal("list") || traversal == Traversal("list-pairs");
}

double Row::mean_chip_us() const {
  return chip_us(traversal, mean(&Statistics::aligned_visits), mean(&Statistics::tumbled_visits));
}

double Row::worst_chip_us() const {
  return chip_us(traversal, static_cast<double>(most(&Statistics::aligned_visits)),
                 static_cast<double>(most(&Statistics::tumbled_visits)));
}

const Row& Measurement::row(Traversal traversal) const {
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const Row& row) { return row.traversal == traversal; });
}

Measurement measure(const TumblingObject& object, int steps, const ReproduceOptions& options) {
  Measurement result{turn_of(object, 0, steps), {}};
  {
    const Model model(object.mesh, {.structure = "dop24"});
    ProgressBar bar("close proximity of " + object.name, options.reporting);
    result.distance = clear_distance(model, steps, 0.01, bar.callback());
    const std::vector<Pose> poses = tumble_poses(steps, result.distance);
    for (const Traversal traversal : k_traversals) {
      Row row{traversal, {}};
      for (const Pose& b_in_a : poses) {
        const QueryOptions query{.engine = {.traversal = traversal}, .statistics = true};
        row.steps.push_back(count(model, model, b_in_a, query).statistics);
        check(result, row, row.steps.back());
      }
      result.rows.push_back(std::move(row));
    }
  }
  add_times(result, object, steps, options);
  return result;
}

}  // namespace tandem::cli::collision_chip
