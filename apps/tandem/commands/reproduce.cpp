// tandem reproduce: the tables and figures of papers, measured here.
#include <tandem/error.h>

#include <memory>

#include "commands/commands.h"
#include "options/named_choices.h"
#include "options/shared_options.h"
#include "papers/paper.h"
#include "text/output.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(
Without --quick stackless-tandem repeats every row 100 times or for two seconds: some minutes in
total; collision-chip-traversal and collision-chip turn their objects in 100 steps;
restricted-boxtree takes minutes;
stackless-rays traces the paths of 512 x 512 pixels, also on a CUDA device; gpu-blocked-tandem
simulates up to 2,500 bodies of 24,000 triangles, for three minutes on 16 cores beside a CUDA
device.

Examples:
  tandem reproduce
  tandem reproduce stackless-tandem --quick --json rows.json --plot figures
  tandem reproduce collision-chip-traversal --quick --meshes shape:rock:500,shape:knot:500
  tandem reproduce collision-chip --quick --meshes shape:rock:500 --plot figures
  tandem reproduce restricted-boxtree --quick --plot figures
  tandem reproduce stackless-rays --quick --meshes shape:knot:2000
  tandem reproduce gpu-blocked-tandem --quick --plot figures)";

struct ReproduceCommandOptions {
  std::optional<std::string> paper;
  std::optional<std::string> meshes;
  std::string device = "cpu";
  bool quick = false;
  MeasurementOptions measurement;
};

void list_papers() {
  std::string text = "Papers that can be reproduced:\n";
  for (const PaperInfo& paper : papers()) text += list_line(paper.name, paper.description, 28);
  print(text + "Try: tandem reproduce " + std::string(papers()[0].name) + " --quick\n");
}

int run(const ReproduceCommandOptions& options) {
  const MeasurementOptions& measurement = options.measurement;
  if (!options.paper) {
    if (options.quick || options.meshes || options.device != "cpu" || measurement.json_file ||
        measurement.plot_folder) {
      throw Error("reproduce needs the name of a paper; tandem reproduce lists them");
    }
    list_papers();
    return k_exit_ok;
  }
  const PaperInfo& paper =
      find_named(papers(), *options.paper, "there is no reproduction of a paper called");
  if (options.meshes && !paper.takes_meshes) {
    throw Error("--meshes: " + *options.paper + " has its own objects");
  }
  if (measurement.plot_folder && !paper.has_figures) {
    throw Error("--plot: " + *options.paper + " has tables and no figures");
  }
  const Device device = parse_device(options.device);
  if (device != Device::cpu && !paper.runs_on_devices) {
    throw Error("--device: " + *options.paper + " is measured on the processor");
  }
  check_measurement_files(measurement, options.meshes.value_or(""));
  const MeasurementReport report(measurement);
  paper.reproduce({.extent = options.quick ? Extent::quick : Extent::full,
                   .report = report,
                   .meshes = options.meshes,
                   .reporting = reporting(measurement.quiet),
                   .device = device});
  return k_exit_ok;
}

}  // namespace

Command add_reproduce(CLI::App& program) {
  const auto options = std::make_shared<ReproduceCommandOptions>();
  CLI::App* const app =
      add_command(program, "reproduce", "Measure the tables and figures of a paper again");
  add_argument(*app, "PAPER", options->paper, "its name; without one, the papers are listed");
  add_flag(*app, "--quick", options->quick, "few rounds on the smaller objects: some seconds");
  add_json_file(*app, options->measurement);
  add_plot_folder(*app, options->measurement, "the figures");
  add_value(*app, "--meshes", options->meshes, "LIST",
            "mesh files and built-in shapes instead of the usual objects, separated\n"
            "by commas (collision-chip-traversal, collision-chip,\n"
            "restricted-boxtree); scenes of tandem render (stackless-rays); one\n"
            "body (gpu-blocked-tandem)");
  add_device(*app, options->device);
  add_quiet_flag(*app, options->measurement.quiet);
  set_footer(*app, k_examples);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
