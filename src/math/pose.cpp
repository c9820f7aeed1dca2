#include <tandem/error.h>
#include <tandem/pose.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "math/cofactors.h"
#include "math/transform.h"

namespace tandem {
namespace {

/// With as many digits as tell a product that is just beyond the limit from 1.
std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}

/// How far a product of rows may be from that of a rotation.
constexpr double k_accepted = 1e-6;
/// The same for products of poses, which are brought back when they are farther off. Much more than
/// rounding takes away in a few products, and much less than what is accepted.
constexpr double k_drift = 1e-12;

bool is_finite(const Vec3d& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

double row_product(const double (&rows)[3][3], int i, int j) {
  return rows[i][0] * rows[j][0] + rows[i][1] * rows[j][1] + rows[i][2] * rows[j][2];
}

/// The largest entry of |R Rᵀ - I|.
double deviation(const double (&rows)[3][3]) {
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      largest = std::fmax(largest, std::fabs(row_product(rows, i, j) - (i == j ? 1 : 0)));
    }
  }
  return largest;
}

/// One step towards the nearest rotation: R becomes (3 I - R Rᵀ) R / 2 (Newton's iteration for the
/// polar decomposition). What R Rᵀ lacks to I becomes about its square.
void straighten(double (&rows)[3][3]) {
  double factor[3][3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      factor[i][j] = 0.5 * ((i == j ? 3 : 0) - row_product(rows, i, j));
    }
  }
  double result[3][3] = {};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) result[i][j] += factor[i][k] * rows[k][j];
    }
  }
  std::copy(&result[0][0], &result[0][0] + 9, &rows[0][0]);
}

void check_translation(const Vec3d& t) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!(std::fabs(t[axis]) <= detail::k_largest_coordinate)) {
      throw Error("the pose's translation along " + std::string(1, "xyz"[axis]) + " is " +
                  number(t[axis]) + "; it must be finite and at most 1e60 in magnitude");
    }
  }
}

void check_rotation(const double (&rows)[3][3]) {
  for (const auto& row : rows) {
    if (!is_finite({row[0], row[1], row[2]})) {
      throw Error("the pose's rotation has an entry that is not finite");
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const double product = row_product(rows, i, j);
      const double wanted = i == j ? 1 : 0;
      if (!(std::fabs(product - wanted) <= k_accepted)) {
        throw Error("the pose is not rigid: rows " + std::to_string(i) + " and " +
                    std::to_string(j) + " of the rotation have the product " + number(product) +
                    " instead of " + number(wanted));
      }
    }
  }
  const auto row = [&](int i) { return Vec3d{rows[i][0], rows[i][1], rows[i][2]}; };
  const double determinant = detail::Cofactors(row(0), row(1), row(2)).determinant(row(0));
  if (!(determinant > 0)) {
    throw Error("the pose is not rigid: its rotation mirrors (determinant " + number(determinant) +
                ")");
  }
}

}  // namespace

Pose Pose::from_translation(const Vec3d& translation) {
  check_translation(translation);
  Pose pose;
  pose.translation_ = translation;
  return pose;
}

Pose Pose::from_axis_angle(const Vec3d& axis, double radians, const Vec3d& translation) {
  // Scaled first, so that the squares of tiny and huge axes neither underflow nor overflow.
  const double largest =
      std::fmax(std::fabs(axis.x), std::fmax(std::fabs(axis.y), std::fabs(axis.z)));
  if (!(largest > 0) || !is_finite(axis)) {
    throw Error("the pose's rotation axis must be finite and not zero");
  }
  if (!std::isfinite(radians)) throw Error("the pose's rotation angle must be finite");
  const Vec3d scaled{axis.x / largest, axis.y / largest, axis.z / largest};
  const double factor = std::sin(radians / 2) / std::sqrt(dot(scaled, scaled));
  return from_quaternion(std::cos(radians / 2), factor * scaled.x, factor * scaled.y,
                         factor * scaled.z, translation);
}

Pose Pose::from_quaternion(double w, double x, double y, double z, const Vec3d& translation) {
  const double largest =
      std::fmax(std::fmax(std::fabs(w), std::fabs(x)), std::fmax(std::fabs(y), std::fabs(z)));
  if (!(largest > 0) || !std::isfinite(w) || !is_finite({x, y, z})) {
    throw Error("the pose's quaternion must be finite and not zero");
  }
  w /= largest;
  x /= largest;
  y /= largest;
  z /= largest;
  const double s = 2 / (w * w + x * x + y * y + z * z);
  const double rows[9] = {
      1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),
      s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),
      s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y)};
  return from_rotation(rows, translation);
}

Pose Pose::from_rotation(std::span<const double, 9> rows, const Vec3d& translation) {
  Pose pose = from_translation(translation);
  std::copy(rows.begin(), rows.end(), &pose.rows_[0][0]);
  check_rotation(pose.rows_);
  return pose;
}

Pose Pose::from_matrix(std::span<const double, 16> rows) {
  if (rows[12] != 0 || rows[13] != 0 || rows[14] != 0 || rows[15] != 1) {
    throw Error("the pose is not rigid: the last row of its matrix must be 0 0 0 1");
  }
  const double rotation[9] = {rows[0], rows[1], rows[2], rows[4], rows[5],
                              rows[6], rows[8], rows[9], rows[10]};
  return from_rotation(rotation, {rows[3], rows[7], rows[11]});
}

Pose Pose::inverse() const {
  Pose result;
  for (int i = 0; i < 3; ++i) {
    double moved = 0;
    for (int j = 0; j < 3; ++j) {
      result.rows_[i][j] = rows_[j][i];
      moved += rows_[j][i] * translation_[j];
    }
    result.translation_[i] = -moved;
  }
  // Products of columns may be a little farther off than those of rows.
  if (deviation(result.rows_) > k_accepted) straighten(result.rows_);
  check_translation(result.translation_);
  return result;
}

Pose operator*(const Pose& second, const Pose& first) {
  Pose result;
  for (int i = 0; i < 3; ++i) {
    double moved = second.translation_[i];
    for (int j = 0; j < 3; ++j) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += second.rows_[i][k] * first.rows_[k][j];
      result.rows_[i][j] = sum;
      moved += second.rows_[i][j] * first.translation_[j];
    }
    result.translation_[i] = moved;
  }
  while (deviation(result.rows_) > k_drift) straighten(result.rows_);
  check_translation(result.translation_);
  return result;
}

Vec3d transform_point(const Pose& pose, const Vec3d& point) {
  return detail::transform_point(pose, point);
}

Pose relative_pose(const Pose& a_in_world, const Pose& b_in_world) {
  // The translations are subtracted before anything is turned, so that objects that are close
  // together far from the origin lose no digits.
  Pose from_a = b_in_world;
  from_a.translation_ = b_in_world.translation_ - a_in_world.translation_;
  Pose turn_back = a_in_world;
  turn_back.translation_ = {0, 0, 0};
  return turn_back.inverse() * from_a;
}

}  // namespace tandem
