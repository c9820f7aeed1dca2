// The concepts that every bounding volume and every overlap test meet.
//
// The volume room holds one file per bounding volume with its overlap tests. It uses the math and
// geometry rooms.
#pragma once

#include <tandem/pose.h>
#include <tandem/vec.h>

#include <concepts>
#include <span>

namespace tandem::detail {

/// A convex set that encloses points.
///
///   fit(points)        the volume of one or more points: encloses each of them
///   merge(a, b)        encloses everything that a and b enclose
///   encloses(p)        whether a point is in it
///   size()             its volume in space, to decide which of two is descended first
///   k_merges_tightly   whether merging two fits is as tight as fitting all points at once
template <class V>
concept BoundingVolume = std::copyable<V> &&
    requires(const V& volume, const Vec3f& point, std::span<const Vec3f> points) {
  { V::fit(points) } -> std::same_as<V>;
  { V::merge(volume, volume) } -> std::same_as<V>;
  { volume.encloses(point) } -> std::same_as<bool>;
  { volume.size() } -> std::same_as<double>;
  { V::k_merges_tightly } -> std::convertible_to<bool>;
};

/// Tells whether two volumes may share a point, the second one moved by the pose that the test was
/// made for. It may say yes when they do not, never no when points that they enclose coincide once
/// the second is moved as `transform_point` does: margins for every rounding, and for poses that are
/// only nearly rigid, are part of the test or of the volume.
///
///   tumble(b)         the work that concerns B's volume alone: bring it into A's frame
///   test(a, tumbled)  the work that concerns the pair
///   k_tumbles         whether there is work in `tumble` worth keeping
///   k_tests_leaves    whether a pair of leaves is worth testing before its triangles are
template <class Test, class V>
concept OverlapTest = BoundingVolume<V> &&
    requires(const Test& test, const V& volume, const typename Test::Tumbled& tumbled) {
  { test.tumble(volume) } -> std::convertible_to<typename Test::Tumbled>;
  { test(volume, tumbled) } -> std::same_as<bool>;
  { Test::k_tumbles } -> std::convertible_to<bool>;
  { Test::k_tests_leaves } -> std::convertible_to<bool>;
};

}  // namespace tandem::detail
