// Times and counts of all combinations, and the pairs that each of them found.
#include <algorithm>
#include <functional>

#include "bench/tumble_bench.h"
#include "measure/pair_hash.h"
#include "text/counters.h"
#include "text/numbers.h"

namespace tandem::cli::tumble_bench {

namespace {

QueryOptions query_options(const Combination& combination) {
  return {.engine = {.traversal = combination.traversal, .overlap = combination.test}};
}

// The counters and pairs of a whole turn. This also makes what some traversals need
// beside the structure.
Row count_pairs(const Model& model, std::span<const Pose> poses, const Combination& combination) {
  Row row{.combination = combination,
          .structure_bytes = model.structure_bytes(),
          .statistics = {},
          .timing = {}};
  QueryOptions options = query_options(combination);
  options.statistics = true;
  PairHash hash;
  for (const Pose& b_in_a : poses) {
    const CollideResult found = collide(model, model, b_in_a, options);
    for (const Counter& counter : k_counters) {
      row.statistics.*counter.value += found.statistics.*counter.value;
    }
    row.pair_count += found.pairs.size();
    hash.add(found.pairs);
  }
  row.hash = hash.value();
  return row;
}

void check_same(const Measurement& measurement, const Row& row) {
  const Row& first = measurement.rows.front();
  if (row.pair_count == first.pair_count && row.hash == first.hash) return;
  throw Error("on " + measurement.name + " at the distance " + shortest(measurement.distance) +
              " " + first.combination.name() + " and " + row.combination.name() +
              " found different pairs: this is a bug in Tandem");
}

// Repeats a turn and checks the number of pairs.
RepeatedTask repeated_turn(const Model& model, std::span<const Pose> poses, const Row& row) {
  return [&model, poses, options = query_options(row.combination),
          expected = row.pair_count](std::uint64_t repetitions) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < repetitions; ++i) {
      for (const Pose& b_in_a : poses) sum += count(model, model, b_in_a, options).count;
    }
    if (sum != repetitions * expected) {
      throw Error("a query does not always find the same pairs: this is a bug in Tandem");
    }
  };
}

// Whether combinations can share a model.
bool same_structure(const BuildOptions& one, const BuildOptions& other) {
  return one.structure == other.structure && one.builder == other.builder &&
         one.arity == other.arity && one.boxtree == other.boxtree;
}

// The models of all combinations. Each structure is built once.
class Models {
 public:
  Models(const TumblingObject& object, const Plan& plan) {
    ProgressBar bar("building " + object.name, plan.reporting);
    const Progress progress = bar.callback();
    for (const Combination& combination : plan.combinations) {
      const auto twin = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return same_structure(entry.combination.build, combination.build);
      });
      if (twin == entries_.end()) {
        entries_.push_back({combination, Model(object.mesh, combination.build)});
      } else {
        entries_.push_back({combination, Model(twin->model)});
      }
      if (progress) {
        progress(static_cast<double>(entries_.size()) /
                 static_cast<double>(plan.combinations.size()));
      }
    }
  }

  /// The model of the plan's combination `i`.
  const Model& operator[](std::size_t i) const { return entries_[i].model; }

 private:
  struct Entry {
    Combination combination;
    Model model;
  };
  std::vector<Entry> entries_;
};

Measurement measure_at(double distance, const TumblingObject& object, const Models& models,
                       const Plan& plan) {
  Measurement result{turn_of(object, distance, plan.steps), {}};
  ProgressBar bar(object.name + " at " + shortest(distance), plan.reporting);
  const Progress progress = bar.callback();
  const std::vector<Pose> poses = tumble_poses(plan.steps, distance);

  // Counting takes one turn; timing takes another one to find out how long it is, then the rounds.
  const double counting_share = 1.0 / (2 + plan.timing.max_rounds);
  for (std::size_t i = 0; i < plan.combinations.size(); ++i) {
    result.rows.push_back(count_pairs(models[i], poses, plan.combinations[i]));
    check_same(result, result.rows.back());
    if (progress) {
      progress(counting_share * static_cast<double>(result.rows.size()) /
               static_cast<double>(plan.combinations.size()));
    }
  }
  std::vector<RepeatedTask> turns;
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    turns.push_back(repeated_turn(models[i], poses, result.rows[i]));
  }
  const auto timing_progress = [&](double share) {
    if (progress) progress(counting_share + (1 - counting_share) * share);
  };
  const std::vector<Timing> timings = time_in_turn(turns, plan.timing, timing_progress);
  for (std::size_t i = 0; i < timings.size(); ++i) result.rows[i].timing = timings[i];
  return result;
}

}  // namespace

std::string Combination::structure_name() const {
  std::string text(build.structure.name());
  if (!test.is_automatic()) text.append(" ").append(test.name());
  return text;
}

std::string Combination::name() const {
  return structure_name().append(" ").append(traversal.name());
}

const Row* Measurement::recursive_twin(const Row& row) const {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& other) {
    return other.combination.traversal == Traversal("recursive") &&
           other.combination.structure_name() == row.combination.structure_name();
  });
  return found == rows.end() ? nullptr : &*found;
}

std::vector<Traversal> Measurement::traversals() const {
  std::vector<Traversal> result;
  for (const Row& row : rows) {
    const Traversal traversal = row.combination.traversal;
    if (std::find(result.begin(), result.end(), traversal) == result.end()) {
      result.push_back(traversal);
    }
  }
  return result;
}

void measure(const TumblingObject& object, const Plan& plan,
             const std::function<void(Measurement)>& done) {
  const Models models(object, plan);
  for (const double distance : plan.distances) {
    done(measure_at(distance, object, models, plan));
  }
}

}  // namespace tandem::cli::tumble_bench
