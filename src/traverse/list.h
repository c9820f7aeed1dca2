// The list traversal (collision chip paper, section 3.2): B's nodes, the tumbled ones, are visited
// depth first, each once, and each is tested against a list of A's nodes, the aligned ones, that its
// parent left over. So each of B's volumes is brought into A's frame exactly once.
//
// With `levels` m the nodes of B that lie m levels below a common ancestor are tested against a list
// together, so that the list is read once for all of them: m = 0 takes one node at a time, m = 1
// siblings, and so on (footnote 1: 2^m nodes of a binary tree). The levels between are skipped.
#pragma once

#include <tandem/query.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "traverse/overlaps.h"
#include "volume/bounding_volume.h"

namespace tandem::detail {

template <class Tree, OverlapTest<typename Tree::Volume> Overlap, class LeafPair, class Observer>
class ListTraversal {
 public:
  ListTraversal(const Tree& a, const Tree& b, const Overlap& overlap, LeafPair& leaf_pair,
                Observer& observer, int levels)
      : a_(a),
        b_(b),
        overlap_(overlap),
        leaf_pair_(leaf_pair),
        observer_(observer),
        levels_(levels) {}

  Flow run() {
    list_.push_back(0);
    tumble(0);
    return visit_group(0, 1, 0, 1, 0);
  }

 private:
  /// A node of B in A's frame.
  struct Member {
    std::uint32_t node;
    std::remove_cvref_t<typename Overlap::Tumbled> volume;
  };
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
          if (meets(list_[i], members_[m])) mask |= Mask{1} << (m - chunk);
        }
        masks_.push_back(mask);
      }
      // Down from each member, with the nodes that it met.
      for (std::size_t m = chunk; m < chunk_end; ++m) {
        const auto met = [&](std::size_t i) {
          return (masks_[masks + i - begin] >> (m - chunk) & 1) != 0;
        };
        const Flow flow = b_.is_leaf(members_[m].node) ? finish_leaf(m, begin, end, met)
                                                       : go_below(m, begin, end, met, depth);
        if (flow == Flow::stop) return Flow::stop;
      }
      masks_.resize(masks);
    }
    return Flow::go_on;
  }

  bool meets(std::uint32_t node_a, const Member& member) {
    return overlaps_tumbled(a_, node_a, b_, member.node, member.volume, overlap_, observer_);
  }

  /// An inner node of B: what it met, one level down, is the list for the nodes below it. Leaves of
  /// A stay in the list.
  template <class Met>
  Flow go_below(std::size_t member, std::size_t begin, std::size_t end, Met met, int depth) {
    const std::size_t list_begin = list_.size();
    for (std::size_t i = begin; i < end; ++i) {
      if (!met(i)) continue;
      const std::uint32_t node = list_[i];
      if (a_.is_leaf(node)) {
        list_.push_back(node);
      } else {
        for_each_child(a_, node, [&](std::uint32_t child) { list_.push_back(child); });
      }
    }
    const std::size_t list_end = list_.size();
    observer_.finished(depth);
    if (list_begin == list_end) return Flow::go_on;

    const std::size_t first = members_.size();
    Flow flow = Flow::go_on;
    if (levels_ == 0) {
      for_each_child(b_, members_[member].node, [&](std::uint32_t child) {
        if (flow == Flow::stop) return;
        tumble(child);
        flow = visit_group(first, first + 1, list_begin, list_end, depth + 1);
        members_.resize(first);
      });
    } else {
      gather(members_[member].node, levels_);
      flow = visit_group(first, members_.size(), list_begin, list_end, depth + 1);
      members_.resize(first);
    }
    list_.resize(list_begin);
    return flow;
  }

  /// A leaf of B, its transform kept, goes on down A's subtrees, along escape indices.
  template <class Met>
  Flow finish_leaf(std::size_t member, std::size_t begin, std::size_t end, Met met) {
    const std::uint32_t triangle_b = b_.triangle(members_[member].node);
    for (std::size_t i = begin; i < end; ++i) {
      if (!met(i)) continue;
      const std::uint32_t top = list_[i];
      if (a_.is_leaf(top)) {
        if (leaf_pair_(a_.triangle(top), triangle_b) == Flow::stop) return Flow::stop;
        continue;
      }
      const std::uint32_t stop = a_.escape_index(top);
      for (std::uint32_t node = a_.first_child(top); node != stop;) {
        observer_.aligned_visit();
        if (!meets(node, members_[member])) {
          node = a_.escape_index(node);
        } else if (!a_.is_leaf(node)) {
          node = a_.first_child(node);
        } else {
          if (leaf_pair_(a_.triangle(node), triangle_b) == Flow::stop) return Flow::stop;
          node = a_.escape_index(node);
        }
      }
    }
    return Flow::go_on;
  }

  /// The nodes `levels` below `node`, or the leaves above that, become members.
  void gather(std::uint32_t node, int levels) {
    if (levels == 0 || b_.is_leaf(node)) {
      tumble(node);
      return;
    }
    for_each_child(b_, node, [&](std::uint32_t child) { gather(child, levels - 1); });
  }

  /// The one place where a volume of B is brought into A's frame.
  void tumble(std::uint32_t node) {
    observer_.tumbled_visit();
    if constexpr (Overlap::k_tumbles) observer_.tumbled();
    members_.push_back({node, overlap_.tumble(b_.volume(node))});
  }

  template <class Visit>
  static void for_each_child(const Tree& tree, std::uint32_t node, Visit visit) {
    const std::uint32_t stop = tree.escape_index(node);
    for (std::uint32_t child = tree.first_child(node); child != stop;
         child = tree.escape_index(child)) {
      visit(child);
    }
  }

  const Tree& a_;
  const Tree& b_;
  const Overlap& overlap_;
  LeafPair& leaf_pair_;
  Observer& observer_;
  int levels_;
  // The stack of lists and what goes with it: those in use, one behind the other.
  std::vector<std::uint32_t> list_;
  std::vector<Member> members_;
  std::vector<Mask> masks_;
};

/// Calls `leaf_pair(triangle_of_a, triangle_of_b)` for every pair of leaves that the lists lead to,
/// until it says stop.
template <class Tree, OverlapTest<typename Tree::Volume> Overlap, class LeafPair, class Observer>
Flow traverse_list(const Tree& a, const Tree& b, const Overlap& overlap, LeafPair& leaf_pair,
                   Observer& observer, int levels) {
  if (a.empty() || b.empty()) return Flow::go_on;
  return ListTraversal(a, b, overlap, leaf_pair, observer, levels).run();
}

}  // namespace tandem::detail
