// tandem simulate: rigid bodies that stack, pile up and slide.
#include <tandem/error.h>
#include <tandem/sim/simulation.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "devices/devices.h"
#include "options/mesh_source.h"
#include "options/named_choices.h"
#include "options/picture_size.h"
#include "options/scene/scene_file.h"
#include "options/shared_options.h"
#include "options/whole_numbers.h"
#include "simulate/back_ends.h"
#include "simulate/file_scene.h"
#include "simulate/pictures.h"
#include "simulate/run_report.h"
#include "simulate/sim_scenes.h"
#include "simulate/state_file.h"
#include "text/json.h"
#include "text/numbers.h"
#include "text/output.h"
#include "text/progress_bar.h"
#include "text/stopwatch.h"
#include "text/strings.h"
#include "view/page.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(
Bodies are meshes of any shape. A closed mesh is a solid body, any other one a hollow body. Each
frame is a time step, 10 ms unless a file says otherwise: all contacts are found, those that come
within 10 mm included; a solver finds the impulses that keep bodies apart; the bodies move. The same
options give the same bytes, whatever the number of threads and whoever finds touching triangles.

Examples (each runs as it stands):
  tandem simulate stack --objects 27 --frames 100
  tandem simulate pile --objects 27 --frames 60 -o pile.json     # a state, from which it goes on
  tandem simulate pile --objects 27 --frames 60 --continue pile.json
  tandem simulate rockslide --objects 20 --frames 20 --backend obb --json -
  tandem simulate pile --objects 8 --frames 40 --every 20 -o frames --picture-size 160x100
  tandem simulate pile --objects 8 --frames 40 -o pile.html      # a page that plays it
  echo '{"meshes": {"box": "shape:box", "ball": "shape:sphere:500"}, "objects": [
    {"mesh": "box", "static": true, "friction": 0.8},
    {"mesh": "ball", "pose": "0.3 0 2.5", "mass": 5, "velocity": [1, 0, 0], "restitution": 0.6}
    ]}' > world.json
  tandem simulate world.json --frames 100 --json rows.json)";

/// What the frames of a movie take: every second step of 10 ms is 50 per second.
constexpr int k_movie_every = 2;

struct SimulateOptions {
  std::string scene;
  std::optional<std::string> objects;
  std::optional<std::string> subdivide;
  std::optional<std::string> seed;
  std::string frames = "300";
  std::string back_end = "engine";
  std::optional<std::string> mesh;
  std::optional<std::string> output;
  std::optional<std::string> every;
  std::optional<std::string> resume;
  std::optional<std::string> json_file;
  std::string picture_size = "640x400";
  std::string picture_samples = "8";
  std::string device = "cpu";
  std::optional<std::string> threads;
  bool solid = false;
  bool sleep = false;
  bool quiet = false;
};

enum class OutputKind { none, state, movie, folder, page };

OutputKind output_kind(const SimulateOptions& options) {
  if (!options.output) return OutputKind::none;
  const std::string ending = file_ending(*options.output);
  if (ending == ".json") return OutputKind::state;
  if (ending == ".mp4") return OutputKind::movie;
  if (ending == ".html") return OutputKind::page;
  if (!ending.empty()) {
    throw Error(
        "-o: " + one_line(*options.output) +
        " is no .json for a state, no .mp4 for a movie, no .html for a page and no folder for "
        "pictures");
  }
  return OutputKind::folder;
}

/// Pictures of a run: into a folder, or into one that becomes a movie.
class Film {
 public:
  Film(const SimulateOptions& options, OutputKind kind, const SimScene& scene, int threads)
      : kind_(kind), output_(options.output.value_or("")) {
    every_ =
        options.every ? whole_number_in(*options.every, "--every", 1, 1'000'000) : k_movie_every;
    if (kind_ != OutputKind::movie && kind_ != OutputKind::folder) return;
    folder_ = output_;
    if (kind_ == OutputKind::movie) folder_ += ".frames";
    prepare_folder(folder_.string(), "-o");
    camera_.emplace(
        scene, SimPictureOptions{.size = parse_picture_size(options.picture_size, "--picture-size"),
                                 .samples = whole_number_in(options.picture_samples,
                                                            "--picture-samples", 1, 1'000'000),
                                 .threads = threads,
                                 .device = parse_device(options.device)});
  }

