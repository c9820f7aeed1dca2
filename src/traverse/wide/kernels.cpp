// Compiled once for each instruction set: Highway includes this file again and again.
#include "traverse/wide/kernels.h"

// NOLINTBEGIN(readability-identifier-naming): Highway's own names
// Scalar, SSE4, AVX2 and AVX-512 on x86, NEON on ARM. The scalar one is always there, so that tests
// can compare all others with it; the rest would gain nothing.
#define HWY_COMPILE_ALL_ATTAINABLE
// Highway avoids its scalar target with g++ before 12.3, which miscompiles the upper halves of integer
// products (GCC bug 106322). There are none here.
#define HWY_BROKEN_EMU128 0
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traverse/wide/kernels.cpp"
// NOLINTEND(readability-identifier-naming)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "traverse/wide/lanes-inl.h"
#include "traverse/wide/nodes-inl.h"
#include "traverse/wide/search-inl.h"
#include "traverse/wide/triangles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

const WideKernels* kernels() {
  static const WideKernels k_kernels = {hwy::TargetName(HWY_TARGET),
                                        HWY_NATIVE_FMA != 0,
                                        descend,
                                        descend_one<true>,
                                        descend_one<false>,
                                        search,
                                        boxes,
                                        triangles};
  return &k_kernels;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tandem::detail {
namespace {

/// The kernels of one of Highway's targets, or null when they were not compiled.
const WideKernels* kernels_of(std::int64_t target) {
  switch (target) {
#if HWY_TARGETS & HWY_AVX3
    case HWY_AVX3:
      return N_AVX3::kernels();
#endif
#if HWY_TARGETS & HWY_AVX2
    case HWY_AVX2:
      return N_AVX2::kernels();
#endif
#if HWY_TARGETS & HWY_SSE4
    case HWY_SSE4:
      return N_SSE4::kernels();
#endif
#if HWY_TARGETS & HWY_NEON
    case HWY_NEON:
      return N_NEON::kernels();
#endif
#if HWY_TARGETS & HWY_EMU128
    case HWY_EMU128:
      return N_EMU128::kernels();
#endif
    default:
      return nullptr;
  }
}

}  // namespace

const std::vector<const WideKernels*>& wide_kernels() {
  static const std::vector<const WideKernels*> k_supported = [] {
    std::vector<const WideKernels*> result;
    // Better targets are lower bits.
    const std::int64_t supported = hwy::SupportedTargets() & HWY_TARGETS;
    for (int bit = 0; bit < 63; ++bit) {
      const WideKernels* kernels = kernels_of(supported & std::int64_t{1} << bit);
      if (kernels != nullptr) result.push_back(kernels);
    }
    return result;
  }();
  return k_supported;
}

}  // namespace tandem::detail
#endif  // HWY_ONCE
