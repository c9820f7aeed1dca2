#include "build/reinsert.h"

#include <algorithm>
#include <numeric>

namespace tandem::detail {
namespace {

/// In each of three rounds, a sixth of the nodes is considered.
constexpr int k_rounds = 3;
constexpr std::size_t k_share = 6;

float area(const Aabb& box) {
  const Vec3d sides = Vec3d(box.upper) - Vec3d(box.lower);
  return static_cast<float>(sides.x * sides.y + sides.y * sides.z + sides.z * sides.x);
}

class Reinserter {
 public:
  explicit Reinserter(const TreeView<Aabb>& tree) : tree_(tree), nodes_(tree.node_count()) {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i].box = tree.volume(i);
      nodes_[i].area = area(nodes_[i].box);
      if (tree.is_leaf(i)) continue;
      const std::uint32_t left = tree.first_child(i);
      link(i, 0, left);
      link(i, 1, tree.escape_index(left));
    }
  }

  TreeShape run() {
    for (int round = 0; round < k_rounds; ++round) {
      for (const std::uint32_t node : largest()) {
        // An earlier move may have made it a child of the root; these are not moved.
        if (nodes_[node].parent == 0) continue;
        const Place best = find_place(node);
        if (best.gain > 0) move(node, best.at);
      }
    }
    TreeShape shape;
    shape.reserve(nodes_.size());
    return place(0, 0, &shape) ? shape : shape_of(tree_);
  }

 private:
  struct Node {
    Aabb box;
    float area;
    std::uint32_t parent = 0;
    /// Both 0 for a leaf: the root is no node's child.
    std::uint32_t child[2] = {0, 0};

    bool is_leaf() const { return child[0] == 0; }
  };
  /// A node beside which to insert, and how much area that saves.
  struct Place {
    std::uint32_t at = 0;
    float gain = 0;
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
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(order.size() / k_share);
    std::partial_sort(order.begin(), end, order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return nodes_[a].area != nodes_[b].area ? nodes_[a].area > nodes_[b].area : a < b;
    });
    order.erase(end, order.end());
    return order;
  }

  /// Searches below one ancestor after the other, and skips subtrees in which nothing can be saved.
  Place find_place(std::uint32_t node) {
    const Aabb& box = nodes_[node].box;
    const std::uint32_t parent = nodes_[node].parent;
    Place best;
    float saved = nodes_[parent].area;
    std::uint32_t beside = sibling(node);
    std::uint32_t pivot = parent;
    Aabb pivot_box = nodes_[beside].box;
    while (true) {
      waiting_.push_back({beside, saved});
      while (!waiting_.empty()) {
        const Place here = waiting_.back();
        waiting_.pop_back();
        if (here.gain - nodes_[node].area <= best.gain) continue;
        const float gain = here.gain - area(Aabb::merge(nodes_[here.at].box, box));
        if (gain > best.gain) best = {here.at, gain};
        if (nodes_[here.at].is_leaf()) continue;
        for (const std::uint32_t child : nodes_[here.at].child) {
          waiting_.push_back({child, gain + nodes_[here.at].area});
        }
      }
      // Without the node, the boxes of its ancestors shrink.
      if (pivot != parent) {
        pivot_box = Aabb::merge(pivot_box, nodes_[beside].box);
        saved += nodes_[pivot].area - area(pivot_box);
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
      n.box = Aabb::merge(nodes_[n.child[0]].box, nodes_[n.child[1]].box);
      n.area = area(n.box);
      if (node == 0) return;
      node = n.parent;
    }
  }

  /// False when the tree has become too deep.
  bool place(std::uint32_t node, int level, TreeShape* shape) const {
    if (level > k_max_depth) return false;
    if (nodes_[node].is_leaf()) {
      shape->push_back(Link::leaf(tree_.triangle(node)));
      return true;
    }
    const std::size_t index = shape->size();
    shape->push_back(Link::inner(0));
    for (const std::uint32_t child : nodes_[node].child) {
      if (!place(child, level + 1, shape)) return false;
    }
    (*shape)[index] = Link::inner(static_cast<std::uint32_t>(shape->size()));
    return true;
  }

  TreeView<Aabb> tree_;
  std::vector<Node> nodes_;
  std::vector<Place> waiting_;
};

}  // namespace

TreeShape reinsert(const TreeView<Aabb>& tree) {
  if (tree.node_count() < 8) return shape_of(tree);
  return Reinserter(tree).run();
}

}  // namespace tandem::detail
