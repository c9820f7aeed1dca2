// What a Model holds.
//
// The query room is what the public API calls: models, queries, cursors and sinks. It uses all
// rooms before it.
#pragma once

#include <tandem/mesh.h>

#include <mutex>
#include <optional>

#include "tree/stackless_fields.h"
#include "tree/tree.h"
#include "volume/aabb.h"

namespace tandem::detail {

/// The mesh and its lean tree, made when the model is built; and what some traversals need beside
/// them, made when first asked for, once, whichever thread asks.
class ModelData {
 public:
  ModelData(Mesh mesh, Tree<Aabb> tree) : mesh_(std::move(mesh)), tree_(std::move(tree)) {}

  const Mesh& mesh() const { return mesh_; }
  const Tree<Aabb>& tree() const { return tree_; }

  const PreIndexedTree<Aabb>& pre_indexed() const {
    std::call_once(pre_indexed_once_, [this] { pre_indexed_.emplace(tree_); });
    return *pre_indexed_;
  }
  const PostIndexedTree<Aabb>& post_indexed() const {
    std::call_once(post_indexed_once_, [this] { post_indexed_.emplace(tree_); });
    return *post_indexed_;
  }

 private:
  Mesh mesh_;
  Tree<Aabb> tree_;
  mutable std::once_flag pre_indexed_once_;
  mutable std::once_flag post_indexed_once_;
  mutable std::optional<PreIndexedTree<Aabb>> pre_indexed_;
  mutable std::optional<PostIndexedTree<Aabb>> post_indexed_;
};

}  // namespace tandem::detail
