#include "options/shared_options.h"

namespace tandem::cli {

CLI::Option* add_value_with_default(CLI::App& app, const char* name, std::string& value,
                                    const char* placeholder, const std::string& text) {
  return add_value(app, name, value, placeholder, text + " (default " + value + ")");
}

CLI::Option* add_list(CLI::App& app, const char* name, std::string& value,
                      const std::string& text) {
  return add_value(app, name, value, "LIST", text + "\n(default " + value + ")");
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
