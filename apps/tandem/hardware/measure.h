// The chip beside equation 5 and the library, on two copies of an object in close proximity
// (collision chip paper, section 5).
#pragma once

#include <tandem/tandem.h>

#include <functional>
#include <string>
#include <vector>

#include "chip/chip.h"
#include "chip/equation5.h"
#include "measure/measurement_report.h"
#include "measure/tumble_protocol.h"
#include "text/json.h"

namespace tandem::cli::hardware {

/// The engine that does what the chip does: the same trees, traversal and triangle test.
Engine library_twin();

/// A query at one step of the turn.
struct Step {
  /// What the library's traversal of sibling pairs counts on the same trees.
  Statistics library;
  chip::Report chip;
  /// Times here on one core: the library's default engine, and that traversal with the chip's
  /// triangle test.
  double default_s = 0;
  double list_pairs_s = 0;

  /// The numbers for equation 5 that follow from the library's counts.
  chip::ListCounts list_counts() const;
};

struct Measurement : Turn {
  chip::Config config;
  std::vector<Step> steps_of_turn;

  /// "knot: 20,000 triangles, close proximity at 2.037, 20 steps".
  std::string heading() const;

  /// Of a figure of the steps.
  double mean(const std::function<double(const Step&)>& of) const;
  double worst(const std::function<double(const Step&)>& of) const;

  double closed_form_us(const Step& step) const;
  double chip_us(const Step& step) const;
};

/// Whether the library is timed too.
enum class Software { counted, timed };

/// The object in close proximity. Throws `tandem::Error` when the chip culls what the library does
/// not, or something touches.
Measurement measure_close(const TumblingObject& object, int steps, const chip::Config& config,
                          Software software, Reporting reporting);

/// The paper's table 1, its times computed from its counts.
std::string paper_table_text();

/// The same of objects, on average and at worst.
std::string table_text(const Measurement& measurement);

/// Where the cycles of the model differ from those of equation 5, on average.
std::string accounting_text(const Measurement& measurement);

Json to_json(const Measurement& measurement);

}  // namespace tandem::cli::hardware
