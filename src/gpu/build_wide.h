// Builds the wide tree of a mesh on a device, along a space-filling curve.
#pragma once

#include <cstdint>
#include <utility>

#include "gpu/build.h"
#include "gpu/fit_wide.h"
#include "gpu/full_wide_levels.h"
#include "gpu/wide_frame.h"

namespace tandem::detail {

/// Builds the tree of one mesh, which is not empty, in room for `levels` of it. `On` is as in
/// gpu/build.h.
template <class On>
class WideTreeBuilder {
 public:
  WideTreeBuilder(On& on, const DeviceMeshes& mesh, const DeviceWideTree& tree)
      : on_(on), mesh_(mesh), levels_(mesh.triangle_count), tree_(tree) {}

  void build() {
    CurveKeyBits bits;
    bits.add(mesh_.triangle_count);
    const CurveSorter<On> sorter(on_, mesh_, bits);
    find_frame(sorter);
    sorter.sorted([&](const CentreBounds*, const auto& order) { fit(order.ids); });
  }

 private:
  void find_frame(const CurveSorter<On>& sorter) {
    const auto bounds = on_.template zeros<CornerBounds>(1);
    sorter.find_bounds(bounds.data());
    const std::uint32_t sample_count = SizeSample(mesh_.triangle_count).count;
    const auto sizes = on_.template array<double>(sample_count);
    on_.launch(MeasureSizes{mesh_, bounds.data(), sizes.data()}, sample_count);
    on_.launch(ChooseFrame{mesh_.triangle_count, bounds.data(), sizes.data(), tree_.frame},
               sample_count);
  }

  void fit(const std::uint32_t* ids) {
    constexpr int k_height = FitWideLeaves::k_block_height;
    const std::uint32_t chunk_count = levels_.size(k_height);
    const auto summaries = on_.template array<ChildSummary>(chunk_count);
    // The farthest corner, and how far all reach in each direction.
    const auto numbers = on_.template zeros<std::uint64_t>(1 + SupportMap::k_size);
    const SupportReach reach{numbers.data() + 1};
    on_.launch(FitWideLeaves{mesh_, ids, levels_, tree_, summaries.data(), numbers.data()},
               k_block * levels_.leaf_count());
    fit_upper_levels(summaries.data());
    const std::uint32_t slot_count = k_block * levels_.leaf_count();
    on_.launch(SampleSupport{tree_.corners, slot_count, reach}, SampleSupport::k_threads);
    on_.launch(FindSupport{tree_.corners, slot_count, summaries.data(), chunk_count, reach},
               k_warp_size * chunk_count);
    on_.launch(FinishFrame{reach, numbers.data(), tree_.frame, tree_.support}, SupportMap::k_size);
  }

  void fit_upper_levels(const ChildSummary* below) {
    constexpr int k_first = FitWideLeaves::k_block_height + 1;
    if (levels_.count <= k_first) return;
    auto even = on_.template array<ChildSummary>(levels_.size(k_first));
    auto odd = on_.template array<ChildSummary>(levels_.size(k_first));
    ChildSummary* to = even.data();
    ChildSummary* next = odd.data();
    for (int height = k_first; height < levels_.count; ++height) {
      on_.launch(FitWideLevel{levels_, height, below, to, tree_.blocks}, levels_.size(height));
      below = to;
      std::swap(to, next);
    }
  }

  On& on_;
  DeviceMeshes mesh_;
  FullWideLevels levels_;
  DeviceWideTree tree_;
};

}  // namespace tandem::detail
