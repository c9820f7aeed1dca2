// One level up (restricted boxtree paper, section 3.2.5): both trees are descended at once, and the
// work that concerns B's children alone is done while still at their parent and shared by all pairs
// that they are in. With two children each, that halves the transforms.
#pragma once

#include <tandem/query.h>

#include <cstdint>
#include <type_traits>

#include "traverse/overlaps.h"
#include "volume/bounding_volume.h"

namespace tandem::detail {

template <class Tree, OverlapTest<typename Tree::Volume> Overlap, class LeafPair, class Observer>
class OneLevelUpTraversal {
 public:
  using Tumbled = std::remove_cvref_t<typename Overlap::Tumbled>;

  OneLevelUpTraversal(const Tree& a, const Tree& b, const Overlap& overlap, LeafPair& leaf_pair,
                      Observer& observer)
      : a_(a), b_(b), overlap_(overlap), leaf_pair_(leaf_pair), observer_(observer) {}

  Flow run() {
    const Tumbled root = tumble(0);
    return meets(0, 0, root) ? visit(0, 0, root, 0) : Flow::go_on;
  }

 private:
  /// A pair that overlaps. `tumbled` is B's volume in A's frame.
  Flow visit(std::uint32_t node_a, std::uint32_t node_b, const Tumbled& tumbled, int descents) {
    const bool leaf_a = a_.is_leaf(node_a);
    if (b_.is_leaf(node_b)) {
      if (leaf_a) {
        observer_.finished(descents);
        return leaf_pair_(a_.triangle(node_a), b_.triangle(node_b));
      }
      return visit_children_of_a(node_a, node_b, tumbled, descents + 1);
    }
    const std::uint32_t stop = b_.escape_index(node_b);
    for (std::uint32_t child = b_.first_child(node_b); child != stop;
         child = b_.escape_index(child)) {
      const Tumbled below = tumble(child);
      Flow flow = Flow::go_on;
      if (!leaf_a) {
        flow = visit_children_of_a(node_a, child, below, descents + 2);
      } else if (meets(node_a, child, below)) {
        flow = visit(node_a, child, below, descents + 1);
      } else {
        observer_.finished(descents + 1);
      }
      if (flow == Flow::stop) return Flow::stop;
    }
    return Flow::go_on;
  }

  Flow visit_children_of_a(std::uint32_t node_a, std::uint32_t node_b, const Tumbled& tumbled,
                           int descents) {
    const std::uint32_t stop = a_.escape_index(node_a);
    for (std::uint32_t child = a_.first_child(node_a); child != stop;
         child = a_.escape_index(child)) {
      if (!meets(child, node_b, tumbled)) {
        observer_.finished(descents);
      } else if (visit(child, node_b, tumbled, descents) == Flow::stop) {
        return Flow::stop;
      }
    }
    return Flow::go_on;
  }

  bool meets(std::uint32_t node_a, std::uint32_t node_b, const Tumbled& tumbled) {
    return overlaps_tumbled(a_, node_a, b_, node_b, tumbled, overlap_, observer_);
  }

  Tumbled tumble(std::uint32_t node) {
    if constexpr (Overlap::k_tumbles) observer_.tumbled();
    return overlap_.tumble(b_.volume(node));
  }

  const Tree& a_;
  const Tree& b_;
  const Overlap& overlap_;
  LeafPair& leaf_pair_;
  Observer& observer_;
};

/// Calls `leaf_pair(triangle_of_a, triangle_of_b)` for every pair of leaves whose volumes and whose
/// ancestors' volumes overlap, until it says stop. Recurses as deep as the deeper tree.
template <class Tree, OverlapTest<typename Tree::Volume> Overlap, class LeafPair, class Observer>
Flow traverse_one_level_up(const Tree& a, const Tree& b, const Overlap& overlap,
                           LeafPair& leaf_pair, Observer& observer) {
  if (a.empty() || b.empty()) return Flow::go_on;
  return OneLevelUpTraversal(a, b, overlap, leaf_pair, observer).run();
}

}  // namespace tandem::detail
