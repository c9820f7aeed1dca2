// The stackless traversal (stackless tandem paper, algorithm 4, with section 8: unequal heights and
// nodes with 1 to n children). It finds the pair that a stack would hold next from the two nodes
// alone, because the order in which the trees are descended is fixed beforehand.
#pragma once

#include <tandem/cursor.h>

#include <cstdint>

#include "traverse/rules.h"

namespace tandem::detail {

/// The steps from pair to pair of two trees that are not empty; the state is all that it remembers. `Order` fixes whose turn it is
/// at a pair of levels, and finds the next pair as long as both trees are descended by that order.
template <class Tree, class Order>
class StacklessWalk {
 public:
  StacklessWalk(const Tree& a, const Tree& b, const Order& order, const StacklessState& state)
      : a_(a), b_(b), order_(order), state_(state) {}

  const StacklessState& state() const { return state_; }
  bool finished() const { return state_.finished(); }
  std::uint32_t node_a() const { return state_.a; }
  std::uint32_t node_b() const { return state_.b; }

  /// To the first pair below two overlapping volumes that are not both leaves.
  void descend() {
    if (state_.phase == StacklessPhase::below_a) {
      state_.a = a_.first_child(state_.a);
    } else if (state_.phase == StacklessPhase::below_b) {
      state_.b = b_.first_child(state_.b);
    } else if (order_.turn(a_.level(state_.a), b_.level(state_.b)) == Side::a) {
      if (a_.is_leaf(state_.a)) {
        walk_below_b();
      } else {
        state_.a = a_.first_child(state_.a);
      }
    } else if (b_.is_leaf(state_.b)) {
      walk_below_a();
    } else {
      state_.b = b_.first_child(state_.b);
    }
  }

  /// To the pair that comes after this one and all below it.
  void next() {
    if (state_.phase == StacklessPhase::below_a) {
      const std::uint32_t escape = a_.escape_index(state_.a);
      if (escape != a_.escape_index(state_.anchor)) {
        state_.a = escape;
        return;
      }
      state_.a = state_.anchor;
      state_.phase = StacklessPhase::together;
    } else if (state_.phase == StacklessPhase::below_b) {
      const std::uint32_t escape = b_.escape_index(state_.b);
      if (escape != b_.escape_index(state_.anchor)) {
        state_.b = escape;
        return;
      }
      state_.b = state_.anchor;
      state_.phase = StacklessPhase::together;
    }
    if (!order_.next(a_, b_, state_.a, state_.b)) state_.phase = StacklessPhase::finished;
  }

 private:
  // Section 8.1: the tree whose turn it is has reached a leaf, which meets all below the other
  // node, from its first child on.
  void walk_below_a() {
    state_.anchor = state_.a;
    state_.phase = StacklessPhase::below_a;
    state_.a = a_.first_child(state_.a);
  }
  void walk_below_b() {
    state_.anchor = state_.b;
    state_.phase = StacklessPhase::below_b;
    state_.b = b_.first_child(state_.b);
  }

  const Tree& a_;
  const Tree& b_;
  const Order& order_;
  StacklessState state_;
};

/// Whether the walk can be at a state: what a walk that is resumed from elsewhere must ask first.
template <class Tree, class Order>
bool can_be_at(const Tree& a, const Tree& b, const Order& order, const StacklessState& state) {
  const auto is_below = [](const Tree& tree, std::uint32_t node, std::uint32_t anchor) {
    if (anchor >= tree.node_count() || tree.level(node) <= tree.level(anchor)) return false;
    while (tree.level(node) > tree.level(anchor)) node = tree.parent(node);
    return node == anchor;
  };
  if (state.phase == StacklessPhase::finished) return true;
  if (state.a >= a.node_count() || state.b >= b.node_count()) return false;
  switch (state.phase) {
    case StacklessPhase::together:
      return order.allows(a.level(state.a), b.level(state.b));
    case StacklessPhase::below_a:
      return is_below(a, state.a, state.anchor) && b.is_leaf(state.b) &&
             order.allows(a.level(state.anchor), b.level(state.b));
    case StacklessPhase::below_b:
      return is_below(b, state.b, state.anchor) && a.is_leaf(state.a) &&
             order.allows(a.level(state.a), b.level(state.anchor));
    default:
      return false;
  }
}

/// By turns, B first (section 5): level(a) is level(b) or one less. The next pair follows from the
/// eight cases of section 7.1; the layout of the tree decides how the way up along right children
/// is found, link by link (pre-indexed) or by a subtraction (post-indexed, section 8.3).
struct AlternatingOrder {
  static Side turn(int level_a, int level_b) { return level_a < level_b ? Side::a : Side::b; }

  /// Whether the order leads to a pair of these levels.
  static bool allows(int level_a, int level_b) {
    return level_a == level_b || level_a == level_b - 1;
  }

  /// False when there is no next pair: A's index, the only one that can, has left its array.
  template <class Tree>
  static bool next(const Tree& tree_a, const Tree& tree_b, std::uint32_t& alpha,
                   std::uint32_t& beta) {
    const int rcl_a = tree_a.right_child_level(alpha);
    const int rcl_b = tree_b.right_child_level(beta);
    if (tree_a.level(alpha) == tree_b.level(beta)) {
      if (rcl_a == 0) {  // cases 1 and 2: A is a left child
        alpha = tree_a.escape_index(alpha);
      } else if (rcl_b == 0) {  // case 5: A is a right child, B a left one
        alpha = tree_a.parent(alpha);
        beta = tree_b.escape_index(beta);
      } else if (rcl_a <= rcl_b) {  // case 7: both are right children
        alpha = tree_a.escape_index(alpha);
        beta = tree_b.up_along_right(beta, rcl_a);
      } else {
        alpha = tree_a.up_along_right(alpha, rcl_b + 1);
        beta = tree_b.escape_index(beta);
      }
    } else {
      if (rcl_b == 0) {  // cases 3 and 4: B is a left child
        beta = tree_b.escape_index(beta);
      } else if (rcl_a == 0) {  // case 6: A is a left child, B a right one
        alpha = tree_a.escape_index(alpha);
        beta = tree_b.parent(beta);
      } else if (rcl_a <= rcl_b - 1) {  // case 8: both are right children
        alpha = tree_a.escape_index(alpha);
        beta = tree_b.up_along_right(beta, rcl_a + 1);
      } else {
        alpha = tree_a.up_along_right(alpha, rcl_b);
        beta = tree_b.escape_index(beta);
      }
    }
    return alpha != tree_a.node_count();
  }
};

}  // namespace tandem::detail
