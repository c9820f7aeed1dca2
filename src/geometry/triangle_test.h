// The triangle test that queries use: float filter, double filter, exact.
#pragma once

#include "geometry/triangle_exact.h"
#include "geometry/triangle_filter.h"

namespace tandem::detail {

/// Which stage decided a pair.
enum class TriangleStage { float_filter, double_filter, exact };

struct TriangleAnswer {
  bool intersects;
  TriangleStage stage;
};

/// Decides a pair that a float filter left undecided.
TANDEM_HD inline TriangleAnswer decide_triangles(const Triangle& p, const Triangle& q) {
  const Verdict verdict = filter_triangles<double>(p, q);
  if (verdict != Verdict::unsure) {
    return {verdict == Verdict::intersecting, TriangleStage::double_filter};
  }
  return {triangles_intersect_exact(p, q), TriangleStage::exact};
}

/// Whether the triangles share a point, and which stage decided. Exact for coordinates that are
/// zero or between 1e-60 and 1e60 in magnitude; independent of the order of corners and triangles.
TANDEM_HD inline TriangleAnswer test_triangles(const Triangle& p, const Triangle& q) {
  const Verdict verdict = filter_triangles<float>(p, q);
  if (verdict != Verdict::unsure) {
    return {verdict == Verdict::intersecting, TriangleStage::float_filter};
  }
  return decide_triangles(p, q);
}

}  // namespace tandem::detail
