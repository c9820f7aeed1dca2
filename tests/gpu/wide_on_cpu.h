// Wide trees that the kernels build on the CPU, for tests.
#pragma once

#include <tandem/mesh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "gpu/build_wide.h"
#include "gpu/on_cpu.h"
#include "tree/wide/tree.h"

namespace tandem::test {

/// Room for the tree of a mesh of so many triangles, at least one.
inline detail::WideTree room_for(const detail::FullWideLevels& levels) {
  detail::WideTree tree;
  tree.blocks.resize(levels.block_count());
  tree.boxes.resize(levels.leaf_count());
  tree.corners.resize(std::size_t{detail::k_block} * levels.leaf_count());
  tree.ids.resize(tree.corners.size());
  tree.support.resize(detail::SupportMap::k_size);
  tree.level_count = levels.count;
  std::copy(std::begin(levels.begin), std::end(levels.begin), tree.level_begin);
  return tree;
}

/// The tree of a mesh that is not empty.
inline detail::WideTree wide_tree_by_kernels(const Mesh& mesh, std::uint64_t seed) {
  const auto count = static_cast<std::uint32_t>(mesh.triangle_count());
  detail::WideTree tree = room_for(detail::FullWideLevels(count));
  detail::MeshFrame frame;
  OnCpu on(seed);
  detail::WideTreeBuilder builder(on, {mesh.vertices().data(), mesh.triangles().data(), count},
                                  {tree.blocks.data(), tree.boxes.data(), tree.corners.data(),
                                   tree.ids.data(), &frame, tree.support.data()});
  builder.build();
  frame.put_into(tree);
  return tree;
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
