// What each traversal does in a setup: its counters, its pairs, its time.
#include <algorithm>

#include "measure/pair_hash.h"
#include "options/named_choices.h"
#include "papers/stackless_tandem/stackless_tandem.h"

namespace tandem::cli::stackless_tandem {

namespace {

// The paper's five traversals, then Tandem's, then recursion.
const Contender k_contenders[] = {
    {"dynamic-stack", std::nullopt},
    {"alternating-stack", std::nullopt},
    {"stackless", "alternating-stack"},
    {"stackless-post", "alternating-stack"},
    {"leaf", std::nullopt},
    {"trail", "dynamic-stack"},
    {"scheduled", "alternating-stack"},
    {"recursive", "dynamic-stack"},
};

// All traversals must find the same pairs. The number of leaves whose boxes overlap does not depend
// on the traversal either.
void check_same(const Setup& setup, const Row& first, std::uint64_t first_hash, const Row& row,
                std::uint64_t hash) {
  if (hash == first_hash && row.statistics.leaf_overlaps == first.statistics.leaf_overlaps) return;
  throw Error("in the setup '" + setup.name + "' " + name_of(row.traversal) + " and " +
              name_of(first.traversal) + " found different pairs: this is a bug in Tandem");
}

// Repeats the query and checks the number of pairs.
RepeatedTask repeated_query(const Setup& setup, const Row& row) {
  const std::uint64_t expected = row.statistics.triangle_overlaps;
  const QueryOptions options{.engine = {.traversal = row.traversal}};
  return [&setup, expected, options](std::uint64_t repetitions) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < repetitions; ++i) {
      sum += count(setup.a, setup.b, setup.b_in_a, options).count;
    }
    if (sum != repetitions * expected) {
      throw Error("in the setup '" + setup.name + "' " + name_of(options.engine.traversal) +
                  " does not always find the same pairs: this is a bug in Tandem");
    }
  };
}

}  // namespace

std::span<const Contender> contenders() {
  return k_contenders;
}

const Row& Measurement::row(Traversal traversal) const {
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const Row& row) { return row.traversal == traversal; });
}

Measurement measure(const Setup& setup, const TimingOptions& options, const Progress& progress) {
  Measurement result{setup.table,
                     setup.name,
                     setup.kind,
                     setup.a.mesh().triangle_count(),
                     setup.b.mesh().triangle_count(),
                     0,
                     {}};

  // Counters and pairs; this also makes what some traversals need beside the trees
  std::vector<RepeatedTask> queries;
  for (const Contender& contender : contenders()) {
    const CollideResult found =
        collide(setup.a, setup.b, setup.b_in_a,
                {.engine = {.traversal = contender.traversal}, .statistics = true});
    const Row row{contender.traversal, contender.twin, found.statistics, {}};
    PairHash pair_hash;
    pair_hash.add(found.pairs);
    const std::uint64_t hash = pair_hash.value();
    if (result.rows.empty()) result.pairs_hash = hash;
    result.rows.push_back(row);
    check_same(setup, result.rows.front(), result.pairs_hash, row, hash);
    queries.push_back(repeated_query(setup, row));
  }

  // Times, and ratios to the twins
  const std::vector<Timing> timings = time_in_turn(queries, options, progress);
  for (std::size_t i = 0; i < timings.size(); ++i) result.rows[i].timing = timings[i];
  for (Row& row : result.rows) {
    if (!row.twin) continue;
    const Timing& twin = result.row(*row.twin).timing;
    row.mean_ratio = row.timing.mean_s() / twin.mean_s();
    row.min_ratio = row.timing.min_s() / twin.min_s();
    row.median_ratio = median_ratio(row.timing, twin);
  }
  return result;
}

}  // namespace tandem::cli::stackless_tandem
