// tandem bench arm: small meshes that mostly miss each other, as a motion planner asks about them.
#include <tandem/error.h>

#include <algorithm>
#include <memory>

#include "bench/arm/arm_bench.h"
#include "bench/bench_commands.h"
#include "bench/distance/distance_bench.h"
#include "options/comma_lists.h"
#include "options/whole_numbers.h"
#include "text/numbers.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

constexpr const char* k_help = R"(
A robot arm of 8 links, each of some hundred triangles, between a table, a shelf, a pillar and parts
of machines. A query is whether a link touches one of these, or a link that is not its neighbour.
Configurations are random, the same for the same seed; each gives one query to a set, drawn until it
is of the kind that is wanted, so that a set has exactly the share of hits that it is named after. A
set without hits comes twice. Its near misses are those in which the box of a link, grown by 3 % of
its length on each side, overlaps the box of the other part, each box in the frame of its part; far
misses are all others. With --configurations 100000 it takes a minute or two.

All libraries are timed alternately in one process; times are processor time of one thread. tandem
is intersects, which stops at the first pair, and tandem-count is count, which finds all pairs; of
the others only those take part that can stop. What is right is known from another engine of Tandem:
a wrong answer of Tandem ends the command with an error, those of others are counted. In the JSON
rows ns_per_query is the median over the rounds and ns_least the least, ratio the time over that of
intersects, hits the answers that something touches, hash that of all answers and their parts.

With --distance the same sets are asked how far apart the two parts are, and whether they come as
close as 0.8 and 1.25 times that; see tandem bench peers for how FCL is asked.

Examples (each runs as it stands):
  tandem bench arm --configurations 500
  tandem bench arm --distance --configurations 500 --hits 0 --rounds 3
  tandem bench arm --hits 0 --rounds 5 --json rows.json
  tandem bench arm --configurations 1000 --hits 0,2,50 --seed 7 --peers tandem --plot figures)";

struct ArmOptions {
  std::string configurations = "4000";
  std::string hits = "0,5,20";
  std::string seed = "1";
  std::string rounds = "15";
  std::string peers = "all";
  bool distance = false;
  MeasurementOptions measurement;
};

// Tandem twice, then the others.
std::vector<PeerInfo> chosen_peers(const std::string& names) {
  std::vector<PeerInfo> chosen = find_peers_with_first(names);
  chosen.insert(chosen.begin() + 1, tandem_count());
  return chosen;
}

std::vector<double> shares_of_hits(const std::string& list) {
  std::vector<double> shares = number_list(list, "--hits");
  for (const double share : shares) {
    if (share > 100) throw Error("--hits: " + shortest(share) + " is more than 100 %");
  }
  return shares;
}

arm_bench::Plan make_plan(const ArmOptions& options) {
  return {.peers = options.distance ? std::vector<PeerInfo>() : chosen_peers(options.peers),
          .hits_percent = shares_of_hits(options.hits),
          .configurations = static_cast<std::size_t>(
              whole_number_in(options.configurations, "--configurations", 1, 1'000'000)),
          .seed = whole_number(options.seed, "--seed"),
          .rounds = whole_number_in(options.rounds, "--rounds", 1, 1000),
          .reporting = reporting(options.measurement.quiet)};
}

std::string introduction(const arm_bench::Scene& scene) {
  std::string parts;
  for (const ArmPart& part : scene.parts) {
    parts.append(parts.empty() ? "" : ", ").append(part.name).append(" ");
    parts.append(grouped(part.mesh.triangle_count()));
  }
  return wrapped("Triangles of each part: " + parts + ".", 100, "", "");
}

Json json_of(const arm_bench::Scene& scene, const arm_bench::Plan& plan, const char* protocol) {
  Json object = json_head("protocol", protocol);
  object["configurations"] = plan.configurations;
  object["seed"] = plan.seed;
  object["rounds"] = plan.rounds;
  object["parts"] = Json::array();
  for (const ArmPart& part : scene.parts) {
    object["parts"].push_back({{"part", part.name}, {"triangles", part.mesh.triangle_count()}});
  }
  object["missing"] = missing_peers_json();
  return object;
}

