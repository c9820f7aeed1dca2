// Distances beside other libraries: sets of queries, their measurements, tables and JSON. What
// asks them is the tumble protocol (tandem bench peers --distance) or a robot arm (tandem bench arm
// --distance).
#pragma once

#include <tandem/mesh.h>
#include <tandem/pose.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "measure/measurement_report.h"
#include "peers/distance_peer.h"
#include "text/json.h"
#include "text/progress_bar.h"

namespace tandem::cli::distance_bench {

/// Two meshes that are asked about.
struct MeshPair {
  const Mesh* a;
  const Mesh* b;
};

struct Query {
  Pose b_in_a;
  /// Which two meshes.
  std::uint32_t pair;
};

struct QuerySet {
  /// For tables, and for the JSON of its rows.
  std::string title;
  Json head;
  std::vector<Query> queries;
};

/// What is asked: how far apart they are; or whether they come as close as a bit less than that,
/// which they do not, or a bit more.
enum class Mode { distance, within_less, within_more };
inline constexpr Mode k_modes[] = {Mode::distance, Mode::within_less, Mode::within_more};
/// The thresholds, in terms of the distance at each query.
inline constexpr double k_less = 0.8;
inline constexpr double k_more = 1.25;

/// One peer in one mode on one set.
struct Row {
  DistancePeerInfo peer;
  Mode mode;
  /// The mean time of a query, the median over the rounds.
  double query_s = 0;
  /// Over that of Tandem: the median over the rounds.
  double ratio = 0;
  /// How many distances differ from Tandem's by more than a thousand millionth of them, and the
  /// largest difference relative to the distance; or how many answers are wrong.
  std::uint64_t differ = 0;
  double largest_difference = 0;
};

struct Measurement {
  std::string title;
  Json head;
  std::size_t query_count;
  std::vector<Row> rows;
};

struct Plan {
  /// Tandem first.
  std::vector<DistancePeerInfo> peers;
  int rounds;
  Reporting reporting;
};

/// Those that the value of --peers names, Tandem first, named or not. Throws `tandem::Error`.
std::vector<DistancePeerInfo> find_distance_peers(const std::string& names);

/// One measurement for each set, passed to `done` as soon as it is complete. Throws `tandem::Error`
/// when Tandem contradicts itself.
void measure(std::span<const MeshPair> pairs, std::span<const QuerySet> sets, const Plan& plan,
             const std::function<void(Measurement)>& done);

/// A line for each library.
std::string introduction(const Plan& plan);
/// A table for each mode, with a line for each peer.
std::string table_text(const Measurement& measurement);
/// Geometric means and extremes of the ratios over all measurements.
std::string summary_text(std::span<const Measurement> measurements);
Json to_json(const Measurement& measurement, const Row& row);

}  // namespace tandem::cli::distance_bench
