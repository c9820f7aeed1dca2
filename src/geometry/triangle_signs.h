// The signs that the exact triangle test asks for, in doubles with a bound on their rounding error.
// What that leaves open is decided on a grid where the corners lie on one, and by expansion
// arithmetic elsewhere.
#pragma once

#include "geometry/expansion_signs.h"
#include "geometry/grid_signs.h"
#include "geometry/triangle_filter.h"
#include "math/transform.h"

namespace tandem::detail {

/// Which stage decided a pair.
enum class TriangleStage {
  float_filter,
  shared_corner,
  double_filter,
  narrow_grid,
  grid,
  wide_grid,
  expansions
};
inline constexpr int k_triangle_stage_count = 7;

TANDEM_HD inline double larger(double a, double b) {
  return a < b ? b : a;
}

TANDEM_HD inline double smaller(double a, double b) {
  return b < a ? b : a;
}

TANDEM_HD inline double largest_component(const Vec3d& v) {
  return larger(std::fabs(v.x), larger(std::fabs(v.y), std::fabs(v.z)));
}

class TriangleSigns {
 public:
  TANDEM_HD TriangleSigns(const Triangle& p, const Triangle& q) : p_(p), q_(q), expansions_(p, q) {
    for (int k = 0; k < 3; ++k) {
      p_edge_[k] = p.corner[next_corner(k)] - p.corner[k];
      q_edge_[k] = q.corner[next_corner(k)] - q.corner[k];
    }
    p_normal_ = cross(p_edge_[0], p_edge_[1]);
    q_normal_ = cross(q_edge_[0], q_edge_[1]);
    double p_size = 0;
    double q_size = 0;
    double reach = 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3d from_p = q.corner[k] - p.corner[0];
      const Vec3d from_q = p.corner[k] - q.corner[0];
      q_height_[k] = dot(p_normal_, from_p);
      p_height_[k] = dot(q_normal_, from_q);
      const double p_length = largest_component(p_edge_[k]);
      const double q_length = largest_component(q_edge_[k]);
      p_size = larger(p_size, p_length);
      q_size = larger(q_size, q_length);
      p_shortest_ = smaller(p_shortest_, p_length);
      q_shortest_ = smaller(q_shortest_, q_length);
      reach = larger(reach, larger(largest_component(from_p), largest_component(from_q)));
    }
    // A determinant is a sum of 6 products of three, each rounded at most 8 times: 3 differences, 2
    // multiplications, 3 additions. 64 > 6·8 also covers the rounding of the bounds themselves.
    const double farthest = reach + p_size;
    p_error_ = 64 * k_half_ulp * (q_size * q_size * reach);
    q_error_ = 64 * k_half_ulp * (p_size * p_size * reach);
    volume_error_ = 64 * k_half_ulp * (p_size * q_size * farthest);
    p_size_ = p_size;
    q_size_ = q_size;
    // Coordinates that are not zero are at least that: a grid that is fine enough for them will do.
    extent_ = larger(larger(farthest, q_size), k_smallest_coordinate);
  }

  /// Whether rounded signs show that one triangle is on one side of the other's plane.
  TANDEM_HD bool surely_separated() const {
    return surely_one_sided(p_height_, p_error_) || surely_one_sided(q_height_, q_error_);
  }

  /// Asks whoever knows exact signs, who is found when first needed: `question` gets an object with
  /// the function `onto`.
  template <class Question>
  TANDEM_HD auto ask(Question question) {
    if (stage_ == TriangleStage::double_filter) {
      stage_ = narrow_grid_.place(p_, q_, extent_) ? TriangleStage::narrow_grid
               : grid_.place(p_, q_, extent_)      ? TriangleStage::grid
               : wide_grid_.place(p_, q_, extent_) ? TriangleStage::wide_grid
                                                   : TriangleStage::expansions;
    }
    if (stage_ == TriangleStage::narrow_grid) return question(narrow_grid_);
    if (stage_ == TriangleStage::grid) return question(grid_);
    if (stage_ == TriangleStage::wide_grid) return question(wide_grid_);
    return question(expansions_);
  }

