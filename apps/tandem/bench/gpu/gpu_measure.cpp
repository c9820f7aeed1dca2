#include <tandem/batch.h>
#include <tandem/cuda/scene.h>
#include <tandem/error.h>
#include <tandem/shapes.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench_commands.h"
#include "bench/gpu/gpu_bench.h"
#include "devices/collide_timer.h"
#include "devices/device_queries.h"
#include "measure/body_scenes.h"
#include "measure/measurement_report.h"
#include "measure/pair_hash.h"
#include "measure/timing.h"
#include "measure/tumble_protocol.h"
#include "options/comma_lists.h"
#include "options/named_choices.h"
#include "options/whole_numbers.h"
#include "text/numbers.h"
#include "text/stopwatch.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

/// A scene that can be asked for, and the body that it is made of where none is given.
struct SceneKind {
  const char* name;
  Mesh (*make_body)(std::size_t triangles);
  int triangles;
  /// Null for poses, which are no scene.
  BodyScene (*make)(const Model& body, int objects);
  /// For these.
  GpuMeasurement (*measure)(const GpuBenchOptions& options, const Model& body, int pose_count,
                            std::span<const DeviceMethod> methods) = nullptr;
};

GpuMeasurement measure_one_distance(const GpuBenchOptions& options, const Model& body,
                                    int /*objects*/, std::span<const DeviceMethod> methods) {
  return measure_distances(options, body, 1, methods);
}

BodyScene make_body_pair(const Model& body, int /*objects*/) {
  return {.name = "pair",
          .models = {body},
          .bodies = {{0, Pose()}, {0, Pose::from_axis_angle({0, 0, 1}, 0.7, {1, 0.3, 0.2})}}};
}

/// One in the plane of the other, turned: all that touches is coplanar.
BodyScene make_plates(const Model& body, int /*objects*/) {
  return {.name = "plates",
          .models = {body},
          .bodies = {{0, Pose()}, {0, Pose::from_axis_angle({0, 0, 1}, 0.3)}}};
}

BodyScene make_cube_stack(const Model& body, int objects) {
  int side = 1;
  while ((side + 1) * (side + 1) * (side + 1) <= objects) ++side;
  return make_stack(body, side);
}

template <const auto& name>
Mesh make_named(std::size_t triangles) {
  return make_shape(name, triangles);
}
constexpr char k_box[] = "box";
constexpr char k_rock[] = "rock";
constexpr char k_plane[] = "plane";

