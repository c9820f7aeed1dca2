// The benchmark against other libraries in three parts: measurements, their tables and charts, and the
// command. The tumble protocol, all pairs and the first pair; each answer is judged by Tandem's exact
// one.
#pragma once

#include <tandem/tandem.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measure/tumble_protocol.h"
#include "peers/peer.h"
#include "text/output.h"
#include "text/progress_bar.h"

namespace tandem::cli::peer_bench {

enum class Mode { all, first };

/// How a peer's pairs differ from the exact ones. Differences within a millionth of the objects' size
/// are `close` and count neither as missed nor as false.
struct Judgement {
  std::uint64_t pairs = 0;
  std::uint64_t missed = 0;
  std::uint64_t false_ones = 0;
  std::uint64_t close = 0;

  void add(const Judgement& other);
};

/// Sorts the pairs found, drops repeated ones, and compares them with the expected ones, which are
/// sorted. `size` is that of the objects.
Judgement judge(const Mesh& a, const Mesh& b, const Pose& b_in_a,
                std::span<const TrianglePair> expected, std::vector<TrianglePair>& found,
                double size);

/// One peer on one object at one distance.
struct Row {
  PeerInfo peer;
  Mode mode;
  /// Mean over the steps of the median time of a query, and that of the slowest step.
  double time_s = 0;
  double worst_s = 0;
  /// That over Tandem's.
  double ratio = 0;
  /// Sums over the steps. For `first`: steps at which it said that they touch, and was wrong.
  Judgement judgement;
  /// Processor time to build, and what was allocated then.
  double build_s = 0;
  double bytes_per_triangle = 0;
};

struct Measurement {
  std::string source;
  std::string name;
  std::size_t triangle_count = 0;
  double distance = 0;
  int steps = 0;
  /// Something touches at some step.
  bool touching = false;
  std::vector<Row> rows;
};

struct Plan {
  std::vector<PeerInfo> peers;
  std::vector<double> distances;
  int steps;
  int rounds;
  Reporting reporting;
};

/// One measurement for each distance, handed over as soon as it is there.
void measure(const TumblingObject& object, const Plan& plan,
             const std::function<void(Measurement)>& done);

std::string table_text(const Measurement& measurement);

/// Geometric means and extremes of the ratios over all measurements in which something touches.
std::string summary_text(std::span<const Measurement> measurements);

Json to_json(const Measurement& measurement, const Row& row);

/// Time against distance for each object and mode. Returns the files written.
std::vector<std::string> write_charts(const std::string& folder,
                                      std::span<const Measurement> measurements);

}  // namespace tandem::cli::peer_bench