  TANDEM_HD Sides p_sides() {
    Sides sides;
    if (!round(p_height_, p_error_, &sides)) {
      ask([&](const auto& exact) { return exact.find_p_sides(&sides); });
    }
    return sides;
  }
  TANDEM_HD Sides q_sides() {
    Sides sides;
    if (!round(q_height_, q_error_, &sides)) {
      ask([&](const auto& exact) { return exact.find_q_sides(&sides); });
    }
    return sides;
  }

  TANDEM_HD int volume(int i, int j) {
    const double volume = dot(cross(q_edge_[j], p_edge_[i]), q_.corner[j] - p_.corner[i]);
    if (std::fabs(volume) > volume_error_) return sign_of(volume);
    return ask([&](const auto& exact) { return exact.volume(i, j); });
  }

  /// Finds a projection under which the triangle from corner `first` on keeps its area, and the
  /// sign of that. False when it has none.
  TANDEM_HD bool find_plane(int first, Projection* plane, int* orientation) {
    if ((first == 0 ? p_shortest_ : q_shortest_) == 0) return false;
    const Vec3d& normal = first == 0 ? p_normal_ : q_normal_;
    const Projection best = widest_projection(normal);
    // Without y, the other two are not in the order of a cross product.
    const double area = best.dropped == 1 ? -normal.y : normal[best.dropped];
    if (std::fabs(area) > area_error(first)) {
      *plane = best;
      *orientation = sign_of(area);
      return true;
    }
    return ask([&](const auto& exact) { return exact.find_plane(first, plane, orientation); });
  }

  /// Whether two corners of one triangle are the same, so that it has no area.
  TANDEM_HD bool one_surely_flat() const { return smaller(p_shortest_, q_shortest_) == 0; }

  TANDEM_HD const Vec3d& corner(int index) const { return corner_of(p_, q_, index); }

  /// A rounded answer for triangles of which all of q is in the plane of p.
  TANDEM_HD Verdict filter_coplanar() const {
    // It needs areas.
    if (largest_component(p_normal_) <= area_error(0)) return Verdict::unsure;
    return filter_coplanar_triangles(p_, q_, widest_projection(p_normal_));
  }

  /// The most that any sign so far has needed.
  TANDEM_HD TriangleStage stage() const { return stage_; }

 private:
  TANDEM_HD static bool surely_one_sided(const double* height, double error) {
    return (height[0] > error && height[1] > error && height[2] > error) ||
           (height[0] < -error && height[1] < -error && height[2] < -error);
  }

  /// That which keeps most of the area.
  TANDEM_HD static Projection widest_projection(const Vec3d& normal) {
    const double x = std::fabs(normal.x);
    const double y = std::fabs(normal.y);
    const double z = std::fabs(normal.z);
    return {x > larger(y, z) ? 0 : y > z ? 1 : 2};
  }

  /// Of a normal's component: a difference of 2 products of two, each rounded at most 4 times.
  TANDEM_HD double area_error(int first) const {
    const double size = first == 0 ? p_size_ : q_size_;
    return 16 * k_half_ulp * (size * size);
  }

  /// The signs of which the heights are sure, and 0. True when all of them are.
  TANDEM_HD static bool round(const double* height, double error, Sides* sides) {
    bool sure = true;
    for (int k = 0; k < 3; ++k) {
      sides->of[k] = (height[k] > error ? 1 : 0) - (height[k] < -error ? 1 : 0);
      sure &= sides->of[k] != 0;
    }
    return sure;
  }

  const Triangle& p_;
  const Triangle& q_;
  Vec3d p_edge_[3];
  Vec3d q_edge_[3];
  Vec3d p_normal_;
  Vec3d q_normal_;
  double p_height_[3];
  double q_height_[3];
  double p_error_;
  double q_error_;
  double volume_error_;
  double p_size_;
  double q_size_;
  double p_shortest_ = HUGE_VAL;
  double q_shortest_ = HUGE_VAL;
  double extent_;
  TriangleStage stage_ = TriangleStage::double_filter;
  GridSigns<NarrowGrid> narrow_grid_;
  GridSigns<Grid> grid_;
  GridSigns<WideGrid> wide_grid_;
  ExpansionSigns expansions_;
};

}  // namespace tandem::detail
