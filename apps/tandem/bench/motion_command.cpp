// tandem bench motion: two objects that move step by step, asked at each step whether they touch.
#include <tandem/batch.h>
#include <tandem/error.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench_commands.h"
#include "measure/geometric_mean.h"
#include "measure/measurement_report.h"
#include "measure/timing.h"
#include "measure/tumble_protocol.h"
#include "options/comma_lists.h"
#include "options/named_choices.h"
#include "options/whole_numbers.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

constexpr const char* k_help = R"(
Two copies of each object, centred, the longest side of the box scaled to 2; B turns about z and x
at once, its centre at the distance along the x axis. At each step of the turn all are asked
whether A and B touch, on one thread:

  batch       all steps in one call
  one by one  a call for each step
  witness     the same with a witness, which remembers where they touched or how far apart they were

and other libraries, a call for each step. A round is a whole turn; all take turns, and the median
of the rounds counts. Distances "apart" are multiples of the least distance at which no step
touches. Ratios are over Tandem's batch. The last tables sum up all turns in which some steps touch,
and all in which none does: poses per second, and how many steps each says touch.

Examples (each runs as it stands):
  tandem bench motion --meshes shape:rock:2000 --steps 200 --rounds 1
  tandem bench motion --meshes shape:knot:5000 --distances 1 --apart 1.05 --peers tandem --quiet)";

/// FCL where it is in this build; others take minutes for so many poses.
std::string default_peers() {
  for (const PeerInfo& info : peers()) {
    if (info.name == "fcl") return "fcl";
  }
  return std::string(peers()[0].name);
}

struct MotionOptions {
  std::string meshes = "shape:knot:20000,shape:rock:20000";
  std::string distances = "0.4,1,1.6";
  std::string apart = "1.01,1.05,1.2";
  std::string peers = default_peers();
  std::string steps = "5000";
  std::string rounds = "3";
  MeasurementOptions measurement;
};

/// One way of asking at every step; says how many steps touch.
struct Way {
  std::string name;
  std::function<std::uint64_t(std::span<const Pose>)> ask;
};

struct Row {
  std::string way;
  std::uint64_t touching = 0;
  double query_s = 0;
  double ratio = 1;
};

struct Measurement {
  Turn turn;
  /// 0 for a distance that was asked for.
  double apart = 0;
  std::vector<Row> rows;
};

/// Tandem's ways come first.
constexpr std::size_t k_own_ways = 3;

std::vector<Way> ways_for(const Mesh& mesh, std::span<const PeerInfo> peers) {
  const auto model = std::make_shared<const Model>(mesh);
  std::vector<Way> ways = {
      {"batch",
       [model](std::span<const Pose> poses) {
         return intersects_batch(*model, *model, poses, {.threads = 1}).count();
       }},
      {"one by one",
       [model](std::span<const Pose> poses) {
         std::uint64_t touching = 0;
         for (const Pose& pose : poses) touching += intersects(*model, *model, pose) ? 1 : 0;
         return touching;
       }},
      {"witness",
       [model](std::span<const Pose> poses) {
         Witness witness;
         std::uint64_t touching = 0;
         for (const Pose& pose : poses) {
           touching += intersects(*model, *model, pose, witness) ? 1 : 0;
         }
         return touching;
       }},
  };
  for (const PeerInfo& info : peers) {
    SharedModels shared;
    ways.push_back(
        {std::string(info.name), [peer = std::shared_ptr<Peer>(info.make(mesh, mesh, shared))](
                                     std::span<const Pose> poses) {
           std::uint64_t touching = 0;
           for (const Pose& pose : poses) touching += peer->find_first(pose) ? 1 : 0;
           return touching;
         }});
  }
  return ways;
}

std::vector<Row> measure(std::span<const Way> ways, std::span<const Pose> poses, int rounds,
                         const Progress& progress) {
  std::vector<Row> rows;
  std::vector<RepeatedTask> tasks;
  for (const Way& way : ways) {
    rows.push_back({.way = way.name, .touching = way.ask(poses)});
    tasks.emplace_back([&way, poses](std::uint64_t repetitions) {
      for (std::uint64_t i = 0; i < repetitions; ++i) way.ask(poses);
    });
  }
  const std::vector<Timing> timings =
      time_in_turn(tasks, {.round_s = 0, .max_rounds = rounds, .max_task_s = 600}, progress);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].query_s = timings[i].median_s() / static_cast<double>(poses.size());
    rows[i].ratio = median_ratio(timings[i], timings[0]);
  }
  for (std::size_t i = 1; i < k_own_ways; ++i) {
    if (rows[i].touching != rows[0].touching) {
      throw Error(rows[i].way + " gave another answer than the batch: this is a bug in Tandem");
    }
  }
  return rows;
}

/// The distances that were asked for, then those at which the object is apart.
std::vector<Measurement> places_of(const TumblingObject& object, std::span<const double> distances,
                                   std::span<const double> apart, int steps, Reporting reporting) {
  std::vector<Measurement> places;
  for (const double distance : distances) {
    places.push_back({.turn = turn_of(object, distance, steps), .rows = {}});
  }
  for (const Place& place : places_apart(object, Model(object.mesh), apart, steps, reporting)) {
    places.push_back(
        {.turn = turn_of(object, place.distance, steps), .apart = place.apart, .rows = {}});
  }
  return places;
}

