// tandem bench threads: how much faster several threads are, and that they find the same.
#include <tandem/batch.h>
#include <tandem/error.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/bench_commands.h"
#include "build/wide/builders.h"
#include "measure/measurement_report.h"
#include "measure/pair_hash.h"
#include "measure/tumble_protocol.h"
#include "options/comma_lists.h"
#include "options/whole_numbers.h"
#include "text/numbers.h"
#include "text/stopwatch.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

constexpr const char* k_help = R"(
Two copies of each object, centred, the longest side of the box scaled to 2; B turns about z and x
at once, its centre at the distance along the x axis. Measured are the builders, one query at the
first step of the turn (all pairs sorted, and their number), and batches with a pose for each step.
Times are wall times, the least of the rounds, in which all numbers of threads take turns; the
speed-up is over one thread. Results are compared: they must be the same for any number of threads.

Examples (each runs as it stands):
  tandem bench threads --meshes shape:knot:20000 --poses 200 --rounds 2
  tandem bench threads --meshes shape:rock:5000 --threads 1,2 --poses 50 --json rows.json)";

struct ThreadOptions {
  std::string meshes = "shape:knot:1000000,shape:rock:100000";
  std::string threads = "automatic";
  std::string distance = "0.5";
  std::string poses = "1000";
  std::string rounds = "3";
  MeasurementOptions measurement;
};

/// 1, 2, 4 and so on, and as many as the machine has.
std::vector<int> thread_counts(const std::string& text) {
  std::vector<int> counts;
  if (text == "automatic") {
    const int most = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    for (int count = 1; count < most; count *= 2) counts.push_back(count);
    counts.push_back(most);
    return counts;
  }
  for (const std::string& item : split_list(text, "--threads")) {
    counts.push_back(whole_number_in(item, "--threads", 1, 4096));
  }
  if (counts.front() != 1) counts.insert(counts.begin(), 1);
  return counts;
}

/// Something that several threads can share: does it, and returns a function that hashes what it
/// gave.
struct Task {
  std::string name;
  std::function<std::function<std::uint64_t()>(int threads)> run;
};

struct Row {
  std::string mesh;
  std::string task;
  int threads = 1;
  double time_s = 0;
  double speed_up = 1;
  std::uint64_t hash = 0;
};

std::uint64_t hash_of(std::span<const TrianglePair> pairs) {
  PairHash hash;
  hash.add(pairs);
  return hash.value();
}

std::uint64_t hash_of(std::span<const std::uint64_t> numbers) {
  PairHash hash;
  for (const std::uint64_t number : numbers) {
    const TrianglePair halves{static_cast<std::uint32_t>(number),
                              static_cast<std::uint32_t>(number >> 32)};
    hash.add({&halves, 1});
  }
  return hash.value();
}

/// The triangles in their order, and all that is known of the nodes.
std::uint64_t hash_of(const detail::WideTree& tree) {
  PairHash hash;
  for (const std::uint32_t id : tree.ids) {
    const TrianglePair pair{id, 0};
    hash.add({&pair, 1});
  }
  for (const detail::NodeBlock& block : tree.blocks) {
    const float* const numbers = &block.centre[0][0];
    for (std::size_t i = 0; i < offsetof(detail::NodeBlock, first_child) / sizeof(float); ++i) {
      const TrianglePair pair{std::bit_cast<std::uint32_t>(numbers[i]), block.first_child};
      hash.add({&pair, 1});
    }
  }
  return hash.value();
}

template <class Result>
std::function<std::uint64_t()> later(Result result) {
  return [kept = std::make_shared<const Result>(std::move(result))] { return hash_of(*kept); };
}

std::vector<Task> tasks_for(const Mesh& mesh, std::span<const Pose> poses) {
  const auto model = std::make_shared<const Model>(mesh, BuildOptions{.threads = 0});
  return {
      {"build, best", [&](int threads) { return later(detail::WideBest::build(mesh, threads)); }},
      {"build, fast", [&](int threads) { return later(detail::WideFast::build(mesh, threads)); }},
      {"all pairs of one query",
       [model, poses](int threads) {
         return later(collide(*model, *model, poses[0], {.threads = threads}).pairs);
       }},
      {"number of pairs of one query",
       [model, poses](int threads) {
         const std::uint64_t number = count(*model, *model, poses[0], {.threads = threads}).count;
         return later(std::vector{number});
       }},
      {"numbers of pairs of a batch",
       [model, poses](int threads) {
         return later(count_batch(*model, *model, poses, {.threads = threads}));
       }},
      {"first pairs of a batch",
       [model, poses](int threads) {
         const BatchBits bits = intersects_batch(*model, *model, poses, {.threads = threads});
         return later(std::vector<std::uint64_t>(bits.words().begin(), bits.words().end()));
       }},
  };
}

