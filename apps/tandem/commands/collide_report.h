// What `tandem collide` prints.
#pragma once

#include <tandem/tandem.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "commands/collide_options.h"

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

void report_collision_as_json(const CollideOptions& options, const Engine& engine, const Model& a,
                              const Model& b, const CollideAnswer& answer);
void report_collision_as_text(const CollideOptions& options, const Engine& engine, const Model& a,
                              const Model& b, const CollideAnswer& answer);

}  // namespace tandem::cli