  void show(int frame, const SimScene& scene) {
    if (!camera_ || frame % every_ != 0) return;
    char name[32];
    std::snprintf(name, sizeof name, "%06llu.png", static_cast<unsigned long long>(count_++));
    camera_->write_picture(scene, folder_ / name);
  }

  /// What was written, in words.
  std::string finish(double time_step) {
    if (!camera_) return "";
    if (kind_ == OutputKind::folder) {
      return "wrote " + counted(count_, "picture", "pictures") + " to " +
             one_line(folder_.string()) + "\n";
    }
    write_movie(folder_, output_, 1 / (time_step * every_));
    std::filesystem::remove_all(folder_);
    return "wrote " + one_line(output_) + "\n";
  }

 private:
  OutputKind kind_;
  std::string output_;
  std::filesystem::path folder_;
  std::optional<SimCamera> camera_;
  int every_ = 1;
  std::uint64_t count_ = 0;
};

/// A run as a page that plays it.
class Recording {
 public:
  Recording(const SimulateOptions& options, OutputKind kind, const sim::Simulation& world) {
    if (kind != OutputKind::page) return;
    every_ =
        options.every ? whole_number_in(*options.every, "--every", 1, 1'000'000) : k_movie_every;
    // Walls and floors stand on each other, and in front of what happens.
    const std::string fixed = "fixed";
    scene_.allow(fixed, fixed);
    content_.emplace(PageContent{.title = "tandem simulate " + options.scene,
                                 .scene = scene_,
                                 .allowed = {{fixed, fixed}},
                                 .faint_group = fixed});
    for (sim::BodyId body = 0; body < world.body_count(); ++body) {
      const bool is_static = world.is_static(body);
      scene_.add(world.model(body), world.pose(body),
                 {.name = (is_static ? "fixed " : "body ") + std::to_string(body),
                  .group = is_static ? fixed : ""});
    }
  }

  void show(int frame, const sim::Simulation& world) {
    if (!content_ || frame % every_ != 0) return;
    std::vector<Pose>& poses = content_->frames.emplace_back();
    for (sim::BodyId body = 0; body < world.body_count(); ++body) {
      poses.push_back(world.pose(body));
    }
  }

  /// What was written, in words.
  std::string finish(const SimulateOptions& options, int threads) {
    return content_ ? page_text(*options.output, write_page(*options.output, *content_, threads))
                    : "";
  }

 private:
  /// As at the beginning.
  tandem::Scene scene_;
  std::optional<PageContent> content_;
  int every_ = 1;
};

/// A scene of ours or of a file, and what says whether a state is of the same one.
struct MadeScene {
  SimScene scene;
  Json about;
  std::string heading;
};

/// In m/s: what --sleep calls rest.
constexpr double k_sleep_speed = 0.05;

sim::Settings settings_of(const SimulateOptions& options, int threads) {
  sim::Settings settings;
  settings.threads = threads;
  settings.find_touching = find_back_end(options.back_end, threads);
  if (options.sleep) settings.sleep_speed = k_sleep_speed;
  return settings;
}

