// tandem chip run: a query on the model of the collision chip.
#include <tandem/tandem.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chip/chip.h"
#include "commands/chip/chip_commands.h"
#include "commands/two_models.h"
#include "hardware/config_file.h"
#include "hardware/measure.h"
#include "hardware/rtl_run.h"
#include "hardware/trace_file.h"
#include "options/mesh_source.h"
#include "options/pose_option.h"
#include "options/shared_options.h"
#include "text/json.h"
#include "text/numbers.h"
#include "text/output.h"
#include "text/strings.h"
#include "text/table.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(
The triangles are those that intersect by the paper's test in the chip's float32 arithmetic, which
misses triangles that only touch. They are compared with what the library finds by the same test.

Examples:
  tandem chip run shape:knot:2000 shape:rock:2000 --pose-b 0.5,0.2,0
  echo '{"dotadd_units": 4, "register_writes": 8}' > fast.json
  tandem chip run shape:knot:2000 shape:rock:2000 --config fast.json --json
  tandem chip run shape:rock:500 shape:rock:500 --pose-b 1,0,0 --trace trace.json
  tandem chip run shape:rock:500 shape:rock:500 --pose-b 1,0,0 --trace trace.svg
  tandem chip run shape:rock:500 shape:rock:500 --pose-b 1,0,0 --rtl)";

struct ChipRunOptions {
  std::string a;
  std::string b;
  std::optional<std::string> pose_a;
  std::optional<std::string> pose_b;
  std::optional<std::string> config;
  std::optional<std::string> trace;
  ReadChoices reading;
  bool rtl = false;
  bool json = false;
  bool quiet = false;
};

/// What the chip found and what the library finds with the same trees, traversal and test.
struct Outcome {
  chip::Report chip;
  Statistics library;
  /// Triangle pairs that only one of the two found.
  std::size_t differences = 0;
  std::uint64_t memory_bytes = 0;
  std::optional<hardware::RtlRun> rtl;
};

double us_of(const chip::Config& config, chip::Cycle cycles) {
  return 1e-3 * config.cycle_ns * static_cast<double>(cycles);
}

Outcome run_query(const ChipRunOptions& options, const chip::Config& config, const Model& a,
                  const Model& b, const Pose& b_in_a) {
  const chip::ObjectImage image_a = chip::object_image(a, config.nodes);
  const chip::ObjectImage image_b =
      options.a == options.b ? image_a : chip::object_image(b, config.nodes);
  const chip::CollisionChip chip(config, image_a, image_b);
  Outcome outcome;
  outcome.memory_bytes = chip.memory_bytes();
  outcome.chip =
      options.trace ? hardware::run_with_trace(chip, b_in_a, *options.trace) : chip.run(b_in_a);
  if (options.rtl) outcome.rtl = hardware::run_rtl(config, image_a, image_b, b_in_a);
  std::sort(outcome.chip.pairs.begin(), outcome.chip.pairs.end());
  const CollideResult library =
      collide(a, b, b_in_a, {.engine = hardware::library_twin(), .statistics = true});
  outcome.library = library.statistics;
  std::vector<TrianglePair> differences;
  std::set_symmetric_difference(outcome.chip.pairs.begin(), outcome.chip.pairs.end(),
                                library.pairs.begin(), library.pairs.end(),
                                std::back_inserter(differences));
  outcome.differences = differences.size();
  return outcome;
}

std::string percent(double share) {
  return fixed(100 * share, 1) + " %";
}

std::string units_text(const chip::Report& report) {
  Table table;
  table.add_row({"unit", "busy cycles", "of the time"});
  for (std::size_t i = 0; i < chip::k_unit_count; ++i) {
    const auto unit = static_cast<chip::Unit>(i);
    table.add_row(
        {std::string(name_of(unit)), grouped(report.of(unit)), percent(report.utilisation(unit))});
  }
  return table.text("  ");
}

