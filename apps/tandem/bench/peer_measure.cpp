// Times of all peers at each pose, measured alternately, and judgements of what they found.
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "bench/peer_bench.h"
#include "measure/timing.h"
#include "text/numbers.h"

namespace tandem::cli::peer_bench {

namespace {

std::size_t allocated_bytes() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// A peer, and what its build cost.
struct Built {
  PeerInfo info;
  std::shared_ptr<Peer> peer;
  double build_s = 0;
  double bytes_per_triangle = 0;
};

Built build(const PeerInfo& info, const Mesh& mesh, int rounds) {
  Built built{info, nullptr};
  std::vector<double> times_s;
  for (int i = 0; i < rounds; ++i) {
    built.peer.reset();
    SharedModels shared;
    const std::size_t before = allocated_bytes();
    const std::clock_t start = std::clock();
    built.peer = info.make(mesh, mesh, shared);
    times_s.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    const std::size_t after = allocated_bytes();
    built.bytes_per_triangle =
        static_cast<double>(after - std::min(before, after) + built.peer->hidden_bytes()) /
        static_cast<double>(mesh.triangle_count());
  }
  built.build_s = *std::min_element(times_s.begin(), times_s.end());
  return built;
}

/// The median time of a query at one pose, for each peer, measured alternately.
std::vector<double> times_at(const Pose& pose, std::span<const Built> built, Mode mode,
                             int rounds) {
  std::vector<RepeatedTask> tasks;
  std::vector<TrianglePair> pairs;
  for (const Built& b : built) {
    b.peer->prepare(pose);
    tasks.emplace_back([&, peer = b.peer.get()](std::uint64_t repetitions) {
      for (std::uint64_t i = 0; i < repetitions; ++i) {
        if (mode == Mode::first) {
          peer->find_first(pose);
        } else {
          pairs.clear();
          peer->find_all(pose, pairs);
        }
      }
    });
  }
  const TimingOptions options{.round_s = 0.003, .max_rounds = rounds, .max_task_s = 10};
  std::vector<double> result;
  for (const Timing& timing : time_in_turn(tasks, options)) result.push_back(timing.median_s());
  return result;
}

/// What all peers find in one mode and how long they take, over the whole turn.
void measure_mode(Mode mode, std::span<const Built> built, const Mesh& mesh,
                  std::span<const Pose> poses,
                  const std::vector<std::vector<TrianglePair>>& expected, const Plan& plan,
                  const Progress& progress, Measurement& measurement) {
  const std::size_t first_row = measurement.rows.size();
  for (const Built& b : built) {
    measurement.rows.push_back({.peer = b.info,
                                .mode = mode,
                                .judgement = {},
                                .build_s = b.build_s,
                                .bytes_per_triangle = b.bytes_per_triangle});
  }
  for (std::size_t step = 0; step < poses.size(); ++step) {
    for (std::size_t i = 0; i < built.size(); ++i) {
      Row& row = measurement.rows[first_row + i];
      built[i].peer->prepare(poses[step]);
      if (mode == Mode::first) {
        const bool touch = built[i].peer->find_first(poses[step]);
        const bool exact = !expected[step].empty();
        row.judgement.add({touch ? 1U : 0U, exact && !touch ? 1U : 0U, touch && !exact ? 1U : 0U});
      } else {
        std::vector<TrianglePair> found;
        built[i].peer->find_all(poses[step], found);
        row.judgement.add(judge_pairs(mesh, mesh, poses[step], expected[step], found, 2));
      }
    }
    const std::vector<double> times_s = times_at(poses[step], built, mode, plan.rounds);
    for (std::size_t i = 0; i < built.size(); ++i) {
      Row& row = measurement.rows[first_row + i];
      row.time_s += times_s[i] / static_cast<double>(poses.size());
      row.worst_s = std::max(row.worst_s, times_s[i]);
    }
    if (progress) progress((static_cast<double>(step) + 1) / static_cast<double>(poses.size()));
  }
  for (std::size_t i = first_row; i < measurement.rows.size(); ++i) {
    measurement.rows[i].ratio = measurement.rows[i].time_s / measurement.rows[first_row].time_s;
  }
}

/// The plan's distances, then those that depend on the object.
std::vector<Place> places_of(const TumblingObject& object, const Model& model, const Plan& plan) {
  std::vector<Place> places;
  for (const double distance : plan.distances) places.push_back({distance, 0});
  const std::vector<Place> more =
      places_apart(object, model, plan.apart, plan.steps, plan.reporting);
  places.insert(places.end(), more.begin(), more.end());
  return places;
}

}  // namespace

void measure(const TumblingObject& object, const Plan& plan,
             const std::function<void(Measurement)>& done) {
  std::vector<Built> all;
  std::vector<Built> first;
  {
    ProgressBar bar("building " + object.name, plan.reporting);
    const Progress progress = bar.callback();
    for (const PeerInfo& info : plan.peers) {
      all.push_back(build(info, object.mesh, plan.rounds));
      if (progress) {
        progress(static_cast<double>(all.size()) / static_cast<double>(plan.peers.size()));
      }
    }
  }
  std::copy_if(all.begin(), all.end(), std::back_inserter(first),
               [](const Built& built) { return built.info.has_first; });
  const Model model(object.mesh);
  for (const auto& [distance, apart] : places_of(object, model, plan)) {
    const std::vector<Pose> poses = tumble_poses(plan.steps, distance);
    std::vector<std::vector<TrianglePair>> expected;
    bool touch = false;
    for (const Pose& pose : poses) {
      expected.push_back(collide(model, model, pose).pairs);
      touch = touch || !expected.back().empty();
    }
    Measurement measurement{turn_of(object, distance, plan.steps), apart, touch, {}};
    ProgressBar bar(object.name + " at " + shortest(distance), plan.reporting);
    const Progress progress = bar.callback();
    const auto first_half = [&](double share) {
      if (progress) progress(0.5 * share);
    };
    const auto second_half = [&](double share) { first_half(1 + share); };
    measure_mode(Mode::all, all, object.mesh, poses, expected, plan, first_half, measurement);
    measure_mode(Mode::first, first, object.mesh, poses, expected, plan, second_half, measurement);
    done(std::move(measurement));
  }
}

}  // namespace tandem::cli::peer_bench
