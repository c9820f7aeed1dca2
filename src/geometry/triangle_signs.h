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

class TriangleSigns {
 public:
  TANDEM_HD TriangleSigns(const Triangle& p, const Triangle& q) : p_(p), q_(q), expansions_(p, q) {
    for (int k = 0; k < 3; ++k) {
      p_edge_[k] = p.corner[next_corner(k)] - p.corner[k];
      q_edge_[k] = q.corner[next_corner(k)] - q.corner[k];
    }
    p_normal_ = cross(p_edge_[0], p_edge_[1]);
    q_normal_ = cross(q_edge_[0], q_edge_[1]);
    for (int k = 0; k < 3; ++k) {
      q_height_[k] = dot(p_normal_, q.corner[k] - p.corner[0]);
      p_height_[k] = dot(q_normal_, p.corner[k] - q.corner[0]);
    }
    // How large differences of corners are along each axis: within p, within q, and all of them.
    const Vec3d p_lengths[3] = {magnitudes(p_edge_[0]), magnitudes(p_edge_[1]),
                                magnitudes(p_edge_[2])};
    const Vec3d q_lengths[3] = {magnitudes(q_edge_[0]), magnitudes(q_edge_[1]),
                                magnitudes(q_edge_[2])};
    p_size_ = p_lengths[0] + p_lengths[1];
    q_size_ = q_lengths[0] + q_lengths[1];
    p_shortest_ = smallest_sum(p_lengths);
    q_shortest_ = smallest_sum(q_lengths);
    reach_ = magnitudes(q.corner[0] - p.corner[0]) + (p_size_ + q_size_);
    q_error_ = height_error(p_size_, p_normal_, reach_);
    p_error_ = height_error(q_size_, q_normal_, reach_);
    volume_error_ = k_product_error * permanent(p_size_, q_size_, reach_);
  }

  /// Whether rounded signs show that one triangle is on one side of the other's plane.
  TANDEM_HD bool surely_separated() const {
    return surely_one_sided(p_height_, p_error_) || surely_one_sided(q_height_, q_error_);
  }

  /// Asks whoever knows exact signs, who is found when first needed: `question` gets an object with
  /// the function `onto`.
  template <class Question>
  TANDEM_HD auto ask(Question question) {
    if (stage_ == TriangleStage::double_filter) find_stage();
    if (stage_ == TriangleStage::narrow_grid) return question(grids_.narrow);
    if (stage_ == TriangleStage::grid) return question(grids_.usual);
    if (stage_ == TriangleStage::wide_grid) {
      return widest_ ? question(grids_.widest) : question(grids_.wide);
    }
    return question(expansions_);
  }

  TANDEM_HD Sides p_sides() {
    Sides sides;
    if (!round(p_height_, p_error_, &sides)) find_exact_p_sides(&sides);
    return sides;
  }
  TANDEM_HD Sides q_sides() {
    Sides sides;
    if (!round(q_height_, q_error_, &sides)) find_exact_q_sides(&sides);
    return sides;
  }

  TANDEM_HD int volume(int i, int j) {
    const Vec3d between = q_.corner[j] - p_.corner[i];
    const double volume = dot(cross(q_edge_[j], p_edge_[i]), between);
    if (std::fabs(volume) > volume_error_) return sign_of(volume);
    // The same with its own products. Where they are all zero, so is it: edges in an axis plane.
    const double error = k_product_error * permanent(magnitudes(p_edge_[i]), magnitudes(q_edge_[j]),
                                                     magnitudes(between));
    if (std::fabs(volume) > error || error == 0) return sign_of(volume);
    return exact_volume(i, j);
  }

  /// Finds a projection under which the triangle from corner `first` on keeps its area, and the
  /// sign of that. False when it has none.
  TANDEM_HD bool find_plane(int first, Projection* plane, int* orientation) {
    if ((first == 0 ? p_shortest_ : q_shortest_) == 0) return false;
    const Vec3d& normal = first == 0 ? p_normal_ : q_normal_;
    const Projection best = widest_projection(normal);
    // Without y, the other two are not in the order of a cross product.
    const double area = best.dropped == 1 ? -normal.y : normal[best.dropped];
    if (std::fabs(area) > area_error(first == 0 ? p_size_ : q_size_, best)) {
      *plane = best;
      *orientation = sign_of(area);
      return true;
    }
    return find_exact_plane(first, plane, orientation);
  }

  /// Whether two corners of one triangle are the same, so that it has no area.
  TANDEM_HD bool one_surely_flat() const { return smaller(p_shortest_, q_shortest_) == 0; }

  TANDEM_HD const Vec3d& corner(int index) const { return corner_of(p_, q_, index); }

  /// What a projection says of triangles that seem coplanar: that they are disjoint, or that they
  /// intersect if they are.
  TANDEM_HD Verdict filter_nearly_coplanar() const {
    const double height =
        larger(std::fabs(q_height_[0]), larger(std::fabs(q_height_[1]), std::fabs(q_height_[2])));
    if (height > q_error_) return Verdict::unsure;
    return filter_coplanar_triangles(p_, q_, widest_projection(p_normal_));
  }

  /// The most that any sign so far has needed.
  TANDEM_HD TriangleStage stage() const { return stage_; }

