// Products and inverses of poses, with the same bits on host and device. What may leave the range
// of translations is for callers to check.
#pragma once

#include <tandem/pose.h>

#include <cmath>

namespace tandem::detail {

/// A rotation as it is being computed.
struct RotationRows {
  /// How far a product of rows may be from that of a rotation.
  static constexpr double k_accepted = 1e-6;
  /// The same for products of poses, which are brought back when they are farther off. Much more
  /// than rounding takes away in a few products, and much less than what is accepted.
  static constexpr double k_drift = 1e-12;

  double rows[3][3] = {};

  TANDEM_HD double product(int i, int j) const {
    return rows[i][0] * rows[j][0] + rows[i][1] * rows[j][1] + rows[i][2] * rows[j][2];
  }

  /// The largest entry of |R Rᵀ - I|.
  TANDEM_HD double deviation() const {
    double largest = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) {
        largest = std::fmax(largest, std::fabs(product(i, j) - (i == j ? 1 : 0)));
      }
    }
    return largest;
  }

  /// One step towards the nearest rotation: R becomes (3 I - R Rᵀ) R / 2 (Newton's iteration for
  /// the polar decomposition). What R Rᵀ lacks to I becomes about its square.
  TANDEM_HD void straighten() {
    RotationRows result;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) {
        const double factor = 0.5 * ((i == k ? 3 : 0) - product(i, k));
        for (int j = 0; j < 3; ++j) result.rows[i][j] += factor * rows[k][j];
      }
    }
    *this = result;
  }
};

/// The motion that does `first`, then `second`.
TANDEM_HD inline Pose compose(const Pose& second, const Pose& first) {
  RotationRows turned;
  Vec3d moved = second.translation();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) {
        turned.rows[i][j] += second.rotation(i, k) * first.rotation(k, j);
      }
      moved[i] += second.rotation(i, j) * first.translation()[j];
    }
  }
  while (turned.deviation() > RotationRows::k_drift) turned.straighten();
  return Pose::unchecked(turned.rows, moved);
}

/// The inverse motion, with the transposed rotation.
TANDEM_HD inline Pose invert(const Pose& pose) {
  RotationRows turned;
  Vec3d moved{0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      turned.rows[i][j] = pose.rotation(j, i);
      moved[i] += pose.rotation(j, i) * pose.translation()[j];
    }
    moved[i] = -moved[i];
  }
  // Products of columns may be a little farther off than those of rows.
  if (turned.deviation() > RotationRows::k_accepted) turned.straighten();
  return Pose::unchecked(turned.rows, moved);
}

/// Where B stands in A's frame. The translations are subtracted before anything is turned, so that
/// objects that are close together far from the origin lose no digits.
TANDEM_HD inline Pose relate(const Pose& a_in_world, const Pose& b_in_world) {
  double turn[2][3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      turn[0][i][j] = a_in_world.rotation(i, j);
      turn[1][i][j] = b_in_world.rotation(i, j);
    }
  }
  const Vec3d between = b_in_world.translation() - a_in_world.translation();
  return compose(invert(Pose::unchecked(turn[0], {0, 0, 0})), Pose::unchecked(turn[1], between));
}

}  // namespace tandem::detail
