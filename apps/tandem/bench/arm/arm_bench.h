// The benchmark of a robot arm: whether its links touch the surroundings or each other, asked of
// Tandem and of other libraries. Sets of such queries, their measurements, tables and charts.
#pragma once

#include <tandem/tandem.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bench/arm/robot_arm.h"
#include "measure/measurement_report.h"
#include "peers/peer.h"
#include "text/progress_bar.h"

namespace tandem::cli::arm_bench {

/// The arm and its surroundings, and which of them are asked about.
struct Scene {
  /// Two parts; the second one is a link.
  struct Pair {
    std::size_t a;
    std::size_t b;
  };
  /// The links, then the surroundings.
  std::vector<ArmPart> parts;
  std::vector<Pose> surroundings_in_world;
  /// Each link that moves with all surroundings, and links that are no neighbours.
  std::vector<Pair> pairs;
};
Scene make_scene();

/// What a set consists of: misses whose boxes are far from each other, misses whose boxes are not,
/// or hits and misses as they come.
enum class Kind { far, near, mixed };
std::string kind_name(Kind kind);

struct Query {
  Pose b_in_a;
  /// Which of the scene's pairs.
  std::uint32_t pair;
  bool touches;
};

struct QuerySet {
  Kind kind;
  std::vector<Query> queries;

  std::size_t hit_count() const;
  double hits_percent() const;
  /// "0 % hits, far misses".
  std::string title() const;
};

struct Plan {
  /// Tandem first.
  std::vector<PeerInfo> peers;
  /// The shares of hits; 0 stands for two sets, far misses and near ones.
  std::vector<double> hits_percent;
  /// Configurations of the arm in each set, each with one query.
  std::size_t configurations;
  std::uint64_t seed;
  int rounds;
  Reporting reporting;
};

/// The sets of the plan; the same seed gives the same ones. Hits and misses are known from another
/// engine than the one that is measured.
std::vector<QuerySet> make_query_sets(const Scene& scene, const Plan& plan);

/// One peer on one set.
struct Row {
  PeerInfo peer;
  /// The time of a query, the mean over the set; of that the median and the least of all rounds.
  double query_s = 0;
  double least_s = 0;
  /// Its time divided by Tandem's: the median over the rounds.
  double ratio = 0;
  /// Its answers: how many said that they touch, and a hash of all, with what they were about.
  std::uint64_t hits = 0;
  std::uint64_t hash = 0;
  std::uint64_t missed = 0;
  std::uint64_t false_ones = 0;
};

/// All peers on one set.
struct Measurement {
  Kind kind;
  std::string title;
  double hits_percent;
  std::size_t query_count;
  std::vector<Row> rows;
};

/// One measurement for each set, passed to `done` as soon as it is complete. Throws `tandem::Error`
/// when an answer of Tandem is wrong, or one of any peer changes.
void measure(const Scene& scene, std::span<const QuerySet> sets, const Plan& plan,
             const std::function<void(Measurement)>& done);

/// A line for each peer.
std::string table_text(const Measurement& measurement);

/// Geometric means and extremes of the ratios over all sets.
std::string summary_text(std::span<const Measurement> measurements);

Json to_json(const Measurement& measurement, const Row& row);

/// Time against the share of hits.
void draw_chart(std::span<const Measurement> measurements, const WriteChart& write);

}  // namespace tandem::cli::arm_bench
