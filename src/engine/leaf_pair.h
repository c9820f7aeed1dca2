// What happens with a pair of leaves: the triangle test, and the sink behind it.
#pragma once

#include <tandem/mesh.h>
#include <tandem/query.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "engine/triangle_tests.h"
#include "geometry/distance/within.h"
#include "geometry/neighbour_test.h"
#include "geometry/triangle_axes.h"
#include "geometry/triangle_test.h"
#include "geometry/unit_triangle.h"
#include "math/transform.h"
#include "traverse/checked_flow.h"
#include "volume/aabb.h"
#include "volume/restricted_box.h"

namespace tandem::detail {

/// The triangles of a query and how they are tested. The unit triangles are those of the meshes
/// when that test is asked for, and not looked at otherwise.
struct TriangleTestRequest {
  const Mesh& a;
  const Mesh& b;
  const Pose& b_in_a;
  TriangleTestKind test = TriangleTestKind::exact;
  const UnitTriangle* units_a = nullptr;
  const UnitTriangle* units_b = nullptr;
  /// Both meshes are the same one, at the same place, and its triangles are tested with each other
  /// (docs/conventions.md, self-collision), exactly.
  bool self = false;
  /// Triangles that are at most so far apart touch.
  double within = 0;
};

template <class Observer>
class LeafPair {
 public:
  LeafPair(const TriangleTestRequest& request, PairSink sink, Observer& observer)
      : request_(request),
        a_in_b_(request.test == TriangleTestKind::unit_triangle ? request.b_in_a.inverse()
                                                                : Pose()),
        sink_(sink),
        observer_(observer) {}

  Flow operator()(std::uint32_t triangle_a, std::uint32_t triangle_b) {
    move(triangle_b);
    return test(triangle_a, triangle_b);
  }

  /// Every triangle of one leaf with every one of another, for leaves that hold several or whose
  /// volumes are loose: those of B that are outside of A's leaf, and pairs whose boxes are apart,
  /// are skipped.
  Flow operator()(std::span<const std::uint32_t> in_a, const RestrictedBox<>& box_a,
                  std::span<const std::uint32_t> in_b) {
    move(in_b);
    bool boxed = false;
    for (std::size_t j = 0; j < in_b.size(); ++j) {
      const MovedBox& b = moved_boxes_[j];
      if (b.apart(box_a)) continue;
      if (!boxed) boxes_.clear();
      for (std::size_t i = 0; i < in_a.size(); ++i) {
        if (!boxed) boxes_.emplace_back(Aabb::fit(request_.a.triangle(in_a[i]).corner));
        if (b.apart(boxes_[i])) continue;
        moved_ = moved_leaf_[j];
        moved_id_ = in_b[j];
        if (test(in_a[i], in_b[j]) == Flow::stop) return Flow::stop;
      }
      boxed = true;
    }
    return Flow::go_on;
  }

  /// For traversals with a filter of their own, which is for the exact test alone: what the filter
  /// leaves open, and pairs that are known to touch.
  bool filtered() const { return request_.test == TriangleTestKind::exact; }
  const Pose& b_in_a() const { return request_.b_in_a; }
  double within() const { return request_.within; }
  bool touches(std::uint32_t triangle_a, std::uint32_t triangle_b) {
    if (request_.self) return touch_in_one_mesh(triangle_a, triangle_b, decide_triangles);
    move(triangle_b);
    if (!filtered() || request_.within > 0) return touch(triangle_a, triangle_b);
    return decide_triangles(widen(request_.a.triangle(triangle_a)), moved_).intersects;
  }
  Flow show(std::uint32_t triangle_a, std::uint32_t triangle_b) {
    observer_.triangle_overlap();
    if (request_.self && triangle_b < triangle_a) std::swap(triangle_a, triangle_b);
    return checked(sink_({triangle_a, triangle_b}));
  }

 private:
  /// The box of a triangle of B in A's frame.
  struct MovedBox {
    Vec3d lower;
    Vec3d negated_upper;

