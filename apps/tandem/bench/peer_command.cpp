// tandem bench peers: Tandem beside other libraries.
#include "bench/peer_bench.h"

#include <algorithm>
#include <memory>

#include "bench/bench_commands.h"
#include "measure/measurement_report.h"
#include "options/comma_lists.h"
#include "text/numbers.h"

namespace tandem::cli {

namespace {

constexpr const char* k_help = R"(
Two copies of each object tumble as in tandem bench tumble. At each pose all libraries take turns:
Tandem streams its pairs into an array, the others store theirs likewise. Times are processor time of
one thread. Answers are judged by Tandem's exact ones on the same coordinates: missed are pairs that
touch and were not found, false ones were found and do not touch, and close ones are either within a
millionth of the objects' size. Means leave out distances at which nothing touches. embree-refit and
embree-collide find pairs of boxes; the time of embree-collide does not include moving B. In the JSON rows time_us is the
mean of a query, worst_us the slowest step's, ratio the peer's time over Tandem's, and counts are sums over the steps.

Examples (each runs as it stands):
  tandem bench peers --quick
  tandem bench peers --meshes shape:rock:2000 --distances 1 --steps 3 --json rows.json --plot figures)";

struct Options {
  std::string meshes = "shape:knot:80000,shape:rock:80000";
  std::string peers = "all";
  std::string distances = "0.4,1,1.4,1.6,1.8";
  std::string steps = "20";
  std::string rounds = "3";
  std::optional<std::string> json_file;
  std::optional<std::string> plot_folder;
  bool quick = false;
  bool quiet = false;
};

/// Tandem is always among them: the others are measured by it.
std::vector<PeerInfo> chosen_peers(const std::string& names) {
  std::vector<PeerInfo> chosen = named_list(peers(), names, "--peers");
  if (chosen.empty() || chosen[0].name != peers()[0].name)
    chosen.insert(chosen.begin(), peers()[0]);
  return chosen;
}

peer_bench::Plan make_plan(const Options& options) {
  const std::uint64_t rounds = whole_number(options.rounds, "--rounds");
  if (rounds < 1 || rounds > 1000) {
    throw Error("--rounds must be from 1 to 1,000, not " + options.rounds);
  }
  return {.peers = chosen_peers(options.peers),
          .distances = number_list(options.distances, "--distances"),
          .steps = tumble_steps(options.steps, "--steps"),
          .rounds = static_cast<int>(rounds),
          .reporting = reporting(options.quiet)};
}

int run(Options options) {
  if (options.quick) {
    options.steps = "3";
    options.rounds = "1";
  }
  const peer_bench::Plan plan = make_plan(options);
  const auto objects = load_tumbling_objects(options.meshes, plan.reporting);
  const Report report(options.json_file, options.plot_folder);

  Table known;
  for (const PeerInfo& info : plan.peers) {
    known.add_row({std::string(info.name) + "  " + std::string(info.description)});
  }
  report.say("Two copies of each object, one of them turning in " +
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

  report.plot(
      [&](const std::string& folder) { return peer_bench::write_charts(folder, measurements); });
  report.write([&] {
    Json object;
    object["protocol"] = "peers";
    object["version"] = TANDEM_VERSION;
    object["rows"] = rows_of(measurements, peer_bench::to_json);
    return object;
  });
  return k_exit_ok;
}

}  // namespace

Command add_bench_peers(CLI::App& bench) {
  const auto options = std::make_shared<Options>();
  CLI::App* const app =
      bench.add_subcommand("peers", "Tandem beside other libraries: times, and who is right");
  app->group("Benchmarks");
  std::string names;
  for (const PeerInfo& info : peers()) names.append(names.empty() ? "" : ", ").append(info.name);
  const auto add_list = [&](const char* name, std::string& value, const std::string& text) {
    app->add_option(name, value, with_default(text, value))->option_text("LIST");
  };
  add_list("--meshes", options->meshes, "mesh files and built-in shapes, separated by commas");
  add_list("--peers", options->peers, "those of this build: " + names + "; or all");
  add_list("--distances", options->distances, "distances of the centres");
  app->add_option("--steps", options->steps, "steps of the turn (default " + options->steps + ")")
      ->option_text("N");
  app->add_option("--rounds", options->rounds,
                  "times that a pose is timed; the median counts (default " + options->rounds + ")")
      ->option_text("N");
  app->add_flag("--quick", options->quick, "3 steps, timed once: some minutes become one");
  app->add_option("--json", options->json_file,
                  "write all rows; - is standard output and silences the report")
      ->option_text("FILE");
  app->add_option("--plot", options->plot_folder,
                  "write time against distance as SVG into this folder, which is\n"
                  "made unless it is there")
      ->option_text("DIR");
  app->add_flag("--quiet", options->quiet, "no progress bars");
  app->footer(k_help);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
