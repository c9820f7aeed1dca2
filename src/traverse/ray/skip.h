// Rays along escape indices (Smits 1998): a box that is missed is skipped with all below it. The
// nodes come in their own order, the same for every ray.
#pragma once

#include <cstdint>
#include <string_view>

#include "traverse/ray/query.h"

namespace tandem::detail {

class SkipState {
 public:
  static constexpr std::string_view k_name = "skip";
  static constexpr std::string_view k_description = "along escape indices, one order for all rays";

  /// Of no tree yet.
  SkipState() = default;
  template <class Tree, class Slabs>
  TANDEM_HD SkipState(const Tree& tree, const Slabs&)
      : node_(tree.first_child(0)), end_(tree.node_count()) {}

  TANDEM_HD bool finished() const { return node_ == end_; }

  template <class Tree, class Triangles, class Slabs, class Query, class Observer, class Budget>
  TANDEM_HD Flow advance(const Tree& tree, const Triangles& triangles, const Slabs& slabs,
                         Query& query, Observer& observer, Budget budget) {
    while (node_ != end_ && budget.spend()) {
      const std::uint32_t node = node_;
      observer.node_visit(node);
      const bool hit = test_box(tree, node, slabs, query, observer);
      node_ = hit ? node + 1 : tree.escape_index(node);
      if (hit && tree.is_leaf(node) &&
          visit_leaf(tree, triangles, node, query, observer) == Flow::stop) {
        return Flow::stop;
      }
    }
    return Flow::go_on;
  }

 private:
  std::uint32_t node_ = 0;
  std::uint32_t end_ = 0;
};

}  // namespace tandem::detail
