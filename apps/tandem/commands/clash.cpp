// tandem clash: which parts of assemblies touch or cross, and where.
#include <tandem/tandem.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands/clash_report.h"
#include "commands/commands.h"
#include "devices/device_queries.h"
#include "options/mesh_source.h"
#include "options/shared_options.h"
#include "text/output.h"
#include "text/progress_bar.h"
#include "text/stopwatch.h"

namespace tandem::cli {

namespace {

constexpr const char* k_help = R"(
Parts are the groups and objects of an OBJ, the solids of an STL and the nodes of a glTF, or, with
--components, the connected pieces of each of them. Two parts touch when they share points but
neither goes through the other, as blocks that stand on each other do; otherwise they cross. Of
closed parts, those cross that have volume in common. Curves are where surfaces meet: points joined
end to end. With --clearance, parts that come as close as that are found too: how close, in which
triangles and points.

Examples (each runs as it stands):
  tandem clash shape:box shape:knot
  tandem make pipes --triangles 5000 -o pipes.stl
  tandem clash pipes.stl --components --table clashes.md
  tandem clash pipes.stl --components --clearance 50mm --table close.csv
  tandem clash pipes.stl shape:rock:5000 --components --json clashes.json --curves curves.obj
  tandem clash pipes.stl shape:box --components --picture clash.png --picture-size 320x200
  tandem clash shape:box shape:rock --exit-code || echo "they meet")";

struct ClashOptions {
  std::vector<std::string> files;
  ReadChoices read;
  bool components = false;
  ClashOutputs outputs;
  std::optional<std::string> threads;
  DeviceChoice device;
  bool exit_code = false;
  bool quiet = false;
};

struct Parts {
  tandem::Scene scene;
  std::size_t triangle_count = 0;
};

/// Reads all files; each mesh becomes one model, however many parts show it.
Parts load_parts(const ClashOptions& options, int threads, Reporting reporting) {
  Parts parts;
  for (const std::string& file : options.files) {
    Assembly assembly = load_assembly(file, reporting, options.read.options());
    if (options.components) assembly = split_components(assembly);
    std::vector<Model> models;
    models.reserve(assembly.meshes.size());
    for (Mesh& mesh : assembly.meshes) {
      models.emplace_back(std::move(mesh), BuildOptions{.threads = threads});
    }
    for (const AssemblyPart& part : assembly.parts) {
      // Names are unique in a file; with several files, the file's comes first.
      const std::string name = options.files.size() == 1 ? part.name : file + ":" + part.name;
      parts.scene.add(models[part.mesh], part.pose, {.name = name, .group = file});
      parts.triangle_count += models[part.mesh].mesh().triangle_count();
    }
  }
  return parts;
}

int run(const ClashOptions& options) {
  std::vector<NamedFile> inputs;
  for (const std::string& file : options.files) inputs.push_back({"FILE", file});
  check_clash_outputs(options.outputs, inputs);
  SceneQueries queries(options.device);
  const int threads = thread_count(options.threads);
  const Reporting reporting = cli::reporting(options.quiet);
  const Stopwatch read_watch;
  const Parts parts = load_parts(options, threads, reporting);
  const std::size_t clashes =
      report_clashes({parts.scene, parts.triangle_count, "part", read_watch.seconds()},
                     options.outputs, queries, threads, reporting);
  return options.exit_code && clashes > 0 ? k_exit_touching : k_exit_ok;
}

}  // namespace

Command add_clash(CLI::App& program) {
  const auto options = std::make_shared<ClashOptions>();
  CLI::App* const app = add_command(
      program, "clash", "Find which parts of assemblies touch or cross, and in which curves");
  add_argument(*app, "FILE", options->files, "one or more assemblies: mesh files, or shapes",
               Need::required);
  add_flag(*app, "--components", options->components, "every connected piece is a part of its own");
  add_clash_outputs(*app, options->outputs, "part");
  add_threads(*app, options->threads);
  add_device_choice(*app, options->device);
  add_flag(*app, "--exit-code", options->exit_code,
           "exit with 1 when any parts meet or come too close (errors: 2)");
  add_read_options(*app, options->read);
  add_quiet_flag(*app, options->quiet);
  set_footer(*app, k_help);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
