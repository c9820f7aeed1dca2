// What happens with a pair of leaves: the triangle test, and the sink behind it.
#pragma once

#include <tandem/mesh.h>
#include <tandem/query.h>

#include <limits>
#include <vector>

#include "geometry/triangle_axes.h"
#include "geometry/triangle_test.h"
#include "geometry/unit_triangle.h"
#include "math/transform.h"

namespace tandem::detail {

/// The triangles of a query and how they are tested. The unit triangles are those of the meshes when
/// that test is asked for, and not looked at otherwise.
struct TriangleTestRequest {
  const Mesh& a;
  const Mesh& b;
  const Pose& b_in_a;
  TriangleTest test = TriangleTest::exact;
  const std::vector<UnitTriangle>* units_a = nullptr;
  const std::vector<UnitTriangle>* units_b = nullptr;
};

template <class Observer>
class LeafPair {
 public:
  LeafPair(const TriangleTestRequest& request, PairSink sink, Observer& observer)
      : request_(request),
        a_in_b_(request.test == TriangleTest::unit_triangle ? request.b_in_a.inverse() : Pose()),
        sink_(sink),
        observer_(observer) {}

  Flow operator()(std::uint32_t triangle_a, std::uint32_t triangle_b) {
    move(triangle_b);
    observer_.triangle_test();
    return touch(triangle_a, triangle_b) ? show(triangle_a, triangle_b) : Flow::go_on;
  }

  /// For traversals with a filter of their own, which is for the exact test alone: what the filter
  /// leaves open, and pairs that are known to touch.
  bool filtered() const { return request_.test == TriangleTest::exact; }
  bool touches(std::uint32_t triangle_a, std::uint32_t triangle_b) {
    move(triangle_b);
    if (!filtered()) return touch(triangle_a, triangle_b);
    return decide_triangles(widen(request_.a.triangle(triangle_a)), moved_).intersects;
  }
  Flow show(std::uint32_t triangle_a, std::uint32_t triangle_b) {
    observer_.triangle_overlap();
    return sink_({triangle_a, triangle_b});
  }

 private:
  /// Traversals tend to stay with one triangle of B for a while: keep the last one moved.
  void move(std::uint32_t triangle_b) {
    if (triangle_b == moved_id_) return;
    moved_ = transform_triangle(request_.b_in_a, request_.b.triangle(triangle_b));
    moved_id_ = triangle_b;
  }

  bool touch(std::uint32_t triangle_a, std::uint32_t triangle_b) const {
    const TriangleF a = request_.a.triangle(triangle_a);
    switch (request_.test) {
      case TriangleTest::unit_triangle:
        return unit_triangles_intersect((*request_.units_a)[triangle_a],
                                        (*request_.units_b)[triangle_b],
                                        transform_triangle(a_in_b_, a), moved_);
      case TriangleTest::separating_axes:
        return triangle_axes_intersect(widen(a), moved_);
      case TriangleTest::exact:
        break;
    }
    return test_triangles(widen(a), moved_).intersects;
  }

  TriangleTestRequest request_;
  Pose a_in_b_;
  PairSink sink_;
  Observer& observer_;
  Triangle moved_{};
  std::uint32_t moved_id_ = std::numeric_limits<std::uint32_t>::max();
};

}  // namespace tandem::detail
