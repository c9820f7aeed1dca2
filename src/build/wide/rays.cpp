// The last step chooses which nodes of a binary tree become nodes and leaves of the wide tree, so
// that the expected cost of a ray is least (Ylitie, Karras and Laine 2017). For each binary node,
// from the bottom up, it computes the least cost of the subtree when it is represented by at most
// 1, 2, … 7 wide nodes or leaves: its roots.
#include "build/wide/rays.h"

#include <tandem/error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "build/wide/clusters.h"
#include "build/wide/ray_bounds.h"
#include "build/wide/reinsert.h"
#include "parallel/parallel_for.h"

namespace tandem::detail {
namespace {

constexpr int k_width = WideRayNode::k_width;
constexpr int k_block_size = WideRayBlock::k_width;

// The costs of visiting a node and a leaf, relative to each other.
constexpr double k_node_cost = 1;
constexpr double k_leaf_cost = 0.5;

/// Up to eight nodes of the binary tree that become children of one wide node.
struct Children {
  std::array<std::uint32_t, k_width> node;
  int count = 0;
};

class WideBuilder {
 public:
  WideBuilder(const Mesh& mesh, const ClusterTree& clusters, int threads)
      : mesh_(mesh), clusters_(clusters), threads_(threads), plans_(clusters.nodes.size()) {}

  WideRayTree build() {
    if (clusters_.nodes.empty()) return {};
    make_plans();
    // What lies above the parts is placed first. What lies below can be shared among threads once
    // it is known how many lines each subtree takes.
    std::vector<std::uint32_t> below;
    std::size_t line_count = count_lines(0, &below);
    std::vector<std::size_t> link(below.size());
    for_each(below.size(), [&](std::size_t i) { link[i] = count_lines(below[i], nullptr); });
    for (std::size_t& lines : link) line_count += std::exchange(lines, line_count);
    if (line_count > WideRayTreeView::k_leaf_bit) {
      throw Error("the triangles take " + std::to_string(line_count) +
                  " lines of memory in the structure ray-wide, which has room for " +
                  std::to_string(WideRayTreeView::k_leaf_bit));
    }
    result_.resize(line_count);
    // A float32 coordinate, so nothing is rounded.
    result_.set_largest_coordinate(static_cast<float>(clusters_.nodes[0].box.largest_coordinate()));
    Placement above{.end = 0, .below = link.data()};
    place(0, above);
    for_each(below.size(), [&](std::size_t i) {
      Placement part{.end = link[i], .below = nullptr};
      place(below[i], part);
    });
    return std::move(result_);
  }

 private:
  /// cost[i] is the least cost of a subtree with at most i + 1 roots. A single root is a leaf or a
  /// node.
  struct Plan {
    std::array<double, k_width - 1> cost;
    std::uint32_t triangle_count;
    bool as_leaf;
  };
  /// Where the next node or leaf goes. Above the parts: the links of the subtrees below, in the
  /// order in which they are met.
  struct Placement {
    std::size_t end;
    const std::size_t* below;
  };

  template <class Work>
  void for_each(std::size_t count, const Work& work) {
    parallel_for(count, 1, threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) work(i);
    });
  }

  bool is_leaf(std::uint32_t node) const { return clusters_.nodes[node].is_leaf(); }
  std::uint32_t left(std::uint32_t node) const { return clusters_.nodes[node].first; }
  std::uint32_t right(std::uint32_t node) const { return clusters_.nodes[node].first + 1; }
  /// Whether all below this node is in one part.
  bool is_in_part(std::uint32_t node) const {
    return !is_leaf(node) && left(node) >= clusters_.parts.front();
  }
  double cost(std::uint32_t node, int roots) const { return plans_[node].cost[roots - 1]; }

  /// The best division of `roots` among the two children: how many the left one gets.
  int best_share(std::uint32_t node, int roots, double* least) const {
    const Plan& left_plan = plans_[left(node)];
    const Plan& right_plan = plans_[right(node)];
    int best = 0;
    *least = std::numeric_limits<double>::infinity();
    for (int share = std::max(1, roots - (k_width - 1)); share < std::min(roots, k_width);
         ++share) {
      const double sum = left_plan.cost[share - 1] + right_plan.cost[roots - share - 1];
      if (sum < *least || best == 0) {
        *least = sum;
        best = share;
      }
    }
    return best;
  }

  void make_plans() {
    // Backwards: all descendants come after their ancestors.
    const auto make = [&](std::size_t begin, std::size_t end) {
      for (std::size_t node = end; node-- > begin;) make_plan(static_cast<std::uint32_t>(node));
    };
    const std::vector<std::uint32_t>& parts = clusters_.parts;
    for_each(parts.size(), [&](std::size_t i) {
      make(parts[i], i + 1 < parts.size() ? parts[i + 1] : plans_.size());
    });
    make(0, parts.front());
  }

