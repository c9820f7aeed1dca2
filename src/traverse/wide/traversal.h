// The traversal of two wide trees: all touching pairs, or one as soon as possible.
#pragma once

#include <tandem/pose.h>
#include <tandem/sink.h>

#include "traverse/wide/frame.h"
#include "traverse/wide/in_double.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/lists.h"
#include "traverse/wide/observer.h"
#include "traverse/wide/pair.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// What is asked of two trees.
enum class WideQuery { all_pairs, first_pair };

template <class LeafPair, class Observer>
Flow traverse_wide(const WideKernels& kernels, const WideTreeView& a, const WideTreeView& b,
                   const Pose& b_in_a, WideQuery query, LeafPair& leaf_pair, Observer& observer) {
  if (a.empty() || b.empty()) return Flow::go_on;
  const WideFrame frame(b_in_a, a, b);
  const WidePair trees{a, b};
  if (!frame.in_range) return InDouble(trees, frame, leaf_pair, observer).run();
  if (query == WideQuery::first_pair) {
    return WideLists<k_bands, LeafPair, Observer>(kernels, trees, frame, leaf_pair, observer).run();
  }
  return WideLists<1, LeafPair, Observer>(kernels, trees, frame, leaf_pair, observer).run();
}

}  // namespace tandem::detail
