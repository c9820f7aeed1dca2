// tandem bench scene: frames of many moving objects, and the share that the broad phase has.
#include <tandem/error.h>
#include <tandem/scene.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "bench/bench_commands.h"
#include "math/random.h"
#include "measure/measurement_report.h"
#include "measure/pair_hash.h"
#include "measure/tumble_protocol.h"
#include "options/comma_lists.h"
#include "options/whole_numbers.h"
#include "peers/broad_phase.h"
#include "scene/box_tree.h"
#include "scene/world_box.h"
#include "text/numbers.h"
#include "text/stopwatch.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

constexpr const char* k_help = R"(
Copies of one object drift and turn in a cube, so dense that each touches one or two others. A frame
moves all of them and finds all touching triangles. The broad phase is the part that fits boxes to
the objects and finds those that overlap. The same boxes go to the broad phases of other libraries.
Times are wall times of a frame, the mean over all frames but the first. Counts are sums over these
frames; all broad phases must find as many pairs of boxes.

Examples (each runs as it stands):
  tandem bench scene --mesh shape:rock:500 --objects 50,200 --frames 5
  tandem bench scene --mesh shape:knot:2000 --objects 100 --frames 5 --threads 2 --json rows.json)";

struct SceneBenchOptions {
  std::string mesh = "shape:knot:24000";
  std::string objects = "100,1000,10000";
  std::string frames = "20";
  std::string threads = "1";
  MeasurementOptions measurement;
};

/// How an object moves: all along the same way, back and forth.
struct Drift {
  Vec3d at;
  Vec3d by;
  Vec3d axis;
  double turn;

  Pose pose(int frame) const { return Pose::from_axis_angle(axis, turn * frame, at + frame * by); }
};

std::vector<Drift> make_drifts(int count, std::uint64_t seed) {
  detail::Random random(seed);
  const auto unit = [&] { return random.uniform(-1, 1); };
  // Objects are about 2 wide: in a cube with 2.2 for each, one or two others are close.
  const double half = 1.1 * std::cbrt(static_cast<double>(count));
  std::vector<Drift> drifts;
  drifts.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    drifts.push_back({{half * unit(), half * unit(), half * unit()},
                      {0.03 * unit(), 0.03 * unit(), 0.03 * unit()},
                      {unit(), unit(), 1.5 + unit()},
                      0.1 * unit()});
  }
  return drifts;
}

struct PeerTime {
  std::string name;
  double frame_s = 0;
};

struct Row {
  int objects = 0;
  std::uint64_t close = 0;
  std::uint64_t touching = 0;
  std::uint64_t pairs = 0;
  std::uint64_t hash = 0;
  /// Of one frame: all of it, its broad phase, and the same for a tree alone.
  double frame_s = 0;
  double broad_s = 0;
  double tree_s = 0;
  std::vector<PeerTime> peers;
};

Bounds rounded_out(const detail::WorldBox& box) {
  Bounds bounds;
  for (int k = 0; k < 3; ++k) {
    bounds.lower[k] = std::nextafter(static_cast<float>(box.lower[k]), -INFINITY);
    bounds.upper[k] = std::nextafter(static_cast<float>(box.upper[k]), INFINITY);
  }
  return bounds;
}

/// Where all objects are in each frame.
std::vector<std::vector<Pose>> poses_of(std::span<const Drift> drifts, int frames) {
  std::vector<std::vector<Pose>> poses;
  for (int frame = 0; frame <= frames; ++frame) {
    std::vector<Pose>& of_frame = poses.emplace_back();
    for (const Drift& drift : drifts) of_frame.push_back(drift.pose(frame));
  }
  return poses;
}

/// The mean time of all frames but the first: of the moves and of `look(scene)`. `note` gets what
/// that found.
template <class Look, class Note>
double mean_frame_s(const Model& model, std::span<const std::vector<Pose>> poses, const Look& look,
                    const Note& note) {
  Scene scene;
  for (const Pose& pose : poses[0]) scene.add(model, pose);
  static_cast<void>(look(scene));
  double sum_s = 0;
  for (const std::vector<Pose>& of_frame : poses.subspan(1)) {
    const Stopwatch stopwatch;
    for (std::size_t i = 0; i < of_frame.size(); ++i) {
      scene.move(static_cast<ObjectId>(i), of_frame[i]);
    }
    const auto found = look(scene);
    sum_s += stopwatch.seconds();
    note(found);
  }
  return sum_s / static_cast<double>(poses.size() - 1);
}

/// The scene itself, frame by frame: its broad phase alone, then all of it.
void measure_scene(const Model& model, std::span<const std::vector<Pose>> poses, int threads,
                   Row& row) {
  row.broad_s = mean_frame_s(
      model, poses, [&](const Scene& scene) { return scene.close_objects({.threads = threads}); },
      [&](std::span<const ObjectPair> close) { row.close += close.size(); });
  PairHash hash;
  row.frame_s = mean_frame_s(
      model, poses, [&](const Scene& scene) { return scene.collide({.threads = threads}); },
      [&](const SceneResult& result) {
        row.touching += result.objects.size();
        row.pairs += result.pairs.size();
        hash.add(result.pairs);
      });
  row.hash = hash.value();
}

