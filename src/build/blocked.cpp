#include "build/blocked.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <limits>
#include <span>

#include "build/builders.h"
#include "build/wide/scaled_mesh.h"
#include "volume/aabb.h"
#include "volume/margin.h"
#include "volume/obb.h"

namespace tandem::detail {
namespace {

using Block = BlockedShape::Block;

/// Half sides along some axes around a centre, and what tests need beyond that
/// (gpu/blocked/overlap.h).
Vec3f half_sides(std::span<const Vec3f> points, const Vec3f& centre,
                 const std::array<Vec3f, 3>& axes) {
  Vec3d half{0, 0, 0};
  double farthest = 0;
  for (int k = 0; k < 3; ++k) farthest = std::max(farthest, std::fabs(double{centre[k]}));
  for (const Vec3f& p : points) {
    const Vec3d d = Vec3d(p) - Vec3d(centre);
    for (int k = 0; k < 3; ++k) {
      half[k] = std::max(half[k], std::fabs(dot(Vec3d(axes[k]), d)));
      farthest = std::max(farthest, std::fabs(double{p[k]}));
    }
  }
  const double more =
      k_blocked_stretch * (half.x + half.y + half.z) + k_blocked_rounding * farthest + FLT_MIN;
  return {round_up(half.x + more), round_up(half.y + more), round_up(half.z + more)};
}

template <class V>
V fit(std::span<const Vec3f> points);

template <>
BlockedBox fit(std::span<const Vec3f> points) {
  const Aabb box = Aabb::fit(points);
  const Vec3f centre(0.5 * (Vec3d(box.lower) + Vec3d(box.upper)));
  return {centre, half_sides(points, centre, {Vec3f{1, 0, 0}, Vec3f{0, 1, 0}, Vec3f{0, 0, 1}})};
}

template <>
BlockedObb fit(std::span<const Vec3f> points) {
  const Obb box = Obb::fit(points);
  BlockedObb result{box.centre, {}, {}};
  for (int j = 0; j < 2; ++j) result.axis[j] = {box.axes[0][j], box.axes[1][j], box.axes[2][j]};
  result.half =
      half_sides(points, result.centre, {result.axis[0], result.axis[1], result.third_axis()});
  return result;
}

/// The triangles of a shape in the order of its leaves. Those below a block stand together.
class LeafOrder {
 public:
  explicit LeafOrder(const BlockedShape& shape) : shape_(shape), begin_(shape.blocks.size()) {
    end_.resize(begin_.size());
    if (!shape.blocks.empty()) place(0);
  }

  const std::vector<std::uint32_t>& triangles() const { return triangles_; }
  std::size_t begin(std::uint32_t block) const { return begin_[block]; }
  std::size_t end(std::uint32_t block) const { return end_[block]; }

 private:
  void place(std::uint32_t number) {
    const Block& block = shape_.blocks[number];
    begin_[number] = triangles_.size();
    for (std::uint32_t i = 0; i < block.count; ++i) {
      if (block.is_leaf) {
        triangles_.push_back(block.entry[i]);
      } else {
        place(block.entry[i]);
      }
    }
    end_[number] = triangles_.size();
  }

  const BlockedShape& shape_;
  std::vector<std::uint32_t> triangles_;
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> end_;
};

/// Makes blocks of a shape with up to four children per node.
class PlainBlocks {
 public:
  explicit PlainBlocks(const TreeShape& nodes) : nodes_(nodes) {}

  BlockedShape make() {
    if (!nodes_.empty()) add(0);
    return std::move(shape_);
  }

 private:
  /// Adds the block of a node's children, or of a leaf alone; returns its number.
  std::uint32_t add(std::uint32_t node) {
    const auto number = static_cast<std::uint32_t>(shape_.blocks.size());
    shape_.blocks.emplace_back();
    Block block;
    if (nodes_[node].is_leaf()) {
      block = {true, 1, {nodes_[node].triangle()}};
    } else {
      std::uint32_t children[k_blocked_nodes];
      block.is_leaf = true;
      for (std::uint32_t child = node + 1; child != nodes_[node].index();
           child = escape_index(nodes_, child)) {
        children[block.count++] = child;
        block.is_leaf = block.is_leaf && nodes_[child].is_leaf();
      }
      for (std::uint32_t i = 0; i < block.count; ++i) {
        block.entry[i] = block.is_leaf ? nodes_[children[i]].triangle() : add(children[i]);
      }
    }
    shape_.blocks[number] = block;
    return number;
  }

