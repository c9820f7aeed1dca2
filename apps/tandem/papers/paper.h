// This room reproduces papers, one folder for each paper: its setups, its measurements, its tables
// and figures, and which of its findings hold here. It uses the public API, text/, options/,
// devices/, measure/, hardware/, peers/, render/, simulate/ and bench/; a few files, which
// CMakeLists.txt names, also use the library's rooms.
//
// In this file: what `tandem reproduce` knows about a paper.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "devices/devices.h"
#include "measure/measurement_report.h"
#include "text/json.h"
#include "text/progress_bar.h"

namespace tandem::cli {

/// Everything as in the paper, or a few rounds on the smaller objects.
enum class Extent { full, quick };

struct ReproduceOptions {
  Extent extent = Extent::full;
  const MeasurementReport& report;
  /// Objects instead of the usual ones, separated by commas; only for papers that take them.
  std::optional<std::string> meshes;
  Reporting reporting = Reporting::off;
  /// What to measure on; only for papers that run on devices.
  Device device = Device::cpu;

  bool quick() const { return extent == Extent::quick; }
};

/// A paper that can be reproduced.
struct PaperInfo {
  /// As the command line names it.
  std::string_view name;
  std::string_view description;
  /// Whether the user may choose the objects.
  bool takes_meshes;
  /// Whether there are figures beside the tables.
  bool has_figures;
  /// Whether it can be measured on a CUDA device.
  bool runs_on_devices;
  /// Measures, prints the tables and writes the files. Throws `tandem::Error` when results
  /// disagree.
  void (*reproduce)(const ReproduceOptions& options);
};
std::span<const PaperInfo> papers();

/// Writes the JSON of a reproduction when it is wanted.
void write_paper_json(const ReproduceOptions& options, std::string_view paper, const Json& rows,
                      const std::vector<std::string>& findings);

}  // namespace tandem::cli
