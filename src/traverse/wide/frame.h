// What a query of two wide trees computes once: how B's coordinates become A's, and how far off
// they may be.
#pragma once

#include <tandem/host_device.h>
#include <tandem/pose.h>

#include <cmath>

#include "math/cofactors.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// Tests run in float32, in A's coordinates: relative to A's origin and divided by A's power of
/// two. Each test allows for the largest error that its operations can make, with or without fused
/// instructions.
///
/// Let m bound |M|·|b| + |t| + |a| along each axis, and u = 2^-24. Then a coordinate M b + t - a is
/// off by at most 8 u m: u m for the rounding of M, u m for that of t, and 6 u m for six
/// operations. (With fused instructions it is 5 u m.) Half sides and slab thicknesses are sums of
/// as many terms.
struct WideFrame {
  TANDEM_HD WideFrame(const Pose& b_in_a, const WideTreeView& a, const WideTreeView& b) {
    // x_a = M x_b + t, where x_a and x_b are relative to the origins, in units of 2^exponent.
    const double scale = std::ldexp(1.0, b.exponent - a.exponent);
    const double per_unit = std::ldexp(1.0, -a.exponent);
    double error = 0;
    for (int i = 0; i < 3; ++i) {
      double sum = b_in_a.translation()[i] - a.origin[i];
      double magnitude = std::fabs(b_in_a.translation()[i]) + std::fabs(a.origin[i]);
      for (int j = 0; j < 3; ++j) {
        exact_matrix[i][j] = b_in_a.rotation(i, j) * scale;
        sum += b_in_a.rotation(i, j) * b.origin[j];
        magnitude += std::fabs(b_in_a.rotation(i, j) * b.origin[j]);
      }
      exact_translation[i] = sum * per_unit;
      error = larger(error, magnitude * per_unit * 0x1p-48);
    }
    // The contract rounds moved coordinates below 1e-60 to zero. Stored coordinates that are
    // subnormal are rounded by at most 2^-150 of their tree's unit, and no row of M sums up to more
    // than twice its scale.
    position_error = error + 1e-59 * per_unit + 0x1p-149 * (1 + 2 * scale);

    const int exponents = b.exponent - a.exponent;
    similar =
        -k_most_exponents <= exponents && exponents <= k_most_exponents && position_error < 0.25;
    double m = 0;
    for (int i = 0; i < 3; ++i) {
      double reach = a.extent[i] + position_error;
      for (int j = 0; j < 3; ++j) reach += std::fabs(exact_matrix[i][j]) * b.extent[j];
      // A pose may stretch by a millionth.
      reach *= 1.00001;
      apart = apart || std::fabs(exact_translation[i]) > reach;
      m = larger(m, std::fabs(exact_translation[i]) + reach);
    }
    if (apart || !similar) return;

    constexpr double u = 0x1p-24;
    box_margin = static_cast<float>(32 * u * m + 2 * position_error);
    slab_margin_a = static_cast<float>(96 * u * m + 4 * position_error);
    slab_margin_b = static_cast<float>((96 * u * m + 4 * position_error) / scale);
    corner_error = static_cast<float>(5.5 * u * m + 2 * position_error);
    corner_error_unfused = static_cast<float>(8.5 * u * m + 2 * position_error);
    // Normals of B are transformed by the inverse transpose: cofactors over the determinant.
    const auto row = [&](int i) {
      return Vec3d{exact_matrix[i][0], exact_matrix[i][1], exact_matrix[i][2]};
    };
    const Cofactors cofactors(row(0), row(1), row(2));
    const double inverse = 1 / cofactors.determinant(row(0));
    for (int i = 0; i < 3; ++i) {
      translation[i] = static_cast<float>(exact_translation[i]);
      for (int j = 0; j < 3; ++j) {
        matrix[i][j] = static_cast<float>(exact_matrix[i][j]);
        absolute[i][j] = static_cast<float>(std::fabs(exact_matrix[i][j]) * 1.000001);
        normals[i][j] = static_cast<float>(cofactors.row[i][j] * inverse);
      }
    }
  }

  /// Models whose sizes differ by more than this power of two are left to `traverse_in_double`, and
  /// so are models so far away that rounding blurs them.
  static constexpr int k_most_exponents = 20;

  /// The whole models are surely apart.
  bool apart = false;
  /// The models are similar enough in size, and near enough, for float32. If they are not, or if
  /// they are apart, only the members before `matrix` are set.
  bool similar = true;

  double exact_matrix[3][3];
  double exact_translation[3];
  /// By how much double precision, the contract's own rounding and that of stored coordinates can
  /// move a coordinate.
  double position_error = 0;

  float matrix[3][3];
  float absolute[3][3];
  float translation[3];
  float normals[3][3];
  float box_margin;
  float slab_margin_a;
  float slab_margin_b;
  float corner_error;
  float corner_error_unfused;

 private:
  TANDEM_HD static double larger(double x, double y) { return x < y ? y : x; }
};

}  // namespace tandem::detail
