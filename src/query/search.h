// What the functions of a query have in common, whether it is about two models or one with itself.
//
// A search is a function `search(wanted, statistics, run)` that calls `run(engine, query)` with the
// engine and what it is asked for, unless a mesh is empty, and returns what that returns. The
// statistics are those of the caller's result: a query that takes 30 ns has no time to copy them.
#pragma once

#include <tandem/query.h>

#include <numeric>
#include <span>
#include <vector>

#include "engine/tandem_engine.h"
#include "parallel/lock.h"
#include "parallel/parallel_for.h"
#include "query/sort_pairs.h"
#include "traverse/checked_flow.h"

namespace tandem::detail {

enum class Wanted { all_pairs, first_pair };

/// Streams pairs into a sink.
template <class Search>
Flow stream(const Search& search, Wanted wanted, PairSink sink, Statistics& statistics) {
  return search(wanted, statistics, [&](const TandemEngine& engine, const TandemQuery& query) {
    return run_engine(engine, query, sink);
  });
}

/// Streams all pairs into a sink on several threads.
template <class Search>
Flow stream_on_threads(const Search& search, int threads, PartSink sink, Statistics& statistics) {
  return search(Wanted::all_pairs, statistics,
                [&](const TandemEngine& engine, const TandemQuery& query) {
                  return run_engine_on_threads(engine, query, threads, sink);
                });
}

/// Whether a query for all pairs may use more than the calling thread. Throws for a number of
/// threads that makes no sense.
inline bool has_threads(const QueryOptions& options) {
  return options.threads != 1 && resolve_thread_count(options.threads) > 1;
}

template <class Search>
StreamResult search_and_show(const Search& search, PairSink sink, const QueryOptions& options) {
  StreamResult result;
  if (!has_threads(options)) {
    result.stopped = stream(search, Wanted::all_pairs, sink, result.statistics) == Flow::stop;
    return result;
  }
  Mutex showing;
  Flow shown = Flow::go_on;
  const auto show = [&](std::size_t, std::span<const TrianglePair> pairs) {
    const std::lock_guard lock(showing);
    for (const TrianglePair& pair : pairs) {
      // Another thread may have been told to stop meanwhile.
      if (shown == Flow::stop) return shown;
      shown = checked(sink(pair));
    }
    return shown;
  };
  result.stopped =
      stream_on_threads(search, options.threads, show, result.statistics) == Flow::stop;
  return result;
}

template <class Search>
CollideResult search_and_sort(const Search& search, const QueryOptions& options) {
  CollideResult result;
  if (!has_threads(options)) {
    const auto append = [&](TrianglePair pair) {
      result.pairs.push_back(pair);
      return Flow::go_on;
    };
    stream(search, Wanted::all_pairs, append, result.statistics);
    sort_pairs(std::span(result.pairs));
    return result;
  }
  with_threads(options.threads, [&] {
    std::vector<std::vector<TrianglePair>> parts(k_most_parts);
    const auto append = [&](std::size_t part, std::span<const TrianglePair> pairs) {
      parts[part].insert(parts[part].end(), pairs.begin(), pairs.end());
      return Flow::go_on;
    };
    stream_on_threads(search, options.threads, append, result.statistics);
    result.pairs = sorted_pairs(std::span(parts), options.threads);
  });
  return result;
}

template <class Search>
IntersectsResult search_first(const Search& search, const QueryOptions& options) {
  IntersectsResult result;
  if (options.threads < 0) [[unlikely]]
    resolve_thread_count(options.threads);
  const auto keep_first = [&](TrianglePair pair) {
    result.pair = pair;
    return Flow::stop;
  };
  stream(search, Wanted::first_pair, keep_first, result.statistics);
  return result;
}

template <class Search>
CountResult search_and_count(const Search& search, const QueryOptions& options) {
  CountResult result;
  if (!has_threads(options)) {
    const auto add = [&](TrianglePair) {
      ++result.count;
      return Flow::go_on;
    };
    stream(search, Wanted::all_pairs, add, result.statistics);
    return result;
  }
  std::vector<std::uint64_t> counts(k_most_parts);
  const auto add = [&](std::size_t part, std::span<const TrianglePair> pairs) {
    counts[part] += pairs.size();
    return Flow::go_on;
  };
  stream_on_threads(search, options.threads, add, result.statistics);
  result.count = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  return result;
}

}  // namespace tandem::detail
