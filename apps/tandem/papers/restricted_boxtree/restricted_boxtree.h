// The reproduction of the restricted boxtree paper: what a node costs (table 1), the empty space
// around boxes, which restricted boxes rely on (figure 1), construction (figure 6), queries
// (figures 8 to 10), and comparisons that the paper does not have; then tables, charts and
// findings.
#pragma once

#include <tandem/tandem.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/tumble_bench.h"
#include "measure/timing.h"
#include "measure/tumble_protocol.h"
#include "papers/paper.h"
#include "text/json.h"

namespace tandem::cli::restricted_boxtree {

/// Table 1: the bytes of a node, and the operations for a pair of nodes in the worst case, which is
/// that they overlap. Operations that depend on one node only can be shared by all its pairs.
struct NodeCost {
  std::string_view title;
  std::string_view test;
  Structure structure;
  OverlapTest overlap;
  std::size_t bytes_per_node;
  long node_a;
  long node_b;
  long pair;
  std::optional<int> paper_bytes;
  std::optional<int> paper_operations;

  long operations() const { return node_a + node_b + pair; }
  /// Two nodes of A and two of B make four pairs (section 3.2.5).
  double operations_one_level_up() const {
    return static_cast<double>(2 * node_a + 2 * node_b + 4 * pair) / 4;
  }
};
/// Counted by running the overlap tests on numbers that count.
std::vector<NodeCost> count_operations();

/// Figure 1: how much of its parent's box a node's box in an AABB tree leaves empty. The side that
/// moved most does not count: this is where the triangles were split.
struct EmptySpace {
  std::string source;
  std::string name;
  std::size_t triangle_count;
  Builder builder;
  /// Shares of the parent's box, one for each node except the root, ascending.
  std::vector<double> shares;
  /// Sides on which a node's box touches its parent's, on average; of six.
  double touching_sides;

  double median() const { return shares[shares.size() / 2]; }
  /// The share of nodes that leave at most this share empty.
  double nodes_within(double share) const;
};
EmptySpace measure_empty_space(const TumblingObject& object, Builder builder);

/// One object at several sizes, ascending.
struct Family {
  std::string name;
  std::vector<TumblingObject> sizes;
};
/// A built-in shape with each of the numbers of triangles; a mesh as it is, and subdivided as long
/// as it has no more triangles than the last of `counts`.
Family make_family(const std::string& name, const std::string& source,
                   std::span<const std::size_t> counts, Reporting reporting);

/// Figure 6: build times of boxtrees of one family.
struct BuildCurve {
  struct Point {
    std::size_t triangle_count;
    Timing timing;
  };
  std::string name;
  Builder builder;
  std::vector<Point> points;

  /// The exponent of the number of triangles in the time, fitted to all points.
  double exponent() const;
  /// At the largest size.
  double triangles_per_second() const;
};
/// A curve for each builder; the builders are timed alternately.
std::vector<BuildCurve> measure_builds(const Family& family, const ReproduceOptions& options);

struct Variant {
  std::string name;
  tumble_bench::Combination combination;
};

/// Variants on the tumble protocol; all found the same pairs. The others are compared with the
/// first one.
struct Comparison {
  std::string key;
  std::string title;
  std::vector<Variant> variants;
  /// Object by object, distance by distance; rows as the variants.
  std::vector<tumble_bench::Measurement> measurements;

  /// The measurements of one object.
  std::vector<const tumble_bench::Measurement*> of(std::string_view object) const;
  std::vector<std::string> objects() const;
  std::size_t variant(std::string_view name) const;
  /// The geometric mean over the distances of a variant's time or counter divided by another's.
  double time_ratio(std::string_view object, std::size_t variant, std::size_t other) const;
  double count_ratio(std::string_view object, std::uint64_t Statistics::*counter,
                     std::size_t variant, std::size_t other) const;
  /// The mean over the distances of the time of a query.
  double mean_query_s(std::string_view object, std::size_t variant) const;
};
/// The size of a variant's hierarchy.
double bytes_per_triangle(const tumble_bench::Measurement& measurement, std::size_t variant);

/// Figures 8 and 9: the four overlap tests.
Comparison compare_tests(std::span<const TumblingObject> objects, const ReproduceOptions& options);
/// Figure 10: boxtrees and 24-DOP trees.
Comparison compare_with_dops(std::span<const Family> families, const ReproduceOptions& options);
/// Beyond the paper: layouts, free planes, arities, builders; each is passed to `done` as soon as
/// it is complete.
void compare_choices(std::span<const TumblingObject> objects, const ReproduceOptions& options,
                     const std::function<void(Comparison)>& done);

/// Everything that was measured.
struct Measurements {
  std::vector<NodeCost> costs;
  std::vector<EmptySpace> empty_spaces;
  std::vector<BuildCurve> builds;
  Comparison tests;
  std::vector<Family> families;
  Comparison dops;
  std::vector<Comparison> choices;
};

std::string costs_text(std::span<const NodeCost> costs);
std::string empty_space_text(std::span<const EmptySpace> spaces);
std::string builds_text(std::span<const BuildCurve> curves);
/// Mean times of a query at each distance.
std::string distances_text(const Comparison& comparison);
/// Mean times of a query over all distances at each size.
std::string families_text(std::span<const Family> families, const Comparison& comparison);
/// Counts and times of each variant, relative to the first.
std::string choices_text(const Comparison& comparison);

/// All rows.
Json to_json(const Measurements& measurements);

/// Sentences: what the paper found, and what holds here.
std::vector<std::string> findings(const Measurements& measurements);

/// Draws figures 1, 6, 8, 9 and 10.
void draw_charts(const Measurements& measurements, const WriteChart& write);

void reproduce(const ReproduceOptions& options);

}  // namespace tandem::cli::restricted_boxtree
