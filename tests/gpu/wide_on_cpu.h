// Wide trees that the kernels build on the CPU, for tests.
#pragma once

#include <tandem/cuda/collide.h>
#include <tandem/mesh.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "gpu/build_wide.h"
#include "gpu/on_cpu.h"
#include "tree/wide/tree.h"

namespace tandem::test {

/// Wide trees that the kernels make of meshes, none of which is empty.
class WideTreesByKernels {
 public:
  WideTreesByKernels(std::span<const Mesh> meshes, std::uint64_t seed,
                     cuda::ColliderBuilder how = cuda::ColliderBuilder::bisection)
      : on_(seed) {
    detail::CurveKeyBits bits;
    for (const Mesh& mesh : meshes) {
      const auto count = static_cast<std::uint32_t>(mesh.triangle_count());
      starts_.push_back({static_cast<std::uint32_t>(triangles_.size()),
                         static_cast<std::uint32_t>(vertices_.size())});
      vertices_.insert(vertices_.end(), mesh.vertices().begin(), mesh.vertices().end());
      triangles_.insert(triangles_.end(), mesh.triangles().begin(), mesh.triangles().end());
      layout_.add(count);
      bits.add(count);
    }
    starts_.push_back({static_cast<std::uint32_t>(triangles_.size()),
                       static_cast<std::uint32_t>(vertices_.size())});
    if (meshes.size() > 1) bits.mesh = static_cast<int>(std::bit_width(meshes.size() - 1));
    blocks_.resize(layout_.end.first_block);
    boxes_.resize(layout_.end.first_leaf);
    corners_.resize(layout_.end.first_slot());
    ids_.resize(layout_.end.first_slot());
    frames_.resize(meshes.size());
    supports_.resize(detail::SupportMap::k_size * meshes.size());
    in_order_.resize(triangles_.size());
    builder(triangles_).build(bits, how, in_order_.data());
  }

  /// Fits the trees to new positions of all vertices, mesh by mesh.
  void refit(std::vector<Vec3f> vertices) {
    vertices_ = std::move(vertices);
    builder(in_order_).refit();
  }

  const std::vector<Vec3f>& vertices() const { return vertices_; }
  const detail::WideLayout& layout() const { return layout_; }
  detail::WideParts parts() const {
    return {layout_.parts.data(), static_cast<std::uint32_t>(layout_.parts.size())};
  }
  /// With their triangles in the order of slots.
  detail::DeviceMeshes meshes() const { return meshes(in_order_); }
  detail::DeviceWideTrees trees() {
    return {blocks_.data(), boxes_.data(),  corners_.data(),
            ids_.data(),    frames_.data(), supports_.data()};
  }

  detail::WideTree tree(std::size_t mesh) const {
    const detail::WidePart& part = layout_.parts[mesh];
    const std::size_t block_count = part.levels.block_count();
    const std::size_t leaf_count = part.levels.leaf_count();
    const std::size_t slot_count = detail::k_block * leaf_count;
    detail::WideTree tree;
    tree.blocks.resize(block_count);
    tree.boxes.resize(leaf_count);
    tree.corners.resize(slot_count);
    tree.ids.resize(slot_count);
    tree.support.resize(detail::SupportMap::k_size);
    std::copy_n(blocks_.data() + part.first_block, block_count, tree.blocks.data());
    std::copy_n(boxes_.data() + part.first_leaf, leaf_count, tree.boxes.data());
    std::copy_n(corners_.data() + part.first_slot(), slot_count, tree.corners.data());
    std::copy_n(ids_.data() + part.first_slot(), slot_count, tree.ids.data());
    std::copy_n(supports_.data() + detail::SupportMap::k_size * mesh, tree.support.size(),
                tree.support.data());
    tree.level_count = part.levels.count;
    std::copy(std::begin(part.levels.begin), std::end(part.levels.begin), tree.level_begin);
    frames_[mesh].put_into(tree);
    return tree;
  }

 private:
  detail::DeviceMeshes meshes(const std::vector<TriangleIndices>& triangles) const {
    return {vertices_.data(), triangles.data(), static_cast<std::uint32_t>(triangles.size()),
            starts_.data(), static_cast<std::uint32_t>(starts_.size() - 1)};
  }
  detail::WideTreeBuilder<OnCpu> builder(const std::vector<TriangleIndices>& triangles) {
    return {on_, meshes(triangles), layout_, layout_.parts.data(), trees()};
  }

  OnCpu on_;
  std::vector<Vec3f> vertices_;
  std::vector<TriangleIndices> triangles_;
  std::vector<TriangleIndices> in_order_;
  std::vector<detail::MeshStart> starts_;
  detail::WideLayout layout_;
  std::vector<detail::NodeBlock> blocks_;
  std::vector<detail::BoxBlock> boxes_;
  std::vector<detail::CornerRow> corners_;
  std::vector<std::uint32_t> ids_;
  std::vector<detail::MeshFrame> frames_;
  std::vector<float> supports_;
};

/// The tree of a mesh that is not empty.
inline detail::WideTree wide_tree_by_kernels(
    const Mesh& mesh, std::uint64_t seed,
    cuda::ColliderBuilder how = cuda::ColliderBuilder::bisection) {
  return WideTreesByKernels(std::span(&mesh, 1), seed, how).tree(0);
}

/// Whether two trees are the same to the byte, apart from those that mean nothing.
inline bool same_wide_trees(const detail::WideTree& a, const detail::WideTree& b) {
  const auto same = [](const auto& x, const auto& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(x[0])) == 0;
  };
  constexpr std::size_t k_bytes =
      offsetof(detail::NodeBlock, child_count) + sizeof(detail::NodeBlock::child_count);
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    if (std::memcmp(&a.blocks[i], &b.blocks[i], k_bytes) != 0) return false;
  }
  return a.blocks.size() == b.blocks.size() && same(a.boxes, b.boxes) &&
         same(a.corners, b.corners) && same(a.ids, b.ids) && same(a.support, b.support) &&
         a.exponent == b.exponent && a.origin == b.origin && a.extent == b.extent &&
         a.root.centre == b.root.centre && a.root.half == b.root.half &&
         a.root.radius == b.root.radius && a.root.farthest == b.root.farthest &&
         a.spread == b.spread;
}

}  // namespace tandem::test
