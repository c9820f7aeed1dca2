// The closest points of a mesh to given points, through the wide ray tree: one point at a time,
// eight boxes or triangles at once.
#pragma once

#include <tandem/closest.h>
#include <tandem/triangle.h>

#include <cstdint>
#include <span>

#include "geometry/distance/point_triangle.h"
#include "math/transform.h"
#include "tree/wide/ray_tree.h"

namespace tandem::detail {

/// What is closest to a point among the triangles tested so far. The outcome does not depend on
/// their order: the least distance counts, and among equal ones the lowest triangle.
class ClosestSearch {
 public:
  ClosestSearch(const Vec3d& point, double limit) : point_(point), reach_(limit) {}

  const Vec3d& point() const { return point_; }
  /// Nothing farther away matters, and nothing as far unless it is a lower triangle.
  double reach() const { return reach_; }
  const ClosestPoint& best() const { return best_; }

  void test(std::uint32_t id, const TriangleF& triangle) {
    const PointDistance found = point_distance(point_, widen(triangle));
    const bool takes_ties = best_ && id < best_.triangle;
    if (!(found.distance < reach_ || (found.distance == reach_ && takes_ties))) return;
    reach_ = found.distance;
    best_ = {id, found.distance, found.point};
    triangle_ = triangle;
  }

  /// Begins with what was closest to another point.
  void begin_with(const ClosestSearch& other) {
    if (other.best_) test(other.best_.triangle, other.triangle_);
  }

 private:
  Vec3d point_;
  double reach_;
  ClosestPoint best_;
  /// Of the best.
  TriangleF triangle_{};
};

/// Points that ask, and where the answers go. Coordinates are in the range of predicates.
struct ClosestBatch {
  std::span<const Vec3d> points;
  double limit;
  ClosestPoint* results;
};

/// Answers one point after another in a tree that is not empty, with the best instruction set of
/// this machine or the one that `UseInstructionSet` asks for.
void find_closest(const WideRayTreeView& tree, const ClosestBatch& batch);

}  // namespace tandem::detail
