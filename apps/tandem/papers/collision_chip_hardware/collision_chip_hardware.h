// The reproduction of the collision chip paper's hardware: table 1 by equation 5 and by the cycle
// model, and what other chips would gain.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hardware/measure.h"
#include "papers/paper.h"
#include "text/chart.h"
#include "text/json.h"

namespace tandem::cli::collision_chip_hardware {

/// A chip that is compared with others.
struct Variant {
  /// As tables have it.
  std::string name;
  /// Where it stands on the chart's axis.
  double x = 0;
  chip::Config config;
};

/// Chips that differ in one figure, or in a few that go together.
struct Sweep {
  /// For file names and JSON.
  std::string key;
  std::string title;
  Axis axis;
  std::vector<Variant> variants;
};
std::vector<Sweep> sweeps();

/// What an average query takes on a variant.
struct VariantResult {
  double mean_us = 0;
  double mean_cycles = 0;
  double mean_bytes = 0;
};

/// All objects on all variants of a sweep.
struct Exploration {
  Sweep sweep;
  std::vector<std::string> objects;
  /// By object, then by variant.
  std::vector<std::vector<VariantResult>> results;
};

/// An object in close proximity, ready to be queried again and again.
struct CloseObject {
  std::string name;
  Model model;
  std::vector<Pose> poses;
};
std::vector<Exploration> explore(std::span<const CloseObject> objects, Reporting reporting);

std::string table_text(const Exploration& exploration);
Json to_json(const Exploration& exploration);
Chart chart_of(const Exploration& exploration);
/// Equation 5 and the cycle model over the turn.
Chart chart_of(const hardware::Measurement& measurement);

std::vector<std::string> findings(std::span<const hardware::Measurement> measurements,
                                  std::span<const Exploration> explorations);

void reproduce(const ReproduceOptions& options);

}  // namespace tandem::cli::collision_chip_hardware
