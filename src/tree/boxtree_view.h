// What traversals see of restricted boxtrees (restricted boxtree paper, section 3.1): hierarchies
// of boxes that store no box. A node stores the one side of its parent's box that it moves inward;
// boxes exist on the way down.
//
// Two layouts. Both are read from the top: `children` is given a node and its box, lets `cut(box,
// cut)` make each child's box out of a copy of it, and visits the child with its box until `visit`
// says stop. A box may be any type that the caller keeps of a node.
#pragma once

#include <tandem/host_device.h>
#include <tandem/sink.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "volume/aabb.h"
#include "volume/restricted_cut.h"

namespace tandem::detail {

/// One plane per node, stored with the node as in the paper: 9 bytes. Siblings are contiguous, 1 to
/// 16 of them; a leaf holds one triangle.
struct OnePlaneView {
  using Node = std::uint32_t;
  /// Whether a child's box is its parent's with one cut, so that comparing what that cut moved is
  /// enough.
  static constexpr bool k_single_cuts = true;

  enum Bits : std::uint8_t { k_axis = 3, k_upper = 4, k_leaf = 8, k_last = 16 };

  /// Unaligned on purpose.
  struct __attribute__((packed)) StoredNode {
    float inward;
    /// The first child, or a leaf's triangle.
    std::uint32_t link;
    std::uint8_t bits;
  };
  static_assert(sizeof(StoredNode) == 9);

  const StoredNode* nodes;
  Aabb box;
  std::uint32_t siblings;
  int most_children;

  TANDEM_HD const Aabb& root_box() const { return box; }
  TANDEM_HD std::uint32_t sibling_bound() const { return siblings; }
  TANDEM_HD int arity() const { return most_children; }

  TANDEM_HD Node root() const { return 0; }
  TANDEM_HD std::uint32_t index(Node node) const { return node; }
  TANDEM_HD bool is_leaf(Node node) const { return (nodes[node].bits & k_leaf) != 0; }

  template <class Box, class MakeCut, class Visit>
  TANDEM_HD Flow children(Node node, const Box& box_of_node, MakeCut cut, Visit visit) const {
    for (Node child = nodes[node].link;; ++child) {
      const StoredNode& stored = nodes[child];
      const int bits = stored.bits;
      Box child_box = box_of_node;
      cut(child_box, Cut{bits & k_axis, (bits & k_upper) != 0 ? 1 : 0, double{stored.inward}});
      if (visit(child, child_box) == Flow::stop) return Flow::stop;
      if ((bits & k_last) != 0) return Flow::go_on;
    }
  }

  /// Calls `visit(triangle)` for the triangles of a leaf until it says stop.
  template <class Visit>
  TANDEM_HD Flow triangles(Node leaf, Visit visit) const {
    return visit(std::uint32_t{nodes[leaf].link});
  }
};

/// A cut in memory, and whether others follow it and whether it leads to a leaf.
struct StoredCut {
  Cut cut;
  bool trimmed;
  bool leaf;
};

/// Cuts in full: 8 bytes per node.
struct FloatPlanes {
  static constexpr std::string_view k_name = "boxtree-two-planes";
  static constexpr std::string_view k_description = "restricted box, planes in the parent";
  static constexpr int k_usual_leaf_size = 1;
  /// A pair of cuts and its link, and a pair of cuts that trim a box.
  static constexpr std::size_t k_pair_words = 4;
  static constexpr std::size_t k_trim_words = 3;

  template <class Box>
  TANDEM_HD static StoredCut read(const std::uint32_t* words, int which, const Box&) {
    const std::uint32_t bits = words[2] >> (8 * which);
    return {{static_cast<int>(bits & 3), static_cast<int>(bits >> 2 & 1),
             double{std::bit_cast<float>(words[which])}},
            (bits & 8) != 0,
            (bits & 16) != 0};
  }
  static void write(std::uint32_t* words, int which, const RestrictedBox<>& box,
                    const StoredCut& stored);
  /// The cut as it will be read.
  static Cut rounded(const RestrictedBox<>&, const Cut& cut) { return cut; }
};

/// Cuts in 16 bits, 11 of them for the share of the side that is cut off, rounded outward: 4 bytes
/// per node.
struct PackedPlanes {
  static constexpr std::string_view k_name = "boxtree-packed";
  static constexpr std::string_view k_description = "restricted box, planes of 11 bits";
  static constexpr int k_usual_leaf_size = 8;
  static constexpr std::size_t k_pair_words = 2;
  static constexpr std::size_t k_trim_words = 1;