/// All numbers of threads take turns.
std::vector<Row> measure(const std::string& mesh, const Task& task, std::span<const int> threads,
                         int rounds) {
  std::vector<Row> rows;
  rows.reserve(threads.size());
  for (const int count : threads)
    rows.push_back({.mesh = mesh, .task = task.name, .threads = count});
  for (int round = 0; round < rounds; ++round) {
    for (Row& row : rows) {
      const Stopwatch stopwatch;
      const std::function<std::uint64_t()> hash = task.run(row.threads);
      const double time_s = stopwatch.seconds();
      row.hash = hash();
      row.time_s = round == 0 ? time_s : std::min(row.time_s, time_s);
      if (row.hash != rows[0].hash) {
        throw Error(task.name + " gave something else with " + std::to_string(row.threads) +
                    " threads than with one: this is a bug in Tandem");
      }
    }
  }
  for (Row& row : rows) row.speed_up = rows[0].time_s / row.time_s;
  return rows;
}

int run(const ThreadOptions& options) {
  const std::vector<int> threads = thread_counts(options.threads);
  const int pose_count = whole_number_in(options.poses, "--poses", 1, 10'000'000);
  const int rounds = whole_number_in(options.rounds, "--rounds", 1, 1000);
  const std::vector<double> distances = number_list(options.distance, "--distance");
  if (distances.size() != 1) throw Error("--distance is one number");
  check_measurement_files(options.measurement, options.meshes);
  const MeasurementReport report(options.measurement);
  const Reporting reporting = cli::reporting(options.measurement.quiet);
  const std::vector<Pose> poses = tumble_poses(pose_count, distances[0]);
  std::vector<Row> all;
  for (const TumblingObject& object : load_tumbling_objects(options.meshes, reporting)) {
    Table table;
    std::vector<std::string> head = {""};
    for (const int count : threads) head.push_back(counted(count, "thread", "threads"));
    table.add_row(std::move(head));
    const std::vector<Task> tasks = tasks_for(object.mesh, poses);
    ProgressBar bar("measuring", reporting);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const std::vector<Row> rows = measure(object.name, tasks[i], threads, rounds);
      std::vector<std::string> cells = {tasks[i].name};
      for (const Row& row : rows) {
        cells.push_back(duration(row.time_s) +
                        (row.threads == 1 ? "" : " (" + ratio_text(row.speed_up) + "x)"));
      }
      table.add_row(std::move(cells));
      all.insert(all.end(), rows.begin(), rows.end());
      bar.callback()(static_cast<double>(i + 1) / static_cast<double>(tasks.size()));
    }
    report.say("\n" + object.name + ": " +
               counted(object.mesh.triangle_count(), "triangle", "triangles") + ", " +
               counted(poses.size(), "pose", "poses") + " at the distance " + options.distance +
               "\n" + table.text("  "));
  }
  report.write([&] {
    Json object = json_head("protocol", "threads");
    object["rows"] = Json::array();
    for (const Row& row : all) {
      object["rows"].push_back({{"mesh", row.mesh},
                                {"task", row.task},
                                {"threads", row.threads},
                                {"time_s", row.time_s},
                                {"speed_up", row.speed_up},
                                {"hash", hexadecimal(row.hash)}});
    }
    return object;
  });
  return k_exit_ok;
}

}  // namespace

Command add_bench_threads(CLI::App& bench) {
  const auto options = std::make_shared<ThreadOptions>();
  CLI::App* const app = add_benchmark(
      bench, "threads", "Builders, queries and batches on one thread and on several", k_help);
  add_mesh_list(*app, options->meshes);
  add_list(*app, "--threads", options->threads,
           "numbers of threads; automatic: 1, 2, 4 … as many as the machine has");
  add_value_with_default(*app, "--distance", options->distance, "D", "distance of the centres");
  add_value_with_default(*app, "--poses", options->poses, "N", "steps of the turn");
  add_value_with_default(*app, "--rounds", options->rounds, "N",
                         "times that each is timed; the least counts");
  add_json_file(*app, options->measurement);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
