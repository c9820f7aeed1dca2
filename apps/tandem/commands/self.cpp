// tandem self: which triangles of a mesh meet each other.
#include <tandem/tandem.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands/collide/collide_files.h"
#include "commands/collide/collide_report.h"
#include "commands/commands.h"
#include "commands/two_models.h"
#include "options/mesh_source.h"
#include "options/named_choices.h"
#include "options/shared_options.h"
#include "text/counters.h"
#include "text/json.h"
#include "text/numbers.h"
#include "text/output.h"
#include "text/progress_bar.h"
#include "text/stopwatch.h"
#include "text/strings.h"

namespace tandem::cli {

namespace {

constexpr const char* k_footer =
    R"(Neighbours, triangles with corners at the same positions, count only when they
meet in more than these corners and the edges between them: when they cross,
fold back onto each other or are equal.

Examples (each runs as it stands):
  tandem self shape:soup:2000
  tandem self shape:knot:20000 --first --exit-code && echo "it does not meet itself"
  tandem self shape:soup:2000 --pairs - | head -n 3
  tandem self shape:soup:2000 --count --json)";

struct SelfOptions {
  std::string mesh;
  ReadChoices read;
  std::optional<std::string> pairs_file;
  std::optional<std::string> threads;
  bool first = false;
  bool count = false;
  bool json = false;
  bool exit_code = false;
  bool statistics = false;
  bool quiet = false;
};

void check(const SelfOptions& options) {
  if (options.first + options.count + options.pairs_file.has_value() > 1) {
    throw Error("--first, --count and --pairs exclude each other: choose one of them");
  }
  if (options.pairs_file == "-" && options.json) {
    throw Error("--pairs - and --json both want standard output: give --pairs a file name");
  }
  std::vector<NamedFile> outputs;
  if (options.pairs_file && *options.pairs_file != "-") {
    outputs.push_back({"--pairs", *options.pairs_file});
  }
  check_files(outputs, {{"MESH", options.mesh}});
}

void run_query(const SelfOptions& options, const Model& model, Reporting reporting,
               CollideAnswer& answer) {
  ProgressBar bar("searching", reporting);
  const QueryOptions query{.statistics = options.statistics,
                           .threads = thread_count(options.threads),
                           .progress = bar.callback()};
  const Stopwatch stopwatch;
  if (options.first) {
    const IntersectsResult result = self_intersects(model, query);
    if (result.pair) answer.pairs.push_back(*result.pair);
    answer.touching = result.pair.has_value();
    answer.statistics = result.statistics;
  } else if (options.pairs_file) {
    CollideResult result = self_collide(model, query);
    answer.pair_count = result.pairs.size();
    answer.pairs = std::move(result.pairs);
    answer.statistics = result.statistics;
  } else {
    FewPairs few;
    answer.statistics = self_collide(model, few, query).statistics;
    answer.pair_count = few.count;
    answer.pairs = std::move(few.first);
  }
  if (answer.pair_count) answer.touching = *answer.pair_count > 0;
  answer.query_s = stopwatch.seconds();
}

void report_as_json(const SelfOptions& options, const Model& model, const CollideAnswer& answer) {
  Json object{{"source", options.mesh},
              {"triangles", model.mesh().triangle_count()},
              {"structure_bytes", model.structure_bytes()},
              {"structure", name_of(model.structure())}};
  add_answer(object, answer, options.first, options.statistics);
  print_json(object);
}

void report_as_text(const SelfOptions& options, const Model& model, const CollideAnswer& answer) {
  std::string text = one_line(options.mesh) + "  " +
                     counted(model.mesh().triangle_count(), "triangle", "triangles") + "\n";
  text += "read in " + duration(answer.read_s) + ", built in " + duration(answer.build_s) + "\n";
  if (!answer.touching) {
    text += "it does not meet itself, searched in ";
  } else if (options.first) {
    text += "it meets itself: triangles " + std::to_string(answer.pairs[0].a) + " and " +
            std::to_string(answer.pairs[0].b) + ", found in ";
  } else {
    text += counted(*answer.pair_count, "pair", "pairs") + " of its triangles meet, found in ";
  }
  text += duration(answer.query_s) + " (" + name_of(model.structure()) + ")\n";
  const bool chosen = options.first || options.count || options.pairs_file;
  if (!chosen && answer.touching) {
    text += first_pairs_text(answer.pairs, *answer.pair_count, "triangle", "meets");
  }
  if (options.statistics) text += counters_text(k_counters, answer.statistics);
  if (options.pairs_file) text += "wrote " + one_line(*options.pairs_file) + "\n";
  print(text);
}

int run(const SelfOptions& options) {
  check(options);
  const Reporting reporting = cli::reporting(options.quiet);
  CollideAnswer answer;
  const Stopwatch read_watch;
  Mesh mesh = load_mesh(options.mesh, reporting, options.read.options());
  answer.read_s = read_watch.seconds();
  const Stopwatch build_watch;
  const Model model = build_model(std::move(mesh), {.threads = thread_count(options.threads)},
                                  "building", reporting);
  answer.build_s = build_watch.seconds();
  run_query(options, model, reporting, answer);
  if (options.pairs_file) write_pairs(*options.pairs_file, answer.pairs);
  if (options.json) {
    report_as_json(options, model, answer);
  } else if (options.pairs_file != "-") {
    report_as_text(options, model, answer);
  }
  return options.exit_code && answer.touching ? k_exit_touching : k_exit_ok;
}

}  // namespace

Command add_self(CLI::App& program) {
  const auto options = std::make_shared<SelfOptions>();
  CLI::App* const app =
      add_command(program, "self", "Find which triangles of a mesh meet each other");
  add_argument(*app, "MESH", options->mesh, k_mesh_source_help, Need::required);
  add_flag(*app, "--first", options->first, "stop at the first pair found: does it meet itself?");
  add_flag(*app, "--count", options->count, "count the pairs, and show none of them");
  add_value(*app, "--pairs", options->pairs_file, "FILE",
            "write all pairs, sorted: 'triangle triangle' per line, the lower id\n"
            "first, ids in file order from 0; {\"pairs\": [[a, b], ...]} when FILE\n"
            "ends in .json; - is standard output and silences the report");
  add_threads(*app, options->threads);
  add_json_flag(*app, options->json);
  add_flag(*app, "--exit-code", options->exit_code, "exit with 1 when it meets itself (errors: 2)");
  add_flag(*app, "--statistics", options->statistics, "report the search's counters");
  add_read_options(*app, options->read);
  add_quiet_flag(*app, options->quiet);
  set_footer(*app, k_footer);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
