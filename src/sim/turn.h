// Rigid bodies on top of the public API: mass, contacts, solver. Beside the public headers it uses
// the room parallel, and of the room traverse which instruction sets kernels are compiled for.
//
// In this file: matrices and turns, as bodies need them.
#pragma once

#include <tandem/pose.h>
#include <tandem/vec.h>

#include <array>
#include <cmath>

namespace tandem::sim {

/// Three rows.
struct Matrix {
  Vec3d rows[3];

  friend Vec3d operator*(const Matrix& m, const Vec3d& v) {
    return {dot(m.rows[0], v), dot(m.rows[1], v), dot(m.rows[2], v)};
  }
};

inline Matrix transposed(const Matrix& m) {
  Matrix result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result.rows[i][j] = m.rows[j][i];
  }
  return result;
}

inline Matrix operator*(const Matrix& a, const Matrix& b) {
  const Matrix columns = transposed(b);
  Matrix result;
  for (int i = 0; i < 3; ++i) result.rows[i] = columns * a.rows[i];
  return result;
}

inline double determinant(const Matrix& m) {
  return dot(m.rows[0], cross(m.rows[1], m.rows[2]));
}

/// NaN where there is none.
inline Matrix inverse(const Matrix& m) {
  const double scale = 1 / determinant(m);
  const Vec3d columns[3] = {scale * cross(m.rows[1], m.rows[2]),
                            scale * cross(m.rows[2], m.rows[0]),
                            scale * cross(m.rows[0], m.rows[1])};
  return transposed({{columns[0], columns[1], columns[2]}});
}

/// A quaternion w x y z of length 1.
using Quaternion = std::array<double, 4>;

inline Quaternion normalised(const Quaternion& q) {
  const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return {q[0] / size, q[1] / size, q[2] / size, q[3] / size};
}

inline Quaternion multiplied(const Quaternion& a, const Quaternion& b) {
  const Vec3d u(a[1], a[2], a[3]);
  const Vec3d v(b[1], b[2], b[3]);
  const Vec3d part = a[0] * v + b[0] * u + cross(u, v);
  return {a[0] * b[0] - dot(u, v), part.x, part.y, part.z};
}

inline Matrix rotation_of(const Quaternion& q) {
  const auto [w, x, y, z] = q;
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

/// The turn around `angular_velocity` in that time, after `q`. Rational in its arguments, so that
/// every processor has the same bits: the Cayley map, which is off from the true angle by its third
/// power over 12.
inline Quaternion turned(const Quaternion& q, const Vec3d& angular_velocity, double time) {
  const Vec3d half = 0.5 * time * angular_velocity;
  return normalised(multiplied({1, half.x, half.y, half.z}, q));
}

/// `rotation` times a tensor in the frame of the mesh times its transpose: the tensor in the world.
inline Matrix in_world(const Matrix& rotation, const Matrix& tensor) {
  return rotation * tensor * transposed(rotation);
}

}  // namespace tandem::sim
