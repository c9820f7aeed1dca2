// tandem bench: measurements. Here those of any combination of volumes, tests and traversals.
#include "bench/bench_commands.h"

#include <memory>

#include "bench/ray_bench.h"
#include "bench/tumble_bench.h"
#include "measure/measurement_report.h"
#include "options/comma_lists.h"
#include "text/numbers.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(
Examples:
  tandem bench
  tandem bench tumble --meshes shape:rock:500 --volumes aabb,dop24 --distances 1 --steps 5
  tandem bench rays --quick --scenes shape:knot:2000)";

constexpr const char* k_tumble_examples = R"(
Two copies of each object, centred, the longest side of the box scaled to 2. A stays where it is. B
turns about z and x at once in N steps, its centre at each of the distances along the x axis. All
combinations take turns in one process and must find the same pairs; times are processor time. In
the JSON rows time_us is the mean of a query, counts are sums over the steps. Names are those of
tandem list. Only aabb has overlap tests other than automatic: other volumes leave those out. The
volume wide has one traversal, called automatic, and leaves the others out.

Examples (each runs as it stands):
  tandem bench tumble --meshes shape:rock:500 --steps 5 --distances 1
  tandem bench tumble --meshes shape:rock:500,shape:knot:500 --volumes sphere,obb --plot figures
  tandem bench tumble --meshes shape:knot:500 --volumes aabb --tests all --steps 5 --json rows.json
  tandem make knot --triangles 500 -o knot.ply
  tandem bench tumble --meshes knot.ply --volumes dop24 --traversals recursive,list --distances 0.5)";

struct TumbleOptions {
  std::string meshes = "shape:knot:20000,shape:rock:20000";
  std::string volumes = "all";
  std::string tests = "automatic";
  std::string traversals = "automatic,recursive,list-pairs";
  std::string distances = "0.5,1,1.5,2";
  std::string steps = "20";
  std::string rounds = "3";
  std::optional<std::string> json_file;
  std::optional<std::string> plot_folder;
  bool quiet = false;
};

// Brute force has to be asked for by name: it takes minutes where the others take milliseconds.
std::vector<AlgorithmInfo> chosen_traversals(const std::string& names) {
  std::vector<AlgorithmInfo> chosen = named_list(algorithms(), names, "--traversals");
  const std::vector<std::string> words = split_list(names, "--traversals");
  if (std::find(words.begin(), words.end(), "brute-force") == words.end()) {
    std::erase_if(
        chosen, [](const AlgorithmInfo& info) { return info.algorithm == Algorithm::brute_force; });
  }
  return chosen;
}

// Those that make sense.
std::vector<tumble::Combination> combinations(const TumbleOptions& options) {
  const auto chosen_volumes = named_list(volumes(), options.volumes, "--volumes");
  const auto chosen_tests = named_list(overlaps(), options.tests, "--tests");
  const auto traversals = chosen_traversals(options.traversals);
  std::vector<tumble::Combination> result;
  for (const VolumeInfo& volume : chosen_volumes) {
    for (const OverlapInfo& test : chosen_tests) {
      if (!works_with(test.overlap, volume.volume)) continue;
      for (const AlgorithmInfo& traversal : traversals) {
        // Only wide has a traversal that no other name stands for.
        const bool twice =
            traversal.algorithm == Algorithm::automatic && volume.volume != Volume::wide;
        if (twice || !works_with(traversal.algorithm, volume.volume)) continue;
        result.push_back({volume, test, traversal});
      }
    }
  }
  if (result.empty()) {
    throw Error(
        "none of these --tests and --traversals is for one of the --volumes: aabb and boxtrees "
        "have a "
        "choice of tests, wide has the traversal automatic, boxtrees those that go down");
  }
  return result;
}