/// Tandem's tree of boxes and the broad phases of others on the same boxes.
void measure_boxes(const Model& model, std::span<const std::vector<Pose>> poses, Row& row) {
  std::vector<std::vector<Bounds>> boxes;
  for (const std::vector<Pose>& of_frame : poses) {
    std::vector<Bounds>& bounds = boxes.emplace_back();
    for (const Pose& pose : of_frame) {
      bounds.push_back(rounded_out(detail::world_box(model, pose)));
    }
  }
  std::vector<std::unique_ptr<BroadPhase>> others;
  for (const BroadPhaseInfo& info : broad_phases()) {
    others.push_back(info.make(boxes[0]));
    static_cast<void>(others.back()->count_pairs());
    row.peers.push_back({std::string(info.name)});
  }
  detail::BoxTree tree;
  std::vector<detail::WorldBox> widened(poses[0].size());
  const double frames = static_cast<double>(poses.size() - 1);
  for (std::size_t frame = 0; frame < poses.size(); ++frame) {
    const Stopwatch own;
    for (std::size_t i = 0; i < widened.size(); ++i) {
      widened[i] = {Vec3d(boxes[frame][i].lower), Vec3d(boxes[frame][i].upper)};
    }
    tree.update(widened);
    const std::size_t expected = tree.overlapping_pairs(1).size();
    if (frame == 0) continue;
    row.tree_s += own.seconds() / frames;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const Stopwatch theirs;
      others[i]->move(boxes[frame]);
      const std::size_t found = others[i]->count_pairs();
      row.peers[i].frame_s += theirs.seconds() / frames;
      if (found != expected) {
        throw Error("the broad phase of " + row.peers[i].name + " found " + grouped(found) +
                    " pairs of boxes and Tandem's " + grouped(expected));
      }
    }
  }
}

std::string table_of(std::span<const Row> rows) {
  Table table;
  std::vector<std::string> head = {"objects", "close",       "touching", "triangle pairs",
                                   "frame",   "broad phase", "share"};
  head.emplace_back("boxes alone");
  for (const PeerTime& peer : rows[0].peers) head.push_back(peer.name);
  table.add_row(std::move(head));
  for (const Row& row : rows) {
    std::vector<std::string> cells = {grouped(static_cast<std::uint64_t>(row.objects)),
                                      grouped(row.close),
                                      grouped(row.touching),
                                      grouped(row.pairs),
                                      duration(row.frame_s),
                                      duration(row.broad_s),
                                      fixed(100 * row.broad_s / row.frame_s, 1) + " %",
                                      duration(row.tree_s)};
    for (const PeerTime& peer : row.peers) {
      cells.push_back(duration(peer.frame_s) + " (" + ratio_text(peer.frame_s / row.tree_s) + "x)");
    }
    table.add_row(std::move(cells));
  }
  return table.text("  ");
}

int run(const SceneBenchOptions& options) {
  const int frames = whole_number_in(options.frames, "--frames", 1, 100'000);
  const int threads = whole_number_in(options.threads, "--threads", 0, 4096);
  std::vector<int> counts;
  for (const std::string& item : split_list(options.objects, "--objects")) {
    counts.push_back(whole_number_in(item, "--objects", 1, 1'000'000));
  }
  check_measurement_files(options.measurement, options.mesh);
  const MeasurementReport report(options.measurement);
  const Reporting reporting = cli::reporting(options.measurement.quiet);
  const std::vector<TumblingObject> objects = load_tumbling_objects(options.mesh, reporting);
  if (objects.size() != 1) throw Error("--mesh is one object");
  const Model model(objects[0].mesh, {.threads = 0});
  std::vector<Row> rows;
  ProgressBar bar("measuring", reporting);
  for (const int count : counts) {
    Row& row = rows.emplace_back();
    row.objects = count;
    const std::vector<std::vector<Pose>> poses = poses_of(make_drifts(count, 1), frames);
    measure_scene(model, poses, threads, row);
    measure_boxes(model, poses, row);
    bar.callback()(static_cast<double>(rows.size()) / static_cast<double>(counts.size()));
  }
  report.say(objects[0].name + ": " +
             counted(model.mesh().triangle_count(), "triangle", "triangles") + ", " +
             counted(static_cast<std::uint64_t>(frames), "frame", "frames") + ", " +
             (threads == 0 ? "all threads"
                           : counted(static_cast<std::uint64_t>(threads), "thread", "threads")) +
             "\n" + table_of(rows));
  report.write([&] {
    Json object = json_head("protocol", "scene");
    object["rows"] = Json::array();
    for (const Row& row : rows) {
      Json json = {{"objects", row.objects},
                   {"close", row.close},
                   {"touching", row.touching},
                   {"pairs", row.pairs},
                   {"hash", hexadecimal(row.hash)},
                   {"frame_s", row.frame_s},
                   {"broad_phase_s", row.broad_s},
                   {"boxes_alone_s", row.tree_s},
                   {"threads", threads}};
      for (const PeerTime& peer : row.peers) json[peer.name + "_s"] = peer.frame_s;
      object["rows"].push_back(std::move(json));
    }
    return object;
  });
  return k_exit_ok;
}

}  // namespace

Command add_bench_scene(CLI::App& bench) {
  const auto options = std::make_shared<SceneBenchOptions>();
  CLI::App* const app = add_benchmark(
      bench, "scene", "Frames of many moving objects, and broad phases beside each other", k_help);
  add_value_with_default(*app, "--mesh", options->mesh, "MESH",
                         "what all objects look like: a mesh file or a shape");
  add_list(*app, "--objects", options->objects, "numbers of objects");
  add_value_with_default(*app, "--frames", options->frames, "N", "frames that are measured");
  add_value_with_default(*app, "--threads", options->threads, "N",
                         "threads that share a frame; 0: as many as there are");
  add_json_file(*app, options->measurement);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
