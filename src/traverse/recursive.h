// The reference traversal: both trees descended together by recursion, the larger volume first.
#pragma once

#include <tandem/query.h>

#include <cstdint>

#include "traverse/overlaps.h"
#include "traverse/rules.h"
#include "volume/bounding_volume.h"

namespace tandem::detail {

template <class Tree, OverlapTest<typename Tree::Volume> Overlap, class LeafPair, class Observer>
class RecursiveTraversal {
 public:
  RecursiveTraversal(const Tree& a, const Tree& b, const Overlap& overlap, LeafPair& leaf_pair,
                     Observer& observer)
      : a_(a), b_(b), overlap_(overlap), leaf_pair_(leaf_pair), observer_(observer) {}

  /// Visits the pair of subtrees below these nodes; `descents` led here.
  Flow visit(std::uint32_t node_a, std::uint32_t node_b, int descents) {
    if (!overlaps(a_, node_a, b_, node_b, overlap_, observer_)) {
      observer_.finished(descents);
      return Flow::go_on;
    }
    if (a_.is_leaf(node_a) && b_.is_leaf(node_b)) {
      observer_.leaf_overlap();
      observer_.finished(descents);
      return leaf_pair_(a_.triangle(node_a), b_.triangle(node_b));
    }
    if (LargerVolumeFirst::choose(a_, node_a, b_, node_b) == Side::b) {
      const std::uint32_t end = b_.escape_index(node_b);
      for (std::uint32_t child = b_.first_child(node_b); child != end;
           child = b_.escape_index(child)) {
        if (visit(node_a, child, descents + 1) == Flow::stop) return Flow::stop;
      }
    } else {
      const std::uint32_t end = a_.escape_index(node_a);
      for (std::uint32_t child = a_.first_child(node_a); child != end;
           child = a_.escape_index(child)) {
        if (visit(child, node_b, descents + 1) == Flow::stop) return Flow::stop;
      }
    }
    return Flow::go_on;
  }

 private:
  const Tree& a_;
  const Tree& b_;
  const Overlap& overlap_;
  LeafPair& leaf_pair_;
  Observer& observer_;
};

/// Calls `leaf_pair(triangle_of_a, triangle_of_b)` for every pair of leaves whose volumes and whose
/// ancestors' volumes overlap, until it says stop. Recurses as deep as both trees together.
template <class Tree, OverlapTest<typename Tree::Volume> Overlap, class LeafPair, class Observer>
Flow traverse_recursive(const Tree& a, const Tree& b, const Overlap& overlap, LeafPair& leaf_pair,
                        Observer& observer) {
  if (a.empty() || b.empty()) return Flow::go_on;
  return RecursiveTraversal(a, b, overlap, leaf_pair, observer).visit(0, 0, 0);
}

}  // namespace tandem::detail
