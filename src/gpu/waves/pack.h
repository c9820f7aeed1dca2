// Packs the wide trees of many models into the arrays of `WaveModels`, on the host's threads.
#pragma once

#include <tandem/mesh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gpu/waves/half_blocks.h"
#include "gpu/waves/models.h"
#include "gpu/waves/query.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// An array that is filled by threads: nothing is in it at first.
template <class T>
class PackedArray {
 public:
  void resize(std::size_t size) {
    data_ = std::make_unique_for_overwrite<T[]>(size);
    size_ = size;
  }
  T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::span<T> part(std::size_t first, std::size_t count) const {
    return {data_.get() + first, count};
  }

 private:
  std::unique_ptr<T[]> data_;
  std::size_t size_ = 0;
};

/// A mesh, and the wide tree of it.
struct WaveSource {
  const Mesh* mesh;
  const WideTree* tree;
};

class PackedWaveModels {
 public:
  /// `for_each(count, work)` calls `work(i)` for all numbers below the count, on any threads.
  template <class ForEach>
  PackedWaveModels(std::span<const WaveSource> sources, const ForEach& for_each) {
    std::vector<First> firsts(sources.size() + 1);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const WideTreeView tree = sources[i].tree->view();
      if (!tree.empty()) shape.add(tree);
      firsts[i + 1] = firsts[i].after(*sources[i].tree);
    }
    models.resize(sources.size());
    blocks.resize(firsts.back().block);
    leaves.resize(firsts.back().leaf);
    triangles.resize(k_block * firsts.back().leaf);
    supports.resize(firsts.back().support);
    // Not of bits, which threads cannot write each by itself.
    std::vector<char> exact(sources.size(), 1);
    for_each(sources.size(), [&](std::size_t i) {
      exact[i] = static_cast<char>(add(i, sources[i], firsts[i]) ? 1 : 0);
    });
    for (std::size_t i = 0; i < sources.size(); ++i) {
      firsts[i].own_triangle = own_triangles.size();
      if (exact[i] != 0) continue;
      const Mesh& mesh = *sources[i].mesh;
      for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
        own_triangles.push_back(mesh.triangle(t));
      }
    }
    firsts.back().own_triangle = own_triangles.size();
    firsts_ = std::move(firsts);
  }

  /// Makes the models point to copies of `supports` and `own_triangles`.
  void point_to(const float* support_values, const TriangleF* own) {
    for (std::size_t i = 0; i < models.size(); ++i) {
      WaveModel& model = models[i];
      const First& first = firsts_[i];
      model.tree.support =
          SupportMap(support_values + first.support, power_of_two(model.tree.exponent));
      if (first.own_triangle < firsts_[i + 1].own_triangle) {
        model.triangles = own + first.own_triangle;
      }
    }
  }

  std::vector<WaveModel> models;
  PackedArray<HalfBlock> blocks;
  PackedArray<HalfLeaf> leaves;
  PackedArray<WaveTriangle> triangles;
  PackedArray<float> supports;
  /// Of the meshes whose trees do not have all corners exactly.
  std::vector<TriangleF> own_triangles;
  WaveShape shape;

 private:
  /// Where the parts of a model begin.
  struct First {
    std::size_t block = 0;
    std::size_t leaf = 0;
    std::size_t support = 0;
    std::size_t own_triangle = 0;

    First after(const WideTree& tree) const {
      const WideTreeView view = tree.view();
      if (view.empty()) return {block, leaf, support + tree.support.size()};
      return {block + view.level_begin[view.level_count], leaf + view.leaf_count,
              support + tree.support.size()};
    }
  };

  /// Whether all corners are those of the mesh.
  bool add(std::size_t i, const WaveSource& source, const First& first) {
    const WideTreeView tree = source.tree->view();
    WaveModel& model = models[i];
    model.tree = tree;
    model.tree.blocks = nullptr;
    model.tree.boxes = nullptr;
    model.tree.corners = nullptr;
    model.tree.ids = nullptr;
    model.root_block = static_cast<std::uint32_t>(first.block);
    std::copy(source.tree->support.begin(), source.tree->support.end(),
              supports.data() + first.support);
    if (tree.empty()) return true;
    add_blocks(tree, first);
    for (std::uint32_t leaf = 0; leaf < tree.leaf_count; ++leaf) {
      leaves.data()[first.leaf + leaf] = packed_leaf(tree, leaf);
    }
    const std::span<WaveTriangle> to = triangles.part(k_block * first.leaf, tree.slot_count());
    for (std::uint32_t slot = 0; slot < tree.slot_count(); ++slot) {
      for (int k = 0; k < 9; ++k) to[slot].value[k] = tree.corners[slot].value[k];
      to[slot].id = tree.ids[slot];
    }
    return has_exact_corners(*source.mesh, model, to);
  }

  void add_blocks(const WideTreeView& tree, const First& first) {
    HalfBlock* to = blocks.data() + first.block;
    for (int level = 0; level < tree.level_count; ++level) {
      const bool last = level + 1 == tree.level_count;
      const auto below =
          static_cast<std::uint32_t>(last ? first.leaf : first.block + tree.level_begin[level + 1]);
      for (std::uint32_t i = tree.level_begin[level]; i < tree.level_begin[level + 1]; ++i, ++to) {
        *to = half_block(tree.blocks[i]);
        to->first_child += below;
      }
    }
  }

  static HalfLeaf packed_leaf(const WideTreeView& tree, std::uint32_t leaf) {
    std::uint32_t count = 0;
    while (count < k_block && tree.ids[k_block * leaf + count] != k_no_triangle) ++count;
    return half_leaf(tree.corners + k_block * leaf, count);
  }

  /// Coordinates far below the mesh's size may not be exact.
  static bool has_exact_corners(const Mesh& mesh, const WaveModel& model,
                                std::span<const WaveTriangle> slots) {
    const WaveModels view{.triangles = slots.data()};
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      if (slots[slot].id == k_no_triangle) continue;
      const Triangle corners = view.corners(model, static_cast<std::uint32_t>(slot));
      const TriangleF own = mesh.triangle(slots[slot].id);
      for (int v = 0; v < 3; ++v) {
        if (!(corners.corner[v] == Vec3d(own.corner[v]))) return false;
      }
    }
    return true;
  }

  std::vector<First> firsts_;
};

}  // namespace tandem::detail
