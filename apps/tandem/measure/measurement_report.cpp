#include "measure/measurement_report.h"

#include <tandem/error.h>
#include <tandem/version.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "options/comma_lists.h"
#include "text/output.h"
#include "text/strings.h"

namespace tandem::cli {

Json json_head(const char* kind, std::string_view name) {
  Json object;
  object[kind] = name;
  object["version"] = TANDEM_VERSION;
  return object;
}

void check_measurement_files(const MeasurementOptions& options, std::string_view sources) {
  std::vector<NamedFile> inputs;
  if (!sources.empty()) {
    for (std::string& source : split_list(sources, "--meshes")) {
      inputs.push_back({"an object", std::move(source)});
    }
  }
  if (!options.json_file || *options.json_file == "-") return;
  if (options.plot_folder && file_ending(*options.json_file) == ".svg") {
    throw Error("--json: " + in_quotes(*options.json_file) + " is named like a chart of --plot");
  }
  check_files({{"--json", *options.json_file}}, inputs);
}

MeasurementReport::MeasurementReport(const MeasurementOptions& options) : options_(options) {
  if (options_.plot_folder) prepare_folder(*options_.plot_folder, "--plot");
}

void MeasurementReport::say(std::string_view text) const {
  if (!is_silent()) print(text);
}

void MeasurementReport::plot(const std::function<void(const WriteChart& write)>& draw) const {
  if (!options_.plot_folder) return;
  draw([&](const std::string& name, const Chart& chart) {
    const std::filesystem::path file =
        std::filesystem::path(*options_.plot_folder) / (name + ".svg");
    write_file(file, to_svg(chart));
    say("wrote " + one_line(file.string()) + "\n");
  });
}

void MeasurementReport::write(const std::function<Json()>& make) const {
  if (!options_.json_file) return;
  write_json(*options_.json_file, make());
  say("wrote " + one_line(*options_.json_file) + "\n");
}

}  // namespace tandem::cli
