// The search for one touching pair: what is known of it between two calls of its kernel.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "traverse/wide/pair.h"

namespace tandem::detail {

/// The overlapping pairs of children of one pair of blocks. Child 4j + i is (i of A, j of B), as in lanes.
/// A key tells in its upper bits how much a pair promises, the less the more, and below them the group's
/// number and the child's. Keys of children that do not overlap, or that were taken up, are absent.
struct alignas(64) SearchGroup {
  static constexpr std::uint32_t k_absent = 0xffffffff;
  static constexpr std::uint32_t k_name_bits = 0xfff;

  static constexpr std::uint32_t name(std::size_t number) {
    return static_cast<std::uint32_t>(number) << 4;
  }
  static constexpr std::size_t number(std::uint32_t key) { return key >> 4 & 0xff; }
  std::uint32_t child_a(std::uint32_t its_key) const { return first_a + (its_key & 3); }
  std::uint32_t child_b(std::uint32_t its_key) const { return first_b + (its_key >> 2 & 3); }

  std::uint32_t key[16];
  std::uint32_t first_a;
  std::uint32_t first_b;
  /// How many steps led here.
  int step;
};

/// A search for one touching pair: the most promising pairs first, wherever they are.
struct WideSearch {
  explicit WideSearch(const WidePair& both) : trees(both) {
    SearchGroup& root = groups[0];
    std::fill_n(root.key, 16, SearchGroup::k_absent);
    root.key[0] = 0;
    root.first_a = root.first_b = 0;
    root.step = 0;
    bounds.fill(SearchGroup::k_absent);
    bounds[0] = 0;
  }

  WidePair trees;
  /// Each pair of blocks that is taken up makes a group, unless none of its children overlap. When there is
  /// no room for more, the search has taken too long.
  static constexpr std::size_t k_room_for_groups = 128;
  std::size_t group_count = 1;
  /// Nothing waits: there are no more pairs.
  bool exhausted = false;

  /// Pairs of blocks and of leaves that were taken up, pairs of children that overlapped, and pairs of
  /// triangles that were tested.
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

  /// No key of a group promises more than its bound, which ends in the group's name. Groups that are known
  /// to be empty have none.
  alignas(64) std::array<std::uint32_t, k_room_for_groups> bounds;
  std::array<SearchGroup, k_room_for_groups> groups;
};

}  // namespace tandem::detail
