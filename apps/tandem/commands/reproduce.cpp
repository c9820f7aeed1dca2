// tandem reproduce: the tables and figures of papers, measured here.
#include "papers/paper.h"

#include <tandem/error.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "commands/commands.h"
#include "options/named_choices.h"
#include "papers/collision_chip/collision_chip.h"
#include "papers/restricted_boxtree/restricted_boxtree.h"
#include "papers/stackless_rays/stackless_rays.h"
#include "papers/stackless_tandem/stackless_tandem.h"
#include "text/numbers.h"
#include "text/output.h"

namespace tandem::cli {

namespace {

constexpr PaperInfo k_papers[] = {
    {"stackless-tandem", "two hierarchies traversed without a stack: tables 2 to 8, figure 33",
     false, true, &stackless_tandem::reproduce},
    {"collision-chip-traversal", "24-DOP trees in close proximity: table 1's node counts", true,
     true, &collision_chip::reproduce},
    {"restricted-boxtree", "one plane a node: table 1, figures 1, 6, 8, 9 and 10, and beyond", true,
     true, &restricted_boxtree::reproduce},
    {"stackless-rays", "rays without a stack: tables 1 and 2 of a path tracer's rays", true, false,
     &stackless_rays::reproduce},
};

constexpr const char* k_examples = R"(
Without --quick stackless-tandem repeats every row 100 times or for two seconds: some minutes in
all; collision-chip-traversal turns its objects in 100 steps; restricted-boxtree takes minutes;
stackless-rays traces the paths of 512 x 512 pixels.

Examples:
  tandem reproduce
  tandem reproduce stackless-tandem --quick --json rows.json --plot figures
  tandem reproduce collision-chip-traversal --quick --meshes shape:rock:500,shape:knot:500
  tandem reproduce restricted-boxtree --quick --plot figures
  tandem reproduce stackless-rays --quick --meshes shape:knot:2000)";

struct CommandOptions {
  std::optional<std::string> paper;
  std::optional<std::string> json_file;
  std::optional<std::string> plot_folder;
  std::optional<std::string> meshes;
  bool quick = false;
  bool quiet = false;
};

void list_papers() {
  std::string text = "Papers that can be reproduced:\n";
  for (const PaperInfo& paper : papers()) {
    std::string line = "  " + std::string(paper.name);
    line.resize(std::max<std::size_t>(line.size() + 2, 28), ' ');
    text += line.append(paper.description).append("\n");
  }
  print(text + "Try: tandem reproduce " + std::string(papers()[0].name) + " --quick\n");
}

int run(const CommandOptions& options) {
  if (!options.paper) {
    if (options.quick || options.json_file || options.plot_folder || options.meshes) {
      throw Error("reproduce needs the name of a paper; tandem reproduce lists them");
    }
    list_papers();
    return k_exit_ok;
  }
  const PaperInfo& paper =
      find_named(papers(), *options.paper, "there is no reproduction of a paper called");
  if (options.meshes && !paper.takes_meshes) {
    throw Error("--meshes: " + *options.paper + " has objects of its own");
  }
  if (options.plot_folder && !paper.has_figures) {
    throw Error("--plot: " + *options.paper + " has tables alone");
  }
  const Report report(options.json_file, options.plot_folder);
  paper.reproduce({.extent = options.quick ? Extent::quick : Extent::full,
                   .report = report,
                   .meshes = options.meshes,
                   .reporting = reporting(options.quiet)});
  return k_exit_ok;
}

}  // namespace

std::span<const PaperInfo> papers() {
  return k_papers;
}

Command add_reproduce(CLI::App& program) {
  const auto options = std::make_shared<CommandOptions>();
  CLI::App* const app =
      program.add_subcommand("reproduce", "Measure the tables and figures of a paper again");
  app->add_option("PAPER", options->paper, "its name; without one, the papers are listed")
      ->option_text(" ");
  app->add_flag("--quick", options->quick, "few rounds on the smaller objects: some seconds");
  app->add_option("--json", options->json_file,
                  "write all rows; - is standard output and silences the report")
      ->option_text("FILE");
  app->add_option("--plot", options->plot_folder,
                  "write the figures as SVG into this folder, which is made\nunless it is there")
      ->option_text("DIR");
  app->add_option("--meshes", options->meshes,
                  "mesh files and built-in shapes instead of the usual objects, separated\n"
                  "by commas (collision-chip-traversal, restricted-boxtree); scenes of\n"
                  "tandem render (stackless-rays)")
      ->option_text("LIST");
  app->add_flag("--quiet", options->quiet, "no progress bars");
  app->footer(k_examples);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
