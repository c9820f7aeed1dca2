// Reproductions of papers: what `tandem reproduce` can run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "measure/measurement_report.h"
#include "text/progress_bar.h"

namespace tandem::cli {

/// Everything as the paper did it, or a few rounds on the smaller objects.
enum class Extent { full, quick };

struct ReproduceOptions {
  Extent extent = Extent::full;
  const Report& report;
  /// Objects instead of the usual ones, separated by commas; only where the paper takes them.
  std::optional<std::string> meshes;
  Reporting reporting = Reporting::off;
};

/// A paper that can be reproduced, under the name that the command line uses.
struct PaperInfo {
  std::string_view name;
  std::string_view description;
  /// Whether the user may choose the objects.
  bool takes_meshes;
  /// Whether there are figures beside the tables.
  bool has_figures;
  /// Measures, prints the tables and writes the files. Throws `tandem::Error` when results disagree.
  void (*reproduce)(const ReproduceOptions& options);
};
std::span<const PaperInfo> papers();

}  // namespace tandem::cli
