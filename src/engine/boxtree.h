// Boxtrees: their boxes exist only on the way down.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "build/builders.h"
#include "engine/build_choices.h"
#include "engine/tandem_engine.h"
#include "structure/boxtree.h"
#include "traverse/tandem/boxtree_descent.h"
#include "traverse/tandem/list.h"
#include "volume/restricted_overlap.h"

namespace tandem::detail {

/// Two boxtrees of one layout that meet.
template <class Boxtree, class Test>
class BoxtreePair {
 public:
  // Out of line: one copy serves all traversals.
  [[gnu::noinline]] explicit BoxtreePair(const TandemQuery& query)
      : a_(query.a.get<Boxtree>().view()),
        b_(query.b.get<Boxtree>().view()),
        overlap_(query.b_in_a, a_.root_box(), b_.root_box()) {}

  int arity() const { return std::max(a_.arity(), b_.arity()); }

  template <class Observer>
  auto pairs(Observer& observer) const {
    return BoxtreeDescent(a_, b_, overlap_, observer);
  }
  template <class Observer>
  auto levelled_pairs(Observer& observer) const {
    return pairs(observer);
  }
  template <class Observer>
  auto nodes(Observer& observer) const {
    return pairs(observer);
  }

 private:
  typename Boxtree::View a_;
  typename Boxtree::View b_;
  Test overlap_;
};

template <class Boxtree>
struct BoxtreeOf {
  static constexpr std::string_view k_name = Boxtree::k_name;
  static constexpr std::string_view k_description = Boxtree::k_description;
  static constexpr std::size_t k_bytes_per_node = Boxtree::k_bytes_per_node;
  using Builders = BinaryBuilders;
  static constexpr BuildChoices k_choices{.least_arity = 2,
                                          .most_arity = Boxtree::k_binary ? 2 : 16,
                                          .boxtree = true,
                                          .leaf_size = Boxtree::k_binary};
  static constexpr Offer k_offers = Offer::pairs | Offer::levelled_pairs | Offer::nodes;
  static constexpr std::string_view k_default_traversal = ListPairs::k_name;
  using OverlapTests = RestrictedOverlapTests;
  template <class Test>
  using Trees = BoxtreePair<Boxtree, Test>;

  static void prepare(const Structures& structures, Offer, const Progress& progress) {
    structures.get<Boxtree>(progress);
  }
};

}  // namespace tandem::detail
