// Exact signs of volumes and areas for triangles whose corners lie on a grid, in integers.
//
// Corners are multiples of a power of two that is not too small, more often than not: float32
// coordinates, moved or turned by quarters, and double ones that are not much smaller than their
// differences. Then volumes are integers. With differences below 2^63 areas fit into 128 bits,
// while volumes need 191. With differences below 2^36 volumes need 110 bits, but integers that wrap
// around are right modulo 2^64, and a volume that rounded doubles cannot tell from zero is so small
// that this is its value. Differences of up to 183 bits are left to long integers.
#pragma once

#include <tandem/triangle.h>

#include <cmath>
#include <cstdint>

#include "geometry/expansion.h"
#include "geometry/expansion_signs.h"
#include "geometry/long_integer.h"
#include "geometry/wrapped_integer.h"
#include "math/power_of_two.h"

namespace tandem::detail {

/// The numbers on a grid. Its unit is the power of two with which differences up to `extent`, a
/// positive number, have at most `bits` bits.
class GridUnit {
 public:
  TANDEM_HD GridUnit(double extent, int bits)
      : per_unit_(power_of_two(bits - 1 - exponent_of(extent))) {}

  /// Whether a triangle is on the grid. All doubles from 2^52 units on are. To smaller ones that is
  /// added, which rounds to units.
  TANDEM_HD bool holds(const Triangle& t) const {
    constexpr double k_whole = 0x1p52;
    double x[9];
    std::memcpy(x, &t, sizeof x);
    std::uint64_t off = 0;
    for (const double coordinate : x) {
      const double magnitude = std::fabs(count(coordinate));
      const double rounded = (magnitude + k_whole) - k_whole;
      off |= bits_of(rounded - magnitude) & (magnitude < k_whole ? ~std::uint64_t{0} : 0);
    }
    return off == 0;
  }

  /// A number in units.
  TANDEM_HD double count(double x) const { return per_unit_ * x; }

  /// The coordinates of a triangle, less than 2^(51 + cut) units each, modulo 2^64 and up to one
  /// number that is the same for all. Returns 0 if they are on the grid. A `cut` is at most 50.
  template <int cut>
  TANDEM_HD std::uint64_t wrap(const Triangle& t, std::int64_t (*at)[3]) const {
    // Adding 1.5·2^52 rounds to units, and the bits of the sum are a whole number of them, up to
    // one that is the same for all. Larger numbers are cut into whole multiples of 2^cut and what
    // is left, which is not rounded.
    constexpr double k_to_bits = 0x1.8p52;
    static_assert(sizeof(Triangle) == 9 * sizeof(double));
    double x[9];
    std::int64_t wrapped[9];
    std::memcpy(x, &t, sizeof x);
    std::uint64_t off = 0;
    for (int k = 0; k < 9; ++k) {
      double left = count(x[k]);
      std::uint64_t high = 0;
      if constexpr (cut > 0) {
        constexpr double k_to_high_bits = k_to_bits * (std::uint64_t{1} << cut);
        const double sum = left + k_to_high_bits;
        left -= sum - k_to_high_bits;
        high = bits_of(sum) << cut;
      }
      const double sum = left + k_to_bits;
      off |= bits_of((sum - k_to_bits) - left);
      wrapped[k] = static_cast<std::int64_t>(high + bits_of(sum));
    }
    std::memcpy(at, wrapped, sizeof wrapped);
    return off;
  }

 private:
  double per_unit_;
};

// A grid says how many bits differences of corners may have, what these, minors (areas along the
// axes), volumes and areas are kept in, and how corners get there.
//
// Doubles leave the sign of a volume open when it is not larger than 2·64·2^-53 times a product
// of three differences (`TriangleSigns`): 2^(7 - 53 + 3·k_bits), and that of a minor when it is not
// larger than 2·16·2^-53 times a product of two. Both are half of what the integers hold or less.

/// Corners in 64 bits. They wrap around, but differences below 2^63 do not.
template <int cut>
struct WrappedCorners {
  using Difference = std::int64_t;

