// A tree over boxes that move: which of them overlap, and which a ray may meet.
//
// The scene room is for many models at once. It uses all rooms before it.
#pragma once

#include <tandem/scene.h>
#include <tandem/sink.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/wide/world_box.h"

namespace tandem::detail {

/// Built once for some boxes, then fitted to them as they move. It is built anew when that has made
/// its boxes too large, or for another number of boxes.
class BoxTree {
 public:
  /// Where the boxes are now.
  void update(std::span<const WorldBox> boxes);

  /// Every two boxes that overlap, or have at most `reach` between them along each axis, by their
  /// positions, sorted, the lower position first.
  std::vector<ObjectPair> overlapping_pairs(int threads, double reach = 0) const;

  /// Calls `show(i)` for every box that `may_meet` says yes to, unless it says no to a box around
  /// it. It may say no to what it said yes to before.
  void visit(FunctionRef<bool(const WorldBox&)> may_meet,
             FunctionRef<void(std::uint32_t)> show) const;

  /// How often it was built.
  std::size_t build_count() const { return build_count_; }

 private:
  static constexpr std::size_t k_leaf_size = 4;
  /// Halving ends within 32 levels. A stack of nodes has at most one more than there are levels.
  static constexpr int k_most_levels = 34;

  struct Node {
    WorldBox box;
    /// Of an inner node: its children are the next one and this one. Of a leaf: where its boxes
    /// begin.
    std::uint32_t link;
    /// How many boxes a leaf has; 0 for an inner node.
    std::uint32_t count;
  };

  void build(std::span<const WorldBox> boxes);
  std::uint32_t place(std::span<const WorldBox> boxes, std::size_t begin, std::size_t end);
  void fit(std::span<const WorldBox> boxes);
  double cost() const;

  /// What overlaps of the boxes of a leaf among each other, and with those of the leaves after it.
  void add_pairs_of(std::uint32_t leaf, double reach, std::vector<ObjectPair>& pairs) const;
  void add_pair(std::uint32_t i, std::uint32_t j, double reach,
                std::vector<ObjectPair>& pairs) const;

  /// In pre-order. Leaves have their boxes in `order_`, and copies of them in `boxes_`.
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> order_;
  std::vector<WorldBox> boxes_;
  double cost_when_built_ = 0;
  std::size_t build_count_ = 0;
};

}  // namespace tandem::detail
