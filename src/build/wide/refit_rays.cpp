#include <cstdint>
#include <utility>

#include "build/wide/clusters.h"
#include "build/wide/ray_bounds.h"
#include "build/wide/refit.h"

namespace tandem::detail {
namespace {

class RayRefitter {
 public:
  RayRefitter(const WideRayTree& older, const Mesh& mesh) : older_(older.view()), mesh_(mesh) {}

  WideRayTree refit() {
    if (older_.empty()) return {};
    result_.resize(older_.line_count);
    // A float32 coordinate, so nothing is rounded.
    result_.set_largest_coordinate(static_cast<float>(fit_node(0).largest_coordinate()));
    return std::move(result_);
  }

 private:
  Aabb fit(std::uint32_t link) {
    return WideRayTreeView::is_leaf(link) ? fit_block(link) : fit_node(link);
  }

  Aabb fit_node(std::uint32_t link) {
    WideRayNode node = older_.node(link);
    Aabb all;
    for (std::uint32_t i = 0; i < node.child_count; ++i) {
      const Aabb box = fit(node.child[i]);
      all = i == 0 ? box : Aabb::merge(all, box);
      store_bounds(box, i, &node);
    }
    result_.write(link, node);
    return all;
  }

  Aabb fit_block(std::uint32_t link) {
    WideRayBlock block = older_.block(link);
    Aabb all;
    for (std::uint32_t lane = 0; lane < block.count; ++lane) {
      const TriangleF triangle = mesh_.triangle(block.id[lane]);
      store_corners(triangle, lane, &block);
      const Aabb box = Aabb::fit(triangle.corner);
      all = lane == 0 ? box : Aabb::merge(all, box);
    }
    result_.write(link & ~WideRayTreeView::k_leaf_bit, block);
    return all;
  }

  WideRayTreeView older_;
  const Mesh& mesh_;
  WideRayTree result_;
};

}  // namespace

WideRayTree refit_wide_rays(const WideRayTree& older, const Mesh& mesh) {
  return RayRefitter(older, mesh).refit();
}

namespace {

/// Of the boxes of a node's children.
double area_of_children(const WideRayNode& node) {
  double sum = 0;
  for (std::uint32_t i = 0; i < node.child_count; ++i) {
    sum += half_area({{node.bound[0][i], node.bound[1][i], node.bound[2][i]},
                      {node.bound[3][i], node.bound[4][i], node.bound[5][i]}});
  }
  return sum;
}

double area_below(const WideRayTreeView& tree, std::uint32_t link) {
  const WideRayNode& node = tree.node(link);
  double sum = area_of_children(node);
  for (std::uint32_t i = 0; i < node.child_count; ++i) {
    if (!WideRayTreeView::is_leaf(node.child[i])) sum += area_below(tree, node.child[i]);
  }
  return sum;
}

}  // namespace

double wide_cost(const WideRayTree& tree) {
  const WideRayTreeView view = tree.view();
  if (view.empty()) return 0;
  const double whole = area_of_children(view.node(0));
  return whole > 0 ? area_below(view, 0) / whole : 0;
}

}  // namespace tandem::detail
