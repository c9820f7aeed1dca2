// What a query of two wide trees computes once: how B's coordinates become A's, and how far off
// they may be.
#pragma once

#include <tandem/host_device.h>
#include <tandem/pose.h>

#include <cmath>

#include "math/cofactors.h"
#include "math/power_of_two.h"
#include "tree/units.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// How two trees stand to each other: x_a = M x_b + t, where x_a and x_b are stored coordinates
/// (tree/units.h), in double precision.
struct FrameInDouble {
  TANDEM_HD FrameInDouble(const Pose& b_in_a, const TreeUnits& a, const TreeUnits& b) {
    const int exponents = b.exponent - a.exponent;
    scale = power_of_two(exponents);
    const double per_unit = power_of_two(-a.exponent);
    double error = 0;
    for (int i = 0; i < 3; ++i) {
      double sum = b_in_a.translation()[i] - a.origin[i];
      double magnitude = std::fabs(b_in_a.translation()[i]) + std::fabs(a.origin[i]);
      double extent = 0;
      for (int j = 0; j < 3; ++j) {
        exact_matrix[i][j] = b_in_a.rotation(i, j) * scale;
        extent += std::fabs(exact_matrix[i][j]) * b.extent[j];
        const double product = b_in_a.rotation(i, j) * b.origin[j];
        sum += product;
        magnitude += std::fabs(product);
      }
      exact_translation[i] = sum * per_unit;
      error = larger(error, magnitude);
      move = larger(move, std::fabs(exact_translation[i]));
      farthest = larger(farthest, std::fabs(exact_translation[i]) + a.extent[i] + extent);
    }
    // The contract rounds moved coordinates below 1e-60 to zero. Stored coordinates that are
    // subnormal are rounded by at most 2^-150 of their tree's unit, and no row of M sums up to more
    // than twice its scale.
    position_error = (error * 0x1p-48 + 1e-59) * per_unit + 0x1p-149 * (1 + 2 * scale);
    in_range = -k_most_exponents <= exponents && exponents <= k_most_exponents &&
               position_error < 0.25 && farthest < k_longest_reach;
  }

  /// Models whose units differ by more than this power of two, that reach farther than this or that
  /// are so far away that rounding blurs them are tested in double precision: six products of three
  /// coordinates must fit into float32.
  static constexpr int k_most_exponents = 80;
  static constexpr double k_longest_reach = 0x1p41;

  /// Float32 has room for both models.
  bool in_range;

  /// B's unit in A's.
  double scale;
  double exact_matrix[3][3];
  double exact_translation[3];
  /// By how much double precision, the contract's own rounding and that of stored coordinates can
  /// move a coordinate.
  double position_error;
  /// Where pairs within a distance are wanted: what is farther apart than this, in A's units, is
  /// surely farther apart than that.
  double within = 0;
  /// The largest magnitude of the translation, and of a coordinate of either model.
  double move = 0;
  double farthest = 0;

 protected:
  TANDEM_HD static double larger(double x, double y) { return x < y ? y : x; }
};