std::string phases_text(const chip::Report& report) {
  Table table;
  table.add_row({"phase", "cycles", "of the time"});
  for (std::size_t i = 0; i < chip::k_phase_count; ++i) {
    const auto phase = static_cast<chip::Phase>(i);
    const auto cycles = static_cast<double>(report.of(phase));
    table.add_row({std::string(name_of(phase)), grouped(report.of(phase)),
                   percent(report.cycles == 0 ? 0 : cycles / static_cast<double>(report.cycles))});
  }
  return table.text("  ");
}

void report_as_text(const ChipRunOptions& options, const chip::Config& config, const Model& a,
                    const Model& b, const Outcome& outcome) {
  const chip::Report& report = outcome.chip;
  const chip::Counts& counts = report.counts;
  const chip::SdramCounts& memory = report.memory;
  std::string text = two_models_text(options.a, a, options.b, b);
  text += counted(report.pairs.size(), "pair", "pairs") + " of triangles intersect, in " +
          grouped(report.cycles) + " cycles: " + duration(1e-6 * us_of(config, report.cycles)) +
          "\n";
  text += std::string("the library's test in double finds ") +
          grouped(outcome.library.triangle_overlaps) + "; " +
          counted(outcome.differences, "pair differs", "pairs differ") + " by rounding\n";
  if (outcome.rtl) {
    text += "the chip in SystemVerilog finds the same, in " + grouped(outcome.rtl->cycles) +
            " cycles, of which " + grouped(outcome.rtl->control_cycles) +
            " are decisions of its controller\n";
  }
  Table work;
  const auto add = [&](const char* what, std::uint64_t count) {
    work.add_row({what, grouped(count)});
  };
  add("lists", counts.lists);
  add("  their entries", counts.list_entries);
  add("lists of tumbled leaves", counts.leaf_lists);
  add("  their entries", counts.leaf_list_entries);
  add("tumbled nodes", counts.tumbled_nodes);
  add("aligned nodes", counts.aligned_nodes);
  add("pairs of nodes", counts.iterations);
  add("overlaps", counts.overlaps);
  add("triangle tests", counts.triangle_tests);
  text += std::string("\n") + work.text("  ") + "\n" + units_text(report) + "\n" +
          phases_text(report) + "\n";
  text += counted(memory.reads, "read", "reads") + " of the memory, " + grouped(memory.bytes) +
          " bytes of " + grouped(outcome.memory_bytes) + "; " + grouped(memory.page_hits) +
          " page hits; " + counted(memory.bank_waits, "read", "reads") + " waited for a bank, " +
          grouped(memory.bank_wait_cycles) + " cycles in all\n";
  text += counted(report.stack_accesses, "access", "accesses") + " to the SRAM, at most " +
          counted(report.stack_peak_words, "word", "words") + " in use\n";
  if (options.trace) text += std::string("wrote ") + one_line(*options.trace) + "\n";
  print(text);
}

Json members_of(const chip::Counts& counts) {
  return {{"lists", counts.lists},
          {"list_entries", counts.list_entries},
          {"leaf_lists", counts.leaf_lists},
          {"leaf_list_entries", counts.leaf_list_entries},
          {"tumbled_nodes", counts.tumbled_nodes},
          {"aligned_nodes", counts.aligned_nodes},
          {"iterations", counts.iterations},
          {"overlaps", counts.overlaps},
          {"leaf_overlaps", counts.leaf_overlaps},
          {"triangle_tests", counts.triangle_tests},
          {"triangle_overlaps", counts.triangle_overlaps}};
}