/// A line for each place of an object.
std::string table_text(std::span<const Measurement> places) {
  Table table;
  std::vector<std::string> head = {"distance", "touch"};
  for (const Row& row : places[0].rows) head.push_back(row.way);
  table.add_row(std::move(head));
  for (const Measurement& place : places) {
    std::vector<std::string> cells = {
        place.apart == 0 ? shortest(place.turn.distance) : shortest(place.apart) + " apart",
        grouped(place.rows[0].touching)};
    for (const Row& row : place.rows) {
      cells.push_back(duration(row.query_s) +
                      (&row == place.rows.data() ? "" : " (" + ratio_text(row.ratio) + "x)"));
    }
    table.add_row(std::move(cells));
  }
  return table.text("  ");
}

/// How many poses each way answers per second, over all places at which something touches, or
/// nothing does, and how many of them it says touch.
std::string rates_text(std::span<const Measurement> all, bool touching) {
  std::vector<const Measurement*> places;
  for (const Measurement& place : all) {
    if ((place.rows[0].touching > 0) == touching) places.push_back(&place);
  }
  if (places.empty()) return "";
  Table table;
  table.add_row({"", "poses per second", "time over the batch's", "least", "most", "touch"});
  for (std::size_t i = 0; i < places[0]->rows.size(); ++i) {
    GeometricMean time_s;
    GeometricMean ratio;
    double least = places[0]->rows[i].ratio;
    double most = least;
    std::uint64_t touch = 0;
    for (const Measurement* place : places) {
      const Row& row = place->rows[i];
      time_s.add(row.query_s);
      ratio.add(row.ratio);
      least = std::min(least, row.ratio);
      most = std::max(most, row.ratio);
      touch += row.touching;
    }
    table.add_row({places[0]->rows[i].way, rounded(1 / time_s.value()), ratio_text(ratio.value()),
                   ratio_text(least), ratio_text(most), grouped(touch)});
  }
  const std::uint64_t poses = places.size() * static_cast<std::uint64_t>(places[0]->turn.steps);
  return std::string("\n") + counted(places.size(), "turn", "turns") + " in which " +
         (touching ? "some steps touch" : "none does") + ", " + counted(poses, "pose", "poses") +
         ", geometric means\n" + table.text("  ");
}

int run(const MotionOptions& options) {
  const int steps = whole_number_in(options.steps, "--steps", 1, 10'000'000);
  const int rounds = whole_number_in(options.rounds, "--rounds", 1, 1000);
  check_measurement_files(options.measurement, options.meshes);
  const MeasurementReport report(options.measurement);
  const Reporting reporting = cli::reporting(options.measurement.quiet);
  const std::vector<double> distances = number_list(options.distances, "--distances");
  const std::vector<double> apart = apart_list(options.apart);
  std::vector<PeerInfo> others = find_peers_with_first(options.peers);
  others.erase(others.begin());  // Tandem itself
  report.say(missing_peers_paragraph());
  std::vector<Measurement> all;
  for (const TumblingObject& object : load_tumbling_objects(options.meshes, reporting)) {
    std::vector<Measurement> places = places_of(object, distances, apart, steps, reporting);
    const std::vector<Way> ways = ways_for(object.mesh, others);
    for (Measurement& place : places) {
      ProgressBar bar(place.turn.title(), reporting);
      place.rows = measure(ways, tumble_poses(steps, place.turn.distance), rounds, bar.callback());
    }
    report.say("\n" + object.name + ": " +
               counted(object.mesh.triangle_count(), "triangle", "triangles") + ", " +
               counted(static_cast<std::uint64_t>(steps), "step", "steps") + " of a turn\n" +
               table_text(places));
    all.insert(all.end(), places.begin(), places.end());
  }
  report.say(rates_text(all, true) + rates_text(all, false));
  report.write([&] {
    Json object = json_head("protocol", "motion");
    object["missing"] = missing_peers_json();
    object["rows"] = rows_of(all, [](const Measurement& place, const Row& row) {
      Json json = place.turn.json_head();
      json["apart"] = place.apart;
      json["steps"] = place.turn.steps;
      json["way"] = row.way;
      json["touching"] = row.touching;
      json["ns_per_query"] = 1e9 * row.query_s;
      json["ratio"] = row.ratio;
      return json;
    });
    return object;
  });
  return k_exit_ok;
}

}  // namespace

Command add_bench_motion(CLI::App& bench) {
  const auto options = std::make_shared<MotionOptions>();
  CLI::App* const app = add_benchmark(
      bench, "motion", "Poses per second of objects that move, beside other libraries", k_help);
  add_mesh_list(*app, options->meshes);
  add_list(*app, "--distances", options->distances, "distances of the centres");
  add_apart(*app, options->apart);
  add_list(*app, "--peers", options->peers,
           "those of this build that can stop: " + names_of(peers_with_first()) + "; or all");
  add_value_with_default(*app, "--steps", options->steps, "N", "steps of the turn");
  add_value_with_default(*app, "--rounds", options->rounds, "N",
                         "times that a turn is timed; the median counts");
  add_json_file(*app, options->measurement);
  add_quiet_flag(*app, options->measurement.quiet);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
