// Times of all peers on each set of queries, measured alternately, and how their answers differ.
#include <tandem/error.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/distance/distance_bench.h"
#include "measure/timing.h"
#include "options/named_choices.h"

namespace tandem::cli::distance_bench {

namespace {

/// Distances that differ by less of themselves are the same.
constexpr double k_same = 1e-9;

/// A library with what it made for each two meshes.
struct Contestant {
  DistancePeerInfo info;
  SharedModels models;
  std::vector<std::unique_ptr<DistancePeer>> by_pair;

  Contestant(const DistancePeerInfo& peer, std::span<const MeshPair> pairs) : info(peer) {
    for (const MeshPair& pair : pairs) by_pair.push_back(info.make(*pair.a, *pair.b, models));
  }
  void forget() const {
    for (const auto& peer : by_pair) peer->forget();
  }
  bool is_tandem() const { return info.name == distance_peers()[0].name || info.remembers; }
  bool takes_part(Mode mode) const { return mode == Mode::distance || !info.remembers; }
};

double threshold_of(Mode mode, double distance) {
  return (mode == Mode::within_less ? k_less : k_more) * distance;
}

/// Asks every query once and compares the answers with the distances that are expected.
Row answers_of(const Contestant& contestant, const QuerySet& set, Mode mode,
               std::span<const double> expected) {
  Row row{.peer = contestant.info, .mode = mode};
  contestant.forget();
  for (std::size_t i = 0; i < set.queries.size(); ++i) {
    const Query& query = set.queries[i];
    DistancePeer& peer = *contestant.by_pair[query.pair];
    bool differs = false;
    if (mode == Mode::distance) {
      const double found = std::max(0.0, peer.distance(query.b_in_a));
      const double difference = std::fabs(found - expected[i]);
      differs = difference > k_same * expected[i];
      if (expected[i] > 0) {
        row.largest_difference = std::max(row.largest_difference, difference / expected[i]);
      }
    } else {
      const double threshold = threshold_of(mode, expected[i]);
      differs = peer.within(query.b_in_a, threshold) != (expected[i] <= threshold);
    }
    row.differ += differs ? 1 : 0;
    if (differs && contestant.is_tandem()) {
      throw Error(std::string(contestant.info.name) + " contradicts Tandem's distance in query " +
                  std::to_string(i) + " of " + set.title + ": this is a bug in Tandem");
    }
  }
  return row;
}

RepeatedTask repeated_set(const Contestant& contestant, const QuerySet& set, Mode mode,
                          std::span<const double> expected) {
  return [&contestant, &set, mode, expected](std::uint64_t repetitions) {
    for (std::uint64_t i = 0; i < repetitions; ++i) {
      contestant.forget();
      for (std::size_t k = 0; k < set.queries.size(); ++k) {
        const Query& query = set.queries[k];
        DistancePeer& peer = *contestant.by_pair[query.pair];
        if (mode == Mode::distance) {
          peer.distance(query.b_in_a);
        } else {
          peer.within(query.b_in_a, threshold_of(mode, expected[k]));
        }
      }
    }
  };
}

}  // namespace

std::vector<DistancePeerInfo> find_distance_peers(const std::string& names) {
  std::vector<DistancePeerInfo> chosen = find_choices(distance_peers(), names, "--peers");
  if (chosen.empty() || chosen[0].name != distance_peers()[0].name) {
    chosen.insert(chosen.begin(), distance_peers()[0]);
  }
  return chosen;
}

void measure(std::span<const MeshPair> pairs, std::span<const QuerySet> sets, const Plan& plan,
             const std::function<void(Measurement)>& done) {
  std::vector<Contestant> contestants;
  for (const DistancePeerInfo& info : plan.peers) contestants.emplace_back(info, pairs);
  for (const QuerySet& set : sets) {
    Measurement measurement{set.title, set.head, set.queries.size(), {}};
    ProgressBar bar(set.title, plan.reporting);
    const Progress progress = bar.callback();
    std::vector<double> expected;
    for (const Query& query : set.queries) {
      expected.push_back(contestants[0].by_pair[query.pair]->distance(query.b_in_a));
    }
    for (const Mode mode : k_modes) {
      const std::size_t first_row = measurement.rows.size();
      std::vector<RepeatedTask> tasks;
      for (const Contestant& contestant : contestants) {
        if (!contestant.takes_part(mode)) continue;
        measurement.rows.push_back(answers_of(contestant, set, mode, expected));
        tasks.push_back(repeated_set(contestant, set, mode, expected));
      }
      const TimingOptions timing{.round_s = 0.005, .max_rounds = plan.rounds, .max_task_s = 60};
      const std::vector<Timing> timings = time_in_turn(tasks, timing);
      for (std::size_t i = 0; i < timings.size(); ++i) {
        Row& row = measurement.rows[first_row + i];
        row.query_s = timings[i].median_s() / static_cast<double>(set.queries.size());
        row.ratio = median_ratio(timings[i], timings[0]);
      }
      if (progress) progress((static_cast<double>(mode) + 1) / std::size(k_modes));
    }
    done(std::move(measurement));
  }
}

}  // namespace tandem::cli::distance_bench
