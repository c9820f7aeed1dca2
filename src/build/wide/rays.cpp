// Chooses which nodes of a binary tree become nodes and leaves of the wide tree, so that the
// expected cost of a ray is least (Ylitie, Karras and Laine 2017). For each binary node, from the
// bottom up, it computes the least cost of the subtree when it is represented by at most 1, 2, … 7
// wide nodes or leaves: its roots.
#include "build/wide/rays.h"

#include <algorithm>
#include <array>
#include <limits>

namespace tandem::detail {
namespace {

constexpr int k_width = WideRayNode::k_width;
constexpr int k_block_size = WideRayBlock::k_width;

// The costs of visiting a node and a leaf, relative to each other.
constexpr float k_node_cost = 1;
constexpr float k_leaf_cost = 0.5F;

class WideBuilder {
 public:
  WideBuilder(const Mesh& mesh, const TreeView<Aabb>& binary)
      : mesh_(mesh), binary_(binary), plans_(binary.node_count()) {
    // Backwards: in pre-order all descendants come after their ancestors.
    for (std::uint32_t node = binary.node_count(); node-- > 0;) make_plan(node);
  }

  WideRayTree build() {
    if (!binary_.empty()) {
      // A float32 coordinate, so nothing is rounded.
      result_.set_largest_coordinate(static_cast<float>(binary_.volume(0).largest_coordinate()));
      place(0);
    }
    return std::move(result_);
  }

 private:
  /// cost[i] is the least cost of a subtree with at most i + 1 roots. A single root is a leaf or a
  /// node.
  struct Plan {
    std::array<float, k_width - 1> cost;
    std::uint32_t triangle_count;
    bool as_leaf;
  };

  static float area(const Aabb& box) {
    const Vec3d sides = Vec3d(box.upper) - Vec3d(box.lower);
    return static_cast<float>(sides.x * sides.y + sides.y * sides.z + sides.z * sides.x);
  }

  std::uint32_t left(std::uint32_t node) const { return binary_.first_child(node); }
  std::uint32_t right(std::uint32_t node) const { return binary_.escape_index(left(node)); }
  float cost(std::uint32_t node, int roots) const { return plans_[node].cost[roots - 1]; }

  /// The best division of `roots` among the two children: how many the left one gets.
  int best_share(std::uint32_t node, int roots, float* least) const {
    int best = 0;
    *least = std::numeric_limits<float>::infinity();
    for (int share = std::max(1, roots - (k_width - 1)); share < std::min(roots, k_width);
         ++share) {
      const float sum = cost(left(node), share) + cost(right(node), roots - share);
      if (sum < *least || best == 0) {
        *least = sum;
        best = share;
      }
    }
    return best;
  }

  void make_plan(std::uint32_t node) {
    Plan& plan = plans_[node];
    const float size = area(binary_.volume(node));
    if (binary_.is_leaf(node)) {
      plan.triangle_count = 1;
      plan.as_leaf = true;
      plan.cost.fill(size * k_leaf_cost);
      return;
    }
    plan.triangle_count = plans_[left(node)].triangle_count + plans_[right(node)].triangle_count;
    float as_node = 0;
    best_share(node, k_width, &as_node);
    as_node += size * k_node_cost;
    const float as_leaf = size * k_leaf_cost;
    plan.as_leaf = plan.triangle_count <= k_block_size && as_leaf <= as_node;
    plan.cost[0] = plan.as_leaf ? as_leaf : as_node;
    for (int roots = 2; roots < k_width; ++roots) {
      float distributed = 0;
      best_share(node, roots, &distributed);
      plan.cost[roots - 1] = std::min(distributed, plan.cost[roots - 2]);
    }
  }

  /// Appends the roots of a subtree when it may have up to `roots` of them.
  void collect(std::uint32_t node, int roots, std::vector<std::uint32_t>* children) const {
    while (roots > 1 && roots < k_width && cost(node, roots) == cost(node, roots - 1)) --roots;
    if (roots == 1 || binary_.is_leaf(node)) {
      children->push_back(node);
      return;
    }
    float least = 0;
    const int share = best_share(node, roots, &least);
    collect(left(node), share, children);
    collect(right(node), roots - share, children);
  }

  std::uint32_t place(std::uint32_t binary_node) {
    std::vector<std::uint32_t> children;
    if (plans_[binary_node].as_leaf) {
      children.push_back(binary_node);  // only the root of a small mesh
    } else {
      collect(binary_node, k_width, &children);
    }
    WideRayNode node{};
    std::fill_n(&node.bound[0][0], 3 * k_width, std::numeric_limits<float>::infinity());
    std::fill_n(&node.bound[3][0], 3 * k_width, -std::numeric_limits<float>::infinity());
    node.child_count = static_cast<std::uint32_t>(children.size());
    const std::uint32_t link = result_.append(node);
    for (std::size_t i = 0; i < children.size(); ++i) {
      const Aabb& box = binary_.volume(children[i]);
      for (int axis = 0; axis < 3; ++axis) {
        node.bound[axis][i] = box.lower[axis];
        node.bound[3 + axis][i] = box.upper[axis];
      }
      // Leaves are placed first, so that they lie beside their node.
      if (plans_[children[i]].as_leaf) node.child[i] = place_block(children[i]);
    }
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (!plans_[children[i]].as_leaf) node.child[i] = place(children[i]);
    }
    result_.replace(link, node);
    return link;
  }

  std::uint32_t place_block(std::uint32_t binary_node) {
    WideRayBlock block{};
    std::fill_n(&block.corner[0][0][0], 9 * k_block_size, std::numeric_limits<float>::quiet_NaN());
    const std::uint32_t end = binary_.escape_index(binary_node);
    for (std::uint32_t node = binary_node; node != end; ++node) {
      if (!binary_.is_leaf(node)) continue;
      const std::uint32_t lane = block.count++;
      block.id[lane] = binary_.triangle(node);
      const TriangleF triangle = mesh_.triangle(block.id[lane]);
      for (int axis = 0; axis < 3; ++axis) {
        for (int k = 0; k < 3; ++k) block.corner[axis][k][lane] = triangle.corner[k][axis];
      }
    }
    return result_.append(block) | WideRayTreeView::k_leaf_bit;
  }

  const Mesh& mesh_;
  TreeView<Aabb> binary_;
  std::vector<Plan> plans_;
  WideRayTree result_;
};

}  // namespace

WideRayTree build_wide_rays(const Mesh& mesh, const TreeView<Aabb>& binary) {
  return WideBuilder(mesh, binary).build();
}

}  // namespace tandem::detail
