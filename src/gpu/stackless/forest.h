// The trees that walks on a device go through: boxes along the axes, pre-indexed, as on the host.
#pragma once

#include <tandem/mesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/stackless_fields.h"
#include "volume/aabb.h"

namespace tandem::detail {

using WalkTree = PreIndexedView<Aabb>;

/// What a walk sees of a model: the tree, and the corners of triangles by their ids.
struct WalkModel {
  WalkTree tree;
  const TriangleF* triangles;
};

/// The trees of many models behind each other, to be copied to a device as four arrays.
struct WalkForest {
  std::vector<TreeNode<Aabb>> nodes;
  std::vector<StacklessFields> fields;
  std::vector<double> mean_sizes;
  std::vector<TriangleF> triangles;

  /// Adds the tree of a mesh.
  void add(const WalkTree& tree, const Mesh& mesh) {
    starts_.push_back({tree, nodes.size(), mean_sizes.size(), triangles.size()});
    nodes.insert(nodes.end(), tree.nodes, tree.nodes + tree.count);
    fields.insert(fields.end(), tree.fields, tree.fields + tree.count);
    mean_sizes.insert(mean_sizes.end(), tree.mean_sizes, tree.mean_sizes + tree.level_count);
    for (std::size_t i = 0; i < mesh.triangle_count(); ++i) triangles.push_back(mesh.triangle(i));
  }
  /// Adds a model that is the same as an earlier one.
  void add_again(std::size_t model) { starts_.emplace_back(starts_[model]); }

  /// The models, where the four arrays are at these addresses.
  std::vector<WalkModel> models(const TreeNode<Aabb>* at_nodes, const StacklessFields* at_fields,
                                const double* at_sizes, const TriangleF* at_triangles) const {
    std::vector<WalkModel> result;
    for (const Start& start : starts_) {
      WalkModel model{start.tree, at_triangles + start.triangle};
      model.tree.nodes = at_nodes + start.node;
      model.tree.fields = at_fields + start.node;
      model.tree.mean_sizes = at_sizes + start.level;
      result.push_back(model);
    }
    return result;
  }

  /// The most children that a node has.
  int arity() const {
    int most = 1;
    for (const Start& start : starts_) most = most < start.tree.arity() ? start.tree.arity() : most;
    return most;
  }

 private:
  struct Start {
    WalkTree tree;
    std::size_t node;
    std::size_t level;
    std::size_t triangle;
  };
  std::vector<Start> starts_;
};

}  // namespace tandem::detail
