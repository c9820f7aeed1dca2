// Two trees of relative oriented boxes as traversals that go down see them
// (traverse/tandem/descent.h): the view of pairs alone, for what is passed down belongs to a pair.
#pragma once

#include <tandem/sink.h>

#include <cstddef>
#include <cstdint>

#include "traverse/tandem/descent.h"
#include "tree/relative_obb.h"
#include "volume/relative_obb_overlap.h"

namespace tandem::detail {

template <class Observer>
class RelativeObbDescent {
 public:
  struct Pair {
    std::uint32_t a;
    std::uint32_t b;
    int level_a;
    int level_b;
    RelativePlace<> place;
  };

  RelativeObbDescent(const TreeView<Obb>& a, const TreeView<Obb>& b, const Pose& b_in_a,
                     Observer& observer)
      : a_(a), b_(b), root_{0, 0, 0, 0, {b_in_a, a.volume(0), b.volume(0)}}, observer_(observer) {}

  Pair root() const { return root_; }
  bool leaf_a(const Pair& pair) const { return a_.is_leaf(pair.a); }
  bool leaf_b(const Pair& pair) const { return b_.is_leaf(pair.b); }
  double size_a(const Pair& pair) const { return a_.volume(pair.a).size(); }
  double size_b(const Pair& pair) const { return b_.volume(pair.b).size(); }
  int level_a(const Pair& pair) const { return pair.level_a; }
  int level_b(const Pair& pair) const { return pair.level_b; }

  bool meets(const Pair& pair) const {
    observer_.iteration(pair.a, pair.b);
    if (!pair.place.overlap(a_.volume(pair.a), b_.volume(pair.b))) return false;
    observer_.overlap();
    return true;
  }
  template <class Visit>
  Flow children_a(const Pair& pair, Visit visit) const {
    return for_each_child(a_, pair.a, [&](std::uint32_t child) {
      observer_.tumbled();
      return visit(
          Pair{child, pair.b, pair.level_a + 1, pair.level_b, pair.place.down_a(a_.volume(child))});
    });
  }
  template <class Visit>
  Flow children_b(const Pair& pair, Visit visit) const {
    return for_each_child(b_, pair.b, [&](std::uint32_t child) {
      observer_.tumbled();
      return visit(
          Pair{pair.a, child, pair.level_a, pair.level_b + 1, pair.place.down_b(b_.volume(child))});
    });
  }
  template <class LeafPair>
  Flow leaves(const Pair& pair, LeafPair& leaf_pair) const {
    return leaf_pair(a_.triangle(pair.a), b_.triangle(pair.b));
  }
  std::size_t waiting_bound() const { return a_.sibling_bound() + b_.sibling_bound(); }

 private:
  TreeView<Obb> a_;
  TreeView<Obb> b_;
  Pair root_;
  Observer& observer_;
};

}  // namespace tandem::detail
