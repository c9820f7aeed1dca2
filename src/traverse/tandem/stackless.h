// The stackless traversal (stackless tandem paper, algorithm 4, with section 8: unequal heights and
// nodes with 1 to n children). It finds the pair that a stack would hold next from the two nodes
// alone, because the order in which the trees are descended is fixed beforehand.
#pragma once

#include <tandem/cursor_state.h>

#include <cstdint>
#include <string_view>

#include "traverse/tandem/offer.h"
#include "traverse/tandem/rules.h"

namespace tandem::detail {

/// The steps from pair to pair of two trees that are not empty; the state is all that it remembers.
/// `Order` fixes which tree is descended at a pair of levels, and finds the next pair as long as
/// both trees are descended by that order.
template <class Tree, class Order>
struct StacklessWalk {
  Tree a;
  Tree b;
  Order order;
  StacklessState state;

  TANDEM_HD bool finished() const { return state.finished(); }
  TANDEM_HD std::uint32_t node_a() const { return state.a; }
  TANDEM_HD std::uint32_t node_b() const { return state.b; }

  /// To the first pair below two overlapping volumes that are not both leaves.
  TANDEM_HD void descend() {
    if (state.phase == StacklessPhase::below_a) {
      state.a = a.first_child(state.a);
    } else if (state.phase == StacklessPhase::below_b) {
      state.b = b.first_child(state.b);
    } else if (order.turn(a.level(state.a), b.level(state.b)) == Side::a) {
      if (a.is_leaf(state.a)) {
        walk_below(b, state.b, StacklessPhase::below_b);
      } else {
        state.a = a.first_child(state.a);
      }
    } else if (b.is_leaf(state.b)) {
      walk_below(a, state.a, StacklessPhase::below_a);
    } else {
      state.b = b.first_child(state.b);
    }
  }

  /// To the pair that comes after this one and all below it.
  TANDEM_HD void next() {
    if (state.phase == StacklessPhase::below_a && next_below(a, state.a)) return;
    if (state.phase == StacklessPhase::below_b && next_below(b, state.b)) return;
    if (!order.next(a, b, state.a, state.b)) state.phase = StacklessPhase::finished;
  }

 private:
  // Section 8.1: the tree whose turn it is has reached a leaf, which meets all below the other
  // node, from its first child on.
  TANDEM_HD void walk_below(const Tree& tree, std::uint32_t& node, StacklessPhase phase) {
    state.anchor = node;
    state.phase = phase;
    node = tree.first_child(node);
  }

  /// To the next node below the anchor; false, and back at the anchor, when there is none.
  TANDEM_HD bool next_below(const Tree& tree, std::uint32_t& node) {
    const std::uint32_t escape = tree.escape_index(node);
    if (escape != tree.escape_index(state.anchor)) {
      node = escape;
      return true;
    }
    node = state.anchor;
    state.phase = StacklessPhase::together;
    return false;
  }
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

/// B and A alternately, B first (section 5): level(a) is level(b) or one less. The next pair
/// follows from the eight cases of section 7.1; the layout of the tree decides how the way up along
/// right children is found, link by link (pre-indexed) or by a subtraction (post-indexed, section
/// 8.3).
struct AlternatingOrder {
  AlternatingOrder() = default;
  /// Needs nothing of the trees.
  template <class Tree>
  AlternatingOrder(const Tree&, const Tree&) {}

  TANDEM_HD static Side turn(int level_a, int level_b) {
    return level_a < level_b ? Side::a : Side::b;
  }

  /// Whether the order leads to a pair of these levels.
  TANDEM_HD static bool allows(int level_a, int level_b) {
    return level_a == level_b || level_a == level_b - 1;
  }

  /// False when there is no next pair: A's index, the only one that can, has left its array.
  template <class Tree>
  TANDEM_HD static bool next(const Tree& tree_a, const Tree& tree_b, std::uint32_t& alpha,
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

/// A stackless traversal in one order, over the trees that the layout picks.
template <class Layout, class Order>
struct StacklessIn {
  using State = StacklessState;
  static constexpr Offer k_needs = Layout::k_needs;

  template <class Trees>
  static auto walk(const Trees& trees, const StacklessState& state) {
    const auto a = Layout::a(trees);
    const auto b = Layout::b(trees);
    return StacklessWalk<decltype(Layout::a(trees)), Order>{a, b, Order(a, b), state};
  }
  template <class Trees>
  static bool can_be_at(const Trees& trees, const StacklessState& state) {
    const auto a = Layout::a(trees);
    const auto b = Layout::b(trees);
    return detail::can_be_at(a, b, Order(a, b), state);
  }
};

struct PreIndexedLayout {
  static constexpr Offer k_needs = Offer::pre_indexed;
  template <class Trees>
  static auto a(const Trees& trees) {
    return trees.pre_indexed_a();
  }
  template <class Trees>
  static auto b(const Trees& trees) {
    return trees.pre_indexed_b();
  }
};
struct PostIndexedLayout {
  static constexpr Offer k_needs = Offer::post_indexed;
  template <class Trees>
  static auto a(const Trees& trees) {
    return trees.post_indexed_a();
  }
  template <class Trees>
  static auto b(const Trees& trees) {
    return trees.post_indexed_b();
  }
};

struct Stackless : StacklessIn<PreIndexedLayout, AlternatingOrder> {
  static constexpr std::string_view k_name = "stackless";
  static constexpr std::string_view k_description = "B and A alternately, without a stack";
};
struct StacklessPost : StacklessIn<PostIndexedLayout, AlternatingOrder> {
  static constexpr std::string_view k_name = "stackless-post";
  static constexpr std::string_view k_description = "the same over post-indexed trees";
};

}  // namespace tandem::detail
