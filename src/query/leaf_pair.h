// What happens with a pair of leaves: the exact test, and the sink behind it.
#pragma once

#include <tandem/mesh.h>
#include <tandem/query.h>

#include <limits>

#include "geometry/triangle_test.h"
#include "math/transform.h"

namespace tandem::detail {

template <class Observer>
class LeafPair {
 public:
  LeafPair(const Mesh& a, const Mesh& b, const Pose& b_in_a, PairSink sink, Observer& observer)
      : a_(a), b_(b), b_in_a_(b_in_a), sink_(sink), observer_(observer) {}

  Flow operator()(std::uint32_t triangle_a, std::uint32_t triangle_b) {
    // Traversals tend to stay with one triangle of B for a while: keep the last one moved.
    if (triangle_b != moved_id_) {
      moved_ = transform_triangle(b_in_a_, b_.triangle(triangle_b));
      moved_id_ = triangle_b;
    }
    observer_.triangle_test();
    if (!test_triangles(widen(a_.triangle(triangle_a)), moved_).intersects) return Flow::go_on;
    observer_.triangle_overlap();
    return sink_({triangle_a, triangle_b});
  }

 private:
  const Mesh& a_;
  const Mesh& b_;
  const Pose& b_in_a_;
  PairSink sink_;
  Observer& observer_;
  Triangle moved_{};
  std::uint32_t moved_id_ = std::numeric_limits<std::uint32_t>::max();
};

}  // namespace tandem::detail
