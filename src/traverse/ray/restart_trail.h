// Rays with a restart trail (Laine 2010): one bit per level tells whether the near child is done.
// When a subtree is done, the bits are counted up and the ray starts again at the root, testing the
// boxes on its way down to where it has not been. Here with the axis-based order, so that near and
// far do not depend on what is hit, and without a restart where the far child of the same node is
// next.
#pragma once

#include <cstdint>
#include <string_view>

#include "traverse/ray/query.h"
#include "tree/tree.h"

namespace tandem::detail {

class RestartTrailState {
 public:
  static constexpr std::string_view k_name = "restart-trail";
  static constexpr std::string_view k_description =
      "one bit per level, restarts at the root, near child by axis";

  /// Of no tree yet.
  RestartTrailState() = default;
  template <class Tree, class Slabs>
  TANDEM_HD RestartTrailState(const Tree&, const Slabs&) {}

  TANDEM_HD bool finished() const { return (trail_ & k_overflow) != 0; }

  template <class Tree, class Triangles, class Slabs, class Query, class Observer, class Budget>
  TANDEM_HD Flow advance(const Tree& tree, const Triangles& triangles, const Slabs& slabs,
                         Query& query, Observer& observer, Budget budget) {
    const AxisOrder<Tree> order{tree, slabs.octant()};
    while (!finished() && budget.spend()) {
      const bool near_done = (trail_ & bit_) != 0;
      const std::uint32_t child = near_done ? order.far_child(node_) : order.near_child(node_);
      observer.node_visit(child);
      const bool hit = test_box(tree, child, slabs, query, observer);
      if (hit && !tree.is_leaf(child)) {
        node_ = child;
        bit_ >>= 1;
        continue;
      }
      // Count up: from the near to the far child, or on to the next level above that is not done.
      trail_ = (trail_ & ~(bit_ - 1)) + bit_;
      if (near_done) {
        node_ = 0;
        bit_ = k_top;
      }
      if (hit && visit_leaf(tree, triangles, child, query, observer) == Flow::stop) {
        return Flow::stop;
      }
    }
    return Flow::go_on;
  }

 private:
  // Inner nodes are at levels 0 to 61: bits 62 to 1.
  static constexpr std::uint64_t k_overflow = std::uint64_t{1} << 63;
  static constexpr std::uint64_t k_top = std::uint64_t{1} << 62;
  static_assert(k_max_depth <= 62);

  std::uint64_t trail_ = 0;
  /// Of the level of `node_`.
  std::uint64_t bit_ = k_top;
  std::uint32_t node_ = 0;
};

}  // namespace tandem::detail
