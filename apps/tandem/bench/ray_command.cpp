// tandem bench rays: Tandem's traversals of rays beside Embree's.
#include <tandem/ray.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "bench/bench_commands.h"
#include "bench/ray_bench.h"
#include "build/wide/rays.h"
#include "devices/devices.h"
#include "measure/measurement_report.h"
#include "measure/pair_hash.h"
#include "measure/timing.h"
#include "options/named_choices.h"
#include "peers/embree_tracer.h"
#include "render/path_tracer.h"
#include "render/scene.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

constexpr const char* k_help = R"(
Primary rays go through the pixels of a picture, row by row; diffuse rays go on from what those hit,
in random order. Every tracer finds the closest hit of the same rays, one ray at a time on one
thread. Tracers are timed alternately, and times are processor time. Tandem's tracers must find the
same hits to the bit. The hash is of the triangles that were hit: Embree's differs where triangles
are equally close or where rounding to single precision decides. Scenes are those of tandem render;
meshes stand alone.

Before that, the trees are built: Tandem's for rays by both of its builders and Embree's of medium
quality, on one core and on all cores, in turn. The time is the shortest of a few, by the clock on
the wall. Embree builds in memory that it has kept; Tandem gets new memory each time.

With --device cuda, there are 4 million primary rays, in squares of 8 x 8 pixels, and as many
diffuse rays that go on from them in the same order, up to eight from a pixel. Rays and trees are in
the memory of the device. The time is the median of what the device measures itself, and the hits
are those of the host, to the bit. A name with -refilled is that traversal with new rays for threads
that are done early. By default these are compared: pairs and pairs-stackless, each also refilled,
compact and lanes.

Examples (each runs as it stands):
  tandem bench rays --quick --scenes shape:knot:2000
  tandem bench rays --quick --scenes shape:rock:2000 --tracers lanes,compact --json rows.json)";

constexpr const char* k_default_tracers = "lanes,stack-distance,compact,embree,embree-robust";

struct TracerInfo {
  std::string name;
  std::optional<RayTraversal> traversal;
  EmbreeMode mode = EmbreeMode::standard;
};

std::vector<TracerInfo> all_tracers() {
  std::vector<TracerInfo> tracers;
  for (const RayTraversal traversal : RayTraversal::all()) {
    tracers.push_back({name_of(traversal), traversal});
  }
  if (has_embree()) {
    tracers.push_back({"embree", std::nullopt, EmbreeMode::standard});
    tracers.push_back({"embree-robust", std::nullopt, EmbreeMode::robust});
  }
  return tracers;
}

/// The tracers of the list. This build may lack some of the default list, but not one that the user
/// names.
std::vector<TracerInfo> chosen_tracers(const RayBenchOptions& options) {
  std::vector<TracerInfo> all = all_tracers();
  std::vector<TracerInfo> chosen;
  const bool is_default = options.tracers.empty();
  for (const std::string& name :
       split_list(is_default ? k_default_tracers : options.tracers, "--tracers")) {
    if (name == "all") return all;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const TracerInfo& info) { return info.name == name; });
    if (found != all.end()) {
      chosen.push_back(*found);
    } else if (!is_default) {
      find_choice(std::span<const TracerInfo>(all), name, "--tracers");
    }
  }
  return chosen;
}

struct Row {
  std::string scene;
  std::string rays;
  TracerInfo tracer;
  std::size_t ray_count;
  Timing timing;
  std::size_t hits;
  std::uint64_t hash;

  double mrays_per_s() const { return static_cast<double>(ray_count) / timing.median_s() / 1e6; }
};

/// How long it takes to build a tree for rays.
struct BuildRow {
  std::string scene;
  /// Tandem's by name, or Embree's.
  std::string builder;
  /// 1, or 0 for all cores.
  int threads;
  std::size_t triangle_count;
  double build_s;

  double mtriangles_per_s() const { return static_cast<double>(triangle_count) / build_s / 1e6; }
};

