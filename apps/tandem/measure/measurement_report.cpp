#include "measure/measurement_report.h"

#include <tandem/version.h>

#include <filesystem>

#include "text/output.h"

namespace tandem::cli {

Json json_head(const char* kind, std::string_view name) {
  Json object;
  object[kind] = name;
  object["version"] = TANDEM_VERSION;
  return object;
}

MeasurementReport::MeasurementReport(const MeasurementOptions& options) : options_(options) {
  if (options_.json_file && !is_silent()) check_writable(*options_.json_file, "--json");
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
    say("wrote " + file.string() + "\n");
  });
}

void MeasurementReport::write(const std::function<Json()>& make) const {
  if (!options_.json_file) return;
  write_json(*options_.json_file, make());
  say("wrote " + *options_.json_file + "\n");
}

}  // namespace tandem::cli
