// What a ray looks for, and what watches its traversal: the parts that all traversals of rays
// share.
//
// A traversal of rays is a small copyable state with a name, a description and a function `advance`
// that leads it on until a budget of node visits is spent. It is generic over the tree (a view as
// in tree/ray_tree.h), the triangles, the tests of boxes (`Slabs`), the query and the observer.
#pragma once

#include <tandem/ray.h>
#include <tandem/ray_query.h>
#include <tandem/statistics.h>

#include <cstdint>
#include <limits>

#include "geometry/ray_triangle.h"
#include "traverse/checked_flow.h"
#include "volume/ray_box.h"

namespace tandem::detail {

/// Watches nothing and costs nothing.
struct NullRayObserver {
  TANDEM_HD void box_test(std::uint32_t, std::uint32_t = 1) {}
  TANDEM_HD void node_visit(std::uint32_t) {}
  TANDEM_HD void leaf_visit(std::uint32_t) {}
  TANDEM_HD void triangle_test(std::uint32_t, std::uint32_t = 1) {}
};

/// Counts. Tests of several boxes or triangles at once count as many.
struct CountingRayObserver {
  RayStatistics statistics;

  TANDEM_HD void box_test(std::uint32_t, std::uint32_t count = 1) { statistics.box_tests += count; }
  TANDEM_HD void node_visit(std::uint32_t) { ++statistics.node_visits; }
  TANDEM_HD void leaf_visit(std::uint32_t) { ++statistics.leaf_visits; }
  TANDEM_HD void triangle_test(std::uint32_t, std::uint32_t count = 1) {
    statistics.triangle_tests += count;
  }
};

/// Which hits are wanted.
enum class Wanted { closest, any, all };

/// Whether a hit is the better answer for a ray: it is closer, or has the lower id at the same
/// distance. Every hit is better than none.
TANDEM_HD inline bool comes_before(const Hit& hit, const Hit& other) {
  return hit.distance < other.distance ||
         (hit.distance == other.distance && hit.triangle < other.triangle);
}

/// One ray's question and its answer so far: the closest hit, or any.
class HitSearch {
 public:
  TANDEM_HD HitSearch(const ValidRay& ray, Wanted wanted)
      : ray_(ray), limit_(ray.t_max), wanted_(wanted) {}

  TANDEM_HD const ValidRay& ray() const { return ray_; }
  TANDEM_HD const Hit& best() const { return best_; }
  /// Nothing beyond this distance is wanted any more.
  TANDEM_HD float limit() const { return limit_; }

  /// Tests the triangle, and says stop when the question is answered. Where in memory it is, the
  /// kernels of devices want to know (gpu/rays/trace_rays.h).
  TANDEM_HD Flow test(std::uint32_t id, const TriangleF& triangle, std::uint32_t = 0) {
    Hit hit;
    return find(id, triangle, &hit) ? take(hit) : Flow::go_on;
  }

 protected:
  TANDEM_HD bool find(std::uint32_t id, const TriangleF& triangle, Hit* hit) const {
    if (!intersect(ray_, triangle, limit_, hit)) return false;
    hit->triangle = id;
    return true;
  }
  TANDEM_HD Flow take(const Hit& hit) {
    if (comes_before(hit, best_)) {
      best_ = hit;
      limit_ = hit.distance;
    }
    return wanted_ == Wanted::any ? Flow::stop : Flow::go_on;
  }
  Wanted wanted() const { return wanted_; }

 private:
  ValidRay ray_;
  Hit best_;
  float limit_;
  Wanted wanted_;
};

/// The same on the host, where all hits may go to a sink.
class RayQuery : public HitSearch {
 public:
  RayQuery(const ValidRay& ray, Wanted wanted, const HitSink* sink = nullptr, std::size_t index = 0)
      : HitSearch(ray, wanted), index_(index), sink_(sink) {}

  Flow test(std::uint32_t id, const TriangleF& triangle, std::uint32_t = 0) {
    Hit hit;
    if (!find(id, triangle, &hit)) return Flow::go_on;
    return wanted() == Wanted::all ? checked((*sink_)(index_, hit)) : take(hit);
  }

 private:
  std::size_t index_;
  const HitSink* sink_;
};

// How far a ray may go before it is asked again. `spend` is called for each node.

/// To its end.
struct NoBudget {
  TANDEM_HD static bool spend() { return true; }
  TANDEM_HD static bool ends_after_leaf() { return false; }
};
/// At most so many nodes.
struct NodeBudget {
  std::uint32_t left;
  TANDEM_HD bool spend() { return left-- > 0; }
  TANDEM_HD static bool ends_after_leaf() { return false; }
};
/// Through a leaf.
struct LeafBudget {
  TANDEM_HD static bool spend() { return true; }
  TANDEM_HD static bool ends_after_leaf() { return true; }
};

/// A leaf of a tree with one triangle per leaf.
template <class Tree, class Triangles, class Query, class Observer>
TANDEM_HD Flow visit_leaf(const Tree& tree, const Triangles& triangles, std::uint32_t leaf,
                          Query& query, Observer& observer) {
  observer.leaf_visit(leaf);
  const std::uint32_t id = tree.triangle(leaf);
  observer.triangle_test(id);
  return query.test(id, triangles.triangle(id), id);
}

template <class Tree, class Slabs, class Query, class Observer>
TANDEM_HD bool test_box(const Tree& tree, std::uint32_t node, const Slabs& slabs,
                        const Query& query, Observer& observer) {
  observer.box_test(node);
  return slabs.hits(tree.box(node), query.limit());
}

/// The axis-based order of children: one for each ray and node, whatever was hit so far.
template <class Tree>
struct AxisOrder {
  const Tree& tree;
  unsigned octant;

  TANDEM_HD bool first_is_near(std::uint32_t node) const {
    return tree.first_is_near(node, octant);
  }
  TANDEM_HD std::uint32_t near_child(std::uint32_t node) const {
    return first_is_near(node) ? tree.first_child(node) : tree.second_child(node);
  }
  TANDEM_HD std::uint32_t far_child(std::uint32_t node) const {
    return first_is_near(node) ? tree.second_child(node) : tree.first_child(node);
  }
  /// Whether a node's parent is the near one of its siblings: the node itself tells.
  TANDEM_HD bool parent_is_near(std::uint32_t node) const {
    return tree.parent_is_near(node, octant);
  }
};

/// Traces a ray to its end: the root's box is never tested, and a root that is a leaf needs no
/// traversal. The view is copied, so that the loop can keep it in registers.
template <class State, class Tree, class Triangles, class Query, class Observer>
TANDEM_HD Flow trace(Tree tree, const Triangles& triangles, Query& query, Observer& observer) {
  if (tree.empty()) return Flow::go_on;
  if (tree.is_leaf(0)) return visit_leaf(tree, triangles, 0, query, observer);
  const RaySlabs slabs(query.ray());
  State state(tree, slabs);
  return state.advance(tree, triangles, slabs, query, observer, NoBudget());
}

}  // namespace tandem::detail
