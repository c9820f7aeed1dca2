// The concepts that every bounding volume and every overlap test meet.
//
// The volume room holds one file per bounding volume with its overlap tests. It uses the math and
// geometry rooms. What a traversal needs runs on host and device; volumes are fitted on the host.
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
///   encloses(p)        whether it contains a point
///   size()             its volume in space: a traversal descends into the larger of two first
///   k_merges_tightly   whether merging two fits is as tight as fitting all points at once
///
/// Those that a caller can choose also have a `k_name` and a `k_description`.
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
/// made for. The answer may be yes although they share none. It is never no when points that they
/// enclose coincide after `transform_point` has moved the second: the test or the volume includes
/// margins for every rounding and for poses that are only nearly rigid.
///
///   tumble(b)         the work that concerns B's volume alone: bring it into A's frame
///   test(a, tumbled)  the work that concerns the pair
///   k_tumbles         whether the result of `tumble` is worth keeping
///   k_tests_leaves    whether testing the volumes of two leaves pays, before testing the triangles
///
/// Those that a caller can choose also have a `k_name` and a `k_description`; those that are
/// limited to some poses, a static function `fits(pose)`.
template <class Test, class V>
concept OverlapTest = BoundingVolume<V> &&
    requires(const Test& test, const V& volume, const typename Test::Tumbled& tumbled) {
  { test.tumble(volume) } -> std::convertible_to<typename Test::Tumbled>;
  { test(volume, tumbled) } -> std::same_as<bool>;
  { Test::k_tumbles } -> std::convertible_to<bool>;
  { Test::k_tests_leaves } -> std::convertible_to<bool>;
};

/// The overlap tests of a volume, `OverlapTestsOf<V>::Types`. By default a query takes the first
/// one that fits its pose.
template <class V>
struct OverlapTestsOf;

}  // namespace tandem::detail