double wall_time_s(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::vector<BuildRow> measure_builds(const Scene& scene, bool quick) {
  const Mesh& mesh = scene.model.mesh();
  std::vector<BuildRow> rows;
  for (const int threads : {1, 0}) {
    const auto add = [&](const char* builder) {
      rows.push_back({scene.name, builder, threads, mesh.triangle_count(),
                      std::numeric_limits<double>::infinity()});
    };
    add("best");
    add("fast");
    if (has_embree()) add("embree");
  }
  const int rounds = quick ? 2 : 7;
  for (int round = 0; round < rounds; ++round) {
    for (BuildRow& row : rows) {
      double build_s = 0;
      if (row.builder == "embree") {
        // The number of threads is that of Embree's newest device, and limits all of the process as
        // long as it lives.
        EmbreeTracer embree(mesh, EmbreeMode::standard, row.threads);
        build_s = wall_time_s([&] { embree.build(); });
      } else {
        build_s = wall_time_s([&] { detail::build_wide_rays(mesh, row.builder, row.threads); });
      }
      row.build_s = std::min(row.build_s, build_s);
    }
  }
  return rows;
}

std::string table_text(std::span<const BuildRow> rows) {
  Table table;
  table.add_row({"builder", "cores", "ms", "million triangles/s"});
  for (const BuildRow& row : rows) {
    table.add_row({row.builder, row.threads == 1 ? "1" : "all", ratio_text(1e3 * row.build_s),
                   ratio_text(row.mtriangles_per_s())});
  }
  return table.text("  ");
}

/// Into an order that is the same on every platform.
void shuffle(std::vector<Ray>& rays) {
  std::uint64_t state = 1;
  for (std::size_t i = rays.size(); i > 1; --i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    std::swap(rays[i - 1], rays[(state >> 33) % i]);
  }
}

/// All tracers on one set of rays.
std::vector<Row> measure(const Scene& scene, const std::string& kind, std::span<const Ray> rays,
                         const std::vector<TracerInfo>& tracers, bool quick,
                         const Progress& progress) {
  std::vector<std::unique_ptr<EmbreeTracer>> embrees;
  std::vector<RepeatedTask> tasks;
  std::vector<Row> rows;
  std::vector<Hit> hits(rays.size());
  std::optional<std::vector<Hit>> expected;
  for (const TracerInfo& tracer : tracers) {
    std::function<void()> trace;
    if (tracer.traversal) {
      trace = [&, how = RayOptions{.engine = {.traversal = *tracer.traversal}}] {
        closest_hits(scene.model, rays, hits, how);
      };
    } else {
      embrees.push_back(std::make_unique<EmbreeTracer>(scene.model.mesh(), tracer.mode));
      trace = [&, embree = embrees.back().get()] { embree->closest_hits(rays, hits); };
    }
    trace();
    if (tracer.traversal) {
      if (!expected) expected = hits;
      if (hits != *expected) {
        throw Error("the traversal " + tracer.name + " found other hits on " + scene.name +
                    ": this is a bug in Tandem");
      }
    }
    rows.push_back({scene.name, kind, tracer, rays.size(), {}, hit_count_of(hits), hash_of(hits)});
    tasks.emplace_back([trace](std::uint64_t repetitions) {
      for (; repetitions > 0; --repetitions) trace();
    });
  }
  const TimingOptions how{
      .round_s = quick ? 0.01 : 0.1, .max_rounds = quick ? 2 : 9, .max_task_s = 8};
  const std::vector<Timing> timings = time_in_turn(tasks, how, progress);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].timing = timings[i];
  return rows;
}

std::string table_text(std::span<const Row> rows) {
  const auto embree = std::find_if(rows.begin(), rows.end(),
                                   [](const Row& row) { return row.tracer.name == "embree"; });
  Table table;
  std::vector<std::string> head = {rows[0].rays + " rays: " + grouped(rows[0].ray_count),
                                   "Mrays/s"};
  if (embree != rows.end()) head.emplace_back("relative to embree");
  head.insert(head.end(), {"hits", "hash"});
  table.add_row(std::move(head));
  for (const Row& row : rows) {
    std::vector<std::string> cells = {row.tracer.name, ratio_text(row.mrays_per_s())};
    // Rounds that were timed alternately are compared one by one.
    if (embree != rows.end()) {
      cells.push_back(ratio_text(median_ratio(embree->timing, row.timing)));
    }
    cells.insert(cells.end(), {grouped(row.hits), hexadecimal(row.hash)});
    table.add_row(std::move(cells));
  }
  return table.text("  ");
}

