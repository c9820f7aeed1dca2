// Two boxtrees as traversals that go down see them (traverse/tandem/descent.h): both views, of
// nodes and of pairs. A node carries its box, derived from its parent's, and whatever the overlap
// test keeps of it.
#pragma once

#include <tandem/sink.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tree/boxtree.h"
#include "tree/boxtree_view.h"
#include "volume/restricted_box.h"

namespace tandem::detail {

/// `Boxtree` is a view (tree/boxtree_view.h).
template <class Boxtree, class Test, class Observer>
class BoxtreeDescent {
 public:
  struct NodeA {
    typename Boxtree::Node node;
    std::uint8_t level;
    typename Test::BoxA box;
  };
  struct NodeB {
    typename Boxtree::Node node;
    std::uint8_t level;
    typename Test::BoxB box;
  };
  struct Pair {
    NodeA a;
    NodeB b;
  };

  BoxtreeDescent(const Boxtree& a, const Boxtree& b, const Test& test, Observer& observer)
      : a_(a), b_(b), test_(test), observer_(observer) {}

  // Of nodes.
  NodeA root_a() const { return {a_.root(), 0, test_.root_a()}; }
  NodeB root_b() const {
    observer_.tumbled();
    return {b_.root(), 0, test_.root_b()};
  }
  bool leaf_a(const NodeA& a) const { return a_.is_leaf(a.node); }
  bool leaf_b(const NodeB& b) const { return b_.is_leaf(b.node); }

  template <class Visit>
  Flow children_a(const NodeA& a, Visit visit) const {
    return a_.children(
        a.node, a.box,
        [&](auto& box, const Cut& cut) {
          Boxtree::k_single_cuts ? (void)test_.cut_a(box, cut) : test_.move_a(box, cut);
        },
        [&](const auto& node, auto& box) {
          if (!Boxtree::k_single_cuts) test_.settle_a(box);
          return visit(NodeA{node, static_cast<std::uint8_t>(a.level + 1), box});
        });
  }
  template <class Visit>
  Flow children_b(const NodeB& b, Visit visit) const {
    return b_.children(
        b.node, b.box,
        [&](auto& box, const Cut& cut) {
          Boxtree::k_single_cuts ? (void)test_.cut_b(box, cut) : test_.move_b(box, cut);
        },
        [&](const auto& node, auto& box) {
          observer_.tumbled();
          if (!Boxtree::k_single_cuts) test_.settle_b(box);
          return visit(NodeB{node, static_cast<std::uint8_t>(b.level + 1), box});
        });
  }
  /// The nodes `levels` below a node, and the leaves above that.
  template <class Visit>
  Flow descendants_b(const NodeB& b, int levels, Visit visit) const {
    return below(b, levels, visit);
  }

  bool meets(const NodeA& a, const NodeB& b) const {
    if (!overlap(a, b)) return false;
    if (leaf_a(a) && leaf_b(b)) observer_.leaf_overlap();
    return true;
  }
  template <class LeafPair>
  Flow leaves(const NodeA& a, const NodeB& b, LeafPair& leaf_pair) const {
    return leaf_pair(triangles(a_, a.node).span(), a.box, triangles(b_, b.node).span());
  }

  // Of pairs.
  Pair root() const { return {root_a(), root_b()}; }
  bool leaf_a(const Pair& pair) const { return leaf_a(pair.a); }
  bool leaf_b(const Pair& pair) const { return leaf_b(pair.b); }
  double size_a(const Pair& pair) const { return pair.a.box.size(); }
  double size_b(const Pair& pair) const { return pair.b.box.size(); }
  int level_a(const Pair& pair) const { return pair.a.level; }
  int level_b(const Pair& pair) const { return pair.b.level; }
  bool meets(const Pair& pair) const { return overlap(pair.a, pair.b); }
  template <class Visit>
  Flow children_a(const Pair& pair, Visit visit) const {
    return children_a(pair.a, [&](const NodeA& child) { return visit(Pair{child, pair.b}); });
  }
  template <class Visit>
  Flow children_b(const Pair& pair, Visit visit) const {
    return children_b(pair.b, [&](const NodeB& child) { return visit(Pair{pair.a, child}); });
  }
  template <class LeafPair>
  Flow leaves(const Pair& pair, LeafPair& leaf_pair) const {
    return leaves(pair.a, pair.b, leaf_pair);
  }
  std::size_t waiting_bound() const { return a_.sibling_bound() + b_.sibling_bound(); }

 private:
  /// The triangles of a leaf.
  class Triangles {
   public:
    Flow add(std::uint32_t id) {
      ids_[count_++] = id;
      return Flow::go_on;
    }
    std::span<const std::uint32_t> span() const { return {ids_.data(), count_}; }

   private:
    std::array<std::uint32_t, k_max_leaf_size> ids_;
    std::size_t count_ = 0;
  };
  static Triangles triangles(const Boxtree& tree, const typename Boxtree::Node& leaf) {
    Triangles result;
    tree.triangles(leaf, [&](std::uint32_t id) { return result.add(id); });
    return result;
  }

  /// Where each cut is a level of its own, compares what the last ones moved; if more has moved
  /// since a pair was tested, less is culled, never too much.
  bool overlap(const NodeA& a, const NodeB& b) const {
    observer_.iteration(a_.index(a.node), b_.index(b.node));
    const bool fully = !Boxtree::k_single_cuts || (a.level == 0 && b.level == 0);
    if (!(fully ? test_.meets_fully(a.box, b.box) : test_.meets(a.box, b.box))) return false;
    observer_.overlap();
    return true;
  }

  template <class Visit>
  Flow below(const NodeB& b, int levels, Visit& visit) const {
    return children_b(b, [&](const NodeB& child) {
      return levels == 1 || leaf_b(child) ? visit(child) : below(child, levels - 1, visit);
    });
  }

  Boxtree a_;
  Boxtree b_;
  const Test& test_;
  Observer& observer_;
};

}  // namespace tandem::detail
