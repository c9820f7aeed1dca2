// Exact signs of volumes and areas for triangles whose corners lie on a grid, in numbers that hold
// them.
//
// Corners relative to the first one are multiples of a power of two that is not too small, more
// often than not: float32 coordinates, moved or turned by quarters, and double ones that are not
// much smaller than their differences. Then volumes are integers. With differences below 2^57 areas
// fit into 128 bits, while volumes need 174. But integers that wrap around are right modulo 2^128,
// and a volume that rounded doubles could not tell from zero is so small that this is its value.
#pragma once

#include <tandem/triangle.h>

#include <cmath>
#include <cstdint>
#include <cstring>

#include "geometry/expansion.h"
#include "geometry/expansion_signs.h"
#include "geometry/wrapped_integer.h"

namespace tandem::detail {

/// The exponent of a positive normal number, and a power of two in that range.
TANDEM_HD inline int exponent_of(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return static_cast<int>(bits >> 52) - 1023;
}
TANDEM_HD inline double power_of_two(int exponent) {
  const std::uint64_t bits = static_cast<std::uint64_t>(1023 + exponent) << 52;
  double power = 0;
  std::memcpy(&power, &bits, sizeof power);
  return power;
}

// A grid says how many bits differences of corners may have, what they are kept in, and how they
// get there: `from` is the origin, `extent` a positive bound on all differences of corners. It is
// false when a corner is not on the grid.

/// So coarse that doubles are exact: products of three differences and sums of two such products
/// are at most 2^53, and a sum of three is not rounded to another sign.
struct CoarseGrid {
  static constexpr int k_bits = 17;
  using Difference = double;
  using Wide = double;

  explicit TANDEM_HD CoarseGrid(double extent)
      : shift_(power_of_two(exponent_of(extent) + 1 - k_bits + 52)) {}

  TANDEM_HD bool place(double x, double from, Difference* result) const {
    *result = x - from;
    return whole(x) & whole(from);
  }

 private:
  /// A sum of at least 2^52 units is rounded to units.
  TANDEM_HD bool whole(double x) const { return (std::fabs(x) + shift_) - shift_ == std::fabs(x); }

  double shift_;
};

// Doubles leave the sign of a volume open when it is not larger than 2·64·2^-53 times a product of
// three differences (`TriangleSigns`): below 2^(7 - 53 + 3·k_bits), which is half of what the
// integers hold or less.

struct Grid {
  static constexpr int k_bits = 57;
  using Difference = std::int64_t;
  using Wide = Wrapped128;

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
  using Wide = Wrapped256;

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

  TANDEM_HD int area(int a, int b, int c, Projection plane) const {
    const int u = plane.u();
    const int v = plane.v();
    const Difference* from = corner_[a].at;
    const Difference* to = corner_[b].at;
    const Difference* third = corner_[c].at;
    return sign_of(product(to[u] - from[u], third[v] - from[v]) -
                   product(to[v] - from[v], third[u] - from[u]));
  }

 private:
  using Difference = typename Grid::Difference;
  using Wide = typename Grid::Wide;

  struct Vector {
    Difference at[3];

    TANDEM_HD friend Vector operator-(const Vector& a, const Vector& b) {
      return {{a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]}};
    }
  };
  struct Normal {
    Wide x;
    Wide y;
    Wide z;
  };

  TANDEM_HD static Normal cross(const Vector& a, const Vector& b) {
    return {product(a.at[1], b.at[2]) - product(a.at[2], b.at[1]),
            product(a.at[2], b.at[0]) - product(a.at[0], b.at[2]),
            product(a.at[0], b.at[1]) - product(a.at[1], b.at[0])};
  }
  TANDEM_HD static Wide dot(const Normal& n, const Vector& v) {
    return product(n.x, v.at[0]) + product(n.y, v.at[1]) + product(n.z, v.at[2]);
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
