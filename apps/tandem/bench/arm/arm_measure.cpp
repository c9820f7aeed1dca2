// Times of all peers on each set of queries, measured alternately, and whether they were right.
#include <algorithm>

#include "bench/arm/arm_bench.h"
#include "measure/pair_hash.h"
#include "measure/timing.h"

namespace tandem::cli::arm_bench {

namespace {

/// A library with what it made for each of the scene's pairs.
struct Contestant {
  PeerInfo info;
  SharedModels models;
  std::vector<std::unique_ptr<Peer>> by_pair;

  Contestant(const PeerInfo& peer, const Scene& scene) : info(peer) {
    for (const auto& [a, b] : scene.pairs) {
      by_pair.push_back(info.make(scene.parts[a].mesh, scene.parts[b].mesh, models));
    }
  }
  bool is_tandem() const {
    return info.name == peers()[0].name || info.name == tandem_count().name;
  }
};

/// Asks every query once and compares the answers.
Row answers_of(const Contestant& contestant, const Scene& scene, const QuerySet& set) {
  Row row{.peer = contestant.info};
  PairHash hash;
  for (std::uint32_t i = 0; i < set.queries.size(); ++i) {
    const Query& query = set.queries[i];
    const bool touches = contestant.by_pair[query.pair]->find_first(query.b_in_a);
    row.hits += touches ? 1 : 0;
    const TrianglePair answer{query.pair, touches ? 1U : 0U};
    hash.add({&answer, 1});
    if (touches == query.touches) continue;
    ++(touches ? row.false_ones : row.missed);
    if (!contestant.is_tandem()) continue;
    const auto& [a, b] = scene.pairs[query.pair];
    throw Error(std::string(contestant.info.name) + " says that " + scene.parts[a].name + " and " +
                scene.parts[b].name + (touches ? " touch" : " do not touch") + " in query " +
                std::to_string(i) + " of " + set.title() +
                ", and another engine the opposite: this is a bug in Tandem");
  }
  row.hash = hash.value();
  return row;
}

/// Repeats a set and checks the number of hits.
RepeatedTask repeated_set(const Contestant& contestant, const QuerySet& set, const Row& row) {
  return [&contestant, &set, expected = row.hits](std::uint64_t repetitions) {
    std::uint64_t hits = 0;
    for (std::uint64_t i = 0; i < repetitions; ++i) {
      for (const Query& query : set.queries) {
        hits += contestant.by_pair[query.pair]->find_first(query.b_in_a) ? 1 : 0;
      }
    }
    if (hits != repetitions * expected) {
      throw Error(std::string(contestant.info.name) + " does not always give the same answers");
    }
  };
}

}  // namespace

void measure(const Scene& scene, std::span<const QuerySet> sets, const Plan& plan,
             const std::function<void(Measurement)>& done) {
  std::vector<Contestant> contestants;
  for (const PeerInfo& info : plan.peers) contestants.emplace_back(info, scene);
  for (const QuerySet& set : sets) {
    Measurement measurement{set.kind, set.title(), set.hits_percent(), set.queries.size(), {}};
    ProgressBar bar(measurement.title, plan.reporting);
    std::vector<RepeatedTask> tasks;
    for (const Contestant& contestant : contestants) {
      measurement.rows.push_back(answers_of(contestant, scene, set));
      tasks.push_back(repeated_set(contestant, set, measurement.rows.back()));
    }
    const TimingOptions timing{.round_s = 0.005, .max_rounds = plan.rounds, .max_task_s = 60};
    const std::vector<Timing> timings = time_in_turn(tasks, timing, bar.callback());
    for (std::size_t i = 0; i < timings.size(); ++i) {
      const auto query_count = static_cast<double>(set.queries.size());
      measurement.rows[i].query_s = timings[i].median_s() / query_count;
      measurement.rows[i].least_s = timings[i].min_s() / query_count;
      measurement.rows[i].ratio = median_ratio(timings[i], timings[0]);
    }
    done(std::move(measurement));
  }
}

}  // namespace tandem::cli::arm_bench
