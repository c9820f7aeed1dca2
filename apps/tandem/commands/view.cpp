// tandem view: a page in which a collision is looked at, and objects are dragged.
#include <tandem/error.h>
#include <tandem/tandem.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands/commands.h"
#include "commands/two_models.h"
#include "options/mesh_source.h"
#include "options/pose_option.h"
#include "options/scene/scene_file.h"
#include "options/shared_options.h"
#include "text/output.h"
#include "text/progress_bar.h"
#include "text/strings.h"
#include "view/page.h"

namespace tandem::cli {

namespace {

constexpr const char* k_help = R"(
Two meshes are shown as tandem collide sees them; one file as its parts, as tandem clash does, or,
when it ends in .json, as a scene, as tandem scene does. The page is one file, which any browser
opens; it loads nothing. In it, objects are dragged and turned, and what touches is found anew each
time, by this library.

Examples (each runs as it stands):
  tandem view shape:knot:20000 shape:torus:5000 --pose-b 0.5,0.2,0
  tandem view shape:knot shape:knot --pose-b "0.5 0 0 axis 1 1 0 angle 30" -o knots.html
  tandem view shape:pipes:3000 --components -o pipes.html
  echo '{"meshes": {"ball": "shape:sphere", "block": "shape:box"}, "objects": [{"mesh": "block"},
    {"mesh": "ball", "pose": "0.7 0 0"}]}' > scene.json
  tandem view scene.json -o scene.html
  printf '{"ball": "5 0 0"}\n{"ball": "1 0 0"}\n' > moves.txt
  tandem view scene.json --moves moves.txt -o moves.html)";

struct ViewOptions {
  std::vector<std::string> files;
  std::string pose_a;
  std::string pose_b;
  std::optional<std::string> moves;
  std::string output = "view.html";
  ReadChoices read;
  bool components = false;
  std::optional<std::string> threads;
  bool quiet = false;
};

bool is_scene(const std::string& file) {
  return !is_shape(file) && file_ending(file) == ".json";
}

/// Options that say nothing for what is shown are mistakes.
void check_options(const ViewOptions& options) {
  const bool two = options.files.size() == 2;
  const bool scene = !two && is_scene(options.files[0]);
  if (options.files.size() > 2) {
    throw Error("view shows two meshes, or one file with parts or a scene");
  }
  if (!two && !(options.pose_a.empty() && options.pose_b.empty())) {
    throw Error("--pose-a and --pose-b are for two meshes");
  }
  if (options.components && (two || scene)) {
    throw Error("--components is for one file with parts");
  }
  if (options.moves && !scene) throw Error("--moves is for a scene, a file that ends in .json");
}

/// The options of reading, for the command line that the page shows.
std::string read_words(const ReadChoices& read) {
  std::string text;
  const auto add = [&](const char* option, const std::optional<std::string>& value) {
    if (value) text += std::string(" ") + option + " " + *value;
  };
  add("--scale", read.scale);
  add("--max-bytes", read.max_bytes);
  add("--max-elements", read.max_elements);
  return text;
}

PageReport view_two(const ViewOptions& options, int threads, Reporting reporting) {
  const auto pose = [](const std::string& text, const char* option) {
    return text.empty() ? Pose() : parse_pose(text, option);
  };
  const Pose a_in_world = pose(options.pose_a, "--pose-a");
  const Pose b_in_world = pose(options.pose_b, "--pose-b");
  const std::string& file_a = options.files[0];
  const std::string& file_b = options.files[1];
  const ReadOptions read = options.read.options();
  const BuildOptions build{.threads = threads};
  const Model a = build_model(load_mesh(file_a, reporting, read), build, "building A", reporting);
  const Model b = file_a == file_b ? a
                                   : build_model(load_mesh(file_b, reporting, read), build,
                                                 "building B", reporting);
  tandem::Scene scene;
  scene.add(a, a_in_world, {.name = "A: " + file_a});
  scene.add(b, b_in_world, {.name = "B: " + file_b});
  return write_page(
      options.output,
      {.title = file_a + " and " + file_b,
       .scene = scene,
       .pair = PagePair{file_a, file_b, options.pose_a, options.pose_b, read_words(options.read)}},
      threads);
}

PageReport view_parts(const ViewOptions& options, int threads, Reporting reporting) {
  const std::string& file = options.files[0];
  Assembly assembly = load_assembly(file, reporting, options.read.options());
  if (options.components) assembly = split_components(assembly);
  std::vector<Model> models;
  models.reserve(assembly.meshes.size());
  for (Mesh& mesh : assembly.meshes) {
    models.emplace_back(std::move(mesh), BuildOptions{.threads = threads});
  }
  tandem::Scene scene;
  for (const AssemblyPart& part : assembly.parts) {
    scene.add(models[part.mesh], part.pose, {.name = part.name});
  }
  return write_page(options.output, {.title = file, .scene = scene}, threads);
}

PageReport view_scene(const ViewOptions& options, int threads, Reporting reporting) {
  const SceneFile file(options.files[0]);
  LoadedScene loaded = file.load(options.read.options(), threads, reporting);
  PageContent content{
      .title = options.files[0], .scene = loaded.scene(), .allowed = file.allowed()};
  if (options.moves) {
    const auto poses_now = [&] {
      std::vector<Pose> poses;
      for (const ObjectId id : loaded.scene().objects()) poses.push_back(loaded.scene().pose(id));
      return poses;
    };
    content.frames.push_back(poses_now());
    MoveLines lines(*options.moves, "--moves");
    while (lines.next(loaded)) content.frames.push_back(poses_now());
    // The page begins with the first frame.
    for (const ObjectId id : loaded.scene().objects()) loaded.show_at(id, content.frames[0][id]);
  }
  return write_page(options.output, content, threads);
}

int run(const ViewOptions& options) {
  check_options(options);
  check_page();
  std::vector<NamedFile> inputs;
  for (const std::string& file : options.files) inputs.push_back({"FILE", file});
  if (options.moves) inputs.push_back({"--moves", *options.moves});
  check_files({{"--output", options.output}}, inputs);
  const int threads = thread_count(options.threads);
  const Reporting reporting = cli::reporting(options.quiet);
  const PageReport report = options.files.size() == 2    ? view_two(options, threads, reporting)
                            : is_scene(options.files[0]) ? view_scene(options, threads, reporting)
                                                         : view_parts(options, threads, reporting);
  print(page_text(options.output, report));
  return k_exit_ok;
}

}  // namespace

Command add_view(CLI::App& program) {
  const auto options = std::make_shared<ViewOptions>();
  CLI::App* const app = add_command(
      program, "view", "Write a page in which a collision is looked at and objects are dragged");
  add_argument(*app, "FILE", options->files,
               "two meshes, each " + std::string(k_mesh_source_help) +
                   ";\nor one file with parts; or a scene",
               Need::required);
  add_value(*app, "--pose-a", options->pose_a, "POSE", "where A is, see below (default: as read)");
  add_value(*app, "--pose-b", options->pose_b, "POSE", "where B is");
  add_flag(*app, "--components", options->components, "every connected piece is a part of its own");
  add_value(*app, "--moves", options->moves, "FILE",
            "frames of a scene, as for tandem scene: the page plays them");
  add_value_with_default(*app, "-o,--output", options->output, "FILE.html", "the page");
  add_threads(*app, options->threads);
  add_read_options(*app, options->read);
  add_quiet_flag(*app, options->quiet);
  set_footer(*app, std::string(k_pose_help) + "\n" + k_help);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
