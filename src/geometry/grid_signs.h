// Exact signs of volumes and areas for triangles whose corners lie on a grid, in integers.
//
// Corners relative to the first one are multiples of a power of two that is not too small, more
// often than not: float32 coordinates, moved or turned by quarters, and double ones that are not
// much smaller than their differences. Then volumes are integers. With differences below 2^57 areas
// fit into 128 bits, while volumes need 174. But integers that wrap around are right modulo 2^128,
// and a volume that rounded doubles cannot tell from zero is so small that this is its value.
#pragma once

#include <tandem/triangle.h>

#include <cmath>
#include <cstdint>

#include "geometry/expansion.h"
#include "geometry/expansion_signs.h"
#include "geometry/wrapped_integer.h"
#include "math/power_of_two.h"

namespace tandem::detail {

// A grid says how many bits differences of corners may have, what these, volumes and areas are kept
// in, and how coordinates get there: `extent` is a positive bound on all differences of corners,
// `place` is false when a coordinate is not on the grid.
//
// Doubles leave the sign of a volume open when it is not larger than 2·64·2^-53 times a product of
// three differences (`TriangleSigns`): 2^(7 - 53 + 3·k_bits), which is half of what the integers
// hold or less.

struct NarrowGrid {
  static constexpr int k_bits = 36;
  using Difference = std::int64_t;
  using Volume = std::uint64_t;
  using Area = Wrapped128;

  explicit TANDEM_HD NarrowGrid(double extent)
      : shift_(power_of_two(exponent_of(extent) + 1 - k_bits + 52)),
        scale_(power_of_two(k_bits - 1 - exponent_of(extent))) {}

  TANDEM_HD bool place(double x, double from, Difference* result) const {
    // The difference of two whole numbers is not rounded.
    *result = static_cast<std::int64_t>(scale_ * (x - from));
    bool on_grid = whole(x);
    on_grid &= whole(from);
    return on_grid;
  }

 private:
  /// A sum of at least 2^52 units is rounded to units.
  TANDEM_HD bool whole(double x) const { return (std::fabs(x) + shift_) - shift_ == std::fabs(x); }

  double shift_;
  double scale_;
};

struct Grid {
  static constexpr int k_bits = 57;
  using Difference = std::int64_t;
  using Volume = Wrapped128;
  using Area = Wrapped128;

  explicit TANDEM_HD Grid(double extent) : scale_(power_of_two(k_bits - 1 - exponent_of(extent))) {}

  TANDEM_HD bool place(double x, double from, Difference* result) const {
    const RoundedPair difference = two_sum(x, -from);
    const double value = scale_ * difference.value;
    const double error = scale_ * difference.error;
    const auto whole = static_cast<std::int64_t>(value);
    const auto rest = static_cast<std::int64_t>(error);
    *result = whole + rest;
    return (static_cast<double>(whole) == value) & (static_cast<double>(rest) == error);
  }

 private:
  double scale_;
};

struct WideGrid {
  static constexpr int k_bits = 100;
  using Difference = Int128;
  using Volume = Wrapped256;
  using Area = Wrapped256;

  explicit TANDEM_HD WideGrid(double extent)
      : scale_(power_of_two(k_bits - 1 - exponent_of(extent))) {}

  TANDEM_HD bool place(double x, double from, Difference* result) const {
    const RoundedPair difference = two_sum(x, -from);
    const double value = scale_ * difference.value;
    // The error is below 2^(100 - 53).
    const double error = scale_ * difference.error;
    // The value in two parts of at most 50 bits.
    const auto high = static_cast<std::int64_t>(0x1p-50 * value);
    const double remainder = value - 0x1p50 * static_cast<double>(high);
    const auto low = static_cast<std::int64_t>(remainder);
    const auto rest = static_cast<std::int64_t>(error);
    *result = Int128{high} * (std::int64_t{1} << 50) + (low + rest);
    return (static_cast<double>(low) == remainder) & (static_cast<double>(rest) == error);
  }

