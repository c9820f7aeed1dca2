#include "build/ray_pairs.h"

#include <tandem/error.h>

#include <string>
#include <utility>
#include <vector>

#include "build/ray_pair_parts.h"
#include "build/wide/clusters.h"
#include "build/wide/rays.h"
#include "build/wide/reinsert.h"

namespace tandem::detail {
namespace {

class PairBuilder {
 public:
  PairBuilder(const Mesh& mesh, const ClusterTree& clusters)
      : mesh_(mesh), clusters_(clusters), plans_(clusters.nodes.size()) {}

  RayPairTree build() {
    if (clusters_.nodes.empty()) return {};
    make_plans();
    triangles_.reserve(mesh_.triangle_count());
    if (plans_[0].as_leaf) {
      RayPairNode root{};
      root.parent = RayPairView::k_none;
      store_child(clusters_.nodes[0].box, place_leaf(0, 0), 0, &root);
      store_nothing(1, &root);
      nodes_.push_back(root);
    } else {
      place(0, RayPairView::k_none);
    }
    // A float32 coordinate, so nothing is rounded.
    nodes_[0].largest_coordinate = static_cast<float>(clusters_.nodes[0].box.largest_coordinate());
    return {std::move(nodes_), std::move(triangles_)};
  }

 private:
  /// What the subtree of a node becomes, and what it costs rays then.
  struct Plan {
    double cost;
    std::uint32_t triangle_count;
    bool as_leaf;
  };

  void make_plans() {
    // Backwards: all descendants come after their ancestors.
    for (std::size_t node = plans_.size(); node-- > 0;) {
      const ClusterNode& cluster = clusters_.nodes[node];
      const double size = half_area(cluster.box);
      Plan& plan = plans_[node];
      if (cluster.is_leaf()) {
        plan = {RayPairChoice::leaf_cost(size, cluster.count), cluster.count, true};
        continue;
      }
      const Plan& first = plans_[cluster.first];
      const Plan& second = plans_[cluster.first + 1];
      plan.triangle_count = first.triangle_count + second.triangle_count;
      const RayPairChoice choice(size, plan.triangle_count, first.cost, second.cost);
      plan.as_leaf = choice.as_leaf;
      plan.cost = choice.cost;
    }
  }

  /// Nodes stand in pre-order.
  std::uint32_t place(std::uint32_t cluster, std::uint32_t parent) {
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    nodes_[index].parent = parent;
    for (int side = 0; side < 2; ++side) {
      const std::uint32_t child = clusters_.nodes[cluster].first + static_cast<std::uint32_t>(side);
      const std::uint32_t link =
          plans_[child].as_leaf ? place_leaf(child, index) : place(child, index);
      store_child(clusters_.nodes[child].box, link, side, &nodes_[index]);
    }
    return index;
  }

  std::uint32_t place_leaf(std::uint32_t cluster, std::uint32_t parent) {
    const auto first = static_cast<std::uint32_t>(triangles_.size());
    add_triangles(cluster);
    const std::uint32_t count = static_cast<std::uint32_t>(triangles_.size()) - first;
    triangles_[first].parent = parent;
    triangles_[first].leaf_size = count;
    return RayPairView::leaf(first, count);
  }

  void add_triangles(std::uint32_t cluster) {
    const ClusterNode& node = clusters_.nodes[cluster];
    if (!node.is_leaf()) {
      add_triangles(node.first);
      add_triangles(node.first + 1);
      return;
    }
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const std::uint32_t id = clusters_.triangles[node.first + i];
      triangles_.push_back({.corners = mesh_.triangle(id), .id = id, .parent = 0, .leaf_size = 0});
    }
  }

  const Mesh& mesh_;
  const ClusterTree& clusters_;
  std::vector<Plan> plans_;
  std::vector<RayPairNode> nodes_;
  std::vector<RayPairTriangle> triangles_;
};

/// Fits boxes from the bottom up.
class PairRefitter {
 public:
  PairRefitter(const RayPairView& older, const Mesh& mesh)
      : mesh_(mesh),
        nodes_(older.nodes, older.nodes + older.node_count),
        triangles_(older.triangles, older.triangles + older.triangle_count) {}

  RayPairTree refit() {
    if (nodes_.empty()) return {};
    const Aabb all = fit_node(0);
    nodes_[0].largest_coordinate = static_cast<float>(all.largest_coordinate());
    return {std::move(nodes_), std::move(triangles_)};
  }

 private:
  Aabb fit_node(std::uint32_t index) {
    Aabb all = fit_child(index, 0);
    if (nodes_[index].child[1] != RayPairView::k_none) {
      all = Aabb::merge(all, fit_child(index, 1));
    }
    return all;
  }

  Aabb fit_child(std::uint32_t index, int side) {
    const std::uint32_t link = nodes_[index].child[side];
    const Aabb box = RayPairView::is_leaf(link) ? fit_leaf(link) : fit_node(link);
    store_child(box, link, side, &nodes_[index]);
    return box;
  }

  Aabb fit_leaf(std::uint32_t link) {
    const std::uint32_t first = RayPairView::first_triangle(link);
    Aabb all;
    for (std::uint32_t i = 0; i < RayPairView::triangle_count_of(link); ++i) {
      RayPairTriangle& triangle = triangles_[first + i];
      triangle.corners = mesh_.triangle(triangle.id);
      const Aabb box = Aabb::fit(triangle.corners.corner);
      all = i == 0 ? box : Aabb::merge(all, box);
    }
    return all;
  }

  const Mesh& mesh_;
  std::vector<RayPairNode> nodes_;
  std::vector<RayPairTriangle> triangles_;
};

/// Of the boxes of a node's children.
double area_of_children(const RayPairNode& node) {
  double sum = 0;
  for (int side = 0; side < 2; ++side) {
    const float* const half = node.half[side];
    if (node.child[side] == RayPairView::k_none) continue;
    sum += 4 * (double{half[0]} * half[1] + double{half[1]} * half[2] + double{half[2]} * half[0]);
  }
  return sum;
}

}  // namespace

RayPairTree refit_ray_pairs(const RayPairTree& older, const Mesh& mesh) {
  return PairRefitter(older.view(), mesh).refit();
}

double pair_cost(const RayPairTree& tree) {
  const RayPairView view = tree.view();
  if (view.empty()) return 0;
  double sum = 0;
  for (std::uint32_t i = 0; i < view.node_count; ++i) sum += area_of_children(view.nodes[i]);
  const double whole = area_of_children(view.nodes[0]);
  return whole > 0 ? sum / whole : 0;
}

RayPairTree build_ray_pairs(const Mesh& mesh, std::string_view builder, int threads,
                            const Progress& progress) {
  if (mesh.triangle_count() > RayPairView::k_most_triangles) {
    throw Error("the mesh has " + std::to_string(mesh.triangle_count()) +
                " triangles; the structure ray-pairs has room for " +
                std::to_string(RayPairView::k_most_triangles));
  }
  ClusterTree clusters = build_clusters(mesh, 1, threads);
  if (progress) progress(0.4);
  if (builder != RayFast::k_name) clusters = reinsert(std::move(clusters), threads);
  if (progress) progress(0.9);
  return PairBuilder(mesh, clusters).build();
}

}  // namespace tandem::detail
