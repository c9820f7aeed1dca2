// The signs that the exact triangle test asks for, each by its own error bound or else by
// expansion arithmetic.
#pragma once

#include <tandem/triangle.h>

#include "geometry/predicates.h"
#include "geometry/triangle_filter.h"

namespace tandem::detail {

/// The corners of two triangles by one index: 0 to 2 are p's, 3 to 5 are q's.
TANDEM_HD inline const Vec3d& corner_of(const Triangle& p, const Triangle& q, int index) {
  return index < 3 ? p.corner[index] : q.corner[index - 3];
}

/// The corners after and before this one, for indices within a triangle.
TANDEM_HD inline int next_corner(int k) {
  return k == 2 ? 0 : k + 1;
}
TANDEM_HD inline int previous_corner(int k) {
  return k == 0 ? 2 : k - 1;
}

/// On which side of the other triangle's plane a triangle's corners are: -1, 0 or 1 each.
struct Sides {
  int of[3];

  TANDEM_HD bool strictly_one() const { return of[0] != 0 && of[0] == of[1] && of[1] == of[2]; }
  TANDEM_HD bool all_zero() const { return of[0] == 0 && of[1] == 0 && of[2] == 0; }
};

class ExpansionSigns {
 public:
  TANDEM_HD ExpansionSigns(const Triangle& p, const Triangle& q) : p_(p), q_(q) {}

  /// Of the corners of p to the plane of q, and the other way round.
  TANDEM_HD Sides p_sides() const {
    Sides sides{};
    find_p_sides(&sides);
    return sides;
  }
  TANDEM_HD Sides q_sides() const {
    Sides sides{};
    find_q_sides(&sides);
    return sides;
  }
  /// The same, but of the sides that are 0 alone.
  TANDEM_HD void find_p_sides(Sides* sides) const { find_sides(q_, p_, sides); }
  TANDEM_HD void find_q_sides(Sides* sides) const { find_sides(p_, q_, sides); }

  /// Of the tetrahedron over edge i of p and edge j of q; edge k goes from corner k to the next.
  TANDEM_HD int volume(int i, int j) const {
    return orient3d_sign(p_.corner[i], p_.corner[next_corner(i)], q_.corner[j],
                         q_.corner[next_corner(j)]);
  }

  /// Finds a projection under which the triangle from corner `first` on keeps its area, and the
  /// sign of that. False when it has none.
  TANDEM_HD bool find_plane(int first, Projection* plane, int* orientation) const {
    for (int dropped = 2; dropped >= 0; --dropped) {
      plane->dropped = dropped;
      *orientation = onto(*plane).area(first, first + 1, first + 2);
      if (*orientation != 0) return true;
    }
    return false;
  }

  /// The corners projected onto a coordinate plane.
  struct Shadow {
    const ExpansionSigns& signs;
    Projection plane;

    /// Of the triangle of any three of the six corners.
    TANDEM_HD int area(int a, int b, int c) const {
      return orient2d_sign(signs.corner(a), signs.corner(b), signs.corner(c), plane);
    }
  };
  TANDEM_HD Shadow onto(Projection plane) const { return {*this, plane}; }

  /// Gives `question` an object with the function `onto`: there is no other way to areas.
  template <class Question>
  TANDEM_HD auto ask(Question question) const {
    return question(*this);
  }

  // There are no rounded answers here.
  TANDEM_HD bool one_surely_flat() const { return false; }
  TANDEM_HD Verdict filter_nearly_coplanar() const { return Verdict::unsure; }

  TANDEM_HD const Vec3d& corner(int index) const { return corner_of(p_, q_, index); }

 private:
  TANDEM_HD static void find_sides(const Triangle& plane, const Triangle& t, Sides* sides) {
    const Vec3d* c = plane.corner;
    for (int k = 0; k < 3; ++k) {
      if (sides->of[k] == 0) sides->of[k] = orient3d_sign(c[0], c[1], c[2], t.corner[k]);
    }
  }

  const Triangle& p_;
  const Triangle& q_;
};

}  // namespace tandem::detail
