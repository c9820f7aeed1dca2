// tandem chip table: table 1 of the collision chip paper, and the same for other objects.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/chip/chip_commands.h"
#include "hardware/config_file.h"
#include "hardware/measure.h"
#include "measure/measurement_report.h"
#include "options/shared_options.h"
#include "options/whole_numbers.h"

namespace tandem::cli {

namespace {

constexpr const char* k_examples = R"(
Two copies of an object are in close proximity: at the smallest distance of their centres, to 1 %,
at which they touch at no step of a turn. Equation 5 takes the counts of the library's traversal
of sibling pairs; the cycle model runs the queries. "Same here" is that traversal, "default here"
the library's default engine, each on one core of this machine.

Examples:
  tandem chip table
  tandem chip table --meshes shape:knot:5000,shape:rock:5000 --steps 10 --json table.json
  echo '{"nodes": "dop18"}' > chip.json; tandem chip table --steps 5 --config chip.json)";

struct ChipTableOptions {
  std::string meshes = "shape:knot:20000,shape:rock:20000,shape:torus:20000";
  std::string steps = "20";
  std::optional<std::string> config;
  MeasurementOptions measurement;
};

int run(const ChipTableOptions& options) {
  const int steps = whole_number_in(options.steps, "--steps", 1, 100'000);
  const chip::Config config = hardware::read_config(options.config);
  check_measurement_files(options.measurement, options.meshes);
  const MeasurementReport report(options.measurement);
  const Reporting reporting = cli::reporting(options.measurement.quiet);
  const std::vector<TumblingObject> objects = load_tumbling_objects(options.meshes, reporting);
  report.say(
      "Table 1 of the paper: its counts, on average and at worst, and the chip's times by "
      "equation 5\n" +
      hardware::paper_table_text());
  Json rows = Json::array();
  for (const TumblingObject& object : objects) {
    const hardware::Measurement measurement =
        hardware::measure_close(object, steps, config, hardware::Software::timed, reporting);
    report.say("\n");
    report.say(measurement.heading() + "\n" + hardware::table_text(measurement) +
               hardware::accounting_text(measurement));
    rows.push_back(hardware::to_json(measurement));
  }
  report.write([&] {
    Json object = json_head("protocol", "chip");
    object["rows"] = rows;
    return object;
  });
  return k_exit_ok;
}

}  // namespace

Command add_chip_table(CLI::App& chip) {
  const auto options = std::make_shared<ChipTableOptions>();
  CLI::App* const app =
      add_command(chip, "table", "Print table 1 of the paper, and the same for other objects");
  add_mesh_list(*app, options->meshes);
  add_value_with_default(*app, "--steps", options->steps, "N", "steps of a whole turn");
  add_value(*app, "--config", options->config, "FILE", "another chip, see tandem chip run --help");
  add_json_file(*app, options->measurement);
  add_quiet_flag(*app, options->measurement.quiet);
  set_footer(*app, k_examples);
  return {app, [options] { return run(*options); }};
}

}  // namespace tandem::cli