tumble::Plan make_plan(const TumbleOptions& options) {
  const std::uint64_t rounds = whole_number(options.rounds, "--rounds");
  if (rounds < 1 || rounds > 1000) {
    throw Error("--rounds must be from 1 to 1,000, not " + options.rounds);
  }
  return {.combinations = combinations(options),
          .distances = number_list(options.distances, "--distances"),
          .steps = tumble_steps(options.steps, "--steps"),
          .timing = {.round_s = 0.002, .max_rounds = static_cast<int>(rounds), .max_task_s = 60},
          .reporting = reporting(options.quiet)};
}

int run_tumble(const TumbleOptions& options) {
  const tumble::Plan plan = make_plan(options);
  const auto objects = load_tumbling_objects(options.meshes, plan.reporting);
  const Report report(options.json_file, options.plot_folder);

  report.say("Two copies of each object, one of them turning in " +
             counted(static_cast<std::uint64_t>(plan.steps), "step", "steps") +
             ": mean time and counts of a query.\n");
  std::vector<tumble::Measurement> measurements;
  for (const TumblingObject& object : objects) {
    tumble::measure(object, plan, [&](tumble::Measurement measurement) {
      report.say(tumble::table_text(measurement));
      measurements.push_back(std::move(measurement));
    });
  }
  report.say(tumble::ratios_text(measurements) + "\nAll combinations found the same pairs.\n");

  report.plot(
      [&](const std::string& folder) { return tumble::write_charts(folder, measurements); });
  report.write([&] {
    Json object;
    object["protocol"] = "tumble";
    object["version"] = TANDEM_VERSION;
    object["steps"] = plan.steps;
    object["rows"] = rows_of(measurements, tumble::to_json);
    return object;
  });
  return k_exit_ok;
}

}  // namespace

Command add_bench(CLI::App& program) {
  const auto options = std::make_shared<TumbleOptions>();
  CLI::App* const app = program.add_subcommand(
      "bench", "Measure volumes, tests, traversals, rays, and other libraries");
  app->require_subcommand(0, 1);
  app->footer(k_examples);
  CLI::App* const tumble =
      app->add_subcommand("tumble", "Two copies of an object, one turning beside the other");
  tumble->group("Benchmarks");
  const auto add_list = [&](const char* name, std::string& value, const std::string& text) {
    tumble->add_option(name, value, with_default(text, value))->option_text("LIST");
  };
  add_list("--meshes", options->meshes, "mesh files and built-in shapes, separated by commas");
  add_list("--volumes", options->volumes, "bounding volumes, or all");
  add_list("--tests", options->tests, "overlap tests, or all");
  add_list("--traversals", options->traversals, "algorithms, or all (but brute-force)");
  add_list("--distances", options->distances, "distances of the centres");
  tumble
      ->add_option("--steps", options->steps, "steps of the turn (default " + options->steps + ")")
      ->option_text("N");
  tumble
      ->add_option(
          "--rounds", options->rounds,
          "times that a turn is timed; the median counts (default " + options->rounds + ")")
      ->option_text("N");
  tumble
      ->add_option("--json", options->json_file,
                   "write all rows; - is standard output and silences the report")
      ->option_text("FILE");
  tumble
      ->add_option("--plot", options->plot_folder,
                   "write time against distance as SVG into this folder, which is\n"
                   "made unless it is there")
      ->option_text("DIR");
  tumble->add_flag("--quiet", options->quiet, "no progress bars");
  tumble->footer(k_tumble_examples);
  const Command rays = add_bench_rays(*app);
  const Command peers = add_bench_peers(*app);
  const Command exactness = add_bench_exactness(*app);
  return {app, [options, &program, tumble, rays, peers, exactness]() -> int {
            if (tumble->parsed()) return run_tumble(*options);
            if (rays.options->parsed()) return rays.run();
            if (peers.options->parsed()) return peers.run();
            if (exactness.options->parsed()) return exactness.run();
            print(program.help());
            return k_exit_ok;
          }};
}

}  // namespace tandem::cli
