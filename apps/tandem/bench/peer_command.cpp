// tandem bench peers: Tandem beside other libraries.
#include <memory>

#include "bench/bench_commands.h"
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
terms of the least one from which on nothing touches at any step, which is found to a thousandth.
Where something touches and where nothing does are summed up apart from each other. embree-refit and
embree-collide find pairs of boxes; the time of embree-collide does not include moving B. In the
JSON rows time_us is the mean time of a query, worst_us that of the slowest step, ratio the peer's
time over Tandem's, and counts are sums over the steps; apart is null at the distances of
--distances.

Examples (each runs as it stands):
  tandem bench peers --quick
  tandem bench peers --meshes shape:screw:2000 --distances 0.5 --apart 1.01 --steps 3
  tandem bench peers --meshes shape:rock:2000 --distances 1 --apart "" --steps 3 --json rows.json)";

struct PeerOptions {
  std::string meshes = "shape:knot:80000,shape:rock:80000";
  std::string peers = "all";
  std::string apart = "1.01,1.05,1.2";
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

int run(PeerOptions options) {
  if (options.quick) {
    options.turn.steps = std::to_string(3);
    options.turn.rounds = std::to_string(1);
  }
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
  add_flag(*app, "--quick", options->quick, "3 steps, timed once: one minute instead of several");
  add_json_file(*app, options->measurement);
  add_plot_folder(*app, options->measurement, "time against distance");
  add_quiet_flag(*app, options->measurement.quiet);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