void report_as_json(const ChipRunOptions& options, const chip::Config& config, const Model& a,
                    const Model& b, const Outcome& outcome) {
  const chip::Report& report = outcome.chip;
  Json object;
  object["a"] = {{"source", options.a}, {"triangles", a.mesh().triangle_count()}};
  object["b"] = {{"source", options.b}, {"triangles", b.mesh().triangle_count()}};
  object["config"] = hardware::to_json(config);
  object["cycles"] = report.cycles;
  object["time_us"] = us_of(config, report.cycles);
  object["pairs"] = Json::array();
  for (const TrianglePair& pair : report.pairs) object["pairs"].push_back({pair.a, pair.b});
  object["library"] = {{"triangle_overlaps", outcome.library.triangle_overlaps},
                       {"overlaps", outcome.library.overlaps},
                       {"triangle_tests", outcome.library.triangle_tests},
                       {"pairs_that_differ", outcome.differences}};
  object["counts"] = members_of(report.counts);
  for (std::size_t i = 0; i < chip::k_unit_count; ++i) {
    const auto unit = static_cast<chip::Unit>(i);
    object["units"][std::string(name_of(unit))] = {{"busy_cycles", report.of(unit)},
                                                   {"utilisation", report.utilisation(unit)}};
  }
  for (std::size_t i = 0; i < chip::k_phase_count; ++i) {
    const auto phase = static_cast<chip::Phase>(i);
    object["phases"][std::string(name_of(phase))] = report.of(phase);
  }
  if (outcome.rtl) {
    object["rtl"] = {{"cycles", outcome.rtl->cycles},
                     {"control_cycles", outcome.rtl->control_cycles}};
  }
  const chip::SdramCounts& memory = report.memory;
  object["memory"] = {{"image_bytes", outcome.memory_bytes},
                      {"reads", memory.reads},
                      {"bytes", memory.bytes},
                      {"page_hits", memory.page_hits},
                      {"bank_waits", memory.bank_waits},
                      {"bank_wait_cycles", memory.bank_wait_cycles}};
  object["stack"] = {{"accesses", report.stack_accesses}, {"peak_words", report.stack_peak_words}};
  print_json(object);
}

void check_outputs(const ChipRunOptions& options) {
  if (!options.trace) return;
  hardware::check_trace_name(*options.trace);
  std::vector<NamedFile> inputs = {{"A", options.a}, {"B", options.b}};
  if (options.pose_a) inputs.push_back({"--pose-a", *options.pose_a});
  if (options.pose_b) inputs.push_back({"--pose-b", *options.pose_b});
  if (options.config) inputs.push_back({"--config", *options.config});
  check_files({{"--trace", *options.trace}}, inputs);
}

int run(const ChipRunOptions& options) {
  check_outputs(options);
  const chip::Config config = hardware::read_config(options.config);
  Pose a_in_world;
  Pose b_in_world;
  if (options.pose_a) a_in_world = parse_pose(*options.pose_a, "--pose-a");
  if (options.pose_b) b_in_world = parse_pose(*options.pose_b, "--pose-b");
  const ReadOptions read = options.reading.options();
  const Reporting reporting = cli::reporting(options.quiet);
  const BuildOptions build{.structure = "dop24"};
  const Model a =
      build_model(load_mesh(options.a, reporting, read), build, "building A", reporting);
  const Model b = options.a == options.b ? a
                                         : build_model(load_mesh(options.b, reporting, read), build,
                                                       "building B", reporting);
  const Outcome outcome = run_query(options, config, a, b, relative_pose(a_in_world, b_in_world));
  options.json ? report_as_json(options, config, a, b, outcome)
               : report_as_text(options, config, a, b, outcome);
  return k_exit_ok;
}

}  // namespace

Command add_chip_run(CLI::App& chip) {
  const auto options = std::make_shared<ChipRunOptions>();
  CLI::App* const app = add_command(chip, "run", "Run a query on the chip, cycle by cycle");
  add_argument(*app, "A", options->a, k_mesh_source_help, Need::required);
  add_argument(*app, "B", options->b, "the same; tandem list shows the shapes and file formats",
               Need::required);
  add_value(*app, "--pose-a", options->pose_a, "POSE", "where A stands in the world (see below)");
  add_value(*app, "--pose-b", options->pose_b, "POSE", "where B stands in the world");
  add_value(*app, "--config", options->config, "FILE", "another chip than the paper's (see below)");
  add_value(*app, "--trace", options->trace, "FILE",
            "write when each unit was busy: .json for Chrome and Perfetto, or\na picture as .svg");
  add_flag(*app, "--rtl", options->rtl,
           "also run the chip in SystemVerilog, which must do the same (in programs built\nwith "
           "Verilator)");
  add_json_flag(*app, options->json);
  add_read_options(*app, options->reading);
  add_quiet_flag(*app, options->quiet);
  set_footer(*app, std::string(k_pose_help) + "\n\n" + hardware::config_help() + k_examples);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
