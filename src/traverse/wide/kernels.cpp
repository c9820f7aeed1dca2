// Compiled once for each instruction set: Highway includes this file again and again.
#include "traverse/wide/kernels.h"

#include "traverse/wide/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/wide/kernels.cpp"  // NOLINT
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "traverse/wide/distance/exact_distances-inl.h"
#include "traverse/wide/distance/near_leaves-inl.h"
#include "traverse/wide/distance/near_nodes-inl.h"
#include "traverse/wide/distance/take_nearest-inl.h"
#include "traverse/wide/flush/flush-inl.h"
#include "traverse/wide/lanes-inl.h"
#include "traverse/wide/neighbours-inl.h"
#include "traverse/wide/nodes-inl.h"
#include "traverse/wide/projections-inl.h"
#include "traverse/wide/triangles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

const WideKernels* wide_kernels_of_target() {
  static constexpr WideKernels k_kernels = {
      .fused = HWY_NATIVE_FMA != 0,
      .descend_in_one = {.both = descend,
                         .a_alone = descend_alone<Descent::a_alone, 1>,
                         .b_alone = descend_alone<Descent::b_alone, 1>},
      .descend_by_band = {.both = descend_sorted,
                          .a_alone = descend_alone<Descent::a_alone, k_bands>,
                          .b_alone = descend_alone<Descent::b_alone, k_bands>},
      .descend_within = {.both = descend_within<Descent::both>,
                         .a_alone = descend_within<Descent::a_alone>,
                         .b_alone = descend_within<Descent::b_alone>},
      .descend_near = {.both = descend_near<Descent::both>,
                       .a_alone = descend_near<Descent::a_alone>,
                       .b_alone = descend_near<Descent::b_alone>},
      .compact_leaves = {.boxes = boxes<false>,
                         .triangles = triangles<false>,
                         .drop_apart_in_projection = drop_apart_in_projection<false>,
                         .until_touch = leaves_until_touch<false>,
                         .within = leaves_within<false>,
                         .near = leaves_near<false>,
                         .distances = distances<false>},
      .spread_leaves = {.boxes = boxes<true>,
                        .triangles = triangles<true>,
                        .drop_apart_in_projection = drop_apart_in_projection<true>,
                        .until_touch = leaves_until_touch<true>,
                        .within = leaves_within<true>,
                        .near = leaves_near<true>,
                        .distances = distances<true>},
      .flush = flush,
      .take_nearest = take_nearest,
      .exact_distances = exact_distances,
      .neighbours = neighbours};
  return &k_kernels;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem::detail {

HWY_EXPORT(wide_kernels_of_target);

const WideKernels& wide_kernels() {
  return *HWY_DYNAMIC_DISPATCH(wide_kernels_of_target)();
}

}  // namespace tandem::detail
#endif  // HWY_ONCE
