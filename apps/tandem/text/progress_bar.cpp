#include "text/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace tandem::cli {

namespace {
constexpr const char* k_erase_line = "\r\x1b[K";

// Whole seconds, or minutes when there are many.
std::string time_left(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  if (whole < 100) return std::to_string(whole) + " s";
  return std::to_string((whole + 59) / 60) + " min";
}
}  // namespace

Reporting reporting(bool quiet) {
  const char* const terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return !quiet && !dumb && isatty(STDERR_FILENO) ? Reporting::on : Reporting::off;
}

ProgressBar::ProgressBar(std::string label, Reporting reporting)
    : label_(std::move(label)), reporting_(reporting) {}

ProgressBar::~ProgressBar() {
  if (visible_) std::fputs(k_erase_line, stderr);
}

Progress ProgressBar::callback() {
  if (reporting_ == Reporting::off) return nullptr;
  return updater_;
}

void ProgressBar::show_label() {
  if (reporting_ == Reporting::off) return;
  std::fprintf(stderr, "%s%s ...", k_erase_line, label_.c_str());
  visible_ = true;
}

void ProgressBar::update(double share) {
  constexpr int k_cells = 30;
  constexpr double k_seconds_between_drawings = 0.1;
  const double now_s = stopwatch_.seconds();
  if (now_s < next_drawing_s_) return;
  next_drawing_s_ = now_s + k_seconds_between_drawings;
  share = std::clamp(share, 0.0, 1.0);
  const int full = static_cast<int>(share * k_cells);
  const double left_s = share > 0 ? now_s * (1 - share) / share : 0;
  std::fprintf(stderr, "%s%s [%s%s] %3d %%, %s left", k_erase_line, label_.c_str(),
               std::string(full, '#').c_str(), std::string(k_cells - full, '.').c_str(),
               static_cast<int>(share * 100), time_left(left_s).c_str());
  visible_ = true;
}

}  // namespace tandem::cli