/// Tests run in float32, in A's coordinates: relative to A's origin and divided by A's power of
/// two. A point b of B is at M b + t there, where M is a rotation times `scale`. Each test allows
/// for the largest error that its operations can make, with or without fused instructions.
///
/// Let u = 2^-24. Errors grow with the numbers that are added up, and are kept apart by where those
/// come from, so that a triangle far away from all others does not blur them:
///
///   - what grows with a child's own coordinates is part of its box and slab, once they are built
///     (tree/wide/tree.h);
///   - what grows with the translation, and by how much positions are off in the first place, is
///     part of the margins here;
///   - what grows with the corners of triangles is part of the margins here too, as if all corners
///     were as far away as the farthest one, unless a tree is `spread`: then the kernels compute it
///     for each pair of triangles (triangles-inl.h).
///
/// Of a coordinate M b + t - a, rounding M and t, six operations and one subtraction make up to
/// 8.1 u (|M||b| + |t| + |a|). Distances along a unit normal are off by at most √3 times as much
/// and by the rounding of four more operations: 22 u |t|. Along a normal of B, in B's units, its
/// own rounding in A's coordinates comes on top: 34 u |t| / scale.
struct WideFrame : FrameInDouble {
  TANDEM_HD WideFrame(const Pose& b_in_a, const WideTreeView& a, const WideTreeView& b)
      : FrameInDouble(b_in_a, a.units(), b.units()) {
    if (!in_range) return;

    constexpr double u = 0x1p-24;
    box_margin = static_cast<float>(10 * u * move + 2 * position_error);
    slab_margin_a = static_cast<float>(24 * u * move + 4 * position_error);
    slab_margin_b = static_cast<float>((40 * u * move + 4 * position_error) / scale);
    spread = a.spread || b.spread;
    if (spread) {
      leaf_margin = static_cast<float>(30 * u * move + 2 * position_error);
      corner_error = corner_error_unfused = static_cast<float>(1.1 * u * move + 2 * position_error);
    } else {
      leaf_margin = static_cast<float>(9 * u * farthest + 2 * position_error);
      corner_error = static_cast<float>(5.5 * u * farthest + 2 * position_error);
      corner_error_unfused = static_cast<float>(8.5 * u * farthest + 2 * position_error);
    }
    // Normals of B are transformed by the inverse transpose: cofactors over the determinant.
    const auto row = [&](int i) {
      return Vec3d{exact_matrix[i][0], exact_matrix[i][1], exact_matrix[i][2]};
    };
    const Cofactors cofactors(row(0), row(1), row(2));
    // The determinant is close to the cube of the scale: one step of Newton's method inverts it.
    const double guess = power_of_two(-3 * (b.exponent - a.exponent));
    const double inverse = guess * (2 - guess * cofactors.determinant(row(0)));
    for (int i = 0; i < 3; ++i) {
      translation[i] = static_cast<float>(exact_translation[i]);
      for (int j = 0; j < 3; ++j) {
        matrix[i][j] = static_cast<float>(exact_matrix[i][j]);
        absolute[i][j] = static_cast<float>(std::fabs(exact_matrix[i][j]) * 1.000001);
        normals[i][j] = static_cast<float>(cofactors.row[i][j] * inverse);
      }
    }
  }

  /// From here on the tests tell apart only what is farther apart than `distance`, in A's units.
  /// Slabs' normals and poses are off from unit length by some millionths, sums by a few u.
  TANDEM_HD void widen(double distance) {
    const double wider = 1.0001 * distance;
    in_range = in_range && wider < k_longest_reach;
    if (!in_range) return;
    box_margin += static_cast<float>(wider);
    slab_margin_a += static_cast<float>(wider);
    slab_margin_b += static_cast<float>(wider / scale);
    leaf_margin += static_cast<float>(wider);
  }

  // Where float32 has no room for both models, none of these is set, and `InDouble` is used.
  float matrix[3][3];
  float absolute[3][3];
  float translation[3];
  float normals[3][3];
  float box_margin;
  float slab_margin_a;
  float slab_margin_b;
  /// Of the boxes and of the corners of triangles.
  float leaf_margin;
  float corner_error;
  float corner_error_unfused;
  /// Leaves are tested by the kernels for spread trees, and these margins lack their part.
  bool spread;
};

/// For pairs that are at most `within` apart, in the coordinates of A's mesh.
TANDEM_HD inline WideFrame frame_within(const Pose& b_in_a, const WideTreeView& a,
                                        const WideTreeView& b, double within) {
  WideFrame frame(b_in_a, a, b);
  frame.within = 1.0001 * within * power_of_two(-a.exponent);
  frame.in_range = frame.in_range && frame.within < WideFrame::k_longest_reach;
  return frame;
}

}  // namespace tandem::detail
