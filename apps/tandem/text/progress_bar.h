// Progress on standard error.
#pragma once

#include <tandem/model.h>

#include <string>

#include "text/stopwatch.h"

namespace tandem::cli {

/// Whether long work shows its progress.
enum class Reporting { off, on };

/// On when standard error is a terminal and the user did not ask for quiet.
Reporting reporting(bool quiet);

/// A progress bar. It appears when the work has taken half a second, and is erased at the end of
/// its scope.
class ProgressBar {
 public:
  ProgressBar(std::string label, Reporting reporting);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// What the library calls; null when nothing is reported. Refers to this bar.
  Progress callback();

  /// Shows the label alone, at once: for work that does not know how far it is.
  void show_label();

 private:
  struct Update {
    ProgressBar* bar;
    void operator()(double share) const { bar->update(share); }
  };
  void update(double share);

  std::string label_;
  Reporting reporting_;
  Stopwatch stopwatch_;
  double next_drawing_s_ = 0.5;
  bool visible_ = false;
  Update updater_{this};
};

}  // namespace tandem::cli
