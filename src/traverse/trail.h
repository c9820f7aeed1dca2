// The trail traversal: the larger volume first, without a stack. One bit a descent remembers which
// tree was descended; links to parents and the right-child level do the rest. The i-th descent is
// the one below level(a) + level(b) = i, so two indices and at most 124 bits are the whole state.
#pragma once

#include <tandem/cursor.h>
#include <tandem/query.h>

#include <cstdint>

#include "traverse/descent.h"
#include "traverse/rules.h"

namespace tandem::detail {

/// The steps from pair to pair of two trees that are not empty.
template <class Tree>
class TrailWalk {
 public:
  TrailWalk(const Tree& a, const Tree& b, const TrailState& state)
      : a_(a), b_(b), state_(state), depth_(state.finished() ? 0 : depth_of(state)) {}

  const TrailState& state() const { return state_; }
  bool finished() const { return state_.finished(); }
  std::uint32_t node_a() const { return state_.a; }
  std::uint32_t node_b() const { return state_.b; }

  /// To the first pair below two overlapping volumes that are not both leaves.
  void descend() {
    const Side side = LargerVolumeFirst::choose(StoredPairs<Tree>(a_, b_), {state_.a, state_.b});
    remember(depth_++, side);
    if (side == Side::b) {
      state_.b = b_.first_child(state_.b);
    } else {
      state_.a = a_.first_child(state_.a);
    }
  }

  /// To the pair that comes after this one and all below it: back along the trail to the first
  /// descent that has a sibling left.
  void next() {
    for (; depth_ > 0; --depth_) {
      if (remembered(depth_ - 1) == Side::b) {
        if (b_.is_left_child(state_.b)) {
          state_.b = b_.escape_index(state_.b);
          return;
        }
        state_.b = b_.parent(state_.b);
      } else {
        if (a_.is_left_child(state_.a)) {
          state_.a = a_.escape_index(state_.a);
          return;
        }
        state_.a = a_.parent(state_.a);
      }
    }
    state_.a = TrailState::k_finished;
  }

 private:
  // The words are named by constants, so that they can stay in registers.
  void remember(int descent, Side side) {
    const std::uint64_t bit = std::uint64_t{1} << (descent % 64);
    const std::uint64_t set = side == Side::b ? bit : 0;
    if (descent < 64) {
      state_.trail[0] = (state_.trail[0] & ~bit) | set;
    } else {
      state_.trail[1] = (state_.trail[1] & ~bit) | set;
    }
  }
  Side remembered(int descent) const {
    const std::uint64_t word = descent < 64 ? state_.trail[0] : state_.trail[1];
    return (word >> (descent % 64) & 1) != 0 ? Side::b : Side::a;
  }

  int depth_of(const TrailState& state) const { return a_.level(state.a) + b_.level(state.b); }

  const Tree& a_;
  const Tree& b_;
  TrailState state_;
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

}  // namespace tandem::detail
