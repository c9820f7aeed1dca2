// tandem bench tumble: any combination of structures, overlap tests and traversals.
#include <algorithm>
#include <memory>

#include "bench/bench_commands.h"
#include "bench/tumble_bench.h"
#include "measure/measurement_report.h"
#include "options/named_choices.h"
#include "text/numbers.h"

namespace tandem::cli {

namespace {

constexpr const char* k_help = R"(
Two copies of each object, centred, the longest side of the box scaled to 2. A stays where it is. B
turns about z and x at once in N steps, its centre at each of the distances along the x axis. All
combinations are timed alternately in one process and must find the same pairs; times are processor
time. In the JSON rows time_us is the mean time of a query, counts are sums over the steps. Names
are those of tandem list. Structures skip the overlap tests and traversals that they do not have;
automatic is what a structure does by itself.

Examples (each runs as it stands):
  tandem bench tumble --meshes shape:rock:500 --steps 5 --distances 1
  tandem bench tumble --meshes shape:rock:500,shape:knot:500 --structures sphere,obb --plot figures
  tandem bench tumble --meshes shape:knot:500 --structures aabb --tests all --json rows.json
  tandem make knot --triangles 500 -o knot.ply
  tandem bench tumble --meshes knot.ply --structures dop24 --traversals recursive,list --steps 5)";

struct TumbleOptions {
  std::string meshes = "shape:knot:20000,shape:rock:20000";
  std::string structures = "all";
  std::string tests = "automatic";
  std::string traversals = "blocks,recursive,list-pairs";
  TurnOptions turn{.distances = "0.5,1,1.5,2"};
  MeasurementOptions measurement;
};

// "all" leaves out brute force, which takes minutes where the others take milliseconds.
std::vector<Traversal> chosen_traversals(const std::string& names) {
  std::vector<Traversal> chosen = find_choices<Traversal>(names, "--traversals");
  const std::vector<std::string> words = split_list(names, "--traversals");
  if (std::find(words.begin(), words.end(), "brute-force") == words.end()) {
    std::erase(chosen, Traversal("brute-force"));
  }
  return chosen;
}

// The combinations that exist; throws when there are none.
std::vector<tumble_bench::Combination> combinations(const TumbleOptions& options) {
  const auto structures = find_choices<Structure>(options.structures, "--structures");
  const auto tests = find_choices<OverlapTest>(options.tests, "--tests");
  const auto traversals = chosen_traversals(options.traversals);
  std::vector<tumble_bench::Combination> result;
  for (const Structure structure : structures) {
    for (const OverlapTest test : tests) {
      // That one is for poses that only move, and here all turn.
      if (test == OverlapTest("aligned")) continue;
      for (const Traversal traversal : traversals) {
        if (!exists(Engine{.structure = structure, .traversal = traversal, .overlap = test})) {
          continue;
        }
        result.push_back({traversal, test, {.structure = structure}});
      }
    }
  }
  if (result.empty()) {
    // The library says what the first structure has instead.
    const Model model(Mesh(), {.structure = structures.front()});
    const Pose turned = tumble_poses(1, 1).front();
    count(model, model, turned, {.engine = {.overlap = tests.front()}});
    count(model, model, turned, {.engine = {.traversal = traversals.front()}});
    throw Error("none of these --structures, --tests and --traversals go together");
  }
  return result;
}

tumble_bench::Plan make_plan(const TumbleOptions& options) {
  return {.combinations = combinations(options),
          .distances = number_list(options.turn.distances, "--distances"),
          .steps = step_count(options.turn),
          .timing = {.round_s = 0.002, .max_rounds = round_count(options.turn), .max_task_s = 60},
          .reporting = reporting(options.measurement.quiet)};
}

int run(const TumbleOptions& options) {
  const tumble_bench::Plan plan = make_plan(options);
  check_measurement_files(options.measurement, options.meshes);
  const auto objects = load_tumbling_objects(options.meshes, plan.reporting);
  const MeasurementReport report(options.measurement);

  report.say("Two copies of each object, one of them turning in " +
             counted(static_cast<std::uint64_t>(plan.steps), "step", "steps") +
             ": mean time and counts of a query.\n");
  std::vector<tumble_bench::Measurement> measurements;
  for (const TumblingObject& object : objects) {
    tumble_bench::measure(object, plan, [&](tumble_bench::Measurement measurement) {
      report.say(tumble_bench::table_text(measurement));
      measurements.push_back(std::move(measurement));
    });
  }
  report.say(tumble_bench::ratios_text(measurements) +
             "\nAll combinations found the same pairs.\n");

  report.plot([&](const WriteChart& write) { tumble_bench::draw_charts(measurements, write); });
  report.write([&] {
    Json object = json_head("protocol", "tumble");
    object["steps"] = plan.steps;
    object["rows"] = rows_of(measurements, tumble_bench::to_json);
    return object;
  });
  return k_exit_ok;
}

}  // namespace

Command add_bench_tumble(CLI::App& bench) {
  const auto options = std::make_shared<TumbleOptions>();
  CLI::App* const app = add_benchmark(
      bench, "tumble", "Two copies of an object, one turning beside the other", k_help);
  add_mesh_list(*app, options->meshes);
  add_list(*app, "--structures", options->structures, "structures, or all");
  add_list(*app, "--tests", options->tests, "overlap tests, or all");
  add_list(*app, "--traversals", options->traversals, "traversals, or all (except brute-force)");
  add_turn_options(*app, options->turn, "a turn");
  add_json_file(*app, options->measurement);
  add_plot_folder(*app, options->measurement, "time against distance");
  add_quiet_flag(*app, options->measurement.quiet);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
