// The search for one touching pair: its state between two calls of the kernel.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "traverse/wide/pair.h"

namespace tandem::detail {

/// The key of a pair of blocks or leaves that waits to be visited. The smaller the key, the more
/// promising the pair. The lower bits say where it waits, so that the least key of all leads to it:
///
///      31               12 11       4 3       2 1       0
///     ┌───────────────────┬──────────┬─────────┬─────────┐
///     │ score             │ group    │ child   │ child   │
///     │                   │          │ of B, j │ of A, i │
///     └───────────────────┴──────────┴─────────┴─────────┘
///                                     ╰─ child 4j + i, as in lanes
///
/// The score is the upper part of a positive float, which compares as its bits do.
struct SearchKey {
  static constexpr int k_child_bits = 4;
  static constexpr int k_group_bits = 8;
  static constexpr std::uint32_t k_child_mask = (1U << k_child_bits) - 1;
  static constexpr std::uint32_t k_group_mask = (1U << k_group_bits) - 1;
  static constexpr std::uint32_t k_place_mask = (1U << (k_child_bits + k_group_bits)) - 1;

  /// No pair, or one that has been visited; larger than all other keys.
  static constexpr std::uint32_t k_absent = 0xffffffff;

  static constexpr std::size_t group(std::uint32_t key) {
    return key >> k_child_bits & k_group_mask;
  }
  static constexpr std::uint32_t child(std::uint32_t key) { return key & k_child_mask; }
  static constexpr std::uint32_t child_a(std::uint32_t key) { return key % k_block; }
  static constexpr std::uint32_t child_b(std::uint32_t key) { return key / k_block % k_block; }

  /// The place bits of the first child of a group.
  static constexpr std::uint32_t place(std::size_t group) {
    return static_cast<std::uint32_t>(group) << k_child_bits;
  }
  /// The key with another place: of the first child of a group, or of another child.
  static constexpr std::uint32_t with_group(std::uint32_t key, std::size_t group) {
    return (key & ~k_place_mask) | place(group);
  }
  static constexpr std::uint32_t with_child(std::uint32_t key, std::uint32_t child) {
    return (key & ~k_child_mask) | child;
  }
};

/// The overlapping pairs of children of one pair of blocks that was visited. (Not to be confused
/// with the groups of lanes that a kernel tests at once.)
struct alignas(64) SearchGroup {
  static constexpr std::size_t k_children = k_block * k_block;

  /// Keys of children that do not overlap, or that were visited, are absent.
  std::uint32_t key[k_children];
  /// The blocks or leaves of child (0, 0); the others follow them.
  std::uint32_t first_a;
  std::uint32_t first_b;
  /// How many steps led to these children.
  int step;

  std::uint32_t index_a(std::uint32_t its_key) const {
    return first_a + SearchKey::child_a(its_key);
  }
  std::uint32_t index_b(std::uint32_t its_key) const {
    return first_b + SearchKey::child_b(its_key);
  }
};

/// Whom a search tells what it does, when somebody wants to know.
struct SearchListener {
  void* context;
  /// A pair of blocks is visited, or after the last step a pair of leaves.
  void (*blocks)(void* context, int step, std::uint32_t a, std::uint32_t b);
  /// A pair of triangles is tested: their slots.
  void (*triangles)(void* context, std::uint32_t slot_a, std::uint32_t slot_b);
};

/// A search for one touching pair: it visits the most promising pairs first, wherever they are.
struct WideSearch {
  explicit WideSearch(const WidePair& both) : trees(both) {
    SearchGroup& root = groups[0];
    std::fill_n(root.key, SearchGroup::k_children, SearchKey::k_absent);
    root.key[0] = 0;
    root.first_a = root.first_b = 0;
    root.step = 0;
    bounds.fill(SearchKey::k_absent);
    bounds[0] = 0;
  }

  const WidePair& trees;
  /// Null when nobody wants to know.
  const SearchListener* listener = nullptr;

  /// Each pair of blocks that is visited makes a group, unless none of its children overlap. When
  /// there is no room for more groups, the search has taken too long.
  static constexpr std::size_t k_room_for_groups = 128;
  static_assert(k_room_for_groups <= SearchKey::k_group_mask + 1);
  std::size_t group_count = 1;
  /// There are no more pairs to visit.
  bool exhausted = false;

  /// How many pairs of blocks and leaves were visited, how many pairs of their children overlapped,
  /// and how many pairs of triangles were tested.
  std::size_t blocks = 0;
  std::size_t overlaps = 0;
  std::size_t candidates = 0;

  /// What was found: pairs of triangle slots that surely touch, and that need more than float32.
  static constexpr std::size_t k_room = 48;
  std::size_t touching_count = 0;
  std::size_t unsure_count = 0;
  std::array<std::uint32_t, k_room + k_list_slack> touching_a;
  std::array<std::uint32_t, k_room + k_list_slack> touching_b;
  std::array<std::uint32_t, k_room + k_list_slack> unsure_a;
  std::array<std::uint32_t, k_room + k_list_slack> unsure_b;

  /// A group's bound is not larger than any of its keys, and ends in the group's place. Absent for
  /// groups that are known to be empty.
  alignas(64) std::array<std::uint32_t, k_room_for_groups> bounds;
  std::array<SearchGroup, k_room_for_groups> groups;
};

}  // namespace tandem::detail