constexpr SceneKind k_scenes[] = {
    {"stack", make_named<k_box>, 192, make_cube_stack},
    {"pile", make_named<k_rock>, 24'000,
     [](const Model& body, int objects) { return make_pile(body, objects, 1); }},
    {"heavy", make_lumpy_body, 24'000,
     [](const Model& body, int objects) { return make_heavy_pile(body, objects, 1); }},
    {"rockslide", make_named<k_rock>, 24'000,
     [](const Model& body, int objects) { return make_rock_slide(body, objects, 1); }},
    {"pair", make_named<k_rock>, 1'000'000, make_body_pair},
    {"plates", make_named<k_plane>, 250'000, make_plates},
    {"poses", make_named<k_rock>, 24'000, nullptr, measure_poses},
    {"apart", make_named<k_rock>, 24'000, nullptr, measure_distances},
    {"apart-pair", make_named<k_rock>, 1'000'000, nullptr, measure_one_distance}};

/// One line of a table.
struct Row {
  std::string name;
  double seconds = 0;
  /// Of how many pairs of bodies the time was measured; all when nothing.
  std::optional<std::size_t> sample = std::nullopt;
};

struct Measurement {
  std::string scene;
  std::size_t bodies = 0;
  std::size_t triangles = 0;
  std::size_t queries = 0;
  std::size_t pairs = 0;
  std::uint64_t hash = 0;
  std::vector<Row> rows = {};
  /// Of each method: bytes of the models and of the queries.
  std::vector<std::pair<std::string, std::string>> memory = {};
  /// Of each method, where asked for.
  std::vector<std::pair<std::string, std::vector<cuda::CollideStep>>> steps = {};
};

/// Some of the queries, from all over the scene.
std::vector<BatchQuery> sample_of(const std::vector<BatchQuery>& queries, std::size_t count) {
  if (queries.size() <= count) return queries;
  std::vector<BatchQuery> some;
  for (std::size_t i = 0; i < count; ++i) some.push_back(queries[i * queries.size() / count]);
  return some;
}

class SceneBench {
 public:
  SceneBench(const GpuBenchOptions& options, const BodyScene& scene)
      : scene_(scene),
        rounds_(whole_number_in(options.rounds, "--rounds", 1, 10'000)),
        sample_(
            static_cast<std::size_t>(whole_number_in(options.sample, "--sample", 1, 100'000'000))),
        queries_(scene.close_bodies(0)),
        expected_(collide_batch(scene.models, queries_, {.threads = 0})) {
    PairHash hash;
    hash.add(expected_.pairs);
    result_ = {.scene = scene.name,
               .bodies = scene.bodies.size(),
               .triangles = scene.triangle_count(),
               .queries = queries_.size(),
               .pairs = expected_.pairs.size(),
               .hash = hash.value()};
  }

  void on_device(const DeviceMethod& method, bool steps) {
    cuda::Collider collider(scene_.models, method.options);
    const BatchResult found = collider.collide(queries_);
    if (found.pairs != expected_.pairs || found.offsets != expected_.offsets) {
      throw Error("the method " + std::string(method.name) +
                  " found other pairs on the device, in the scene " + scene_.name +
                  ": this is a bug in Tandem");
    }
    CollideTimer timer(collider, queries_);
    timer.find_s();
    const std::string name = std::string("cuda, ").append(method.name);
    add(name, median_of(rounds_, [&] { return timer.find_s(); }));
    add(name + ", with copies", median_of(std::min(rounds_, 5), [&] {
          const Stopwatch stopwatch;
          collider.collide(queries_);
          return stopwatch.seconds();
        }));
    whole_frame(method, name);
    std::size_t model_triangles = 0;
    for (const Model& model : scene_.models) model_triangles += model.mesh().triangle_count();
    const double per_triangle = static_cast<double>(collider.model_bytes()) /
                                static_cast<double>(std::max<std::size_t>(1, model_triangles));
    result_.memory.emplace_back(method.name, fixed(per_triangle, 1) + " bytes per triangle, " +
                                                 grouped(collider.query_bytes()) +
                                                 " bytes for queries");
    if (steps) result_.steps.emplace_back(method.name, collider.measure(queries_));
  }

  void on_processor(int threads) {
    const double seconds = median_of(3, [&] {
      const Stopwatch stopwatch;
      count_batch(scene_.models, queries_, {.threads = threads});
      return stopwatch.seconds();
    });
    add(threads == 1 ? "tandem, one core" : "tandem, all cores", seconds);
  }

  void with_obb() {
    std::vector<Model> models;
    for (const Model& model : scene_.models) {
      models.emplace_back(model.mesh(), BuildOptions{.structure = "obb"});
    }
    const std::vector<BatchQuery> some = sample_of(queries_, sample_);
    const Engine engine{.structure = "obb"};
    const Stopwatch stopwatch;
    count_batch(models, some, {.engine = engine});
    add_sample("tandem's OBB tree, one core", stopwatch.seconds(), some.size());
  }

  void with_peer(const PeerInfo& info) {
    SharedModels shared;
    const std::vector<BatchQuery> some = sample_of(queries_, sample_);
    std::vector<TrianglePair> pairs;
    double seconds = 0;
    for (const BatchQuery& query : some) {
      const std::unique_ptr<Peer> peer =
          info.make(scene_.models[query.a].mesh(), scene_.models[query.b].mesh(), shared);
      pairs.clear();
      peer->prepare(query.b_in_a);
      const Stopwatch stopwatch;
      peer->find_all(query.b_in_a, pairs);
      seconds += stopwatch.seconds();
    }
    add_sample(std::string(info.name) + ", one core", seconds, some.size());
  }

  const Measurement& result() const { return result_; }

 private:
  /// Close bodies are found on the device too.
  void whole_frame(const DeviceMethod& method, const std::string& name) {
    std::vector<std::uint32_t> model_of;
    std::vector<Pose> in_world;
    for (const PlacedBody& body : scene_.bodies) {
      model_of.push_back(body.model);
      in_world.push_back(body.in_world);
    }
    cuda::DeviceScene scene(scene_.models, model_of, method.options);
    if (scene.collide(in_world).pairs != expected_.pairs) {
      throw Error("the method " + std::string(method.name) + " found other pairs in a frame of " +
                  scene_.name + ": this is a bug in Tandem");
    }
    FrameTimer timer(scene, in_world);
    timer.find_s();
    add(name + ", whole frame", median_of(rounds_, [&] { return timer.find_s(); }));
  }

  void add(const std::string& name, double seconds) {
    result_.rows.push_back({.name = name, .seconds = seconds});
  }
  void add_sample(const std::string& name, double seconds, std::size_t count) {
    const double share = static_cast<double>(queries_.size()) / static_cast<double>(count);
    result_.rows.push_back({name, seconds * share, count});
  }

  const BodyScene& scene_;
  int rounds_;
  std::size_t sample_;
  std::vector<BatchQuery> queries_;
  BatchResult expected_;
  Measurement result_;
};

/// Where the time of a method goes.
std::string steps_text(const std::string& method, std::span<const cuda::CollideStep> steps) {
  if (steps.empty())
    return std::string("  ").append(method).append(" has no steps to tell apart\n");
  Table table;
  table.add_row({method + ", step by step", "level", "items", "bytes", "time", "GB/s"});
  for (const cuda::CollideStep& step : steps) {
    table.add_row({step.phase, std::to_string(step.level), grouped(step.items), grouped(step.bytes),
                   duration(step.seconds),
                   ratio_text(static_cast<double>(step.bytes) / step.seconds / 1e9)});
  }
  return table.text("  ");
}

std::string text_of(const Measurement& in) {
  std::string text =
      in.scene + ": " + counted(in.bodies, "body", "bodies") + ", " +
      counted(in.triangles, "triangle", "triangles") + ", " +
      counted(in.queries, "close pair", "close pairs") + ", " +
      counted(in.pairs, "touching pair of triangles", "touching pairs of triangles") + ", hash " +
      hexadecimal(in.hash) + "\n";
  Table table;
  table.add_row({"", "time", "relative", "measured on"});
  for (const Row& row : in.rows) {
    table.add_row({row.name, duration(row.seconds),
                   ratio_text(row.seconds / in.rows.front().seconds),
                   row.sample ? counted(*row.sample, "close pair", "close pairs") : "all"});
  }
  text += table.text("  ");
  for (const auto& [method, bytes] : in.memory) {
    text += std::string("  ").append(method).append(": ").append(bytes).append("\n");
  }
  for (const auto& [method, steps] : in.steps) text.append("\n").append(steps_text(method, steps));
  return text;
}

Json json_of(const Measurement& in, const Row& row) {
  Json json = {{"scene", in.scene},     {"bodies", in.bodies},  {"triangles", in.triangles},
               {"queries", in.queries}, {"pairs", in.pairs},    {"hash", hexadecimal(in.hash)},
               {"name", row.name},      {"time_s", row.seconds}};
  if (row.sample) json["sampled_queries"] = *row.sample;
  return json;
}

Model body_of(const GpuBenchOptions& options, const SceneKind& kind, Reporting reporting) {
  if (!options.mesh.empty()) {
    const std::vector<TumblingObject> objects = load_tumbling_objects(options.mesh, reporting);
    if (objects.size() != 1) throw Error("--mesh is one object");
    return Model(objects[0].mesh, {.threads = 0});
  }
  const int triangles = options.triangles.empty()
                            ? kind.triangles
                            : whole_number_in(options.triangles, "--triangles", 1, 100'000'000);
  return Model(kind.make_body(static_cast<std::size_t>(triangles)), {.threads = 0});
}

void compare(SceneBench& bench, const std::string& beside) {
  for (const std::string& name : split_list(beside, "--beside")) {
    if (name == "tandem") {
      bench.on_processor(1);
    } else if (name == "threads") {
      bench.on_processor(0);
    } else if (name == "obb") {
      bench.with_obb();
    } else {
      bench.with_peer(find_peers(name).front());
    }
  }
}

BodyScene scene_of(const GpuBenchOptions& options, const BodyScene& scene) {
  return options.unique ? scene.with_own_models() : scene;
}

GpuMeasurement measure_scene(const GpuBenchOptions& options, const BodyScene& scene,
                             std::span<const DeviceMethod> methods) {
  SceneBench bench(options, scene);
  for (const DeviceMethod& method : methods) bench.on_device(method, options.steps);
  if (!options.beside.empty()) compare(bench, options.beside);
  GpuMeasurement measurement{.text = text_of(bench.result())};
  for (const Row& row : bench.result().rows) {
    measurement.rows.push_back(json_of(bench.result(), row));
  }
  return measurement;
}

}  // namespace

double median_of(int rounds, const std::function<double()>& seconds) {
  Timing timing{.repetitions = 1, .rounds_s = {}};
  for (int i = 0; i < rounds; ++i) timing.rounds_s.push_back(seconds());
  return timing.median_s();
}

void add_pose_rows(std::span<const PoseRow> rows, std::size_t pose_count, const Json& common,
                   GpuMeasurement& to) {
  Table table;
  table.add_row({"", "time", "poses per second", "measured on"});
  for (const PoseRow& row : rows) {
    table.add_row({row.name, duration(row.seconds),
                   rounded(static_cast<double>(row.poses) / row.seconds),
                   row.poses == pose_count ? "all" : counted(row.poses, "pose", "poses")});
    Json& json = to.rows.emplace_back(common);
    json["name"] = row.name;
    json["time_s"] = row.seconds;
    json["measured_queries"] = row.poses;
  }
  to.text += table.text("  ");
}

int bench_on_cuda(const GpuBenchOptions& options) {
  std::vector<DeviceMethod> methods = find_choices(device_methods(), options.methods, "--method");
  if (!options.memory_limit.empty()) {
    const int megabytes = whole_number_in(options.memory_limit, "--memory-limit", 1, 1'000'000);
    for (DeviceMethod& method : methods) {
      method.options.memory_limit = static_cast<std::size_t>(megabytes) << 20;
    }
  }
  const std::vector<SceneKind> kinds =
      find_choices(std::span<const SceneKind>(k_scenes), options.scenes, "--scenes");
  const int objects = whole_number_in(options.objects, "--objects", 1, 100'000'000);
  check_measurement_files(options.measurement, options.mesh);
  const MeasurementReport report(options.measurement);
  const Reporting reporting = cli::reporting(options.measurement.quiet);
  const cuda::DeviceInfo device = cuda::devices().front();
  report.say("On " + device.name + "; pairs as on the host, to the bit\n");
  std::vector<GpuMeasurement> measurements;
  for (const SceneKind& kind : kinds) {
    const Model body = body_of(options, kind, reporting);
    measurements.push_back(
        kind.make == nullptr
            ? kind.measure(options, body, objects, methods)
            : measure_scene(options, scene_of(options, kind.make(body, objects)), methods));
    report.say(std::string("\n").append(measurements.back().text));
  }
  report.write([&] {
    Json object = json_head("protocol", "scenes on a CUDA device");
    object["device"] = device.name;
    object["rows"] = rows_of(measurements, [](const auto&, const Json& row) { return row; });
    return object;
  });
  return k_exit_ok;
}

}  // namespace tandem::cli