 private:
  // Out of line: for each kind of number the code is long, and it is called from many places.
  [[gnu::noinline]] TANDEM_HD void find_stage() {
    // At least what any difference is, though the sums that it is made of are rounded. Coordinates
    // that are not zero are at least the smallest: a grid that is fine enough for them will do.
    const double extent =
        (1 + 16 * k_half_ulp) * larger(largest_component(reach_), k_smallest_coordinate);
    stage_ = grids_.narrow.place(p_, q_, extent)  ? TriangleStage::narrow_grid
             : grids_.usual.place(p_, q_, extent) ? TriangleStage::grid
             : find_wide_grid(extent)             ? TriangleStage::wide_grid
                                                  : TriangleStage::expansions;
  }
  TANDEM_HD bool find_wide_grid(double extent) {
    // Mostly, that is sooner done than to place corners in vain.
    if (!grids_.widest.holds(p_, q_, extent)) return false;
    widest_ = !grids_.wide.place(p_, q_, extent);
    return !widest_ || grids_.widest.place(p_, q_, extent);
  }
  [[gnu::noinline]] TANDEM_HD void find_exact_p_sides(Sides* sides) {
    ask([&](const auto& exact) { return exact.find_p_sides(sides); });
  }
  [[gnu::noinline]] TANDEM_HD void find_exact_q_sides(Sides* sides) {
    ask([&](const auto& exact) { return exact.find_q_sides(sides); });
  }
  [[gnu::noinline]] TANDEM_HD int exact_volume(int i, int j) {
    return ask([&](const auto& exact) { return exact.volume(i, j); });
  }
  [[gnu::noinline]] TANDEM_HD bool find_exact_plane(int first, Projection* plane,
                                                    int* orientation) {
    return ask([&](const auto& exact) { return exact.find_plane(first, plane, orientation); });
  }

  TANDEM_HD static bool surely_one_sided(const double* height, double error) {
    return (height[0] > error && height[1] > error && height[2] > error) ||
           (height[0] < -error && height[1] < -error && height[2] < -error);
  }

  TANDEM_HD static double smallest_sum(const Vec3d* lengths) {
    return smaller(component_sum(lengths[0]),
                   smaller(component_sum(lengths[1]), component_sum(lengths[2])));
  }

  /// That which keeps most of the area.
  TANDEM_HD static Projection widest_projection(const Vec3d& normal) {
    const double x = std::fabs(normal.x);
    const double y = std::fabs(normal.y);
    const double z = std::fabs(normal.z);
    return {x > larger(y, z) ? 0 : y > z ? 1 : 2};
  }

  // Bounds on errors come from how large differences are along each axis, so that what is thin
  // along one, as faces in an axis plane are, is as sure as what is not. A determinant is a sum of
  // 6 products of three, one from each axis. Each is rounded at most 8 times: 3 differences, 2
  // multiplications, 3 additions. 10 also covers the rounding of the bounds themselves.
  static constexpr double k_product_error = 10 * k_half_ulp;

  /// The sum of all products with one component of each, along different axes.
  TANDEM_HD static double permanent(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    return (a.y * b.z + a.z * b.y) * c.x + (a.z * b.x + a.x * b.z) * c.y +
           (a.x * b.y + a.y * b.x) * c.z;
  }

  /// Of a component of a normal, along the axis that is dropped: a difference of 2 products of two,
  /// each rounded at most 4 times.
  TANDEM_HD static double area_error(const Vec3d& size, Projection plane) {
    return 10 * k_half_ulp * (size[plane.u()] * size[plane.v()]);
  }

  /// Of heights over a triangle with this size and normal. In an axis plane they are the area times
  /// a coordinate's difference, of which the sign is not rounded.
  TANDEM_HD static double height_error(const Vec3d& size, const Vec3d& normal, const Vec3d& reach) {
    const Vec3d sides{size.y * size.z, size.z * size.x, size.x * size.y};
    const bool exact = (sides.z * size.z == 0) &
                       (largest_component(normal) > 10 * k_half_ulp * component_sum(sides));
    return exact ? 0 : 2 * k_product_error * dot(sides, reach);
  }

  /// The signs of which the heights are sure, and 0. True when all of them are; without an error,
  /// zeros are too.
  TANDEM_HD static bool round(const double* height, double error, Sides* sides) {
    bool sure = true;
    for (int k = 0; k < 3; ++k) {
      sides->of[k] = (height[k] > error ? 1 : 0) - (height[k] < -error ? 1 : 0);
      sure &= (sides->of[k] != 0) | (error == 0);
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
  Vec3d p_size_;
  Vec3d q_size_;
  Vec3d reach_;
  double p_shortest_;
  double q_shortest_;
  TriangleStage stage_ = TriangleStage::double_filter;
  /// Whether the wide grid is the one with more bits.
  bool widest_ = false;
  // The one that the stage names.
  union Grids {
    GridSigns<NarrowGrid> narrow;
    GridSigns<Grid> usual;
    LongGridSigns<2> wide;
    LongGridSigns<3> widest;
  };
  Grids grids_;
  ExpansionSigns expansions_;
};

}  // namespace tandem::detail
