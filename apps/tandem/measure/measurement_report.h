// What a measurement tells: on the screen while it runs, in files when it is done.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "options/shared_options.h"
#include "text/chart.h"
#include "text/json.h"

namespace tandem::cli {

/// How the JSON of every measurement begins: what was measured (`kind` is "protocol" or "paper"),
/// and by which version.
Json json_head(const char* kind, std::string_view name);

/// The rows of all measurements, each as `to_json(measurement, row)` makes it.
template <class Measurements, class ToJson>
Json rows_of(const Measurements& measurements, const ToJson& to_json) {
  Json rows = Json::array();
  for (const auto& measurement : measurements) {
    for (const auto& row : measurement.rows) rows.push_back(to_json(measurement, row));
  }
  return rows;
}

/// Throws `tandem::Error` when the JSON file cannot be written, or is one of the objects, which are
/// a list of files and shapes. Called before any work.
void check_measurement_files(const MeasurementOptions& options, std::string_view sources);

/// Writes a chart as NAME.svg.
using WriteChart = std::function<void(const std::string& name, const Chart& chart)>;

class MeasurementReport {
 public:
  /// All rows go to the JSON file. When that is "-", they go to standard output and nothing else
  /// does. Charts go to the folder, which is made unless it exists. Throws `tandem::Error` when
  /// that cannot be done.
  explicit MeasurementReport(const MeasurementOptions& options);

  /// Prints the text, unless standard output is for the JSON.
  void say(std::string_view text) const;

  /// Calls `draw` when charts are wanted.
  void plot(const std::function<void(const WriteChart& write)>& draw) const;

  /// Writes what `make` returns when JSON is wanted.
  void write(const std::function<Json()>& make) const;

 private:
  bool is_silent() const { return options_.json_file == "-"; }

  MeasurementOptions options_;
};

}  // namespace tandem::cli