  void make_plan(std::uint32_t node) {
    Plan& plan = plans_[node];
    const double size = half_area(clusters_.nodes[node].box);
    if (is_leaf(node)) {
      plan.triangle_count = clusters_.nodes[node].count;
      plan.as_leaf = true;
      plan.cost.fill(size * k_leaf_cost);
      return;
    }
    plan.triangle_count = plans_[left(node)].triangle_count + plans_[right(node)].triangle_count;
    double as_node = 0;
    best_share(node, k_width, &as_node);
    as_node += size * k_node_cost;
    const double as_leaf = size * k_leaf_cost;
    plan.as_leaf = plan.triangle_count <= k_block_size && as_leaf <= as_node;
    plan.cost[0] = plan.as_leaf ? as_leaf : as_node;
    for (int roots = 2; roots < k_width; ++roots) {
      double distributed = 0;
      best_share(node, roots, &distributed);
      plan.cost[roots - 1] = std::min(distributed, plan.cost[roots - 2]);
    }
  }

  /// Appends the roots of a subtree when it may have up to `roots` of them.
  void collect(std::uint32_t node, int roots, Children* children) const {
    while (roots > 1 && roots < k_width && cost(node, roots) == cost(node, roots - 1)) --roots;
    if (roots == 1 || is_leaf(node)) {
      children->node[children->count++] = node;
      return;
    }
    double least = 0;
    const int share = best_share(node, roots, &least);
    collect(left(node), share, children);
    collect(right(node), roots - share, children);
  }

  Children children_of(std::uint32_t node) const {
    Children children;
    if (plans_[node].as_leaf) {
      children.node[children.count++] = node;  // only the root of a small mesh
    } else {
      collect(node, k_width, &children);
    }
    return children;
  }

  /// How many lines the subtree takes; without those of subtrees of parts where these are listed.
  std::size_t count_lines(std::uint32_t node, std::vector<std::uint32_t>* below) const {
    std::size_t lines = WideRayTree::k_lines<WideRayNode>;
    const Children children = children_of(node);
    for (int i = 0; i < children.count; ++i) {
      const std::uint32_t child = children.node[i];
      if (plans_[child].as_leaf) {
        lines += WideRayTree::k_lines<WideRayBlock>;
      } else if (below != nullptr && is_in_part(child)) {
        below->push_back(child);
      } else {
        lines += count_lines(child, below);
      }
    }
    return lines;
  }

  std::uint32_t place(std::uint32_t binary_node, Placement& placement) {
    const Children children = children_of(binary_node);
    WideRayNode node{};
    std::fill_n(&node.bound[0][0], 3 * k_width, std::numeric_limits<float>::infinity());
    std::fill_n(&node.bound[3][0], 3 * k_width, -std::numeric_limits<float>::infinity());
    node.child_count = static_cast<std::uint32_t>(children.count);
    const std::size_t link = placement.end;
    placement.end += WideRayTree::k_lines<WideRayNode>;
    for (int i = 0; i < children.count; ++i) {
      const std::uint32_t child = children.node[i];
      store_bounds(clusters_.nodes[child].box, static_cast<std::uint32_t>(i), &node);
      // Leaves are placed first, so that they lie beside their node.
      if (plans_[child].as_leaf) node.child[i] = place_block(child, placement);
    }
    for (int i = 0; i < children.count; ++i) {
      const std::uint32_t child = children.node[i];
      if (plans_[child].as_leaf) continue;
      node.child[i] = placement.below != nullptr && is_in_part(child)
                          ? static_cast<std::uint32_t>(*placement.below++)
                          : place(child, placement);
    }
    result_.write(link, node);
    return static_cast<std::uint32_t>(link);
  }

  std::uint32_t place_block(std::uint32_t binary_node, Placement& placement) {
    WideRayBlock block{};
    std::fill_n(&block.corner[0][0][0], 9 * k_block_size, std::numeric_limits<float>::quiet_NaN());
    add_triangles(binary_node, &block);
    const std::size_t link = placement.end;
    placement.end += WideRayTree::k_lines<WideRayBlock>;
    result_.write(link, block);
    return static_cast<std::uint32_t>(link) | WideRayTreeView::k_leaf_bit;
  }

  void add_triangles(std::uint32_t binary_node, WideRayBlock* block) const {
    const ClusterNode& node = clusters_.nodes[binary_node];
    if (!node.is_leaf()) {
      add_triangles(node.first, block);
      add_triangles(node.first + 1, block);
      return;
    }
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const std::uint32_t lane = block->count++;
      block->id[lane] = clusters_.triangles[node.first + i];
      store_corners(mesh_.triangle(block->id[lane]), lane, block);
    }
  }

  const Mesh& mesh_;
  const ClusterTree& clusters_;
  int threads_;
  std::vector<Plan> plans_;
  WideRayTree result_;
};

}  // namespace

WideRayTree build_wide_rays(const Mesh& mesh, std::string_view builder, int threads,
                            const Progress& progress) {
  ClusterTree clusters = build_clusters(mesh, k_block_size, threads);
  if (progress) progress(0.6);
  if (builder != RayFast::k_name) clusters = reinsert(std::move(clusters), threads);
  if (progress) progress(0.9);
  return WideBuilder(mesh, clusters, threads).build();
}

}  // namespace tandem::detail
