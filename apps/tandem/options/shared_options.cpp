#include "options/shared_options.h"

#include "options/whole_numbers.h"

namespace tandem::cli {

CLI::Option* add_value_with_default(CLI::App& app, const char* name, std::string& value,
                                    const char* placeholder, const std::string& text) {
  return add_value(app, name, value, placeholder, text + " (default " + value + ")");
}

CLI::Option* add_list(CLI::App& app, const char* name, std::string& value,
                      const std::string& text) {
  return add_value(app, name, value, "LIST", text + "\n(default " + value + ")");
}

void add_threads(CLI::App& app, std::optional<std::string>& threads) {
  add_value(app, "--threads", threads, "N",
            "how many threads; 0, the default, is as many as the machine has.\n"
            "Results do not depend on it");
}

int thread_count(const std::optional<std::string>& threads) {
  return threads ? whole_number_in(*threads, "--threads", 0, 4096) : 0;
}

void add_json_flag(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "report as one JSON object");
}

void add_quiet_flag(CLI::App& app, bool& quiet) {
  app.add_flag("--quiet", quiet, "no progress bars");
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
