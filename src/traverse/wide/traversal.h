// The traversal of two wide trees: all touching pairs, or one as soon as possible.
#pragma once

#include <tandem/pose.h>
#include <tandem/sink.h>

#include <cstddef>
#include <cstdint>

#include "traverse/wide/frame.h"
#include "traverse/wide/in_double.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/lists.h"
#include "traverse/wide/observer.h"
#include "traverse/wide/pair.h"
#include "traverse/wide/search.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// Runs a search until the sink stops it or it ends; returns whether the sink stopped it.
template <class LeafPair>
Flow run_search(const WideKernels& kernels, const WideFrame& frame, WideSearch& search,
                LeafPair& leaf_pair) {
  const std::uint32_t* ids_a = search.trees.a.ids;
  const std::uint32_t* ids_b = search.trees.b.ids;
  while (kernels.search(frame, search)) {
    for (std::size_t i = 0; i < search.touching_count; ++i) {
      const std::uint32_t a = ids_a[search.touching_a[i]];
      const std::uint32_t b = ids_b[search.touching_b[i]];
      if (leaf_pair.show(a, b) == Flow::stop) return Flow::stop;
    }
    for (std::size_t i = 0; i < search.unsure_count; ++i) {
      const std::uint32_t a = ids_a[search.unsure_a[i]];
      const std::uint32_t b = ids_b[search.unsure_b[i]];
      if (leaf_pair.touches(a, b) && leaf_pair.show(a, b) == Flow::stop) return Flow::stop;
    }
  }
  return Flow::go_on;
}

/// One pair as soon as possible. A search that takes long goes on with lists, which visit more
/// pairs in the same time.
template <class LeafPair, class Observer>
Flow search_wide(const WideKernels& kernels, const WidePair& trees, const WideFrame& frame,
                 LeafPair& leaf_pair, Observer& observer) {
  WideSearch search(trees);
  Flow flow;
  if constexpr (TracingObserver<Observer>) {
    const TracingListener<Observer> listener(observer, trees);
    search.listener = listener.get();
    flow = run_search(kernels, frame, search, leaf_pair);
  } else {
    flow = run_search(kernels, frame, search, leaf_pair);
  }
  observer.pairs_of_blocks(search.blocks, search.overlaps);
  observer.leaf_overlaps(search.candidates);
  observer.triangle_tests(search.candidates);
  if (flow == Flow::stop) return flow;
  if (search.exhausted) {
    observer.share_done(1);
    return flow;
  }
  return WideLists<LeafPair, Observer>(kernels, trees, frame, leaf_pair, observer).rest_of(search);
}

/// What is asked of two trees.
enum class WideQuery { all_pairs, first_pair };

template <class LeafPair, class Observer>
Flow traverse_wide(const WideKernels& kernels, const WideTreeView& a, const WideTreeView& b,
                   const Pose& b_in_a, WideQuery query, LeafPair& leaf_pair, Observer& observer) {
  if (a.empty() || b.empty()) return Flow::go_on;
  const WideFrame frame(b_in_a, a, b);
  if (frame.apart) {
    observer.share_done(1);
    return Flow::go_on;
  }
  if (!frame.similar) return traverse_in_double(a, b, frame, leaf_pair, observer);
  const WidePair trees{a, b};
  // The search includes the filter, which is for the exact test alone.
  if (query == WideQuery::first_pair && leaf_pair.filtered()) {
    return search_wide(kernels, trees, frame, leaf_pair, observer);
  }
  return WideLists<LeafPair, Observer>(kernels, trees, frame, leaf_pair, observer).all();
}

}  // namespace tandem::detail
