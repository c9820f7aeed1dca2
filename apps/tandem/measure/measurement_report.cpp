#include "measure/measurement_report.h"

#include <utility>

namespace tandem::cli {

Report::Report(std::optional<std::string> json_file, std::optional<std::string> plot_folder)
    : json_file_(std::move(json_file)), plot_folder_(std::move(plot_folder)) {
  if (json_file_ && !is_silent()) check_writable(*json_file_, "--json");
  if (plot_folder_) prepare_folder(*plot_folder_, "--plot");
}

void Report::say(std::string_view text) const {
  if (!is_silent()) print(text);
}

void Report::plot(
    const std::function<std::vector<std::string>(const std::string& folder)>& write) const {
  if (!plot_folder_) return;
  for (const std::string& file : write(*plot_folder_)) say("wrote " + file + "\n");
}

void Report::write(const std::function<Json()>& make) const {
  if (!json_file_) return;
  write_json(*json_file_, make());
  say("wrote " + *json_file_ + "\n");
}

}  // namespace tandem::cli
