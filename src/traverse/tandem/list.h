// The list traversal (collision chip paper, section 3.2): B's nodes, the tumbled ones, are visited
// depth first, each once, and each is tested against a list of A's nodes, the aligned ones, that
// its parent left over. So each of B's volumes is brought into A's frame exactly once.
//
// With `levels` m the nodes of B that lie m levels below a common ancestor are tested against a
// list together, so that the list is read once for all of them: m = 0 tests one node at a time, m =
// 1 siblings, and so on (footnote 1: 2^m nodes of a binary tree). The levels between are skipped.
#pragma once

#include <tandem/sink.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "traverse/tandem/offer.h"

namespace tandem::detail {

/// Gives `leaf_pair` every pair of leaves that the lists lead to, until it says stop.
template <class Descent, class LeafPair, class Observer>
class ListTraversal {
 public:
  using NodeA = typename Descent::NodeA;
  using NodeB = typename Descent::NodeB;

  ListTraversal(const Descent& descent, LeafPair& leaf_pair, Observer& observer, int levels)
      : descent_(descent), leaf_pair_(leaf_pair), observer_(observer), levels_(levels) {}

  Flow run() {
    list_.push_back(descent_.root_a());
    add_member(descent_.root_b());
    return visit_group(0, 1, 0, 1, 0);
  }

 private:
  using Mask = std::uint64_t;
  static constexpr std::size_t k_mask_bits = 64;

  /// Tests members_[first, last) against list_[begin, end), then goes down from each.
  Flow visit_group(std::size_t first, std::size_t last, std::size_t begin, std::size_t end,
                   int depth) {
    for (std::size_t chunk = first; chunk < last; chunk += k_mask_bits) {
      const std::size_t chunk_end = std::min(last, chunk + k_mask_bits);
      // Every member against every node of the list, which is read once.
      const std::size_t masks = masks_.size();
      for (std::size_t i = begin; i < end; ++i) {
        observer_.aligned_visit();
        Mask mask = 0;
        for (std::size_t m = chunk; m < chunk_end; ++m) {
          if (descent_.meets(list_[i], members_[m])) mask |= Mask{1} << (m - chunk);
        }
        masks_.push_back(mask);
      }
      // Down from each member, with the nodes that it met.
      for (std::size_t m = chunk; m < chunk_end; ++m) {
        const auto met = [&](std::size_t i) {
          return (masks_[masks + i - begin] >> (m - chunk) & 1) != 0;
        };
        const Flow flow = descent_.leaf_b(members_[m]) ? finish_leaf(m, begin, end, met)
                                                       : go_below(m, begin, end, met, depth);
        if (flow == Flow::stop) return Flow::stop;
      }
      masks_.resize(masks);
    }
    return Flow::go_on;
  }

  /// An inner node of B: what it met, one level down, is the list for the nodes below it. Leaves of
  /// A stay in the list.
  template <class Met>
  Flow go_below(std::size_t member, std::size_t begin, std::size_t end, Met met, int depth) {
    const std::size_t list_begin = list_.size();
    for (std::size_t i = begin; i < end; ++i) {
      if (!met(i)) continue;
      // A copy: the list may move while it grows.
      const NodeA node = list_[i];
      if (descent_.leaf_a(node)) {
        list_.push_back(node);
      } else {
        descent_.children_a(node, [&](const NodeA& child) {
          list_.push_back(child);
          return Flow::go_on;
        });
      }
    }
    const std::size_t list_end = list_.size();
    observer_.finished(depth);
    if (list_begin == list_end) return Flow::go_on;

    const std::size_t first = members_.size();
    const NodeB node = members_[member];
    Flow flow = Flow::go_on;
    if (levels_ == 0) {
      flow = descent_.children_b(node, [&](const NodeB& child) {
        add_member(child);
        const Flow below = visit_group(first, first + 1, list_begin, list_end, depth + 1);
        members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(first), members_.end());
        return below;
      });
    } else {
      descent_.descendants_b(node, levels_, [&](const NodeB& child) { return add_member(child); });
      flow = visit_group(first, members_.size(), list_begin, list_end, depth + 1);
      members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(first), members_.end());
    }
    list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(list_begin), list_.end());
    return flow;
  }

  /// A leaf of B, its transform kept, goes on down A's subtrees.
  template <class Met>
  Flow finish_leaf(std::size_t member, std::size_t begin, std::size_t end, Met met) {
    for (std::size_t i = begin; i < end; ++i) {
      if (met(i) && go_down_a(list_[i], members_[member]) == Flow::stop) return Flow::stop;
    }
    return Flow::go_on;
  }

  /// A leaf of B and a node of A that meet.
  Flow go_down_a(const NodeA& a, const NodeB& b) {
    if (descent_.leaf_a(a)) return descent_.leaves(a, b, leaf_pair_);
    return descent_.children_a(a, [&](const NodeA& child) {
      observer_.aligned_visit();
      return descent_.meets(child, b) ? go_down_a(child, b) : Flow::go_on;
    });
  }

  Flow add_member(const NodeB& node) {
    observer_.tumbled_visit();
    members_.push_back(node);
    return Flow::go_on;
  }

  const Descent& descent_;
  LeafPair& leaf_pair_;
  Observer& observer_;
  int levels_;
  // The stack of lists and what goes with it: those in use, one behind the other.
  std::vector<NodeA> list_;
  std::vector<NodeB> members_;
  std::vector<Mask> masks_;
};

/// `levels` as above.
template <int levels>
struct ListOf {
  static constexpr Offer k_needs = Offer::nodes;

  template <class Trees, class LeafPair, class Observer>
  static Flow run(const Trees& trees, LeafPair& leaf_pair, Observer& observer) {
    const auto descent = trees.nodes(observer);
    return ListTraversal(descent, leaf_pair, observer, levels).run();
  }
};

struct List : ListOf<0> {
  static constexpr std::string_view k_name = "list";
  static constexpr std::string_view k_description =
      "each node of B once, against a list of nodes of A";
};
struct ListPairs : ListOf<1> {
  static constexpr std::string_view k_name = "list-pairs";
  static constexpr std::string_view k_description = "the same for siblings of B together";
};
struct ListFours : ListOf<2> {
  static constexpr std::string_view k_name = "list-fours";
  static constexpr std::string_view k_description = "the same for grandchildren of B together";
};

}  // namespace tandem::detail
