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

  template <class Tree>
  TANDEM_HD SkipState(const Tree& tree, const RaySlabs&)
      : node_(tree.first_child(0)), end_(tree.node_count()) {}

  TANDEM_HD bool finished() const { return node_ == end_; }

  template <class Tree, class Triangles, class Query, class Observer>
  TANDEM_HD Flow advance(const Tree& tree, const Triangles& triangles, const RaySlabs& slabs,
                         Query& query, Observer& observer, std::uint64_t budget) {
    for (; node_ != end_ && budget > 0; --budget) {
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
  std::uint32_t node_;
  std::uint32_t end_;
};

}  // namespace tandem::detail
