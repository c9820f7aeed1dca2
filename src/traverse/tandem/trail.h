// The trail traversal: the larger volume first, without a stack. One bit per descent remembers
// which tree was descended; links to parents and the right-child level do the rest. The i-th
// descent is the one below level(a) + level(b) = i, so two indices and at most 124 bits are the
// whole state.
#pragma once

#include <tandem/cursor_state.h>

#include <cstdint>
#include <string_view>

#include "traverse/tandem/descent.h"
#include "traverse/tandem/offer.h"
#include "traverse/tandem/rules.h"

namespace tandem::detail {

/// The steps from pair to pair of two trees that are not empty.
template <class Tree>
struct TrailWalk {
  TANDEM_HD TrailWalk(const Tree& tree_a, const Tree& tree_b, const TrailState& at)
      : a(tree_a),
        b(tree_b),
        state(at),
        depth_(at.finished() ? 0 : a.level(at.a) + b.level(at.b)) {}

  TANDEM_HD bool finished() const { return state.finished(); }
  TANDEM_HD std::uint32_t node_a() const { return state.a; }
  TANDEM_HD std::uint32_t node_b() const { return state.b; }

  /// To the first pair below two overlapping volumes that are not both leaves.
  TANDEM_HD void descend() {
    const Side side = LargerVolumeFirst::choose(StoredPairs<Tree>(a, b), {state.a, state.b});
    remember(depth_++, side);
    if (side == Side::b) {
      state.b = b.first_child(state.b);
    } else {
      state.a = a.first_child(state.a);
    }
  }

  /// To the pair that comes after this one and all below it: back along the trail to the first
  /// descent that has a sibling left.
  TANDEM_HD void next() {
    for (; depth_ > 0; --depth_) {
      const bool moved = remembered(depth_ - 1) == Side::b ? to_sibling_or_parent(b, state.b)
                                                           : to_sibling_or_parent(a, state.a);
      if (moved) return;
    }
    state.a = TrailState::k_finished;
  }

  Tree a;
  Tree b;
  TrailState state;

 private:
  /// Whether there was a sibling left.
  TANDEM_HD static bool to_sibling_or_parent(const Tree& tree, std::uint32_t& node) {
    const bool has_sibling = tree.is_left_child(node);
    node = has_sibling ? tree.escape_index(node) : tree.parent(node);
    return has_sibling;
  }

  // The words are named by constants, so that they can stay in registers.
  TANDEM_HD void remember(int descent, Side side) {
    const std::uint64_t bit = std::uint64_t{1} << (descent % 64);
    const std::uint64_t set = side == Side::b ? bit : 0;
    if (descent < 64) {
      state.trail[0] = (state.trail[0] & ~bit) | set;
    } else {
      state.trail[1] = (state.trail[1] & ~bit) | set;
    }
  }
  TANDEM_HD Side remembered(int descent) const {
    const std::uint64_t word = descent < 64 ? state.trail[0] : state.trail[1];
    return (word >> (descent % 64) & 1) != 0 ? Side::b : Side::a;
  }

  int depth_;
};

/// Whether the walk can be at a state: what a walk that is resumed from elsewhere must ask first.
template <class Tree>
bool can_be_at(const Tree& a, const Tree& b, const TrailState& state) {
  if (state.finished()) return true;
  if (state.a >= a.node_count() || state.b >= b.node_count()) return false;
  int descents_b = 0;
  for (int i = 0; i < a.level(state.a) + b.level(state.b); ++i) {
    descents_b += static_cast<int>(state.trail[i / 64] >> (i % 64) & 1);
  }
  return descents_b == b.level(state.b);
}

struct Trail {
  static constexpr std::string_view k_name = "trail";
  static constexpr std::string_view k_description =
      "the larger volume first, without a stack: one bit per descent";
  static constexpr Offer k_needs = Offer::pre_indexed;
  using State = TrailState;

  template <class Trees>
  static auto walk(const Trees& trees, const TrailState& state) {
    return TrailWalk(trees.pre_indexed_a(), trees.pre_indexed_b(), state);
  }
  template <class Trees>
  static bool can_be_at(const Trees& trees, const TrailState& state) {
    return detail::can_be_at(trees.pre_indexed_a(), trees.pre_indexed_b(), state);
  }
};

}  // namespace tandem::detail