int run(const RayBenchOptions& options) {
#ifdef TANDEM_HAS_CUDA
  if (parse_device(options.device) == Device::cuda) return bench_rays_on_cuda(options);
#else
  parse_device(options.device);
#endif
  const std::vector<TracerInfo> tracers = chosen_tracers(options);
  check_measurement_files(options.measurement, options.scenes);
  const MeasurementReport report(options.measurement);
  const Reporting reporting = cli::reporting(options.measurement.quiet);
  const int size = options.quick ? 96 : 512;
  Json object = json_head("protocol", "rays");
  object["builds"] = Json::array();
  object["rows"] = Json::array();
  for (const std::string& source : split_list(options.scenes, "--scenes")) {
    const Scene scene = load_scene(source, {.stage = false}, reporting);
    if (!has_embree() && object["rows"].empty()) {
      report.say(
          "Not in this build of the program: Embree, which it could be compared with "
          "(Debian: libembree-dev).\n");
    }
    report.say("\n" + scene.name + ": " +
               counted(scene.model.mesh().triangle_count(), "triangle", "triangles") + "\n");
    if (scene.model.mesh().triangle_count() > 0) {
      const std::vector<BuildRow> builds = measure_builds(scene, options.quick);
      report.say(table_text(builds));
      for (const BuildRow& row : builds) {
        object["builds"].push_back({{"scene", row.scene},
                                    {"builder", row.builder},
                                    {"cores", row.threads == 1 ? "1" : "all"},
                                    {"build_s", row.build_s},
                                    {"mtriangles_per_s", row.mtriangles_per_s()}});
      }
    }
    PathRays rays = record_paths(scene, size, size, 1);
    shuffle(rays.segments[1]);
    for (const std::size_t segment : {0, 1}) {
      ProgressBar bar("tracing", reporting);
      const std::vector<Row> rows =
          measure(scene, segment == 0 ? "primary" : "diffuse", rays.segments[segment], tracers,
                  options.quick, bar.callback());
      report.say(table_text(rows));
      for (const Row& row : rows) {
        object["rows"].push_back({{"scene", row.scene},
                                  {"rays", row.rays},
                                  {"tracer", row.tracer.name},
                                  {"mrays_per_s", row.mrays_per_s()},
                                  {"hits", row.hits},
                                  {"hash", hexadecimal(row.hash)}});
      }
    }
  }
  report.write([&] { return object; });
  return k_exit_ok;
}

}  // namespace

std::uint64_t hash_of(std::span<const Hit> hits) {
  PairHash hash;
  for (std::uint32_t i = 0; i < hits.size(); ++i) {
    const TrianglePair pair{i, hits[i].triangle};
    hash.add({&pair, 1});
  }
  return hash.value();
}

std::size_t hit_count_of(std::span<const Hit> hits) {
  return static_cast<std::size_t>(
      std::count_if(hits.begin(), hits.end(), [](const Hit& hit) { return bool{hit}; }));
}

Command add_bench_rays(CLI::App& bench) {
  const auto options = std::make_shared<RayBenchOptions>();
  CLI::App* const app =
      add_benchmark(bench, "rays", "Tracers of rays beside each other and Embree", k_help);
  add_list(*app, "--scenes", options->scenes, "scenes of tandem render, separated by commas");
  add_value(*app, "--tracers", options->tracers, "LIST",
            std::string("traversals of rays, embree, embree-robust, or all\n(default ") +
                k_default_tracers + ")");
  add_device(*app, options->device);
  add_json_file(*app, options->measurement);
  add_flag(*app, "--quick", options->quick, "small pictures and few rounds");
  add_quiet_flag(*app, options->measurement.quiet);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
