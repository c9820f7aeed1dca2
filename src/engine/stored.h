// Trees with a volume at each node: every traversal of trees walks them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "build/builders.h"
#include "engine/build_choices.h"
#include "engine/tandem_engine.h"
#include "structure/stored.h"
#include "traverse/tandem/descent.h"
#include "traverse/tandem/recursive.h"
#include "traverse/tandem/relative_obb_descent.h"

namespace tandem::detail {

/// Two trees of the volume V that meet.
template <BoundingVolume V, class Test>
class StoredTrees {
 public:
  // Out of line: one copy serves all traversals.
  [[gnu::noinline]] explicit StoredTrees(const TandemQuery& query)
      : a_(query.a),
        b_(query.b),
        lean_a_(a_.get<Tree<V>>().view()),
        lean_b_(b_.get<Tree<V>>().view()),
        overlap_(query.b_in_a, lean_a_.volume(0), lean_b_.volume(0)) {}

  int arity() const { return std::max(lean_a_.arity(), lean_b_.arity()); }
  const Test& overlap() const { return overlap_; }

  TreeView<V> lean_a() const { return lean_a_; }
  TreeView<V> lean_b() const { return lean_b_; }
  PreIndexedView<V> pre_indexed_a() const { return a_.get<PreIndexedTree<V>>().view(); }
  PreIndexedView<V> pre_indexed_b() const { return b_.get<PreIndexedTree<V>>().view(); }
  PostIndexedView<V> post_indexed_a() const { return a_.get<PostIndexedTree<V>>().view(); }
  PostIndexedView<V> post_indexed_b() const { return b_.get<PostIndexedTree<V>>().view(); }

  template <class Observer>
  auto pairs(Observer& observer) const {
    return PairDescent(lean_a_, lean_b_, overlap_, observer);
  }
  template <class Observer>
  auto levelled_pairs(Observer& observer) const {
    return PairDescent(pre_indexed_a(), pre_indexed_b(), overlap_, observer);
  }
  template <class Observer>
  auto nodes(Observer& observer) const {
    return NodeDescent(lean_a_, lean_b_, overlap_, observer);
  }

 private:
  const Structures& a_;
  const Structures& b_;
  TreeView<V> lean_a_;
  TreeView<V> lean_b_;
  Test overlap_;
};

template <BoundingVolume V>
struct Stored {
  static constexpr std::string_view k_name = V::k_name;
  static constexpr std::string_view k_description = V::k_description;
  static constexpr std::size_t k_bytes_per_node = sizeof(TreeNode<V>);
  using Builders = BinaryBuilders;
  static constexpr BuildChoices k_choices = k_any_arity;
  static constexpr Offer k_offers = Offer::pairs | Offer::levelled_pairs | Offer::nodes |
                                    Offer::lean | Offer::pre_indexed | Offer::post_indexed;
  static constexpr std::string_view k_default_traversal = Recursive::k_name;
  using OverlapTests = typename OverlapTestsOf<V>::Types;
  template <class Test>
  using Trees = StoredTrees<V, Test>;

  static void prepare(const Structures& structures, Offer needed, const Progress& progress) {
    structures.get<Tree<V>>(progress);
    if (has(Offer::levelled_pairs | Offer::pre_indexed, needed)) {
      structures.get<PreIndexedTree<V>>();
    }
    if (has(Offer::post_indexed, needed)) structures.get<PostIndexedTree<V>>();
  }
};

/// Two trees of relative oriented boxes: where the boxes stand is known only on the way down.
template <class Test>
class RelativeObbTrees {
 public:
  explicit RelativeObbTrees(const TandemQuery& query)
      : a_(query.a.get<RelativeObbTree>().view()),
        b_(query.b.get<RelativeObbTree>().view()),
        b_in_a_(query.b_in_a) {}

  int arity() const { return std::max(a_.arity(), b_.arity()); }

  template <class Observer>
  auto pairs(Observer& observer) const {
    return RelativeObbDescent(a_, b_, b_in_a_, observer);
  }
  template <class Observer>
  auto levelled_pairs(Observer& observer) const {
    return pairs(observer);
  }

 private:
  TreeView<Obb> a_;
  TreeView<Obb> b_;
  const Pose& b_in_a_;
};

struct RelativeObbs {
  static constexpr std::string_view k_name = RelativeObbTree::k_name;
  static constexpr std::string_view k_description = RelativeObbTree::k_description;
  static constexpr std::size_t k_bytes_per_node = sizeof(TreeNode<Obb>);
  using Builders = BinaryBuilders;
  static constexpr BuildChoices k_choices = k_any_arity;
  static constexpr Offer k_offers = Offer::pairs | Offer::levelled_pairs;
  static constexpr std::string_view k_default_traversal = Recursive::k_name;
  /// The same test, as part of what is passed down.
  using OverlapTests = OverlapTestsOf<Obb>::Types;
  template <class Test>
  using Trees = RelativeObbTrees<Test>;

  static void prepare(const Structures& structures, Offer, const Progress& progress) {
    structures.get<RelativeObbTree>(progress);
  }
};

}  // namespace tandem::detail
