// tandem bench peers: Tandem beside other libraries.
#include <tandem/error.h>

#include <memory>

#include "bench/bench_commands.h"
#include "bench/distance/distance_bench.h"
#include "bench/peer_bench.h"
#include "options/named_choices.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

constexpr const char* k_help = R"(
Two copies of each object tumble as in tandem bench tumble. At each pose all libraries are timed
alternately: Tandem streams its pairs into an array, the others store theirs likewise. Times are
processor time of one thread. Answers are judged by Tandem's exact ones on the same coordinates:
missed are pairs that touch and were not found, false ones were found and do not touch, and close
ones are either within a millionth of the objects' size. After --distances come those of --apart, in
terms of the clear distance: the smallest beyond which nothing touches at any step, found to a
thousandth.
Where something touches and where nothing does are summed up apart from each other. embree-refit and
embree-collide find pairs of boxes; the time of embree-collide does not include moving B. In the
JSON rows time_us is the mean time of a query, worst_us that of the slowest step, ratio the peer's
time over Tandem's, and counts are sums over the steps; apart is null at the distances of
--distances.

With --distance they are asked how far apart the copies are at the distances of --apart, by default
1.01, 1.05, 1.2 and 2, and whether they come as close as 0.8 and 1.25 times that. FCL, which has no
such question, computes the distance with a result that begins at the threshold; its trees are then
of rectangle swept spheres. tandem-witness keeps a witness from step to step, for which many steps
make sense. Bullet, ODE and Embree have no distance between meshes that are not convex. differ are
distances off by more than a thousand millionth of Tandem's, and largest_difference is relative to
that.

Examples (each runs as it stands):
  tandem bench peers --quick
  tandem bench peers --distance --meshes shape:rock:2000 --steps 50 --rounds 1
  tandem bench peers --meshes shape:screw:2000 --distances 0.5 --apart 1.01 --steps 3
  tandem bench peers --meshes shape:rock:2000 --distances 1 --apart "" --steps 3 --json rows.json)";

constexpr const char* k_apart = "1.01,1.05,1.2";
constexpr const char* k_apart_for_distances = "1.01,1.05,1.2,2";

struct PeerOptions {
  std::string meshes = "shape:knot:80000,shape:rock:80000";
  std::string peers = "all";
  std::string apart = k_apart;
  bool distance = false;
  TurnOptions turn{.distances = "0.4,1,1.4,1.6,1.8"};
  bool quick = false;
  MeasurementOptions measurement;
};

peer_bench::Plan make_plan(const PeerOptions& options) {
  return {.peers = find_peers_with_tandem(options.peers),
          .distances = number_list(options.turn.distances, "--distances"),
          .apart = apart_list(options.apart),
          .steps = step_count(options.turn),
          .rounds = round_count(options.turn),
          .reporting = reporting(options.measurement.quiet)};
}

/// The turns of an object at the distances at which it is apart.
std::vector<distance_bench::QuerySet> turns_apart(const TumblingObject& object,
                                                  std::span<const double> apart, int steps,
                                                  Reporting reporting) {
  std::vector<distance_bench::QuerySet> sets;
  for (const Place& place : places_apart(object, Model(object.mesh), apart, steps, reporting)) {
    const Turn turn = turn_of(object, place.distance, steps);
    distance_bench::QuerySet set{
        object.name + ", " + shortest(place.apart) + " apart", turn.json_head(), {}};
    set.head["apart"] = place.apart;
    for (const Pose& pose : tumble_poses(steps, place.distance)) set.queries.push_back({pose, 0});
    sets.push_back(std::move(set));
  }
  return sets;
}

int run_distances(const PeerOptions& options) {
  const distance_bench::Plan plan{.peers = distance_bench::find_distance_peers(options.peers),
                                  .rounds = round_count(options.turn),
                                  .reporting = reporting(options.measurement.quiet)};
  const int steps = step_count(options.turn);
  const std::vector<double> apart =
      apart_list(options.apart == k_apart ? k_apart_for_distances : options.apart);
  if (apart.empty()) throw Error("--distance needs distances at which nothing touches: --apart");
  check_measurement_files(options.measurement, options.meshes);
  const auto objects = load_tumbling_objects(options.meshes, plan.reporting);
  const MeasurementReport report(options.measurement);
  report.say(missing_peers_paragraph() + distance_bench::introduction(plan));
  std::vector<distance_bench::Measurement> measurements;
  for (const TumblingObject& object : objects) {
    const distance_bench::MeshPair copies{&object.mesh, &object.mesh};
    const auto sets = turns_apart(object, apart, steps, plan.reporting);
    distance_bench::measure({&copies, 1}, sets, plan, [&](distance_bench::Measurement measurement) {
      report.say(distance_bench::table_text(measurement));
      measurements.push_back(std::move(measurement));
    });
  }
  report.say(distance_bench::summary_text(measurements));
  report.write([&] {
    Json object = json_head("protocol", "peers-distance");
    object["missing"] = missing_peers_json();
    object["rows"] = rows_of(measurements, distance_bench::to_json);
    return object;
  });
  return k_exit_ok;
}

int run(PeerOptions options) {
  if (options.quick) {
    options.turn.steps = std::to_string(3);
    options.turn.rounds = std::to_string(1);
  }
  if (options.distance) return run_distances(options);
  const peer_bench::Plan plan = make_plan(options);
  check_measurement_files(options.measurement, options.meshes);
  const auto objects = load_tumbling_objects(options.meshes, plan.reporting);
  const MeasurementReport report(options.measurement);

  Table known;
  for (const PeerInfo& info : plan.peers) {
    known.add_row({std::string(info.name) + "  " + std::string(info.description)});
  }
  report.say(missing_peers_paragraph() + "Two copies of each object, one of them turning in " +
             counted(static_cast<std::uint64_t>(plan.steps), "step", "steps") +
             ": mean time of a query, and what was found in all steps.\n" + known.text("  "));
  std::vector<peer_bench::Measurement> measurements;
  for (const TumblingObject& object : objects) {
    peer_bench::measure(object, plan, [&](peer_bench::Measurement measurement) {
      report.say(peer_bench::table_text(measurement));
      measurements.push_back(std::move(measurement));
    });
  }
  report.say(peer_bench::summary_text(measurements));

  report.plot([&](const WriteChart& write) { peer_bench::draw_charts(measurements, write); });
  report.write([&] {
    Json object = json_head("protocol", "peers");
    object["missing"] = missing_peers_json();
    object["rows"] = rows_of(measurements, peer_bench::to_json);
    return object;
  });
  return k_exit_ok;
}

}  // namespace

Command add_bench_peers(CLI::App& bench) {
  const auto options = std::make_shared<PeerOptions>();
  CLI::App* const app = add_benchmark(
      bench, "peers", "Tandem beside other libraries: times, and who is right", k_help);
  add_mesh_list(*app, options->meshes);
  add_list(*app, "--peers", options->peers,
           "those of this build: " + names_of(peers()) + "; or all");
  add_turn_options(*app, options->turn, "a pose");
  add_apart(*app, options->apart);
  add_flag(*app, "--distance", options->distance, "distances instead of pairs that touch");
  add_flag(*app, "--quick", options->quick, "3 steps, timed once: one minute instead of several");
  add_json_file(*app, options->measurement);
  add_plot_folder(*app, options->measurement, "time against distance");
  add_quiet_flag(*app, options->measurement.quiet);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
