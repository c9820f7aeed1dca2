// How two triangles meet: apart, touching or crossing, and what they share when they touch. By the
// same signs as the triangle test, and by the same stages.
#pragma once

#include <tandem/relation.h>
#include <tandem/triangle.h>

#include "geometry/degenerate.h"
#include "geometry/triangle_exact.h"
#include "geometry/triangle_filter.h"
#include "geometry/triangle_signs.h"

namespace tandem::detail {

/// What two triangles share that touch.
enum class SharedSet : signed char {
  /// No more than points, or points of boundaries in one plane, or one triangle has no area.
  little,
  /// A segment of the line in which their planes cross.
  segment,
  /// Points that are inside both, in one plane.
  area
};

struct TriangleRelation {
  Meeting meeting = Meeting::apart;
  SharedSet shared = SharedSet::little;
  /// Of a segment: the edge of p that it lies on, or -1 when it goes through p; and that of q.
  signed char p_edge = -1;
  signed char q_edge = -1;
};

/// Passes volumes on, and notices when one is zero.
template <class Signs>
struct NoticeZero {
  Signs& signs;
  bool zero = false;

  TANDEM_HD int volume(int i, int j) {
    const int sign = signs.volume(i, j);
    zero |= sign == 0;
    return sign;
  }
};

/// Whether a triangle has corners strictly on both sides of the other's plane.
TANDEM_HD inline bool on_both_sides(const Sides& sides) {
  bool above = false;
  bool below = false;
  for (const int side : sides.of) {
    above |= side > 0;
    below |= side < 0;
  }
  return above && below;
}

/// The edge that lies in the other's plane, or -1; not all three corners do.
TANDEM_HD inline int edge_in_plane(const Sides& sides) {
  for (int k = 0; k < 3; ++k) {
    if (sides.of[k] == 0 && sides.of[next_corner(k)] == 0) return k;
  }
  return -1;
}

/// Triangles with area whose planes cross. Each has a segment of the line between the planes; when
/// the triangle is on one side of the plane that is an edge or a corner.
template <class Signs>
TANDEM_HD inline TriangleRelation relate_in_crossing_planes(Signs& signs, const Sides& p_sides,
                                                            const Sides& q_sides) {
  NoticeZero<Signs> noticing{signs};
  if (!crossing_triangles_intersect(noticing, p_sides, q_sides)) return {};
  TriangleRelation touching{.meeting = Meeting::touching};
  // One segment ends where the other begins.
  if (noticing.zero) return touching;
  const bool through_p = on_both_sides(p_sides);
  const bool through_q = on_both_sides(q_sides);
  if (through_p && through_q) return {.meeting = Meeting::crossing};
  const int p_edge = edge_in_plane(p_sides);
  const int q_edge = edge_in_plane(q_sides);
  // One of them has a corner there and no more.
  if ((!through_p && p_edge < 0) || (!through_q && q_edge < 0)) return touching;
  touching.shared = SharedSet::segment;
  touching.p_edge = static_cast<signed char>(p_edge);
  touching.q_edge = static_cast<signed char>(q_edge);
  return touching;
}

/// Triangles with area in one plane that touch. Their insides are apart exactly when the line of an
/// edge has nothing of the other on its inner side.
template <class Signs>
TANDEM_HD inline TriangleRelation relate_in_one_plane(Signs& signs, const Simplex& p) {
  return signs.ask([&](const auto& exact) {
    const auto shadow = exact.onto(p.plane);
    const int q_orientation = shadow.area(3, 4, 5);
    const auto outside_some_edge = [&](int of, int other, int orientation) {
      bool result = false;
      for (int k = 0; k < 3; ++k) {
        bool outside = true;
        for (int c = 0; c < 3; ++c) {
          outside &= orientation * shadow.area(of + k, of + next_corner(k), other + c) <= 0;
        }
        result |= outside;
      }
      return result;
    };
    TriangleRelation touching{.meeting = Meeting::touching};
    if (outside_some_edge(0, 3, p.orientation) || outside_some_edge(3, 0, q_orientation)) {
      return touching;
    }
    touching.shared = SharedSet::area;
    return touching;
  });
}

/// What a filter for triangles in one plane says; where it is sure that they share points, each has
/// some of its inside on the inner side of all edges of the other.
TANDEM_HD inline TriangleRelation relation_of(Verdict sure) {
  if (sure == Verdict::disjoint) return {};
  return {.meeting = Meeting::touching, .shared = SharedSet::area};
}

template <class Signs>
TANDEM_HD inline TriangleRelation relate_exactly(Signs& signs) {
  const Sides q_sides = signs.q_sides();
  if (q_sides.strictly_one()) return {};
  const Sides p_sides = signs.p_sides();
  if (p_sides.strictly_one()) return {};
  if (!q_sides.all_zero() && !p_sides.all_zero()) {
    return relate_in_crossing_planes(signs, p_sides, q_sides);
  }
  if (q_sides.all_zero()) {
    const Verdict verdict = signs.filter_nearly_coplanar();
    if (verdict != Verdict::unsure) return relation_of(verdict);
  }
  if (!special_triangles_intersect(signs)) return {};
  const Simplex p = reduce(signs, 0);
  if (p.dimension < 2 || reduce(signs, 3).dimension < 2) return {.meeting = Meeting::touching};
  return relate_in_one_plane(signs, p);
}

/// Exact for coordinates that are zero or between 1e-60 and 1e60 in magnitude.
TANDEM_HD inline TriangleRelation relate_triangles(const Triangle& p, const Triangle& q) {
  const Verdict verdict = filter_triangles(p, q);
  if (verdict == Verdict::disjoint) return {};
  if (verdict == Verdict::intersecting) {
    // An edge of one goes through the inside of the other. With area beside the edge they cross.
    const bool segment = is_degenerate(p) || is_degenerate(q);
    return {.meeting = segment ? Meeting::touching : Meeting::crossing};
  }
  Projection plane;
  if (find_axis_plane(p, q, &plane)) {
    const Verdict coplanar = filter_coplanar_triangles(p, q, plane);
    if (coplanar != Verdict::unsure) return relation_of(coplanar);
  }
  TriangleSigns signs(p, q);
  if (signs.surely_separated()) return {};
  return relate_exactly(signs);
}

}  // namespace tandem::detail
