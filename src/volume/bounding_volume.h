// The concept that every bounding volume meets.
//
// The volume room holds one file per bounding volume and the conservative overlap tests between two
// of a kind. It uses the math and geometry rooms.
#pragma once

#include <tandem/vec.h>

#include <concepts>
#include <span>

namespace tandem::detail {

/// A convex set that encloses points.
///
///   fit(points)   the volume of one or more points; encloses each exactly, without rounding
///   merge(a, b)   encloses everything that a and b enclose
///   encloses(p)   whether a point is in it
///   size()        its volume in space, to decide which of two is descended first
template <class V>
concept BoundingVolume = std::copyable<V> &&
    requires(const V& volume, const Vec3f& point, std::span<const Vec3f> points) {
  { volume.encloses(point) } -> std::same_as<bool>;
  { V::fit(points) } -> std::same_as<V>;
  { V::merge(volume, volume) } -> std::same_as<V>;
  { volume.size() } -> std::same_as<double>;
};

/// Tells whether two volumes may share a point, the second one moved by the pose that the test was
/// made for. It may say yes when they do not, never no when enclosed points coincide.
template <class Test, class V>
concept OverlapTest = BoundingVolume<V> && requires(const Test& test, const V& volume) {
  { test(volume, volume) } -> std::same_as<bool>;
};

}  // namespace tandem::detail
