// Every triangle of A against every triangle of B: the reference for all other traversals.
#pragma once

#include <tandem/sink.h>

#include <cstdint>
#include <string_view>

#include "traverse/tandem/offer.h"

namespace tandem::detail {

struct BruteForce {
  static constexpr std::string_view k_name = "brute-force";
  static constexpr std::string_view k_description =
      "every triangle of A against every triangle of B: the reference";
  static constexpr Offer k_needs = Offer::triangles;
  /// It finds pairs that are closer than a distance too.
  static constexpr bool k_finds_within = true;

  template <class Trees, class LeafPair, class Observer>
  static Flow run(const Trees& trees, LeafPair& leaf_pair, Observer& observer) {
    const auto count_a = static_cast<std::uint32_t>(trees.mesh_a().triangle_count());
    const auto count_b = static_cast<std::uint32_t>(trees.mesh_b().triangle_count());
    for (std::uint32_t j = 0; j < count_b; ++j) {
      for (std::uint32_t i = 0; i < count_a; ++i) {
        if (leaf_pair(i, j) == Flow::stop) return Flow::stop;
      }
      observer.share_done((j + 1.0) / count_b);
    }
    return Flow::go_on;
  }
};

}  // namespace tandem::detail
