// Checks every invariant of a tree of pairs.
#pragma once

#include <gtest/gtest.h>
#include <tandem/mesh.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tree/ray_pairs.h"
#include "tree/tree.h"
#include "volume/aabb.h"

namespace tandem::test {

/// Goes through the tree from the root, and fails the test where something is wrong.
class RayPairCheck {
 public:
  RayPairCheck(const detail::RayPairView& tree, const Mesh& mesh)
      : tree_(tree), mesh_(mesh), seen_(mesh.triangle_count()) {}

  void run() {
    if (mesh_.empty()) {
      EXPECT_TRUE(tree_.empty());
      return;
    }
    ASSERT_FALSE(tree_.empty());
    const detail::Aabb box = check_node(0, detail::RayPairView::k_none, 0);
    EXPECT_EQ(tree_.largest_coordinate(), static_cast<float>(box.largest_coordinate()));
    EXPECT_EQ(seen_, std::vector<int>(mesh_.triangle_count(), 1));
  }

 private:
  using View = detail::RayPairView;

  /// The box of all triangles below.
  detail::Aabb check_node(std::uint32_t index, std::uint32_t parent, int level) {
    EXPECT_LT(index, tree_.node_count);
    EXPECT_LT(level, detail::k_max_depth);
    const detail::RayPairNode& node = tree_.nodes[index];
    EXPECT_EQ(node.parent, parent);
    detail::Aabb all = check_child(node, 0, index, level);
    if (node.child[1] == View::k_none) {
      // The root of a mesh that fits into one leaf.
      EXPECT_EQ(index, 0u);
      EXPECT_TRUE(View::is_leaf(node.child[0]));
      for (const float half : node.half[1]) EXPECT_LT(half, 0);
      return all;
    }
    return detail::Aabb::merge(all, check_child(node, 1, index, level));
  }

  detail::Aabb check_child(const detail::RayPairNode& node, int side, std::uint32_t index,
                           int level) {
    const std::uint32_t link = node.child[side];
    const detail::Aabb box =
        View::is_leaf(link) ? check_leaf(link, index) : check_node(link, index, level + 1);
    for (int axis = 0; axis < 3; ++axis) {
      // By the margin that the tests of boxes need.
      const double size = std::max(std::abs(box.lower[axis]), std::abs(box.upper[axis]));
      const double margin = 7.9 * 0x1p-24 * size;
      const double centre = node.centre[side][axis];
      EXPECT_LE(centre - node.half[side][axis], box.lower[axis] - margin);
      EXPECT_GE(centre + node.half[side][axis], box.upper[axis] + margin);
    }
    return box;
  }

  detail::Aabb check_leaf(std::uint32_t link, std::uint32_t parent) {
    const std::uint32_t first = View::first_triangle(link);
    const std::uint32_t count = View::triangle_count_of(link);
    EXPECT_LE(first + count, tree_.triangle_count);
    EXPECT_EQ(tree_.triangles[first].parent, parent);
    std::vector<Vec3f> corners;
    for (std::uint32_t i = 0; i < count; ++i) {
      const detail::RayPairTriangle& triangle = tree_.triangles[first + i];
      EXPECT_EQ(triangle.leaf_size, i == 0 ? count : 0);
      const TriangleF expected = mesh_.triangle(triangle.id);
      ++seen_[triangle.id];
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(triangle.corners.corner[k], expected.corner[k]);
        corners.push_back(expected.corner[k]);
      }
    }
    return detail::Aabb::fit(corners);
  }

  detail::RayPairView tree_;
  const Mesh& mesh_;
  std::vector<int> seen_;
};

inline void check_ray_pairs(const detail::RayPairView& tree, const Mesh& mesh) {
  RayPairCheck(tree, mesh).run();
}

}  // namespace tandem::test
