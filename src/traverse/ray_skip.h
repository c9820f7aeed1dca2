// Rays along escape indices (Smits 1998): a box that is missed is skipped with all below it. The
// nodes come in their own order, the same for every ray.
#pragma once

#include <cstdint>

#include "traverse/ray_query.h"

namespace tandem::detail {

class SkipState {
 public:
  template <class Tree>
  SkipState(const Tree& tree, const RaySlabs&)
      : node_(tree.first_child(0)), end_(tree.node_count()) {}

  bool finished() const { return node_ == end_; }

  template <class Tree, class Triangles, class Observer>
  Flow advance(const Tree& tree, const Triangles& triangles, const RaySlabs& slabs, RayQuery& query,
               Observer& observer, std::uint64_t budget) {
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
