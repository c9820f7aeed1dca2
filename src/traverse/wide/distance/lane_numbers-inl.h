// Lanes as numbers, for geometry/distance/nearest_points-inl.h.
#if defined(TANDEM_WIDE_LANE_NUMBERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_LANE_NUMBERS_INL
#undef TANDEM_WIDE_LANE_NUMBERS_INL
#else
#define TANDEM_WIDE_LANE_NUMBERS_INL
#endif

#include <hwy/highway.h>

#include <limits>
#include <type_traits>

#include "traverse/wide/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

template <class D>
struct LaneMask {
  hn::Mask<D> mask;
  friend HWY_INLINE LaneMask operator&(const LaneMask& x, const LaneMask& y) {
    return {hn::And(x.mask, y.mask)};
  }
};

/// A float or a double in each lane of a vector with that tag.
template <class D>
struct LaneNumber {
  using Scalar = hn::TFromD<D>;

  HWY_INLINE LaneNumber() = default;
  HWY_INLINE LaneNumber(hn::Vec<D> v) : value(v) {}  // NOLINT(google-explicit-constructor)
  explicit HWY_INLINE LaneNumber(double x) : value(hn::Set(D(), static_cast<Scalar>(x))) {}
  hn::Vec<D> value;

  friend HWY_INLINE LaneNumber operator-(const LaneNumber& x) { return hn::Neg(x.value); }
  friend HWY_INLINE LaneNumber operator+(const LaneNumber& x, const LaneNumber& y) {
    return hn::Add(x.value, y.value);
  }
  friend HWY_INLINE LaneNumber operator-(const LaneNumber& x, const LaneNumber& y) {
    return hn::Sub(x.value, y.value);
  }
  friend HWY_INLINE LaneNumber operator*(const LaneNumber& x, const LaneNumber& y) {
    return hn::Mul(x.value, y.value);
  }
  friend HWY_INLINE LaneNumber operator/(const LaneNumber& x, const LaneNumber& y) {
    return hn::Div(x.value, y.value);
  }
  friend HWY_INLINE LaneMask<D> operator<(const LaneNumber& x, const LaneNumber& y) {
    return {hn::Lt(x.value, y.value)};
  }
  friend HWY_INLINE LaneNumber choose(const LaneMask<D>& first, const LaneNumber& x,
                                      const LaneNumber& y) {
    return hn::IfThenElse(first.mask, x.value, y.value);
  }
  /// Floats are rounded once where the machine has an instruction for it. Doubles are rounded
  /// twice, as in scalar code, which they have to agree with to the bit.
  friend HWY_INLINE LaneNumber multiply_add(const LaneNumber& x, const LaneNumber& y,
                                            const LaneNumber& z) {
    if constexpr (std::is_same_v<Scalar, float>) {
      return hn::MulAdd(x.value, y.value, z.value);
    } else {
      return x * y + z;
    }
  }
  friend HWY_INLINE LaneNumber magnitude(const LaneNumber& x) { return hn::Abs(x.value); }
  friend HWY_INLINE LaneNumber square_root(const LaneNumber& x) { return hn::Sqrt(x.value); }
};

#define TANDEM_NEAREST HWY_INLINE
#include "geometry/distance/nearest_points-inl.h"
#undef TANDEM_NEAREST

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