  /// False when the corners are not on the grid, or too far away.
  TANDEM_HD static bool place(const GridUnit& unit, const Triangle& p, const Triangle& q,
                              double extent, Difference (*at)[3]) {
    const double farthest = largest_component(p.corner[0]) + extent;
    const std::uint64_t off = unit.wrap<cut>(p, at) | unit.wrap<cut>(q, at + 3);
    return off == 0 && unit.count(farthest) < power_of_two(51 + cut);
  }
};

struct NarrowGrid : WrappedCorners<0> {
  static constexpr int k_bits = 36;
  using Minor = std::uint64_t;
  using Volume = std::uint64_t;
  using Area = Wrapped128;
};

struct Grid : WrappedCorners<40> {
  static constexpr int k_bits = 63;
  using Minor = Wrapped128;
  using Volume = Wrapped192;
  using Area = Wrapped128;
};

/// Corners in long integers with so many digits. Those of differences are at most 2^61 + 1 in
/// magnitude, the highest ones of minors 2^62, and no sign wraps around.
template <int digits>
struct LongGrid {
  static_assert(3 * digits <= 10, "as many products are in a column of a volume");
  static constexpr int k_bits = LongInteger<digits>::k_bits * digits;
  using Difference = LongInteger<digits>;
  using Minor = LongInteger<2 * digits>;
  using Volume = LongSum<3 * digits - 1>;
  using Area = LongSum<2 * digits - 1>;

  TANDEM_HD static bool place(const GridUnit& unit, const Triangle& p, const Triangle& q,
                              double extent, Difference (*at)[3]) {
    std::uint64_t off = 0;
    for (int c = 0; c < 6; ++c) {
      const Vec3d& corner = corner_of(p, q, c);
      for (int axis = 0; axis < 3; ++axis) {
        double left = unit.count(corner[axis]);
        cut(&left, &at[c][axis]);
        off |= bits_of(left);
      }
    }
    const double farthest = largest_component(p.corner[0]) + extent;
    return off == 0 && unit.count(farthest) < power_of_two(51 + highest_shift(digits - 1));
  }

 private:
  /// A digit consists of two parts: multiples of 2^50 in it, and what is left.
  static constexpr int highest_shift(int k) { return LongInteger<digits>::k_bits * k + 50; }

  /// As `GridUnit::wrap`, digit by digit, from the highest one on. Those below it are at most 2^60
  /// in magnitude, up to one number that is the same for all.
  template <int k = digits - 1>
  TANDEM_HD static void cut(double* left, Difference* at) {
    constexpr int k_shift = LongInteger<digits>::k_bits * k;
    const std::uint64_t high = cut_multiples<k_shift + 50>(left) << 50;
    at->digit[k] = static_cast<std::int64_t>(high + cut_multiples<k_shift>(left));
    if constexpr (k > 0) cut<k - 1>(left, at);
  }
  /// Takes the nearest multiple of 2^shift away. Returns how many that is, up to one number.
  template <int shift>
  TANDEM_HD static std::uint64_t cut_multiples(double* left) {
    constexpr double k_to_bits = 0x1.8p52 * static_cast<double>(Wrapped128{1} << shift / 2) *
                                 static_cast<double>(Wrapped128{1} << (shift - shift / 2));
    const double sum = *left + k_to_bits;
    *left -= sum - k_to_bits;
    return bits_of(sum);
  }
};

template <class Grid>
class GridSigns {
 public:
  /// False when the corners are not on the grid. `extent` is a positive bound on all differences.
  TANDEM_HD bool place(const Triangle& p, const Triangle& q, double extent) {
    return Grid::place(GridUnit(extent, Grid::k_bits), p, q, extent, at_);
  }

  // Volumes and planes are right where doubles with the bounds of `TriangleSigns` leave the sign
  // open.

  /// Fills in the sides that are 0, which are those left open.
  TANDEM_HD void find_p_sides(Sides* sides) const { find_sides(normal(3), 0, 3, sides); }
  TANDEM_HD void find_q_sides(Sides* sides) const { find_sides(normal(0), 3, 0, sides); }
  TANDEM_HD int volume(int i, int j) const {
    const int i_next = next_corner(i);
    const int j_next = 3 + next_corner(j);
    return sign_of(dot(cross(edge(3 + j, j_next), edge(i, i_next)), edge(i, 3 + j)));
  }

  /// Finds a projection under which the triangle from corner `first` on keeps its area, and the
  /// sign of that. False when it has none.
  TANDEM_HD bool find_plane(int first, Projection* plane, int* orientation) const {
    const Normal n = normal(first);
    const int sign[3] = {sign_of(n.x), -sign_of(n.y), sign_of(n.z)};
    plane->dropped = sign[2] != 0 ? 2 : sign[1] != 0 ? 1 : 0;
    *orientation = sign[2] != 0 ? sign[2] : sign[1] != 0 ? sign[1] : sign[0];
    return *orientation != 0;
  }

