#include "options/shared_options.h"

#include "options/whole_numbers.h"

namespace tandem::cli {

void add_threads(CLI::App& app, std::optional<std::string>& threads) {
  add_value(app, "--threads", threads, "N",
            "how many threads; 0, the default, is as many as the machine has.\n"
            "Results do not depend on it");
}

int thread_count(const std::optional<std::string>& threads) {
  return threads ? whole_number_in(*threads, "--threads", 0, 4096) : 0;
}

void add_json_flag(CLI::App& app, bool& json) {
  add_flag(app, "--json", json, "report as one JSON object");
}

void add_quiet_flag(CLI::App& app, bool& quiet) {
  add_flag(app, "--quiet", quiet, "no progress bars");
}

void add_mesh_list(CLI::App& app, std::string& meshes) {
  add_list(app, "--meshes", meshes, "mesh files and built-in shapes, separated by commas");
}

void add_json_file(CLI::App& app, MeasurementOptions& options) {
  add_value(app, "--json", options.json_file, "FILE",
            "write all rows; - is standard output and silences the report");
}

void add_plot_folder(CLI::App& app, MeasurementOptions& options, const std::string& what) {
  add_value(app, "--plot", options.plot_folder, "DIR",
            "write " + what + " as SVG into this folder, which is\nmade unless it exists");
}

}  // namespace tandem::cli
