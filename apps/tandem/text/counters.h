// The counters of queries and rays, each under its name in JSON and in tables.
#pragma once

#include <tandem/query.h>
#include <tandem/ray.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/json.h"
#include "text/numbers.h"
#include "text/table.h"

namespace tandem::cli {

/// A counter of some statistics.
template <class Counts>
struct CounterOf {
  /// Its name in JSON.
  std::string_view key;
  std::uint64_t Counts::*value;

  /// Its name in tables: the one in JSON with blanks for underscores.
  std::string title() const {
    std::string words(key);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
  }
};
using Counter = CounterOf<Statistics>;
using RayCounter = CounterOf<RayStatistics>;

inline constexpr Counter k_counters[] = {
    {"iterations", &Statistics::iterations},
    {"overlaps", &Statistics::overlaps},
    {"leaf_overlaps", &Statistics::leaf_overlaps},
    {"node_transforms", &Statistics::node_transforms},
    {"aligned_visits", &Statistics::aligned_visits},
    {"tumbled_visits", &Statistics::tumbled_visits},
    {"triangle_tests", &Statistics::triangle_tests},
    {"triangle_overlaps", &Statistics::triangle_overlaps},
};
inline constexpr RayCounter k_ray_counters[] = {
    {"rays", &RayStatistics::rays},
    {"box_tests", &RayStatistics::box_tests},
    {"node_visits", &RayStatistics::node_visits},
    {"leaf_visits", &RayStatistics::leaf_visits},
    {"triangle_tests", &RayStatistics::triangle_tests},
};

/// A line for each counter, with its title and its value.
template <class Counters, class Counts>
std::string counters_text(const Counters& counters, const Counts& counts) {
  Table table;
  for (const auto& counter : counters) {
    table.add_row({counter.title(), grouped(counts.*counter.value)});
  }
  return table.text("");
}

/// Adds every counter to the object.
inline void add_counters(Json& object, const Statistics& statistics) {
  for (const Counter& counter : k_counters) {
    object[std::string(counter.key)] = statistics.*counter.value;
  }
}

}  // namespace tandem::cli
