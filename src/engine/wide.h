// Wide trees: the structure of the default engine.
#pragma once

#include <cstddef>
#include <string_view>

#include "build/wide/builders.h"
#include "engine/build_choices.h"
#include "engine/tandem_engine.h"
#include "structure/wide.h"
#include "traverse/wide/blocks.h"
#include "traverse/wide/roots.h"

namespace tandem::detail {

/// Boxes and slabs are tested in the kernels.
struct BoxesAndSlabs {
  static constexpr std::string_view k_name = "boxes-and-slabs";
  static constexpr std::string_view k_description = "boxes along A's axes, and a slab of each";
};

struct Wide {
  static constexpr std::string_view k_name = WideTree::k_name;
  static constexpr std::string_view k_description = WideTree::k_description;
  static constexpr std::size_t k_bytes_per_node = sizeof(NodeBlock) / k_block;
  using Builders = WideBuilders;
  static constexpr BuildChoices k_choices{.least_arity = k_block, .most_arity = k_block};
  static constexpr Offer k_offers = Offer::blocks;
  static constexpr std::string_view k_default_traversal = Blocks::k_name;
  using OverlapTests = TypeList<BoxesAndSlabs>;

  template <class Test>
  class Trees {
   public:
    explicit Trees(const TandemQuery& query)
        : a_(query.a.get<WideStructure>().view()),
          b_(query.b.get<WideStructure>().view()),
          b_in_a_(query.b_in_a),
          query_(query.self
                     ? (query.first_pair ? WideQuery::first_self_pair : WideQuery::all_self_pairs)
                 : query.first_pair ? WideQuery::first_pair
                                    : WideQuery::all_pairs),
          within_(query.within) {}

    int arity() const { return k_block; }
    const WideTreeView& wide_a() const { return a_; }
    const WideTreeView& wide_b() const { return b_; }
    const Pose& b_in_a() const { return b_in_a_; }
    WideQuery query() const { return query_; }
    double within() const { return within_; }

   private:
    const WideTreeView& a_;
    const WideTreeView& b_;
    const Pose& b_in_a_;
    WideQuery query_;
    double within_;
  };

  static bool apart(const TandemQuery& query) {
    return roots_apart(query.a.get<WideStructure>().view(), query.b.get<WideStructure>().view(),
                       query.b_in_a, query.within);
  }

  static void prepare(const Structures& structures, Offer, const Progress& progress) {
    structures.get<WideStructure>(progress);
  }
};

}  // namespace tandem::detail
