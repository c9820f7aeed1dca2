// Pose: where a rigid body stands.
#pragma once

#include <tandem/export.h>
#include <tandem/vec.h>

#include <array>
#include <span>

namespace tandem {

/// A rigid motion in double precision: `point_in_world = rotation * point + translation`.
///
/// Every Pose is finite, close to rigid and moves by at most 1e60 along each axis; the functions
/// that make one throw `tandem::Error` otherwise, so queries need not check again. An accepted
/// rotation is used as given: nothing is orthonormalised behind the caller's back.
class Pose {
 public:
  /// The identity.
  Pose() = default;

  /// Moves without turning.
  TANDEM_API static Pose from_translation(const Vec3d& translation);

  /// Turns by `radians` around `axis` (right-handed, any non-zero finite length), then moves.
  TANDEM_API static Pose from_axis_angle(const Vec3d& axis, double radians,
                                         const Vec3d& translation = {});

  /// Turns by the quaternion w + xi + yj + zk (any non-zero finite length: it is normalised), then
  /// moves.
  TANDEM_API static Pose from_quaternion(double w, double x, double y, double z,
                                         const Vec3d& translation = {});

  /// Nine entries row by row. Throws when an entry of |R Rᵀ - I| exceeds 1e-6 or the determinant is
  /// not positive.
  TANDEM_API static Pose from_rotation(std::span<const double, 9> rows,
                                       const Vec3d& translation = {});

  /// Sixteen entries of a 4×4 matrix row by row; the last row must be 0 0 0 1. Checked like
  /// `from_rotation`.
  TANDEM_API static Pose from_matrix(std::span<const double, 16> rows);

  /// Entry of the rotation matrix.
  TANDEM_HD double rotation(int row, int column) const { return rows_[row][column]; }
  TANDEM_HD const Vec3d& translation() const { return translation_; }

  /// True when the rotation is the identity matrix to the bit.
  TANDEM_HD bool is_translation() const {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        if (rows_[i][j] != (i == j ? 1.0 : 0.0)) return false;
      }
    }
    return true;
  }

  /// The inverse motion, with the transposed rotation.
  TANDEM_API Pose inverse() const;

  /// `second * first`: the motion that does `first`, then `second`. Throws when the result leaves
  /// the range of translations. A product that is off by more than 1e-12 from a rotation becomes
  /// the nearest rotation, so products do not drift.
  TANDEM_API friend Pose operator*(const Pose& second, const Pose& first);

  // For the library itself: what is known to be a pose.
  TANDEM_HD static Pose unchecked(const double (&rows)[3][3], const Vec3d& translation) {
    Pose pose;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) pose.rows_[i][j] = rows[i][j];
    }
    pose.translation_ = translation;
    return pose;
  }

 private:
  double rows_[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Vec3d translation_{0, 0, 0};
};

/// `rotation * point + translation`, in the one sequence of operations by which queries move the
/// vertices of a mesh, so with the same bits: fused, and below 1e-60 in magnitude 0.
TANDEM_API Vec3d transform_point(const Pose& pose, const Vec3d& point);

/// The pose of B in A's frame, when both are given in the world: `a_in_world.inverse() *
/// b_in_world`, except that the translations are subtracted first, which keeps the digits of
/// objects that are close together far from the origin.
TANDEM_API Pose relative_pose(const Pose& a_in_world, const Pose& b_in_world);

}  // namespace tandem