    explicit MovedBox(const Triangle& triangle)
        : lower(triangle.corner[0]), negated_upper(-1.0 * lower) {
      for (int axis = 0; axis < 3; ++axis) {
        for (int k = 1; k < 3; ++k) {
          lower[axis] = std::min(lower[axis], triangle.corner[k][axis]);
          negated_upper[axis] = std::min(negated_upper[axis], -triangle.corner[k][axis]);
        }
      }
    }

    bool apart(const RestrictedBox<>& a) const {
      bool result = false;
      for (int axis = 0; axis < 3; ++axis) {
        result |= lower[axis] > -a.inward[1][axis];
        result |= negated_upper[axis] > -a.inward[0][axis];
      }
      return result;
    }
  };

  Flow test(std::uint32_t triangle_a, std::uint32_t triangle_b) {
    // Within one mesh each pair comes twice, and each triangle with itself.
    if (request_.self && triangle_a >= triangle_b) return Flow::go_on;
    observer_.triangle_test();
    return touch(triangle_a, triangle_b) ? show(triangle_a, triangle_b) : Flow::go_on;
  }

  // Traversals tend to stay with one triangle or one leaf of B for a while: the last one moved is
  // kept.
  void move(std::uint32_t triangle_b) {
    if (triangle_b == moved_id_) return;
    moved_ = transform_triangle(request_.b_in_a, request_.b.triangle(triangle_b));
    moved_id_ = triangle_b;
  }
  void move(std::span<const std::uint32_t> leaf_b) {
    // No triangle is in two leaves.
    if (leaf_b[0] == moved_leaf_id_) return;
    moved_leaf_.clear();
    moved_boxes_.clear();
    for (const std::uint32_t id : leaf_b) {
      moved_leaf_.push_back(transform_triangle(request_.b_in_a, request_.b.triangle(id)));
      moved_boxes_.emplace_back(moved_leaf_.back());
    }
    moved_leaf_id_ = leaf_b[0];
  }

  bool touch(std::uint32_t triangle_a, std::uint32_t triangle_b) const {
    if (request_.self) return touch_in_one_mesh(triangle_a, triangle_b, test_triangles);
    const TriangleF a = request_.a.triangle(triangle_a);
    if (request_.within > 0) return are_within(widen(a), moved_, request_.within);
    switch (request_.test) {
      case TriangleTestKind::unit_triangle:
        return unit_triangles_intersect(request_.units_a[triangle_a], request_.units_b[triangle_b],
                                        transform_triangle(a_in_b_, a), moved_);
      case TriangleTestKind::separating_axes:
        return triangle_axes_intersect(widen(a), moved_);
      case TriangleTestKind::exact:
        break;
    }
    return test_triangles(widen(a), moved_).intersects;
  }

  /// Neighbours touch when they meet in more than what they share, others when `test` says so.
  template <class Test>
  bool touch_in_one_mesh(std::uint32_t triangle_a, std::uint32_t triangle_b,
                         const Test& test) const {
    const TriangleF a = request_.a.triangle(triangle_a);
    const TriangleF b = request_.a.triangle(triangle_b);
    const SharedCorners shared = shared_corners(a, b);
    if (shared.pair_count != 0) return neighbours_meet(a, b, shared);
    return test(widen(a), widen(b)).intersects;
  }

  static constexpr std::uint32_t k_none = std::numeric_limits<std::uint32_t>::max();

  TriangleTestRequest request_;
  Pose a_in_b_;
  PairSink sink_;
  Observer& observer_;
  Triangle moved_{};
  std::uint32_t moved_id_ = k_none;
  std::vector<Triangle> moved_leaf_;
  std::vector<MovedBox> moved_boxes_;
  std::uint32_t moved_leaf_id_ = k_none;
  /// Of the triangles of A's leaf.
  std::vector<RestrictedBox<>> boxes_;
};

}  // namespace tandem::detail