  template <class Box>
  TANDEM_HD static StoredCut read(const std::uint32_t* words, int which, const Box& box) {
    const std::uint32_t bits = words[0] >> (16 * which);
    const int axis = static_cast<int>(bits >> 11 & 3);
    const int side = static_cast<int>(bits >> 13 & 1);
    return {{axis, side, inward(box, axis, side, bits & k_steps)},
            (bits >> 14 & 1) != 0,
            (bits >> 15 & 1) != 0};
  }
  static void write(std::uint32_t* words, int which, const RestrictedBox<>& box,
                    const StoredCut& stored);
  static Cut rounded(const RestrictedBox<>& box, const Cut& cut) {
    return {cut.axis, cut.side, inward(box, cut.axis, cut.side, steps(box, cut))};
  }

 private:
  static constexpr std::uint32_t k_steps = 2047;

  /// Builders and traversals compute the same number from the same box.
  template <class Box>
  TANDEM_HD static double inward(const Box& box, int axis, int side, std::uint32_t steps) {
    const double length = -(box.inward[0][axis] + box.inward[1][axis]);
    return box.inward[side][axis] + length * (steps * (1.0 / (k_steps + 1)));
  }
  static std::uint32_t steps(const RestrictedBox<>& box, const Cut& cut);
};

/// Two planes per node, those of its children (section 3.2.5), so that leaves are nothing but
/// triangles, and beyond the paper as many more as it takes to trim a box. Everything is in one
/// array of words, depth first: what is below the left child follows its pair, and one link per
/// pair leads to what is below the right child. Below a node come first the cuts that trim its box,
/// two at a time.
///
///        ●            ┌ pair ┬ pair ┬ t4 t7 ┬ t1 ┬ trim ┬ t0 t2 t3 ┐      t: a leaf's triangles,
///      ┌─┴──┐         └──────┴──────┴───────┴────┴──────┴──────────┘         the last one marked
///      ●    ○             │      └───────────▲   ▲
///     ┌┴┐                 └──────────────────────┘
///     ○ ○
template <class Planes>
struct TwoPlaneView {
  static constexpr bool k_single_cuts = false;

  struct Node {
    /// Where its pair or its triangles stand.
    std::uint32_t at;
    bool leaf;
  };

  static constexpr auto k_pair_words = static_cast<std::uint32_t>(Planes::k_pair_words);
  static constexpr auto k_trim_words = static_cast<std::uint32_t>(Planes::k_trim_words);
  static constexpr std::uint32_t k_last = std::uint32_t{1} << 31;

  const std::uint32_t* words;
  Aabb box;
  bool root_is_leaf;
  std::uint32_t siblings;
  int most_children;

  TANDEM_HD const Aabb& root_box() const { return box; }
  TANDEM_HD std::uint32_t sibling_bound() const { return siblings; }
  TANDEM_HD int arity() const { return most_children; }

  TANDEM_HD Node root() const { return {0, root_is_leaf}; }
  TANDEM_HD std::uint32_t index(const Node& node) const { return node.at; }
  TANDEM_HD bool is_leaf(const Node& node) const { return node.leaf; }

  template <class Box, class MakeCut, class Visit>
  TANDEM_HD Flow children(const Node& node, const Box& box_of_node, MakeCut cut,
                          Visit visit) const {
    const std::uint32_t* pair = words + node.at;
    for (int child = 0; child < 2; ++child) {
      std::uint32_t at = child == 0 ? node.at + k_pair_words : pair[k_pair_words - 1];
      Box child_box = box_of_node;
      StoredCut stored = Planes::read(pair, child, child_box);
      const bool leaf = stored.leaf;
      cut(child_box, stored.cut);
      while (stored.trimmed) {
        const std::uint32_t* trim = words + at;
        cut(child_box, Planes::read(trim, 0, child_box).cut);
        stored = Planes::read(trim, 1, child_box);
        cut(child_box, stored.cut);
        at += k_trim_words;
      }
      if (visit(Node{at, leaf}, child_box) == Flow::stop) return Flow::stop;
    }
    return Flow::go_on;
  }

  /// As in `OnePlaneView`.
  template <class Visit>
  TANDEM_HD Flow triangles(const Node& leaf, Visit visit) const {
    for (std::uint32_t at = leaf.at;; ++at) {
      const std::uint32_t word = words[at];
      if (visit(word & ~k_last) == Flow::stop) return Flow::stop;
      if ((word & k_last) != 0) return Flow::go_on;
    }
  }
};

}  // namespace tandem::detail
