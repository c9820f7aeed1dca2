// tandem distance: how far apart two meshes are, and where they are closest.
#include <tandem/distance.h>
#include <tandem/error.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands/commands.h"
#include "commands/picture_choice.h"
#include "commands/two_models.h"
#include "options/mesh_source.h"
#include "options/pose_option.h"
#include "options/shared_options.h"
#include "text/json.h"
#include "text/numbers.h"
#include "text/output.h"
#include "text/progress_bar.h"
#include "text/stopwatch.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(
The distance is that of the closest triangles, 0 exactly where they touch and otherwise within 1e-12
of the true one. Points are given in the world. (tandem clash --clearance does the same for all
parts of an assembly, and tandem batch --distance for many poses.)

Examples (each runs as it stands):
  tandem distance shape:knot:20000 shape:torus:5000 --pose-b 5,0,0
  tandem distance shape:rock shape:box --pose-b "0 3 0 axis z angle 30" --json
  tandem distance shape:knot shape:rock --pose-b 5,1,0 --picture gap.png --picture-size 320x200
  tandem distance shape:box shape:box --pose-b 0,0,2.5 --limit 60cm --exit-code || echo "close")";

struct DistanceCommandOptions {
  std::string a;
  std::string b;
  std::optional<std::string> pose_a;
  std::optional<std::string> pose_b;
  std::optional<std::string> limit;
  PictureChoice picture;
  ReadChoices reading;
  std::optional<std::string> threads;
  bool json = false;
  bool exit_code = false;
  bool quiet = false;
};

/// The answer in the world, and how long it took.
struct Answer {
  DistanceResult result;
  Vec3d on_a{0, 0, 0};
  Vec3d on_b{0, 0, 0};
  double query_s = 0;
};

CollisionPicture check_outputs(const DistanceCommandOptions& options) {
  const CollisionPicture picture = picture_of(options.picture, {});
  std::vector<NamedFile> inputs = {{"A", options.a}, {"B", options.b}};
  if (options.pose_a) inputs.push_back({"--pose-a", *options.pose_a});
  if (options.pose_b) inputs.push_back({"--pose-b", *options.pose_b});
  std::vector<NamedFile> outputs;
  add_picture_file(options.picture, outputs);
  check_files(outputs, inputs);
  return picture;
}

void report_as_text(const DistanceCommandOptions& options, const Model& a, const Model& b,
                    const Answer& answer) {
  const DistanceResult& result = answer.result;
  std::string text = two_models_text(options.a, a, options.b, b);
  if (result.pair) {
    text += result.distance == 0 ? "they touch" : "distance " + shortest(result.distance);
  } else if (a.mesh().empty() || b.mesh().empty()) {
    text += "one of them has no triangles";
  } else {
    text += "nothing is closer than " + one_line(*options.limit);
  }
  text += ", found in " + duration(answer.query_s) + "\n";
  if (result.pair) {
    text += "  triangle " + std::to_string(result.pair->a) + " of A at (" +
            coordinates(answer.on_a) + ")\n  triangle " + std::to_string(result.pair->b) +
            " of B at (" + coordinates(answer.on_b) + ")\n";
  }
  if (options.picture.file) text += "wrote " + one_line(*options.picture.file) + "\n";
  print(text);
}

void report_as_json(const DistanceCommandOptions& options, const Model& a, const Model& b,
                    const Answer& answer) {
  const auto list = [](const Vec3d& v) { return Json{v.x, v.y, v.z}; };
  const DistanceResult& result = answer.result;
  Json object;
  object["a"] = {{"source", options.a}, {"triangles", a.mesh().triangle_count()}};
  object["b"] = {{"source", options.b}, {"triangles", b.mesh().triangle_count()}};
  object["distance"] = nullptr;
  object["touching"] = result.distance == 0;
  if (result.pair) {
    object["distance"] = result.distance;
    object["pair"] = {result.pair->a, result.pair->b};
    object["points"] = {list(answer.on_a), list(answer.on_b)};
  }
  object["time_ms"] = answer.query_s * 1e3;
  print_json(object);
}

int run(const DistanceCommandOptions& options) {
  const CollisionPicture picture = check_outputs(options);
  DistanceOptions how;
  if (options.limit) how.limit = parse_length(*options.limit, "--limit");
  Pose a_in_world;
  Pose b_in_world;
  if (options.pose_a) a_in_world = parse_pose(*options.pose_a, "--pose-a");
  if (options.pose_b) b_in_world = parse_pose(*options.pose_b, "--pose-b");
  const BuildOptions build{.threads = thread_count(options.threads)};
  const ReadOptions read = options.reading.options();
  const Reporting reporting = cli::reporting(options.quiet);

  // A mesh that is both A and B is read and built once.
  const Model a =
      build_model(load_mesh(options.a, reporting, read), build, "building A", reporting);
  const Model b = options.a == options.b ? a
                                         : build_model(load_mesh(options.b, reporting, read), build,
                                                       "building B", reporting);
  const Stopwatch stopwatch;
  Answer answer{distance(a, b, relative_pose(a_in_world, b_in_world), how)};
  answer.query_s = stopwatch.seconds();
  std::vector<TrianglePair> closest;
  std::vector<TriangleIntersection> segment;
  if (answer.result.pair) {
    answer.on_a = transform_point(a_in_world, answer.result.on_a);
    answer.on_b = transform_point(a_in_world, answer.result.on_b);
    closest.push_back(*answer.result.pair);
    // Its ends are drawn as balls, as the triangles there may be seen edge-on.
    segment.push_back({.count = 2, .points = {answer.on_a, answer.on_b}});
    segment.push_back({.count = 1, .points = {answer.on_a}});
    segment.push_back({.count = 1, .points = {answer.on_b}});
  }
  if (options.picture.file) {
    write_picture_of_two(*options.picture.file, a, b, a_in_world, b_in_world, closest, segment,
                         picture, reporting);
  }
  options.json ? report_as_json(options, a, b, answer) : report_as_text(options, a, b, answer);
  const bool close = options.limit ? answer.result.pair.has_value() : answer.result.distance == 0;
  return options.exit_code && close ? k_exit_touching : k_exit_ok;
}

}  // namespace

Command add_distance(CLI::App& program) {
  const auto options = std::make_shared<DistanceCommandOptions>();
  CLI::App* const app = add_command(program, "distance",
                                    "Find how far apart A and B are, and where they are closest");
  add_argument(*app, "A", options->a, k_mesh_source_help, Need::required);
  add_argument(*app, "B", options->b, "the same; tandem list shows the shapes and file formats",
               Need::required);
  add_value(*app, "--pose-a", options->pose_a, "POSE", "where A stands in the world (see below)");
  add_value(*app, "--pose-b", options->pose_b, "POSE", "where B stands in the world");
  add_value(*app, "--limit", options->limit, "D",
            "distances from D on do not matter, which is faster: a number, or\n"
            "one with mm, cm, m, in or ft for metres");
  add_picture_choice(*app, options->picture,
                     "render both, the closest triangles in colour, and the shortest\n"
                     "segment between them",
                     {});
  add_json_flag(*app, options->json);
  add_flag(*app, "--exit-code", options->exit_code,
           "exit with 1 when they touch, or with --limit when they are closer\n(errors: 2)");
  add_threads(*app, options->threads);
  add_read_options(*app, options->reading);
  add_quiet_flag(*app, options->quiet);
  set_footer(*app, std::string(k_pose_help) + "\n" + k_examples);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