  /// The corners projected onto a coordinate plane.
  class Shadow {
   public:
    /// Of the triangle of any three of the six corners.
    TANDEM_HD int area(int a, int b, int c) const {
      using Area = typename Grid::Area;
      const auto along = [&](int axis, int from, int to) {
        return wrapped_difference(at_[to][axis], at_[from][axis]);
      };
      return sign_of(product_difference<Area>(along(u_, a, b), along(v_, a, c), along(v_, a, b),
                                              along(u_, a, c)));
    }

   private:
    friend GridSigns;
    using Difference = typename Grid::Difference;
    TANDEM_HD Shadow(const Difference (*at)[3], Projection plane)
        : at_(at), u_(plane.u()), v_(plane.v()) {}

    const Difference (*at_)[3];
    int u_;
    int v_;
  };
  TANDEM_HD Shadow onto(Projection plane) const { return {at_, plane}; }

 private:
  using Difference = typename Grid::Difference;
  using Minor = typename Grid::Minor;
  using Volume = typename Grid::Volume;

  struct Vector {
    Difference x;
    Difference y;
    Difference z;
  };
  struct Normal {
    Minor x;
    Minor y;
    Minor z;
  };

  TANDEM_HD Vector edge(int from, int to) const {
    return {wrapped_difference(at_[to][0], at_[from][0]),
            wrapped_difference(at_[to][1], at_[from][1]),
            wrapped_difference(at_[to][2], at_[from][2])};
  }
  TANDEM_HD static Minor minor(Difference au, Difference av, Difference bu, Difference bv) {
    return product_difference<Minor>(au, bv, av, bu);
  }
  TANDEM_HD static Normal cross(const Vector& a, const Vector& b) {
    return {minor(a.y, a.z, b.y, b.z), minor(a.z, a.x, b.z, b.x), minor(a.x, a.y, b.x, b.y)};
  }
  TANDEM_HD Normal normal(int first) const {
    return cross(edge(first, first + 1), edge(first, first + 2));
  }
  TANDEM_HD static Volume dot(const Normal& n, const Vector& v) {
    return product_sum<Volume>(n.x, v.x, n.y, v.y, n.z, v.z);
  }

  /// Of the three corners from `first` on, to a plane through corner `origin`.
  TANDEM_HD void find_sides(const Normal& normal, int first, int origin, Sides* sides) const {
    for (int k = 0; k < 3; ++k) {
      if (sides->of[k] != 0) continue;
      sides->of[k] = sign_of(dot(normal, edge(origin, first + k)));
    }
  }

  /// Of each corner, relative to one point.
  Difference at_[6][3];
};

/// Signs on a grid of long integers. These are expensive, so doubles decide most areas.
template <int digits>
class LongGridSigns : public GridSigns<LongGrid<digits>> {
 public:
  /// Whether corners are on the grid, wherever they are.
  TANDEM_HD static bool holds(const Triangle& p, const Triangle& q, double extent) {
    const GridUnit unit(extent, LongGrid<digits>::k_bits);
    return unit.holds(p) && unit.holds(q);
  }
  TANDEM_HD bool place(const Triangle& p, const Triangle& q, double extent) {
    p_ = &p;
    q_ = &q;
    return Base::place(p, q, extent);
  }

  class Shadow {
   public:
    TANDEM_HD int area(int a, int b, int c) const {
      int sign = 0;
      const auto corner = [&](int k) { return corner_of(*signs_.p_, *signs_.q_, k); };
      if (orient2d_rounded_sign(corner(a), corner(b), corner(c), plane_, &sign)) return sign;
      return signs_.exact_area(plane_, a, b, c);
    }

   private:
    friend LongGridSigns;
    TANDEM_HD Shadow(const LongGridSigns& signs, Projection plane) : signs_(signs), plane_(plane) {}

    const LongGridSigns& signs_;
    Projection plane_;
  };
  TANDEM_HD Shadow onto(Projection plane) const { return {*this, plane}; }

 private:
  using Base = GridSigns<LongGrid<digits>>;

  [[gnu::noinline]] TANDEM_HD int exact_area(Projection plane, int a, int b, int c) const {
    return Base::onto(plane).area(a, b, c);
  }

  const Triangle* p_;
  const Triangle* q_;
};

}  // namespace tandem::detail
