// Vec3: three coordinates, on host and device.
#pragma once

#include <tandem/host_device.h>

#include <cmath>

namespace tandem {

template <class T>
struct Vec3 {
  T x{};
  T y{};
  T z{};

  Vec3() = default;
  TANDEM_HD constexpr Vec3(T x_, T y_, T z_) : x(x_), y(y_), z(z_) {}

  /// Converts each coordinate; narrowing rounds to nearest.
  template <class U>
  TANDEM_HD constexpr explicit Vec3(const Vec3<U>& v)
      : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)), z(static_cast<T>(v.z)) {}

  /// Coordinate `axis`, 0 to 2.
  TANDEM_HD constexpr T operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  TANDEM_HD constexpr T& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }

  TANDEM_HD friend constexpr Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  TANDEM_HD friend constexpr Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  TANDEM_HD friend constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  TANDEM_HD friend constexpr Vec3 operator*(T s, const Vec3& a) {
    return {s * a.x, s * a.y, s * a.z};
  }
  TANDEM_HD friend constexpr Vec3 operator*(const Vec3& a, T s) { return s * a; }
  TANDEM_HD friend constexpr Vec3 operator/(const Vec3& a, T s) {
    return {a.x / s, a.y / s, a.z / s};
  }
  TANDEM_HD constexpr Vec3& operator+=(const Vec3& a) { return *this = *this + a; }
  TANDEM_HD constexpr Vec3& operator-=(const Vec3& a) { return *this = *this - a; }
  TANDEM_HD constexpr Vec3& operator*=(T s) { return *this = s * *this; }
  TANDEM_HD constexpr Vec3& operator/=(T s) { return *this = *this / s; }
  TANDEM_HD friend constexpr bool operator==(const Vec3& a, const Vec3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
};

using Vec3f = Vec3<float>;
using Vec3d = Vec3<double>;

template <class T>
TANDEM_HD constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
TANDEM_HD constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
TANDEM_HD constexpr T length_sq(const Vec3<T>& a) {
  return dot(a, a);
}

template <class T>
TANDEM_HD T length(const Vec3<T>& a) {
  return std::sqrt(length_sq(a));
}

/// The vector of length 1 in the same direction; NaN for the zero vector.
template <class T>
TANDEM_HD Vec3<T> normalised(const Vec3<T>& a) {
  return a / length(a);
}

/// The smaller and the larger of each coordinate.
template <class T>
TANDEM_HD constexpr Vec3<T> min(const Vec3<T>& a, const Vec3<T>& b) {
  return {b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z};
}
template <class T>
TANDEM_HD constexpr Vec3<T> max(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y, a.z < b.z ? b.z : a.z};
}

}  // namespace tandem
