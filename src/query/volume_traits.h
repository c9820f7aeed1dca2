// The volumes that hierarchies can have, and the overlap tests of each.
#pragma once

#include "query/hierarchy.h"
#include "volume/aabb_overlap.h"
#include "volume/kdop.h"
#include "volume/obb.h"
#include "volume/sphere.h"

namespace tandem::detail {

template <class V>
struct VolumeTraits;

template <>
struct VolumeTraits<Aabb> {
  static constexpr Volume k_volume = Volume::aabb;

  template <class Use>
  static Flow with_overlap(const TraversalRequest& request, const Aabb& a_root, const Aabb& b_root,
                           Use use) {
    const Pose& pose = request.b_in_a;
    switch (request.overlap) {
      case Overlap::realigned:
        return use(RealignedAabbOverlap<>(pose, a_root, b_root));
      case Overlap::six_axes:
        return use(SixAxisAabbOverlap<>(pose, a_root, b_root));
      case Overlap::fifteen_axes:
        return use(FifteenAxisAabbOverlap<>(pose, a_root, b_root));
      case Overlap::automatic:
      case Overlap::lookup:  // of boxtrees alone, which a query checks first
        break;
    }
    if (pose.is_translation()) return use(AlignedAabbOverlap(pose, a_root, b_root));
    return use(FifteenAxisAabbOverlap<>(pose, a_root, b_root));
  }
};

/// Volumes with one test.
template <class V, Volume volume, class Test>
struct SingleTestTraits {
  static constexpr Volume k_volume = volume;

  template <class Use>
  static Flow with_overlap(const TraversalRequest& request, const V& a_root, const V& b_root,
                           Use use) {
    return use(Test(request.b_in_a, a_root, b_root));
  }
};

template <>
struct VolumeTraits<Sphere> : SingleTestTraits<Sphere, Volume::sphere, SphereOverlap<>> {};
template <>
struct VolumeTraits<Obb> : SingleTestTraits<Obb, Volume::obb, ObbOverlap<>> {};
template <>
struct VolumeTraits<Kdop<6>> : SingleTestTraits<Kdop<6>, Volume::dop6, KdopOverlap<6>> {};
template <>
struct VolumeTraits<Kdop<14>> : SingleTestTraits<Kdop<14>, Volume::dop14, KdopOverlap<14>> {};
template <>
struct VolumeTraits<Kdop<18>> : SingleTestTraits<Kdop<18>, Volume::dop18, KdopOverlap<18>> {};
template <>
struct VolumeTraits<Kdop<24>> : SingleTestTraits<Kdop<24>, Volume::dop24, KdopOverlap<24>> {};
template <>
struct VolumeTraits<Kdop<26>> : SingleTestTraits<Kdop<26>, Volume::dop26, KdopOverlap<26>> {};

/// Declared for every volume, defined where it is instantiated.
template <class V>
std::unique_ptr<Hierarchy> make_volume_hierarchy(const Mesh& mesh, const TreeShape& shape);

std::unique_ptr<Hierarchy> make_relative_obb_hierarchy(const Mesh& mesh, const TreeShape& shape);

/// The same for every layout of boxtrees.
template <class Boxtree>
std::unique_ptr<Hierarchy> make_boxtree_hierarchy(const BuildOptions& options, const Mesh& mesh,
                                                  const TreeShape& shape);

}  // namespace tandem::detail