MadeScene make_known_scene(const SimSceneInfo& info, const SimulateOptions& options,
                           const sim::Settings& settings, Reporting reporting) {
  std::optional<Mesh> mesh;
  if (options.mesh) mesh = load_mesh(*options.mesh, reporting);
  SimSceneOptions how{
      .mesh = mesh ? &*mesh : nullptr, .solid = options.solid, .settings = settings};
  if (options.objects) how.objects = whole_number_in(*options.objects, "--objects", 1, 1'000'000);
  if (options.subdivide) how.subdivide = whole_number_in(*options.subdivide, "--subdivide", 0, 6);
  if (options.seed) {
    how.seed =
        static_cast<std::uint64_t>(whole_number_in(*options.seed, "--seed", 0, 1'000'000'000));
  }
  SimScene scene = info.make(how);
  Json about = {{"scene", info.name},
                {"objects", scene.moving_bodies},
                {"triangles", scene.body_triangles},
                {"seed", how.seed},
                {"sleep", options.sleep}};
  std::string heading = std::string(info.name) + ": " +
                        counted(scene.moving_bodies, "body", "bodies") + " of " +
                        counted(scene.body_triangles, "triangle", "triangles") + "\n";
  return {std::move(scene), std::move(about), std::move(heading)};
}

MadeScene make_scene_of_file(const SceneFile& file, const SimulateOptions& options,
                             const sim::Settings& settings, Reporting reporting) {
  for (const auto& [name, value] : {std::pair("--objects", &options.objects),
                                    {"--subdivide", &options.subdivide},
                                    {"--mesh", &options.mesh},
                                    {"--seed", &options.seed}}) {
    if (*value) throw Error(std::string(name) + ": the file says which bodies there are");
  }
  SimScene scene = make_file_scene(file, settings, options.solid, reporting);
  Json about = {{"scene", std::filesystem::path(options.scene).filename().string()},
                {"objects", scene.world.body_count()},
                {"triangles", scene.triangles},
                {"sleep", options.sleep}};
  std::string heading = one_line(options.scene) + ": " +
                        counted(scene.world.body_count(), "body", "bodies") + ", of which " +
                        counted(scene.moving_bodies, "moves", "move") + ", " +
                        counted(scene.triangles, "triangle", "triangles") + "\n";
  return {std::move(scene), std::move(about), std::move(heading)};
}

/// A name is that of a scene of ours; all else may be a file.
bool is_file(const std::string& scene) {
  const auto known = sim_scenes();
  if (std::any_of(known.begin(), known.end(),
                  [&](const SimSceneInfo& info) { return info.name == scene; })) {
    return false;
  }
  return scene == "-" || file_ending(scene) == ".json" || scene.find('/') != std::string::npos ||
         std::filesystem::exists(scene);
}

/// What users are told when bodies begin in each other; `first` is the first step.
std::string overlap_note(const sim::StepReport& first, const sim::Settings& settings) {
  if (first.deepest <= settings.slop) return "";
  return "note: bodies overlap at the start, by up to " + three_digits(1e3 * first.deepest) +
         " mm; they are pushed apart\n";
}

int run(const SimulateOptions& options) {
  // Everything that can be wrong with the options, before the long work
  std::optional<SceneFile> file;
  const SimSceneInfo* known = nullptr;
  if (is_file(options.scene)) {
    file.emplace(options.scene);
  } else {
    known = &find_named(sim_scenes(), options.scene, "there is no simulation called");
  }
  const OutputKind kind = output_kind(options);
  if (kind == OutputKind::movie) check_ffmpeg("-o");
  if (kind == OutputKind::page) check_page();
  std::vector<NamedFile> outputs;
  if (kind == OutputKind::state || kind == OutputKind::movie || kind == OutputKind::page) {
    outputs.push_back({"-o", *options.output});
  }
  if (options.json_file && *options.json_file != "-")
    outputs.push_back({"--json", *options.json_file});
  std::vector<NamedFile> inputs;
  if (options.mesh) inputs.push_back({"--mesh", *options.mesh});
  if (file) {
    inputs.push_back({"FILE", options.scene});
    for (const std::string& source : file->sources()) inputs.push_back({"a mesh", source});
  }
  check_files(outputs, inputs);
  const int frames = whole_number_in(options.frames, "--frames", 1, 100'000'000);
  const int threads = thread_count(options.threads);
  const Reporting reporting = cli::reporting(options.quiet);

  // The scene
  const sim::Settings settings = settings_of(options, threads);
  auto [scene, about, heading] = file ? make_scene_of_file(*file, options, settings, reporting)
                                      : make_known_scene(*known, options, settings, reporting);
  if (options.resume) scene.world.restore(read_state(*options.resume, about));
  const bool says = options.json_file != "-";
  if (says) {
    if (scene.hollow) heading += "note: a mesh is not closed, so its bodies are hollow\n";
    print(heading);
  }

  // The frames
  Film film(options, kind, scene, threads);
  Recording recording(options, kind, scene.world);
  RunTotals totals;
  Json rows = Json::array();
  std::string text;
  const Stopwatch watch;
  {
    ProgressBar bar("simulating", reporting);
    const Progress progress = bar.callback();
    film.show(0, scene);
    recording.show(0, scene.world);
    for (int frame = 1; frame <= frames; ++frame) {
      const sim::StepReport report = scene.world.step();
      scene.between_steps(scene.world);
      if (scene.world.step_count() == 1) text = overlap_note(report, settings);
      totals.add(report);
      if (options.json_file) rows.push_back(frame_row(scene.world, report));
      film.show(frame, scene);
      recording.show(frame, scene.world);
      if (progress) progress(static_cast<double>(frame) / frames);
    }
  }
  const double run_s = watch.seconds();

  // What came of it
  text += run_text(scene.world, totals, options.back_end, run_s);
  text += film.finish(scene.world.settings().time_step);
  text += recording.finish(options, threads);
  if (kind == OutputKind::state) {
    write_state(*options.output, about, scene.world.state());
    text += "wrote " + one_line(*options.output) + "\n";
  }
  if (options.json_file) {
    write_json(*options.json_file,
               {{"simulation", about}, {"backend", options.back_end}, {"frames", std::move(rows)}});
  }
  if (says) print(text);
  return k_exit_ok;
}

}  // namespace

Command add_simulate(CLI::App& program) {
  const auto options = std::make_shared<SimulateOptions>();
  CLI::App* const app =
      add_command(program, "simulate", "Simulate rigid bodies: a stack, a pile, a rock slide");
  std::string scenes = "a FILE, see below, or one of these:";
  for (const SimSceneInfo& info : sim_scenes()) {
    scenes.append("\n").append(info.name).append(": ").append(info.description);
  }
  add_argument(*app, "SCENE", options->scene, scenes, Need::required);
  add_value(*app, "--objects", options->objects, "N",
            "how many bodies move; a stack is the next cube of them");
  add_value(*app, "--mesh", options->mesh, "MESH",
            std::string("the body: ") + k_mesh_source_help + ";\nits longest side becomes 2");
  add_value(*app, "--subdivide", options->subdivide, "N",
            "how often each triangle of a body becomes four (default 0)");
  add_flag(*app, "--solid", options->solid, "refuse a mesh that is not closed");
  add_value_with_default(*app, "--frames", options->frames, "N", "time steps");
  add_value(*app, "--seed", options->seed, "N", "of random angles (default 1)");
  add_flag(*app, "--sleep", options->sleep,
           "bodies that rest fall asleep, and cost nothing until they are met");
  add_value_with_default(*app, "--backend", options->back_end, "NAME",
                         "who finds the touching triangles: " + back_end_names());
  add_value(*app, "-o,--output", options->output, "OUT",
            "FILE.json: the state at the end; FILE.mp4: a movie, by ffmpeg;\nFILE.html: a page "
            "that plays it; a folder: pictures");
  add_value(*app, "--every", options->every, "N", "frames per picture (default 2)");
  add_value(*app, "--continue", options->resume, "FILE.json",
            "go on from a state that -o wrote, with the same options");
  add_value(*app, "--json", options->json_file, "FILE",
            "a row per frame; - is standard output, and nothing else goes there");
  add_value_with_default(*app, "--picture-size", options->picture_size, "WxH", "pixels");
  add_value_with_default(*app, "--picture-samples", options->picture_samples, "N",
                         "paths through each pixel");
  add_device(*app, options->device);
  add_threads(*app, options->threads);
  add_quiet_flag(*app, options->quiet);
  set_footer(*app, std::string(k_body_entry_help) + "\n" + k_examples);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
