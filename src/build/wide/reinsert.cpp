#include "build/wide/reinsert.h"

#include <algorithm>
#include <array>
#include <utility>

#include "build/wide/box4.h"
#include "parallel/parallel_for.h"
#include "tree/tree.h"

namespace tandem::detail {
namespace {

/// In each of up to three rounds, a third of the nodes is considered. A round ends early where only
/// one of 32 found a better place, and it is the last one if fewer than one of 16 did.
constexpr int k_rounds = 3;
constexpr std::size_t k_share = 3;
constexpr std::size_t k_few = 32;
constexpr std::size_t k_too_few = 16;

/// Places are looked for in batches, by all threads in a tree that stays as it is. Batches are
/// small at first, where nodes are large and moves change much: a quarter of what came before.
constexpr std::size_t k_batch = 512;
constexpr std::size_t k_grain = 32;

/// Parts have at most so many nodes.
constexpr std::uint32_t k_part_size = 2048;

Box4 merge(Box4 a, const Box4& b) {
  a.add(b);
  return a;
}

class Reinserter {
 public:
  Reinserter(const ClusterTree& clusters, int threads)
      : clusters_(clusters),
        threads_(threads),
        nodes_(clusters.nodes.size()),
        touched_(clusters.nodes.size()) {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const ClusterNode& node = clusters.nodes[i];
      nodes_[i].box = Box4(node.box);
      nodes_[i].area = nodes_[i].box.area();
      if (node.is_leaf()) continue;
      link(i, 0, node.first);
      link(i, 1, node.first + 1);
    }
  }

  /// The new nodes and parts; no nodes when the tree has become too deep.
  ClusterTree run() {
    for (int round = 0; round < k_rounds; ++round) {
      const std::vector<std::uint32_t> candidates = largest();
      if (move_all(candidates) < candidates.size() / k_too_few) break;
    }
    ClusterTree result;
    if (count_below(0, 0)) place(&result);
    return result;
  }

 private:
  struct alignas(64) Node {
    Box4 box;
    double area = 0;
    std::uint32_t parent = 0;
    /// How many nodes its subtree has.
    std::uint32_t below = 0;
    /// Both 0 for a leaf: the root is no node's child.
    std::uint32_t child[2] = {0, 0};

    bool is_leaf() const { return child[0] == 0; }
  };
  /// A node beside which to insert, and how much area that saves.
  struct Place {
    std::uint32_t at = 0;
    double gain = 0;
  };

  void link(std::uint32_t parent, int side, std::uint32_t child) {
    nodes_[parent].child[side] = child;
    nodes_[child].parent = parent;
  }
  int side_of(std::uint32_t node) const {
    return nodes_[nodes_[node].parent].child[0] == node ? 0 : 1;
  }
  std::uint32_t sibling(std::uint32_t node) const {
    return nodes_[nodes_[node].parent].child[1 - side_of(node)];
  }

  /// The nodes with the largest boxes, largest first, except the root and its children.
  std::vector<std::uint32_t> largest() const {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 1; i < nodes_.size(); ++i) {
      if (nodes_[i].parent != 0) order.push_back(i);
    }
    const auto by_area = [&](std::uint32_t a, std::uint32_t b) {
      return nodes_[a].area != nodes_[b].area ? nodes_[a].area > nodes_[b].area : a < b;
    };
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(order.size() / k_share);
    std::nth_element(order.begin(), end, order.end(), by_area);
    std::sort(order.begin(), end, by_area);
    order.erase(end, order.end());
    return order;
  }

  /// Returns how many were moved.
  std::size_t move_all(std::span<const std::uint32_t> candidates) {
    std::size_t moves = 0;
    for (std::size_t begin = 0; begin < candidates.size();) {
      const std::size_t most = std::clamp<std::size_t>(begin / 4, 1, k_batch);
      const std::span<const std::uint32_t> batch =
          candidates.subspan(begin, std::min(most, candidates.size() - begin));
      const std::size_t batch_moves = move_batch(batch);
      moves += batch_moves;
      begin += batch.size();
      if (batch.size() == k_batch && batch_moves < k_batch / k_few) break;
    }
    return moves;
  }

