// A model's hierarchy, whatever its volume: the one place where types are erased. Everything behind
// it is generic code over one volume, compiled in one file a volume.
//
// The query room is what the public API calls: models, queries, cursors and sinks. It uses all rooms
// before it.
#pragma once

#include <tandem/cursor.h>
#include <tandem/model.h>
#include <tandem/query.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "query/leaf_pair.h"
#include "query/ray_trees.h"
#include "traverse/observer.h"
#include "tree/boxtree.h"
#include "tree/tree.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// How two hierarchies are to be traversed.
struct TraversalRequest {
  const Pose& b_in_a;
  Algorithm algorithm;
  Overlap overlap;
  /// The sink stops at the first pair: an order that soon leads to one is worth some work.
  bool first_pair = false;
};

class Hierarchy {
 public:
  virtual ~Hierarchy() = default;
  Hierarchy() = default;
  Hierarchy(const Hierarchy&) = delete;
  Hierarchy& operator=(const Hierarchy&) = delete;

  virtual Volume volume() const = 0;
  virtual std::size_t bytes() const = 0;
  virtual int arity() const = 0;

  /// The mesh's triangles for the collision chip paper's test, made when first asked for.
  const std::vector<UnitTriangle>& unit_triangles(const Mesh& mesh) const;

  /// What rays are traced through.
  const RayTrees& ray_trees() const { return ray_trees_; }
  /// The tree itself when it is a binary one of boxes along the axes.
  virtual const Tree<Aabb>* binary_boxes() const { return nullptr; }
  /// The tree itself when it is a packed boxtree.
  virtual const TwoPlaneBoxtree<PackedPlanes>* packed_boxtree() const { return nullptr; }

  /// Traverses this tree and B's, which has the same volume; neither is empty.
  virtual Flow traverse(const Hierarchy& b, const TraversalRequest& request,
                        LeafPair<NullObserver>& leaf_pair, NullObserver& observer) const = 0;
  virtual Flow traverse(const Hierarchy& b, const TraversalRequest& request,
                        LeafPair<CountingObserver>& leaf_pair,
                        CountingObserver& observer) const = 0;

  /// Whether a traversal of this tree and B's can be at that state.
  virtual bool can_be_at(const Hierarchy& b, Algorithm algorithm,
                         const StacklessState& state) const = 0;
  virtual bool can_be_at(const Hierarchy& b, Algorithm algorithm,
                         const TrailState& state) const = 0;

  /// Goes on from `state` for at most `budget` pairs, and lowers it by those taken up.
  virtual Flow advance(const Hierarchy& b, const TraversalRequest& request,
                       LeafPair<NullObserver>& leaf_pair, StacklessState& state,
                       std::uint64_t& budget) const = 0;
  virtual Flow advance(const Hierarchy& b, const TraversalRequest& request,
                       LeafPair<NullObserver>& leaf_pair, TrailState& state,
                       std::uint64_t& budget) const = 0;

 private:
  mutable std::once_flag unit_triangles_once_;
  mutable std::vector<UnitTriangle> unit_triangles_;
  RayTrees ray_trees_;
};

/// Whether a volume is one of the boxtree layouts.
bool is_boxtree(Volume volume);

/// Fits volumes to a shape. The mesh must outlive the hierarchy.
std::unique_ptr<Hierarchy> make_hierarchy(const BuildOptions& options, const Mesh& mesh,
                                          const TreeShape& shape);

/// The hierarchy of Volume::wide.
std::unique_ptr<Hierarchy> make_wide_hierarchy(const Mesh& mesh, WideTree tree);

}  // namespace tandem::detail