  const TreeShape& nodes_;
  BlockedShape shape_;
};

}  // namespace

BlockedShape plain_blocked_shape(const Mesh& mesh) {
  const TreeShape binary = SahBuilder::build(mesh, nullptr);
  return PlainBlocks(collapse(mesh, binary, k_blocked_nodes)).make();
}

BlockedShape full_blocked_shape(const WideTreeView& tree) {
  BlockedShape shape;
  if (tree.empty()) return shape;
  // A root with one child only is left out.
  int top = 0;
  while (top < tree.level_count && tree.level(top)->child_count == 1) ++top;
  const std::uint32_t left_out = tree.level_begin[top];
  for (int level = top; level < tree.level_count; ++level) {
    // Where the next level begins: the leaves behind the last one.
    const std::uint32_t next = tree.level_begin[level + 1] - left_out;
    for (std::uint32_t i = tree.level_begin[level]; i < tree.level_begin[level + 1]; ++i) {
      Block block{false, tree.blocks[i].child_count, {}};
      for (std::uint32_t k = 0; k < block.count; ++k) {
        block.entry[k] = next + tree.blocks[i].first_child + k;
      }
      shape.blocks.push_back(block);
    }
  }
  for (std::uint32_t leaf = 0; leaf < tree.leaf_count; ++leaf) {
    Block block{true, 0, {}};
    for (std::uint32_t k = 0; k < k_blocked_nodes; ++k) {
      const std::uint32_t id = tree.ids[k_block * leaf + k];
      if (id != k_no_triangle) block.entry[block.count++] = id;
    }
    shape.blocks.push_back(block);
  }
  return shape;
}

template <class V>
BlockedTree<V> fit_blocked(const Mesh& mesh, const BlockedShape& shape) {
  const ScaledMesh scaled(mesh);
  const LeafOrder order(shape);
  std::vector<Vec3f> corners;
  BlockedTree<V> tree;
  const MeshFrame& frame = scaled.frame();
  tree.units = {frame.exponent, frame.origin, frame.extent};
  for (const std::uint32_t id : order.triangles()) {
    tree.triangles.push_back({mesh.triangle(id), id, {}});
    for (const Float4& corner : scaled.triangle(id).corner) {
      corners.push_back({corner[0], corner[1], corner[2]});
    }
  }
  // Imaginary nodes enclose nothing.
  tree.quads.assign(shape.blocks.size() * k_blocked_nodes * V::k_quads, NodeQuad{0, 0, 0, 0});
  for (std::uint32_t number = 0; number < shape.blocks.size(); ++number) {
    const Block& block = shape.blocks[number];
    for (std::uint32_t i = 0; i < block.count; ++i) {
      const auto slot = static_cast<std::uint32_t>(order.begin(number) + i);
      const std::size_t begin = block.is_leaf ? slot : order.begin(block.entry[i]);
      const std::size_t end = block.is_leaf ? slot + 1 : order.end(block.entry[i]);
      const BlockedLink link = block.is_leaf ? BlockedLink{BlockedKind::leaf, slot}
                                             : BlockedLink{BlockedKind::inner, block.entry[i]};
      store_node(fit<V>(std::span(corners).subspan(3 * begin, 3 * (end - begin))), link,
                 tree.quads.data() + (k_blocked_nodes * number + i) * V::k_quads);
    }
  }
  return tree;
}

template BlockedTree<BlockedBox> fit_blocked(const Mesh& mesh, const BlockedShape& shape);
template BlockedTree<BlockedObb> fit_blocked(const Mesh& mesh, const BlockedShape& shape);

}  // namespace tandem::detail
