// Builds wide trees of meshes on a device, of one mesh or of many at once; and fits them to
// vertices that have moved.
#pragma once

#include <tandem/cuda/collide.h>

#include <cstdint>

#include "gpu/bisect_chunks.h"
#include "gpu/build.h"
#include "gpu/fit_wide.h"
#include "gpu/full_wide_levels.h"
#include "gpu/wide_frame.h"

namespace tandem::detail {

/// Builds the trees of meshes, none of which is empty, in room for them. `On` is as in gpu/build.h.
template <class On>
class WideTreeBuilder {
 public:
  /// `parts` are those of the layout, where kernels read them.
  WideTreeBuilder(On& on, const DeviceMeshes& meshes, const WideLayout& layout,
                  const WidePart* parts, const DeviceWideTrees& trees)
      : on_(on),
        meshes_(meshes),
        layout_(layout),
        parts_{parts, static_cast<std::uint32_t>(layout.parts.size())},
        trees_(trees) {}

  /// Puts the triangles there in the order of slots, for refits.
  void build(const CurveKeyBits& bits, cuda::ColliderBuilder how, TriangleIndices* in_order) {
    find_frames();
    CurveSorter<On>(on_, meshes_, bits).sorted([&](const CentreBounds* bounds, const auto& order) {
      on_.launch(BisectChunks{meshes_, parts_, bounds, order.ids, in_order, trees_.ids,
                              how == cuda::ColliderBuilder::bisection},
                 k_chunk_slots * layout_.end.first_chunk);
    });
    meshes_.triangles = in_order;
    fit();
  }

  /// Of meshes whose triangles are in the order of slots. Leaves ids as they are.
  void refit() {
    find_frames();
    fit();
  }

 private:
  void find_frames() {
    const auto bounds = on_.template zeros<CornerBounds>(parts_.count);
    find_bounds(on_, meshes_, bounds.data());
    const std::uint32_t sample_count = layout_.end.first_sample;
    const auto sizes = on_.template array<double>(sample_count);
    on_.launch(MeasureSizes{meshes_, parts_, sample_count, bounds.data(), sizes.data()},
               sample_count);
    on_.launch(ChooseFrame{parts_, bounds.data(), sizes.data(), trees_.frames},
               ChooseFrame::k_block_size * parts_.count);
  }

  void fit() {
    const std::uint32_t chunk_count = layout_.end.first_chunk;
    const std::uint32_t direction_count = SupportMap::k_size * parts_.count;
    const auto summaries = on_.template array<ChildSummary>(chunk_count);
    // Of each mesh the farthest corner, and how far all reach in each direction.
    const auto numbers = on_.template zeros<std::uint64_t>(parts_.count + direction_count);
    const SupportReach reach{numbers.data() + parts_.count};
    on_.launch(FitWideLeaves{meshes_, parts_, trees_, summaries.data(), numbers.data()},
               k_chunk_slots * chunk_count);
    on_.launch(SampleSupport{trees_.corners, parts_, reach}, k_warp_size * direction_count);
    on_.launch(FindSupport{trees_.corners, parts_, summaries.data(), chunk_count, reach},
               k_warp_size * chunk_count);
    on_.launch(FinishFrames{parts_.count, reach, numbers.data(), trees_.frames, trees_.supports},
               direction_count);
    for (int height = k_chunk_height + 1; height < layout_.level_count; ++height) {
      on_.launch(FitWideLevel{parts_, chunk_count, height, summaries.data(), trees_.blocks},
                 chunk_count);
    }
  }

  On& on_;
  DeviceMeshes meshes_;
  const WideLayout& layout_;
  WideParts parts_;
  DeviceWideTrees trees_;
};

}  // namespace tandem::detail
