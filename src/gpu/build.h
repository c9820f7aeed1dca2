// Builds trees of pairs on a device, of one mesh or of many at once: all steps in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gpu/build_clusters.h"
#include "gpu/build_curve.h"
#include "gpu/curve_order.h"
#include "gpu/device_meshes.h"

namespace tandem::detail {

/// How the keys of some meshes are made up: the number of the mesh, then its curve.
struct CurveKeyBits {
  int curve = 0;
  int mesh = 0;

  /// Adds a mesh.
  void add(std::uint32_t triangle_count) {
    curve = std::max(curve, CurveLevels(triangle_count).key_bits);
  }
  int all() const { return curve + mesh; }
};

/// Finds the bounds of all meshes, of one kind or another, which are zero at first. `On` is as
/// below.
template <class On, class Bounds>
void find_bounds(On& on, const DeviceMeshes& meshes, Bounds* bounds) {
  // Enough to keep a device busy, few enough to add up what they find.
  constexpr std::uint32_t k_threads = std::uint32_t{1} << 18;
  on.launch(FindBounds<Bounds>{meshes, bounds}, std::min(meshes.triangle_count, k_threads));
}

/// Sorts the triangles of `meshes`, none of which is empty, along the curves of their meshes. `On`
/// runs kernels and owns scratch memory, on a device or on the CPU:
///
///   on.zeros<T>(count)                an array of zeros; `data()` points to it
///   on.array<T>(count)                one of anything
///   on.launch(kernel, thread_count)   runs a kernel with at least so many threads
///   on.threads_at_once<Kernel>()      how many of its threads run side by side
///   on.sort(keys, ids, to_keys, to_ids, count, bits)
///                                     puts both there in the order of the keys' lowest bits; equal
///                                     ones stay in order
///   on.sums_before(numbers, to, count)
///                                     puts there, for each number, the sum of those before it
template <class On>
class CurveSorter {
 public:
  CurveSorter(On& on, const DeviceMeshes& meshes, const CurveKeyBits& bits)
      : on_(on), meshes_(meshes), bits_(bits) {}

  /// Calls `then(bounds, order)`: the bounds of all meshes, and a `CurveOrder` of all triangles.
  template <class Then>
  void sorted(const Then& then) const {
    if (bits_.all() <= 32) {
      sorted_by<std::uint32_t>(then);
    } else {
      sorted_by<std::uint64_t>(then);
    }
  }

 private:
  template <class Key, class Then>
  void sorted_by(const Then& then) const {
    const std::uint32_t count = meshes_.triangle_count;
    const auto bounds = on_.template zeros<CentreBounds>(meshes_.mesh_count);
    // Before there is memory for the rest, so that the device has something to do.
    find_bounds(on_, meshes_, bounds.data());
    const auto keys = on_.template array<Key>(count);
    const auto ids = on_.template array<std::uint32_t>(count);
    {
      const auto first_keys = on_.template array<Key>(count);
      const auto first_ids = on_.template array<std::uint32_t>(count);
      on_.launch(FindCurveKeys<Key>{meshes_, bounds.data(), bits_.curve, first_keys.data(),
                                    first_ids.data()},
                 count);
      on_.sort(first_keys.data(), first_ids.data(), keys.data(), ids.data(), count, bits_.all());
    }
    then(bounds.data(), CurveOrder<Key>{keys.data(), ids.data()});
  }

  On& on_;
  DeviceMeshes meshes_;
  CurveKeyBits bits_;
};

/// Builds trees of pairs of `meshes`, none of which is empty.
template <class On>
class TreeBuilder {
 public:
  TreeBuilder(On& on, const DeviceMeshes& meshes, const CurveKeyBits& bits,
              const DeviceTrees& trees)
      : on_(on), meshes_(meshes), sorter_(on, meshes, bits), trees_(trees) {}

  /// Along the curve.
  void build_curve() {
    sorter_.sorted(
        [&](const CentreBounds* bounds, const auto& order) { join_ranges(bounds, order); });
  }

  /// From clusters. No leaf is deeper than the limit, which is at least as many as the curve's own
  /// levels.
  void build_clusters(int depth_limit = k_max_depth) {
    sorter_.sorted([&](const CentreBounds* bounds, const auto& order) {
      merge_clusters(bounds, order, depth_limit);
    });
  }

 private:
  template <class Key>
  void join_ranges(const CentreBounds* bounds, const CurveOrder<Key>& order) {
    using Arrival = typename JoinRanges<Key>::Arrival;
    const auto arrived = on_.template zeros<Arrival>(meshes_.triangle_count);
    const std::uint32_t count = meshes_.triangle_count;
    const std::uint32_t groups =
        groups_per_warp(count, on_.template threads_at_once<JoinRanges<Key>>());
    on_.launch(JoinRanges<Key>{meshes_, bounds, order, arrived.data(), trees_, groups},
               joining_threads(count, groups));
  }

  template <class Key>
  void merge_clusters(const CentreBounds* bounds, const CurveOrder<Key>& order, int depth_limit) {
    const std::uint32_t count = meshes_.triangle_count;
    const auto arrived = on_.template zeros<std::uint32_t>(count);
    const auto sizes = on_.template array<std::uint32_t>(count);
    const auto parents = on_.template array<std::uint32_t>(count);
    const auto next = on_.template array<std::uint32_t>(count);
    const ClusterLeaves leaves{sizes.data(), parents.data(), next.data()};
    {
      const auto lists = on_.template array<Cluster>(count);
      on_.launch(MergeClusters<Key>{meshes_, bounds, order, depth_limit, arrived.data(),
                                    lists.data(), leaves, trees_.nodes},
                 count);
    }
    const auto offsets = on_.template array<std::uint32_t>(count);
    on_.sums_before(sizes.data(), offsets.data(), count);
    on_.launch(PlaceLeaves{meshes_, order.ids, leaves, offsets.data(), trees_}, count);
  }

  On& on_;
  DeviceMeshes meshes_;
  CurveSorter<On> sorter_;
  DeviceTrees trees_;
};

}  // namespace tandem::detail
