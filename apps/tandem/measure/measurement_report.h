// What a measurement tells: on the screen as it goes, in files when it is done.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/output.h"

namespace tandem::cli {

/// The rows of all measurements, each as `to_json(measurement, row)` makes it.
template <class Measurements, class ToJson>
Json rows_of(const Measurements& measurements, const ToJson& to_json) {
  Json rows = Json::array();
  for (const auto& measurement : measurements) {
    for (const auto& row : measurement.rows) rows.push_back(to_json(measurement, row));
  }
  return rows;
}

class Report {
 public:
  /// All rows as JSON go to a file, or to standard output when it is called -, which then gets nothing
  /// else; figures go to a folder. Throws `tandem::Error` at once when they could not be written.
  explicit Report(std::optional<std::string> json_file,
                  std::optional<std::string> plot_folder = std::nullopt);

  /// Nothing when standard output is for the JSON.
  void say(std::string_view text) const;

  /// Where figures are wanted: `write` puts them into a folder and returns their files.
  void plot(const std::function<std::vector<std::string>(const std::string& folder)>& write) const;

  /// Where JSON is wanted: `make` makes it.
  void write(const std::function<Json()>& make) const;

 private:
  bool is_silent() const { return json_file_ == "-"; }

  std::optional<std::string> json_file_;
  std::optional<std::string> plot_folder_;
};

}  // namespace tandem::cli
