// What `tandem collide` prints, and what it has in common with `tandem self`.
#pragma once

#include <tandem/tandem.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "commands/collide/collide_options.h"
#include "text/json.h"

namespace tandem::cli {

/// How many pairs the report shows to users who did not choose what to see.
inline constexpr std::size_t k_shown_pairs = 5;

/// What the query found, and how long it took. `pairs` has all pairs where a file needs them, one
/// with --first, those that the report shows otherwise; `pair_count` is unknown with --first.
struct CollideAnswer {
  bool touching = false;
  std::optional<std::uint64_t> pair_count;
  std::vector<TrianglePair> pairs;
  Statistics statistics;
  double read_s = 0;
  double build_s = 0;
  double query_s = 0;
};

/// A sink that counts pairs and keeps those that the report shows: the first few in their order,
/// which is not the order in which they come.
struct FewPairs {
  std::uint64_t count = 0;
  std::vector<TrianglePair> first;

  Flow operator()(TrianglePair pair);
};

/// A table of the first few pairs under these titles, and how many more there are.
std::string first_pairs_text(std::span<const TrianglePair> pairs, std::uint64_t pair_count,
                             const char* title_a, const char* title_b);

/// Adds what was found and how long it took: the part that the JSON of all searches has in common.
void add_answer(Json& object, const CollideAnswer& answer, bool first, bool statistics);

void report_collision_as_json(const CollideOptions& options, const CollidePlan& plan,
                              const Model& a, const Model& b, const CollideAnswer& answer);
void report_collision_as_text(const CollideOptions& options, const CollidePlan& plan,
                              const Model& a, const Model& b, const CollideAnswer& answer);

}  // namespace tandem::cli
