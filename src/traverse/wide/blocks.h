// The traversal of the default engine: blocks of four children, in SIMD lanes.
#pragma once

#include <tandem/sink.h>

#include <cstddef>
#include <string_view>

#include "traverse/tandem/offer.h"
#include "traverse/wide/kernels.h"
#include "traverse/wide/parts.h"
#include "traverse/wide/traversal.h"

namespace tandem::detail {

struct Blocks {
  static constexpr std::string_view k_name = "blocks";
  static constexpr std::string_view k_description =
      "both trees at once, in lists of pairs of blocks, in SIMD lanes";
  static constexpr Offer k_needs = Offer::blocks;
  /// It finds pairs that are closer than a distance too.
  static constexpr bool k_finds_within = true;

  template <class Trees, class LeafPair, class Observer>
  static Flow run(const Trees& trees, LeafPair& leaf_pair, Observer& observer) {
    return traverse_wide(wide_kernels(), trees.wide_a(), trees.wide_b(), trees.b_in_a(),
                         trees.query(), leaf_pair, observer, trees.within());
  }

  /// For threads: the same in parts that may run at the same time.
  static constexpr std::size_t k_most_parts = WideParts::k_most;
  template <class Trees, class Observer>
  static WideParts parts(const Trees& trees, Observer& observer) {
    return WideParts(wide_kernels(), trees.wide_a(), trees.wide_b(), trees.b_in_a(),
                     trees.query() == WideQuery::all_self_pairs, trees.within(), observer);
  }
};

}  // namespace tandem::detail
