// Two wide trees that are descended together, step by step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tree/wide/tree.h"

namespace tandem::detail {

/// As many levels as the largest model can have.
inline constexpr int k_max_wide_height = 15;

/// Step s leads from pairs of blocks to pairs of their children; after the last one they are leaves. When
/// one tree is higher, the first steps descend in it alone, so that leaves meet leaves.
struct WidePair {
  /// Neither is empty.
  const WideTree& a;
  const WideTree& b;

  int steps() const { return std::max(a.height(), b.height()); }
  bool a_waits(int step) const { return step < steps() - a.height(); }
  bool b_waits(int step) const { return step < steps() - b.height(); }
  /// The blocks that a step looks at: those of the lower tree wait at its root.
  const NodeBlock* blocks_a(int step) const {
    return a.levels[std::max(0, step - (steps() - a.height()))].data();
  }
  const NodeBlock* blocks_b(int step) const {
    return b.levels[std::max(0, step - (steps() - b.height()))].data();
  }
};

/// Pairs of blocks or of triangles, by index.
struct PairList {
  std::uint32_t* a;
  std::uint32_t* b;
};

/// Kernels write whole vectors: lists have room for this many pairs behind those that count.
inline constexpr std::size_t k_list_slack = 16;

}  // namespace tandem::detail
