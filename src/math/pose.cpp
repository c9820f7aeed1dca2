#include <tandem/error.h>
#include <tandem/pose.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "math/cofactors.h"
#include "math/rigid.h"
#include "math/transform.h"

namespace tandem {
namespace {

/// With as many digits as tell a product that is just beyond the limit from 1.
std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}

bool is_finite(const Vec3d& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
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
  detail::RotationRows rotation;
  for (int i = 0; i < 3; ++i) {
    std::copy(rows[i], rows[i] + 3, rotation.rows[i]);
    if (!is_finite({rows[i][0], rows[i][1], rows[i][2]})) {
      throw Error("the pose's rotation has an entry that is not finite");
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const double product = rotation.product(i, j);
      const double wanted = i == j ? 1 : 0;
      if (!(std::fabs(product - wanted) <= detail::RotationRows::k_accepted)) {
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
  const Pose result = detail::invert(*this);
  check_translation(result.translation_);
  return result;
}

Pose operator*(const Pose& second, const Pose& first) {
  const Pose result = detail::compose(second, first);
  check_translation(result.translation_);
  return result;
}

Vec3d transform_point(const Pose& pose, const Vec3d& point) {
  return detail::transform_point(pose, point);
}

Pose relative_pose(const Pose& a_in_world, const Pose& b_in_world) {
  const Pose result = detail::relate(a_in_world, b_in_world);
  check_translation(result.translation());
  return result;
}

}  // namespace tandem
