// The scheduled traversal: a static descent rule that adapts to the trees. Like the paper's
// alternating rule it looks at levels alone, so it stays stackless with the same state; but the
// order in which the levels are descended is chosen once per query, from the mean volume of each
// level: the tree whose level is larger on average goes first. As every pair that took i descents
// has the same two levels, the order is one bit per descent for the whole query.
#pragma once

#include <cstdint>
#include <string_view>

#include "traverse/tandem/rules.h"
#include "traverse/tandem/stackless.h"

namespace tandem::detail {

/// An order for `StacklessWalk`.
class ScheduledOrder {
 public:
  /// From the mean sizes of the trees' levels. Each tree has at most 63 levels.
  template <class Tree>
  TANDEM_HD ScheduledOrder(const Tree& a, const Tree& b) {
    int level_a = 0;
    int level_b = 0;
    while (level_a + 1 < a.level_count || level_b + 1 < b.level_count) {
      const bool b_first =
          level_a + 1 >= a.level_count ||
          (level_b + 1 < b.level_count && a.mean_sizes[level_a] < b.mean_sizes[level_b]);
      if (b_first) {
        const int descent = level_a + level_b;
        (descent < 64 ? bits_[0] : bits_[1]) |= std::uint64_t{1} << (descent % 64);
        ++level_b;
      } else {
        ++level_a;
      }
    }
  }

  TANDEM_HD Side turn(int level_a, int level_b) const { return descent(level_a + level_b); }

  /// Whether the order leads to a pair of these levels.
  TANDEM_HD bool allows(int level_a, int level_b) const {
    int descents_b = 0;
    for (int i = 0; i < level_a + level_b; ++i) descents_b += descent(i) == Side::b ? 1 : 0;
    return descents_b == level_b;
  }

  /// Back along the schedule to the first descent that has a sibling left.
  template <class Tree>
  TANDEM_HD bool next(const Tree& tree_a, const Tree& tree_b, std::uint32_t& alpha,
                      std::uint32_t& beta) const {
    for (int i = tree_a.level(alpha) + tree_b.level(beta) - 1; i >= 0; --i) {
      const bool went_down_b = descent(i) == Side::b;
      const Tree& tree = went_down_b ? tree_b : tree_a;
      std::uint32_t& node = went_down_b ? beta : alpha;
      if (tree.is_left_child(node)) {
        node = tree.escape_index(node);
        return true;
      }
      node = tree.parent(node);
    }
    return false;
  }

 private:
  TANDEM_HD Side descent(int i) const {
    return ((i < 64 ? bits_[0] : bits_[1]) >> (i % 64) & 1) != 0 ? Side::b : Side::a;
  }

  std::uint64_t bits_[2] = {0, 0};
};

struct Scheduled : StacklessIn<PreIndexedLayout, ScheduledOrder> {
  static constexpr std::string_view k_name = "scheduled";
  static constexpr std::string_view k_description =
      "the level that is larger on average first, without a stack";
};

}  // namespace tandem::detail
