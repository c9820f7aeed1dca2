// A progress bar on standard error.
#pragma once

#include <tandem/model.h>

#include <string>

#include "text/numbers.h"

namespace tandem::cli {

/// Whether work reports its progress: standard error is a terminal, and the user did not say quiet.
enum class Reporting { off, on };
Reporting reporting(bool quiet);

/// Appears when the work has taken half a second, and is erased at the end of its scope.
class ProgressBar {
 public:
  ProgressBar(std::string label, Reporting reporting);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// What to give to the library; null when nothing is to be reported. Refers to this bar.
  Progress callback();

  /// Shows the label alone, at once: for work that cannot say how far it is.
  void show_label();

 private:
  void update(double share);

  std::string label_;
  Reporting reporting_;
  Stopwatch stopwatch_;
  double next_drawing_s_ = 0.5;
  bool visible_ = false;
};

}  // namespace tandem::cli
