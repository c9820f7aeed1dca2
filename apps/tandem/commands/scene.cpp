// tandem scene: what touches in a scene, as it stands or frame by frame.
#include <tandem/error.h>
#include <tandem/scene.h>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/clash_report.h"
#include "commands/commands.h"
#include "devices/device_queries.h"
#include "options/mesh_source.h"
#include "options/scene/scene_file.h"
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
Without --moves, the scene is reported as it stands: which objects touch or cross, as tandem clash
reports parts. With --moves, each line of a file is a frame, and each frame gets a row:
  {"arm": "0 0 1.5 axis z angle 30", "ball": {"translation": [0, 0, 1]}}
says where objects stand from then on. When a line is none, what came before it is written, and the
line is named.

Examples (each runs as it stands):
  echo '{"meshes": {"ball": "shape:sphere", "block": "shape:box"}, "objects": [{"mesh": "block"},
    {"mesh": "ball", "pose": "0.7 0 0"}, {"mesh": "ball", "pose": "9 0 0"}]}' > scene.json
  tandem scene scene.json
  tandem scene scene.json --clearance 8
  tandem scene scene.json --json clashes.json --picture scene.png --picture-size 320x200
  printf '{"ball 2": "5 0 0"}\n{"ball 2": "1 0 0"}\n' > moves.txt
  tandem scene scene.json --moves moves.txt --json rows.json)";

struct SceneCommandOptions {
  std::string file;
  std::optional<std::string> moves;
  ReadChoices read;
  ClashOutputs outputs;
  std::optional<std::string> threads;
  DeviceChoice device;
  bool exit_code = false;
  bool quiet = false;
};

/// What all frames together gave.
struct FrameSum {
  std::uint64_t frames = 0;
  std::uint64_t touching = 0;
  std::uint64_t object_pairs = 0;
  std::uint64_t triangle_pairs = 0;
  /// Pairs of objects that come as close as the clearance without touching.
  std::uint64_t close_pairs = 0;
  /// Frames with such pairs, or in which objects meet.
  std::uint64_t clashing = 0;
  double query_s = 0;
  /// The error that ended the frames, if there was one.
  std::exception_ptr error;
};