/// The same sets for distances.
std::vector<distance_bench::QuerySet> distance_sets(std::span<const arm_bench::QuerySet> sets) {
  std::vector<distance_bench::QuerySet> result;
  for (const arm_bench::QuerySet& set : sets) {
    distance_bench::QuerySet queries{set.title(), Json::object(), {}};
    queries.head["kind"] = arm_bench::kind_name(set.kind);
    queries.head["hits_percent"] = set.hits_percent();
    for (const arm_bench::Query& query : set.queries) {
      queries.queries.push_back({query.b_in_a, query.pair});
    }
    result.push_back(std::move(queries));
  }
  return result;
}

int run_distances(const ArmOptions& options, const arm_bench::Plan& plan) {
  distance_bench::Plan distances{.peers = distance_bench::find_distance_peers(options.peers),
                                 .rounds = plan.rounds,
                                 .reporting = plan.reporting};
  // Nothing moves step by step here.
  std::erase_if(distances.peers, [](const DistancePeerInfo& info) { return info.remembers; });
  const MeasurementReport report(options.measurement);
  const arm_bench::Scene scene = arm_bench::make_scene();
  report.say(missing_peers_paragraph() + introduction(scene) +
             distance_bench::introduction(distances));
  std::vector<distance_bench::MeshPair> pairs;
  for (const auto& [a, b] : scene.pairs) {
    pairs.push_back({&scene.parts[a].mesh, &scene.parts[b].mesh});
  }
  const auto sets = distance_sets(arm_bench::make_query_sets(scene, plan));
  std::vector<distance_bench::Measurement> measurements;
  distance_bench::measure(pairs, sets, distances, [&](distance_bench::Measurement measurement) {
    report.say(distance_bench::table_text(measurement));
    measurements.push_back(std::move(measurement));
  });
  report.say(distance_bench::summary_text(measurements));
  report.write([&] {
    Json object = json_of(scene, plan, "arm-distance");
    object["rows"] = rows_of(measurements, distance_bench::to_json);
    return object;
  });
  return k_exit_ok;
}

int run(const ArmOptions& options) {
  const arm_bench::Plan plan = make_plan(options);
  check_measurement_files(options.measurement, "");
  if (options.distance) return run_distances(options, plan);
  const MeasurementReport report(options.measurement);
  const arm_bench::Scene scene = arm_bench::make_scene();
  report.say(missing_peers_paragraph() + introduction(scene));
  std::string peers;
  for (const PeerInfo& info : plan.peers) peers += list_line(info.name, info.description, 16);
  report.say(peers);

  const std::vector<arm_bench::QuerySet> sets = arm_bench::make_query_sets(scene, plan);
  std::vector<arm_bench::Measurement> measurements;
  arm_bench::measure(scene, sets, plan, [&](arm_bench::Measurement measurement) {
    report.say(arm_bench::table_text(measurement));
    measurements.push_back(std::move(measurement));
  });
  report.say(arm_bench::summary_text(measurements));

  report.plot([&](const WriteChart& write) { arm_bench::draw_chart(measurements, write); });
  report.write([&] {
    Json object = json_of(scene, plan, "arm");
    object["rows"] = rows_of(measurements, arm_bench::to_json);
    return object;
  });
  return k_exit_ok;
}

}  // namespace

Command add_bench_arm(CLI::App& bench) {
  const auto options = std::make_shared<ArmOptions>();
  CLI::App* const app =
      add_benchmark(bench, "arm", "A robot arm of small meshes: does it touch something?", k_help);
  add_value_with_default(*app, "--configurations", options->configurations, "N",
                         "configurations in each set");
  add_list(*app, "--hits", options->hits, "percentages of queries that touch, a set for each");
  add_value_with_default(*app, "--seed", options->seed, "S", "for the configurations");
  add_value_with_default(*app, "--rounds", options->rounds, "N", "times that a set is timed");
  add_list(*app, "--peers", options->peers,
           "those of this build that can stop: " + names_of(peers_with_first()) + "; or all");
  add_flag(*app, "--distance", options->distance, "distances instead of whether something touches");
  add_json_file(*app, options->measurement);
  add_plot_folder(*app, options->measurement, "time against the share of hits");
  add_quiet_flag(*app, options->measurement.quiet);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