 private:
  double scale_;
};

template <class Grid>
class GridSigns {
 public:
  /// False when the corners are not on the grid. `extent` is a positive bound on all differences.
  TANDEM_HD bool place(const Triangle& p, const Triangle& q, double extent) {
    const Grid grid(extent);
    const Vec3d& from = p.corner[0];
    bool on_grid = true;
    for (int k = 0; k < 3; ++k) corner_[0].at[k] = {};
    for (int c = 1; c < 6; ++c) {
      const Vec3d& to = corner_of(p, q, c);
      on_grid &= grid.place(to.x, from.x, &corner_[c].at[0]);
      on_grid &= grid.place(to.y, from.y, &corner_[c].at[1]);
      on_grid &= grid.place(to.z, from.z, &corner_[c].at[2]);
    }
    return on_grid;
  }

  // Volumes are right where doubles with the bounds of `TriangleSigns` leave the sign open.

  /// Fills in the sides that are 0, which are those left open.
  TANDEM_HD void find_p_sides(Sides* sides) const {
    find_sides(cross(corner_[4] - corner_[3], corner_[5] - corner_[3]), 0, 3, sides);
  }
  TANDEM_HD void find_q_sides(Sides* sides) const {
    find_sides(cross(corner_[1], corner_[2]), 3, 0, sides);
  }
  TANDEM_HD int volume(int i, int j) const {
    const Vector& from = corner_[i];
    const Vector& other = corner_[3 + j];
    return sign_of(dot(cross(corner_[3 + next_corner(j)] - other, corner_[next_corner(i)] - from),
                       other - from));
  }

  /// The corners projected onto a coordinate plane.
  class Shadow {
   public:
    /// Of the triangle of any three of the six corners.
    TANDEM_HD int area(int a, int b, int c) const {
      using Area = typename Grid::Area;
      return sign_of(product<Area>(u_[b] - u_[a], v_[c] - v_[a]) -
                     product<Area>(v_[b] - v_[a], u_[c] - u_[a]));
    }

   private:
    friend GridSigns;
    typename Grid::Difference u_[6];
    typename Grid::Difference v_[6];
  };
  TANDEM_HD Shadow onto(Projection plane) const {
    Shadow shadow;
    for (int c = 0; c < 6; ++c) {
      shadow.u_[c] = corner_[c].at[plane.u()];
      shadow.v_[c] = corner_[c].at[plane.v()];
    }
    return shadow;
  }

 private:
  using Difference = typename Grid::Difference;
  using Volume = typename Grid::Volume;

  struct Vector {
    Difference at[3];

    TANDEM_HD friend Vector operator-(const Vector& a, const Vector& b) {
      return {{a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]}};
    }
  };
  struct Normal {
    Volume x;
    Volume y;
    Volume z;
  };

  TANDEM_HD static Normal cross(const Vector& a, const Vector& b) {
    const auto minor = [&](int u, int v) {
      return product<Volume>(a.at[u], b.at[v]) - product<Volume>(a.at[v], b.at[u]);
    };
    return {minor(1, 2), minor(2, 0), minor(0, 1)};
  }
  TANDEM_HD static Volume dot(const Normal& n, const Vector& v) {
    return product<Volume>(n.x, v.at[0]) + product<Volume>(n.y, v.at[1]) +
           product<Volume>(n.z, v.at[2]);
  }

  /// Of the three corners from `first` on, to a plane through corner `origin`.
  TANDEM_HD void find_sides(const Normal& normal, int first, int origin, Sides* sides) const {
    for (int k = 0; k < 3; ++k) {
      if (sides->of[k] != 0) continue;
      sides->of[k] = sign_of(dot(normal, corner_[first + k] - corner_[origin]));
    }
  }

  Vector corner_[6];
};

}  // namespace tandem::detail