void write_row(TextBuffer& rows, const tandem::Scene& scene, const SceneResult& result,
               const std::optional<std::vector<ObjectClearance>>& close, const FrameSum& sum,
               std::uint64_t line) {
  Json row = {{"frame", sum.frames}, {"line", line}, {"touching", Json::array()}};
  for (std::size_t i = 0; i < result.objects.size(); ++i) {
    row["touching"].push_back({{"a", scene.labels(result.objects[i].a).name},
                               {"b", scene.labels(result.objects[i].b).name},
                               {"triangle_pairs", result.pairs_of(i).size()}});
  }
  if (close) {
    row["close"] = Json::array();
    for (const ObjectClearance& each : *close) row["close"].push_back(close_json(scene, each));
  }
  rows << (sum.frames == 0 ? "[\n" : ",\n")
       << row.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Frame after frame until the last one, or until a line is none.
FrameSum run_frames(LoadedScene& loaded, MoveLines& lines, TextBuffer* rows, SceneQueries& queries,
                    std::optional<double> clearance, int threads, const Progress& progress) {
  FrameSum sum;
  while (true) {
    try {
      if (!lines.next(loaded)) break;
    } catch (const Error&) {
      sum.error = std::current_exception();
      break;
    }
    const Stopwatch stopwatch;
    const SceneResult result = queries.collide(loaded.scene(), {.threads = threads});
    std::optional<std::vector<ObjectClearance>> close;
    if (clearance) close = find_close(loaded.scene(), *clearance, queries, {.threads = threads});
    sum.query_s += stopwatch.seconds();
    if (rows != nullptr) {
      write_row(*rows, loaded.scene(), result, close, sum, lines.line_number());
    }
    ++sum.frames;
    sum.touching += result.objects.empty() ? 0 : 1;
    sum.object_pairs += result.objects.size();
    sum.triangle_pairs += result.pairs.size();
    sum.close_pairs += close ? close->size() : 0;
    sum.clashing += result.objects.empty() && (!close || close->empty()) ? 0 : 1;
    const std::optional<double> share = lines.share_done();
    if (progress && share) progress(*share);
  }
  if (rows != nullptr) *rows << (sum.frames == 0 ? "[" : "\n") << "]\n";
  return sum;
}

std::string frames_text(const LoadedScene& loaded, const FrameSum& sum,
                        std::optional<double> clearance) {
  std::string text = counted(loaded.scene().size(), "object", "objects") + ", " +
                     counted(loaded.triangle_count(), "triangle", "triangles") + "\n" +
                     counted(sum.frames, "frame", "frames") + ", in " + grouped(sum.touching) +
                     " of which objects meet: " +
                     counted(sum.object_pairs, "pair of objects", "pairs of objects") + ", " +
                     counted(sum.triangle_pairs, "triangle pair", "triangle pairs");
  if (clearance) {
    text += "\n";
    text += counted(sum.close_pairs, "other pair comes", "other pairs come") + " as close as " +
            shortest(*clearance);
  }
  text += "\nanswered in " + duration(sum.query_s);
  if (sum.query_s > 0 && sum.frames > 0) {
    text += ", " + rounded(static_cast<double>(sum.frames) / sum.query_s) + " frames per second";
  }
  return text + "\n";
}

/// Returns how many frames have objects that meet or come too close.
std::uint64_t report_frames(const SceneCommandOptions& options, LoadedScene& loaded,
                            MoveLines& lines, SceneQueries& queries, int threads,
                            Reporting reporting) {
  const std::optional<double> clearance = clearance_of(options.outputs);
  FrameSum sum;
  {
    ProgressBar bar("searching", reporting);
    with_text_file(options.outputs.json_file, [&](TextBuffer* rows) {
      sum = run_frames(loaded, lines, rows, queries, clearance, threads, bar.callback());
    });
  }
  if (options.outputs.json_file != "-") {
    std::string text = frames_text(loaded, sum, clearance);
    if (options.outputs.json_file) text += "wrote " + one_line(*options.outputs.json_file) + "\n";
    print(text);
  }
  if (sum.error) std::rethrow_exception(sum.error);
  return sum.clashing;
}

void check_options(const SceneCommandOptions& options, const SceneFile& file) {
  const ClashOutputs& outputs = options.outputs;
  if (options.moves && (outputs.table_file || outputs.curves_file || outputs.picture.file)) {
    throw Error("--table, --curves and --picture show one scene, and --moves makes many of it");
  }
  std::vector<NamedFile> inputs = {{"FILE", options.file}};
  if (options.moves) inputs.push_back({"--moves", *options.moves});
  for (const std::string& source : file.sources()) inputs.push_back({"a mesh", source});
  check_clash_outputs(outputs, inputs);
}

int run(const SceneCommandOptions& options) {
  if (options.file == "-" && options.moves == "-") {
    throw Error("the scene and --moves - both want standard input: give one a file name");
  }
  const SceneFile file(options.file);
  check_options(options, file);
  SceneQueries queries(options.device);
  std::optional<MoveLines> moves;
  if (options.moves) moves.emplace(*options.moves, "--moves");
  const int threads = thread_count(options.threads);
  const Reporting reporting = cli::reporting(options.quiet);
  const Stopwatch read_watch;
  LoadedScene loaded = file.load(options.read.options(), threads, reporting);
  const double read_s = read_watch.seconds();
  const std::uint64_t meetings =
      moves ? report_frames(options, loaded, *moves, queries, threads, reporting)
            : report_clashes({loaded.scene(), loaded.triangle_count(), "object", read_s},
                             options.outputs, queries, threads, reporting);
  return options.exit_code && meetings > 0 ? k_exit_touching : k_exit_ok;
}

}  // namespace

Command add_scene(CLI::App& program) {
  const auto options = std::make_shared<SceneCommandOptions>();
  CLI::App* const app =
      add_command(program, "scene",
                  "Find which objects of a scene touch or cross, as it stands or frame by frame");
  add_argument(*app, "FILE", options->file, "a scene file, see below; - is standard input",
               Need::required);
  add_value(*app, "--moves", options->moves, "FILE",
            "frames: where objects stand, one frame per line; - is standard\ninput");
  add_clash_outputs(*app, options->outputs, "object");
  add_threads(*app, options->threads);
  add_device_choice(*app, options->device);
  add_flag(*app, "--exit-code", options->exit_code,
           "exit with 1 when any objects meet or come too close (errors: 2)");
  add_read_options(*app, options->read);
  add_quiet_flag(*app, options->quiet);
  set_footer(*app, std::string(k_scene_file_help) + "\n" + k_examples);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
