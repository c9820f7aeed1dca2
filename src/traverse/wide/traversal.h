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
#include "traverse/wide/roots.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// What is asked of two trees, or, with `self`, of one tree that is given twice: each two of its
/// triangles once.
enum class WideQuery { all_pairs, first_pair, all_self_pairs, first_self_pair };

/// The pairs of two trees that touch, or those that are at most `within` apart. `leaf_pair` knows
/// that distance too.
template <class LeafPair, class Observer>
Flow traverse_wide(const WideKernels& kernels, const WideTreeView& a, const WideTreeView& b,
                   const Pose& b_in_a, WideQuery query, LeafPair& leaf_pair, Observer& observer,
                   double within = 0) {
  if (a.empty() || b.empty()) return Flow::go_on;
  const WideFrame frame = frame_within(b_in_a, a, b, within);
  const WidePair trees{a, b};
  const bool self = query == WideQuery::all_self_pairs || query == WideQuery::first_self_pair;
  if (!frame.in_range) return InDouble(trees, frame, self, leaf_pair, observer).run();
  const auto run = [&]<int bands, bool in_self>() __attribute__((noinline)) {
    const bool close =
        bands == k_bands && are_close(BetweenCentres(a.root, b.root, b_in_a), a.root, b.root);
    // Not inlined, so that only one of these is on the stack.
    return WideLists<bands, in_self, LeafPair, Observer>(kernels, trees, frame, leaf_pair, observer)
        .run(close ? WideStart::below_roots : WideStart::roots);
  };
  // Their order is that of bounds on distances, which lists do not keep: see nearest.h.
  if (frame.within > 0) return run.template operator()<1, false>();
  switch (query) {
    case WideQuery::first_pair:
      return run.template operator()<k_bands, false>();
    case WideQuery::all_self_pairs:
      return run.template operator()<1, true>();
    case WideQuery::first_self_pair:
      return run.template operator()<k_bands, true>();
    case WideQuery::all_pairs:
      break;
  }
  return run.template operator()<1, false>();
}

}  // namespace tandem::detail
