// The benchmark against other libraries, on the tumble protocol: measurements of all pairs and of
// the first pair, their tables and their charts. Each answer is judged by Tandem's exact one.
#pragma once

#include <tandem/tandem.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench/peer_judgement.h"
#include "measure/measurement_report.h"
#include "measure/tumble_protocol.h"
#include "peers/peer.h"
#include "text/progress_bar.h"

namespace tandem::cli::peer_bench {

/// What is asked for: all pairs, or whether there is one.
enum class Mode { all, first };
std::string mode_name(Mode mode);

/// One peer in one turn.
struct Row {
  PeerInfo peer;
  Mode mode;
  /// The median time of a query: the mean over the steps, and that of the slowest step.
  double time_s = 0;
  double worst_s = 0;
  /// Its mean time divided by Tandem's.
  double ratio = 0;
  /// Sums over the steps. For `first`: at how many steps it said that they touch, and was wrong.
  Judgement judgement;
  /// Processor time of the build, and the memory that it allocated.
  double build_s = 0;
  double bytes_per_triangle = 0;
};

/// All peers on one object at one distance.
struct Measurement : Turn {
  /// How many times the clear distance it is; 0 where the user gave the distance.
  double apart = 0;
  /// Something touches at some step.
  bool touching = false;
  std::vector<Row> rows;
};

struct Plan {
  std::vector<PeerInfo> peers;
  std::vector<double> distances;
  /// More distances, in terms of the clear one.
  std::vector<double> apart;
  int steps;
  int rounds;
  Reporting reporting;
};

/// One measurement for each distance, passed to `done` as soon as it is complete.
void measure(const TumblingObject& object, const Plan& plan,
             const std::function<void(Measurement)>& done);

/// A table for each mode, with a line for each peer.
std::string table_text(const Measurement& measurement);

/// Geometric means and extremes of the ratios over all measurements in which something touches, and
/// over those in which nothing does.
std::string summary_text(std::span<const Measurement> measurements);

Json to_json(const Measurement& measurement, const Row& row);

/// Time against distance for each object and mode.
void draw_charts(std::span<const Measurement> measurements, const WriteChart& write);

}  // namespace tandem::cli::peer_bench
