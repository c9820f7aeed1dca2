// How traversals that only go down see two trees. Two views, each with an overlap test:
//
// Of pairs, for recursion and stacks: a `Pair` is whatever must be known of two nodes.
//
//   root()                        the pair of roots
//   leaf_a(p), leaf_b(p)          whether that side is a leaf
//   size_a(p), size_b(p)          the sizes of the volumes, for the rule that descends the larger
//   level_a(p), level_b(p)        how far below the root, for the rule that alternates
//   meets(p)                      whether the pair needs a closer look
//   children_a(p, visit)          visits pairs with the children of one side until told to stop
//   leaves(p, leaf_pair)          gives the triangles of a pair of leaves to the triangle test
//   waiting_bound()               the most pairs that a stack can hold
//
// Of nodes, for traversals that keep what concerns one node and share it between pairs: a `NodeA`
// and a `NodeB` are what is known of a node by itself, and the functions take them instead of a
// pair.
//
// Trees with a volume at each node have both views, here. Trees whose volumes exist only on the way
// down have no others.
#pragma once

#include <tandem/sink.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "traverse/tandem/overlaps.h"
#include "volume/bounding_volume.h"

namespace tandem::detail {

/// Calls `visit(child)` for the children of a node, until it says stop.
template <class Tree, class Visit>
Flow for_each_child(const Tree& tree, std::uint32_t node, Visit visit) {
  const std::uint32_t end = tree.escape_index(node);
  for (std::uint32_t child = tree.first_child(node); child != end;
       child = tree.escape_index(child)) {
    if (visit(child) == Flow::stop) return Flow::stop;
  }
  return Flow::go_on;
}

/// Pairs of nodes with stored volumes, as far as descent rules ask.
template <class Tree>
class StoredPairs {
 public:
  struct Pair {
    std::uint32_t a;
    std::uint32_t b;
  };

  TANDEM_HD StoredPairs(const Tree& a, const Tree& b) : a_(a), b_(b) {}

  TANDEM_HD bool leaf_a(const Pair& pair) const { return a_.is_leaf(pair.a); }
  TANDEM_HD bool leaf_b(const Pair& pair) const { return b_.is_leaf(pair.b); }
  TANDEM_HD double size_a(const Pair& pair) const { return a_.volume(pair.a).size(); }
  TANDEM_HD double size_b(const Pair& pair) const { return b_.volume(pair.b).size(); }
  TANDEM_HD int level_a(const Pair& pair) const { return a_.level(pair.a); }
  TANDEM_HD int level_b(const Pair& pair) const { return b_.level(pair.b); }

 protected:
  Tree a_;
  Tree b_;
};

/// The view of pairs: B's volume is brought into A's frame anew for each.
template <class Tree, OverlapTest<typename Tree::Volume> Overlap, class Observer>
class PairDescent : public StoredPairs<Tree> {
 public:
  using typename StoredPairs<Tree>::Pair;

  PairDescent(const Tree& a, const Tree& b, const Overlap& overlap, Observer& observer)
      : StoredPairs<Tree>(a, b), overlap_(overlap), observer_(observer) {}

  Pair root() const { return {0, 0}; }
  bool meets(const Pair& pair) const {
    return overlaps(this->a_, pair.a, this->b_, pair.b, overlap_, observer_);
  }
  template <class Visit>
  Flow children_a(const Pair& pair, Visit visit) const {
    return for_each_child(this->a_, pair.a, [&](std::uint32_t child) {
      return visit(Pair{child, pair.b});
    });
  }
  template <class Visit>
  Flow children_b(const Pair& pair, Visit visit) const {
    return for_each_child(this->b_, pair.b, [&](std::uint32_t child) {
      return visit(Pair{pair.a, child});
    });
  }
  template <class LeafPair>
  Flow leaves(const Pair& pair, LeafPair& leaf_pair) const {
    return leaf_pair(this->a_.triangle(pair.a), this->b_.triangle(pair.b));
  }
  std::size_t waiting_bound() const { return this->a_.sibling_bound() + this->b_.sibling_bound(); }

 private:
  const Overlap& overlap_;
  Observer& observer_;
};

/// The view of nodes: a node of B carries its volume in A's frame.
template <class Tree, OverlapTest<typename Tree::Volume> Overlap, class Observer>
class NodeDescent {
 public:
  using NodeA = std::uint32_t;
  struct NodeB {
    std::uint32_t node;
    std::remove_cvref_t<typename Overlap::Tumbled> volume;
  };

  NodeDescent(const Tree& a, const Tree& b, const Overlap& overlap, Observer& observer)
      : a_(a), b_(b), overlap_(overlap), observer_(observer) {}

  NodeA root_a() const { return 0; }
  NodeB root_b() const { return tumble(0); }
  bool leaf_a(NodeA a) const { return a_.is_leaf(a); }
  bool leaf_b(const NodeB& b) const { return b_.is_leaf(b.node); }

  template <class Visit>
  Flow children_a(NodeA a, Visit visit) const {
    return for_each_child(a_, a, visit);
  }
  template <class Visit>
  Flow children_b(const NodeB& b, Visit visit) const {
    return descendants_b(b, 1, visit);
  }
  /// The nodes `levels` below a node, and the leaves above that; the levels between are skipped.
  template <class Visit>
  Flow descendants_b(const NodeB& b, int levels, Visit visit) const {
    return below(b.node, levels, visit);
  }

  bool meets(NodeA a, const NodeB& b) const {
    observer_.iteration(a, b.node);
    const bool leaves = leaf_a(a) && leaf_b(b);
    if ((!leaves || Overlap::k_tests_leaves) && !overlap_(a_.volume(a), b.volume)) return false;
    observer_.overlap();
    if (leaves) observer_.leaf_overlap();
    return true;
  }
  template <class LeafPair>
  Flow leaves(NodeA a, const NodeB& b, LeafPair& leaf_pair) const {
    return leaf_pair(a_.triangle(a), b_.triangle(b.node));
  }

 private:
  template <class Visit>
  Flow below(std::uint32_t node, int levels, Visit& visit) const {
    return for_each_child(b_, node, [&](std::uint32_t child) {
      if (levels == 1 || b_.is_leaf(child)) return visit(tumble(child));
      return below(child, levels - 1, visit);
    });
  }

  /// The one place where a volume of B is brought into A's frame.
  NodeB tumble(std::uint32_t node) const {
    if constexpr (Overlap::k_tumbles) observer_.tumbled();
    return {node, overlap_.tumble(b_.volume(node))};
  }

  Tree a_;
  Tree b_;
  const Overlap& overlap_;
  Observer& observer_;
};

}  // namespace tandem::detail