  std::size_t move_batch(std::span<const std::uint32_t> batch) {
    places_.resize(batch.size());
    parallel_for(batch.size(), k_grain, threads_, [&](std::size_t begin, std::size_t end) {
      std::vector<Place> waiting;
      for (std::size_t i = begin; i < end; ++i) places_[i] = find_place(batch[i], waiting);
    });
    ++batch_;
    std::size_t moves = 0;
    std::vector<Place> waiting;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (places_[i].gain <= 0) continue;
      const std::uint32_t node = batch[i];
      // An earlier move may have made it a child of the root; these are not moved.
      if (nodes_[node].parent == 0) continue;
      Place place = places_[i];
      if (is_outdated(node, place.at)) place = find_place(node, waiting);
      if (place.gain <= 0) continue;
      for (const std::uint32_t each : involved(node, place.at)) touched_[each] = batch_;
      move(node, place.at);
      ++moves;
    }
    return moves;
  }

  /// The nodes whose links a move changes.
  std::array<std::uint32_t, 6> involved(std::uint32_t node, std::uint32_t at) const {
    const std::uint32_t parent = nodes_[node].parent;
    return {node, parent, sibling(node), nodes_[parent].parent, at, nodes_[at].parent};
  }

  /// Whether moves of the same batch have changed what the place depends on: links around it, or
  /// that it is not below the node.
  bool is_outdated(std::uint32_t node, std::uint32_t at) const {
    const auto changed = involved(node, at);
    if (std::any_of(changed.begin(), changed.end(),
                    [&](std::uint32_t each) { return touched_[each] == batch_; })) {
      return true;
    }
    for (; at != 0; at = nodes_[at].parent) {
      if (at == node) return true;
    }
    return false;
  }

  /// Searches below one ancestor after the other, and skips subtrees in which nothing can be saved.
  Place find_place(std::uint32_t node, std::vector<Place>& waiting) const {
    const Box4 box = nodes_[node].box;
    const double own_area = nodes_[node].area;
    const std::uint32_t parent = nodes_[node].parent;
    Place best;
    double saved = nodes_[parent].area;
    std::uint32_t beside = sibling(node);
    std::uint32_t pivot = parent;
    Box4 pivot_box = nodes_[beside].box;
    while (true) {
      waiting.push_back({beside, saved});
      while (!waiting.empty()) {
        const Place here = waiting.back();
        waiting.pop_back();
        if (!(here.gain - own_area > best.gain)) continue;
        const Node& at = nodes_[here.at];
        const double merged = merge(at.box, box).area();
        if (here.gain - merged > best.gain) best = {here.at, here.gain - merged};
        // The difference first: it is exact enough where boxes are so large that nothing else
        // counts beside them.
        const double gain = here.gain - (merged - at.area);
        if (at.is_leaf() || !(gain - own_area > best.gain)) continue;
        for (const std::uint32_t child : at.child) waiting.push_back({child, gain});
      }
      // Without the node, the boxes of its ancestors shrink.
      if (pivot != parent) {
        pivot_box.add(nodes_[beside].box);
        saved += nodes_[pivot].area - pivot_box.area();
      }
      if (pivot == 0) break;
      beside = sibling(pivot);
      pivot = nodes_[pivot].parent;
    }
    return best.at == sibling(node) || best.at == parent ? Place{} : best;
  }

  /// Removes the node and inserts it beside `at`. Its old parent is reused as the new one.
  void move(std::uint32_t node, std::uint32_t at) {
    const std::uint32_t parent = nodes_[node].parent;
    const std::uint32_t grandparent = nodes_[parent].parent;
    link(grandparent, side_of(parent), sibling(node));
    refit(grandparent);
    link(nodes_[at].parent, side_of(at), parent);
    link(parent, 0, at);
    link(parent, 1, node);
    refit(parent);
  }

  void refit(std::uint32_t node) {
    while (true) {
      Node& n = nodes_[node];
      n.box = merge(nodes_[n.child[0]].box, nodes_[n.child[1]].box);
      n.area = n.box.area();
      if (node == 0) return;
      node = n.parent;
    }
  }

  /// Counts the nodes of each subtree. False when the tree has become too deep.
  bool count_below(std::uint32_t node, int level) {
    if (level > k_max_depth) return false;
    nodes_[node].below = 1;
    if (nodes_[node].is_leaf()) return true;
    for (const std::uint32_t child : nodes_[node].child) {
      if (!count_below(child, level + 1)) return false;
      nodes_[node].below += nodes_[child].below;
    }
    return true;
  }

  /// First the nodes above all parts, then one part after the other.
  void place(ClusterTree* result) const {
    result->nodes.reserve(nodes_.size());
    result->nodes.emplace_back();
    std::vector<Part> parts;
    place_above({0, 0}, result, &parts);
    for (const Part& part : parts) {
      result->parts.push_back(static_cast<std::uint32_t>(result->nodes.size()));
      place_all(part, result);
    }
  }

  /// A subtree, and where its root goes.
  struct Part {
    std::uint32_t root;
    std::uint32_t to;
  };

  void place_above(const Part& part, ClusterTree* result, std::vector<Part>* parts) const {
    if (nodes_[part.root].below <= k_part_size) {
      parts->push_back(part);
      return;
    }
    for (const Part& child : place_root(part, result)) place_above(child, result, parts);
  }
  void place_all(const Part& part, ClusterTree* result) const {
    if (nodes_[part.root].is_leaf()) {
      result->nodes[part.to] = clusters_.nodes[part.root];
      return;
    }
    for (const Part& child : place_root(part, result)) place_all(child, result);
  }
  std::array<Part, 2> place_root(const Part& part, ClusterTree* result) const {
    const Node& node = nodes_[part.root];
    const auto first = static_cast<std::uint32_t>(result->nodes.size());
    result->nodes[part.to] = {node.box.box(), first, 0};
    result->nodes.resize(result->nodes.size() + 2);
    return {Part{node.child[0], first}, Part{node.child[1], first + 1}};
  }

  const ClusterTree& clusters_;
  int threads_;
  std::vector<Node> nodes_;
  /// The last batch in which a node's links have changed.
  std::vector<std::uint32_t> touched_;
  std::uint32_t batch_ = 0;
  std::vector<Place> places_;
};

}  // namespace

ClusterTree reinsert(ClusterTree clusters, int threads) {
  if (clusters.nodes.size() < 8) return clusters;
  ClusterTree result = Reinserter(clusters, threads).run();
  if (result.nodes.empty()) return clusters;
  result.triangles = std::move(clusters.triangles);
  return result;
}

}  // namespace tandem::detail
