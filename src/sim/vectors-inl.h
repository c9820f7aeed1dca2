// Vectors of doubles in SIMD lanes, as the kernels of rigid bodies use them. Nothing is fused here:
// every instruction set has the same bits.
#if defined(TANDEM_SIM_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_SIM_VECTORS_INL
#undef TANDEM_SIM_VECTORS_INL
#else
#define TANDEM_SIM_VECTORS_INL
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace tandem::sim::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// As many as the instruction set has, up to eight.
using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;
inline constexpr std::size_t k_width = hn::MaxLanes(D());
static_assert(k_width >= 2);

struct V3 {
  V x, y, z;

  friend HWY_INLINE V3 operator+(const V3& a, const V3& b) {
    return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
  }
  friend HWY_INLINE V3 operator-(const V3& a, const V3& b) {
    return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
  }
  friend HWY_INLINE V3 operator*(V s, const V3& a) {
    return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)};
  }
};

HWY_INLINE V dot(const V3& a, const V3& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}

HWY_INLINE V3 cross(const V3& a, const V3& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)),
          hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::sim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TANDEM_SIM_VECTORS_INL
