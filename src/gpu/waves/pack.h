// Packs the wide trees of many models into the arrays of `WaveModels`, on the host.
#pragma once

#include <tandem/mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/waves/half_blocks.h"
#include "gpu/waves/models.h"
#include "gpu/waves/query.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

class PackedWaveModels {
 public:
  /// Adds a model: its mesh, and the wide tree of it.
  void add(const Mesh& mesh, const WideTree& its_tree) {
    const WideTreeView tree = its_tree.view();
    WaveModel model;
    model.tree = tree;
    model.tree.blocks = nullptr;
    model.tree.boxes = nullptr;
    model.tree.corners = nullptr;
    model.tree.ids = nullptr;
    model.root_block = static_cast<std::uint32_t>(blocks.size());
    if (!tree.empty()) {
      shape.add(tree);
      add_blocks(tree);
      const std::size_t first = triangles.size();
      for (std::uint32_t leaf = 0; leaf < tree.leaf_count; ++leaf) add_leaf(tree, leaf);
      for (std::uint32_t slot = 0; slot < tree.slot_count(); ++slot) {
        WaveTriangle& triangle = triangles.emplace_back();
        for (int i = 0; i < 9; ++i) triangle.value[i] = tree.corners[slot].value[i];
        triangle.id = tree.ids[slot];
      }
      supports.insert(supports.end(), its_tree.support.begin(), its_tree.support.end());
      if (!exact(mesh, model, first)) add_triangles(mesh);
    }
    first_support.push_back(supports.size() - its_tree.support.size());
    first_own_triangle.resize(first_support.size(), k_none);
    models.push_back(model);
  }

  /// Makes the models point to copies of `supports` and `own_triangles`.
  void point_to(const float* support_values, const TriangleF* own) {
    for (std::size_t i = 0; i < models.size(); ++i) {
      WaveModel& model = models[i];
      model.tree.support =
          SupportMap(support_values + first_support[i], power_of_two(model.tree.exponent));
      if (first_own_triangle[i] != k_none) model.triangles = own + first_own_triangle[i];
    }
  }

  std::vector<WaveModel> models;
  std::vector<HalfBlock> blocks;
  std::vector<HalfLeaf> leaves;
  std::vector<WaveTriangle> triangles;
  std::vector<float> supports;
  std::vector<TriangleF> own_triangles;
  WaveShape shape;

 private:
  static constexpr std::size_t k_none = ~std::size_t{0};

  void add_blocks(const WideTreeView& tree) {
    const auto first_block = static_cast<std::uint32_t>(blocks.size());
    const auto first_leaf = static_cast<std::uint32_t>(leaves.size());
    for (int level = 0; level < tree.level_count; ++level) {
      const bool last = level + 1 == tree.level_count;
      const std::uint32_t below = last ? first_leaf : first_block + tree.level_begin[level + 1];
      for (std::uint32_t i = tree.level_begin[level]; i < tree.level_begin[level + 1]; ++i) {
        blocks.push_back(half_block(tree.blocks[i]));
        blocks.back().first_child += below;
      }
    }
  }

  void add_leaf(const WideTreeView& tree, std::uint32_t leaf) {
    std::uint32_t count = 0;
    while (count < k_block && tree.ids[k_block * leaf + count] != k_no_triangle) ++count;
    leaves.push_back(half_leaf(tree.corners + k_block * leaf, count));
  }

  /// Whether all corners are those of the mesh; coordinates far below the mesh's size may not be.
  bool exact(const Mesh& mesh, const WaveModel& model, std::size_t first) const {
    const WaveModels view{.triangles = triangles.data()};
    for (std::size_t slot = first; slot < triangles.size(); ++slot) {
      if (triangles[slot].id == k_no_triangle) continue;
      const Triangle corners = view.corners(model, static_cast<std::uint32_t>(slot));
      const TriangleF own = mesh.triangle(triangles[slot].id);
      for (int v = 0; v < 3; ++v) {
        if (!(corners.corner[v] == Vec3d(own.corner[v]))) return false;
      }
    }
    return true;
  }

  void add_triangles(const Mesh& mesh) {
    first_own_triangle.resize(first_support.size() + 1, k_none);
    first_own_triangle.back() = own_triangles.size();
    for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
      own_triangles.push_back(mesh.triangle(i));
    }
  }

  /// Of each model.
  std::vector<std::size_t> first_support;
  std::vector<std::size_t> first_own_triangle;
};

}  // namespace tandem::detail
