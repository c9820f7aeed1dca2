#include <tandem/error.h>
#include <tandem/pose.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "math/cofactors.h"
#include "math/transform.h"

namespace tandem {
namespace {

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

void check_translation(const Vec3d& t) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!(std::fabs(t[axis]) <= detail::k_largest_coordinate)) {
      throw Error("the pose's translation along " + std::string(1, "xyz"[axis]) + " is " +
                  number(t[axis]) + "; it must be finite and at most 1e60 in magnitude");
    }
  }
}

void check_rotation(std::span<const double, 9> r) {
  for (double entry : r) {
    if (!std::isfinite(entry)) throw Error("the pose's rotation has an entry that is not finite");
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const double product =
          r[3 * i] * r[3 * j] + r[3 * i + 1] * r[3 * j + 1] + r[3 * i + 2] * r[3 * j + 2];
      const double excess = std::fabs(product - (i == j ? 1 : 0));
      if (!(excess <= 1e-6)) {
        throw Error("the pose is not rigid: rows " + std::to_string(i) + " and " +
                    std::to_string(j) + " of the rotation have the product " + number(product) +
                    " instead of " + (i == j ? "1" : "0"));
      }
    }
  }
  const Vec3d rows[3] = {{r[0], r[1], r[2]}, {r[3], r[4], r[5]}, {r[6], r[7], r[8]}};
  const double determinant = detail::Cofactors(rows[0], rows[1], rows[2]).determinant(rows[0]);
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
  if (!(largest > 0) || !std::isfinite(axis.x + axis.y + axis.z)) {
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
  if (!(largest > 0) || !std::isfinite(w + x + y + z)) {
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
  check_rotation(rows);
  Pose pose = from_translation(translation);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose.rows_[i][j] = rows[3 * i + j];
  }
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
  check_translation(result.translation_);
  return result;
}

Vec3d transform_point(const Pose& pose, const Vec3d& point) {
  return detail::transform_point(pose, point);
}

Pose relative_pose(const Pose& a_in_world, const Pose& b_in_world) {
  return a_in_world.inverse() * b_in_world;
}

}  // namespace tandem
