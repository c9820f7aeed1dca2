// Numbers in lanes of doubles of which the sign is asked, and may be known or not.
#if defined(TANDEM_WIDE_LANE_SIGNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_LANE_SIGNS_INL
#undef TANDEM_WIDE_LANE_SIGNS_INL
#else
#define TANDEM_WIDE_LANE_SIGNS_INL
#endif

#include <hwy/highway.h>

#include "traverse/wide/lanes-inl.h"

#if HWY_HAVE_FLOAT64 && HWY_NATIVE_FMA
HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

HWY_INLINE Doubles constant(double x) {
  return hn::Set(DoubleLanes(), x);
}

/// A condition in each lane, as `Truth`.
using DoubleTruth = Doubles;

/// The lanes in which it holds as bits, and bits as a mask.
HWY_INLINE unsigned bits_of(DoubleTruth x) {
#if TANDEM_LANES == 16
  return _mm512_movepi64_mask(_mm512_castpd_si512(x.raw));
#elif TANDEM_LANES == 8
  return static_cast<unsigned>(_mm256_movemask_pd(x.raw));
#else
  const hn::RebindToSigned<DoubleLanes> d;
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, hn::Lt(hn::BitCast(d, x), hn::Zero(d)), bytes);
  return bytes[0];
#endif
}
HWY_INLINE GroupMask mask_of(unsigned bits) {
  const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(bits),
                                 static_cast<std::uint8_t>(bits >> 8)};
  return hn::LoadMaskBits(Group(), bytes);
}
HWY_INLINE bool is_nowhere(DoubleTruth x) {
  return bits_of(x) == 0;
}
HWY_INLINE bool is_everywhere(DoubleTruth x) {
  return bits_of(x) == (1U << k_double_lanes) - 1;
}
HWY_INLINE Doubles choose(DoubleTruth first, Doubles x, Doubles y) {
  return hn::IfNegativeThenElse(first, x, y);
}

#if TANDEM_LANES == 16
HWY_INLINE DoubleTruth all_of(DoubleTruth x, DoubleTruth y, DoubleTruth z) {
  return logic<0x80>(x, y, z);
}
HWY_INLINE DoubleTruth any_of(DoubleTruth x, DoubleTruth y, DoubleTruth z) {
  return logic<0xfe>(x, y, z);
}
HWY_INLINE DoubleTruth or_both(DoubleTruth x, DoubleTruth y, DoubleTruth z) {
  return logic<0xf8>(x, y, z);
}
/// x, and neither y nor z.
HWY_INLINE DoubleTruth alone(DoubleTruth x, DoubleTruth y, DoubleTruth z) {
  return logic<0x10>(x, y, z);
}
#else
HWY_INLINE DoubleTruth all_of(DoubleTruth x, DoubleTruth y, DoubleTruth z) {
  return hn::And(x, hn::And(y, z));
}
HWY_INLINE DoubleTruth any_of(DoubleTruth x, DoubleTruth y, DoubleTruth z) {
  return hn::Or(x, hn::Or(y, z));
}
HWY_INLINE DoubleTruth or_both(DoubleTruth x, DoubleTruth y, DoubleTruth z) {
  return hn::Or(x, hn::And(y, z));
}
HWY_INLINE DoubleTruth alone(DoubleTruth x, DoubleTruth y, DoubleTruth z) {
  return hn::AndNot(hn::Or(y, z), x);
}
#endif

HWY_INLINE Doubles magnitude(Doubles x) {
  return hn::Abs(x);
}

/// Lanes in which a number is surely positive, surely negative and surely zero.
struct LaneSigns {
  HWY_INLINE DoubleTruth known() const { return any_of(positive, negative, zero); }

  DoubleTruth positive;
  DoubleTruth negative;
  DoubleTruth zero;
};

/// Of a number that is not negative. Differences of coordinates, which are zero or at least 1e-60
/// and have 53 bits, are multiples of 2^-252, products of three of them of 2^-756, and what is
/// rounded away from those of 2^-870.
HWY_INLINE DoubleTruth is_zero(Doubles x) {
  return hn::Sub(x, constant(0x1p-1000));
}

// Determinants of differences of coordinates are asked for their signs. There are two kinds of
// numbers for that, which have the same functions: `minor` of two by two differences, `dot` of
// three minors and three differences, `nearest` and `sign`.

/// A rounded number, and the sum of the magnitudes of its products.
///
/// Each product of three is rounded at most 8 times: 3 differences, 2 multiplications, 3 additions,
/// fewer where they are fused. 10 roundoffs also cover the rounding of the bound itself. Where the
/// size is zero, each product has a factor that is zero, which differences are exactly or not at
/// all: so the sum is zero. Nothing underflows, as coordinates are zero or at least 1e-60.
struct Rounded {
  struct Difference {
    HWY_INLINE Difference() = default;
    HWY_INLINE Difference(Doubles x, Doubles y) : value(hn::Sub(x, y)), size(magnitude(value)) {}
    Doubles value;
    Doubles size;
  };

  /// a b - c d
  static HWY_INLINE Rounded minor(const Difference& a, const Difference& b, const Difference& c,
                                  const Difference& d) {
    return {hn::MulSub(a.value, b.value, hn::Mul(c.value, d.value)),
            hn::MulAdd(a.size, b.size, hn::Mul(c.size, d.size))};
  }
  static HWY_INLINE Rounded dot(const Rounded n[3], const Difference d[3]) {
    return {hn::MulAdd(n[0].value, d[0].value,
                       hn::MulAdd(n[1].value, d[1].value, hn::Mul(n[2].value, d[2].value))),
            hn::MulAdd(n[0].size, d[0].size,
                       hn::MulAdd(n[1].size, d[1].size, hn::Mul(n[2].size, d[2].size)))};
  }
  HWY_INLINE Doubles nearest() const { return value; }
  HWY_INLINE LaneSigns sign() const {
    const Doubles error = hn::Mul(constant(10 * 0x1p-53), size);
    return {hn::Sub(error, value), hn::Add(error, value), is_zero(size)};
  }

  Doubles value;
  Doubles size;
};

/// The sum or difference of two numbers, and what rounding took from it (Knuth).
struct TwoSum {
  HWY_INLINE TwoSum(Doubles x, Doubles y) : value(hn::Add(x, y)) {
    const Doubles of_y = hn::Sub(value, x);
    rest = hn::Add(hn::Sub(x, hn::Sub(value, of_y)), hn::Sub(y, of_y));
  }
  Doubles value;
  Doubles rest;
};
/// The same of a product.
struct TwoProduct {
  HWY_INLINE TwoProduct(Doubles x, Doubles y)
      : value(hn::Mul(x, y)), rest(hn::MulSub(x, y, value)) {}
  Doubles value;
  Doubles rest;
};

/// The sum of two doubles, off by at most `error`. That is zero where nothing at all was rounded
/// away: so zero is known from almost zero.
///
/// What rounding takes from sums and products is computed without rounding, and is either part of
/// the second double or of the error. `error` itself is rounded some twenty times, which its use
/// makes up for.
struct Tracked {
  /// Exact: `value + rest`, where `rest` is at most a roundoff of the value.
  struct Difference {
    HWY_INLINE Difference() = default;
    HWY_INLINE Difference(Doubles x, Doubles y) {
      const TwoSum sum(x, hn::Neg(y));
      value = sum.value;
      rest = sum.rest;
    }
    Doubles value;
    Doubles rest;
  };

  static HWY_INLINE Tracked minor(const Difference& a, const Difference& b, const Difference& c,
                                  const Difference& d) {
    const Tracked right = product(c, d);
    return product(a, b) + Tracked{hn::Neg(right.high), hn::Neg(right.low), right.error};
  }
  static HWY_INLINE Tracked dot(const Tracked n[3], const Difference d[3]) {
    return product(n[0], d[0]) + product(n[1], d[1]) + product(n[2], d[2]);
  }
  HWY_INLINE Doubles nearest() const { return hn::Add(high, low); }
  HWY_INLINE LaneSigns sign() const {
    const Doubles value = nearest();
    const Doubles bound = hn::Mul(constant(1.0001), error);
    return {hn::Sub(bound, value), hn::Add(bound, value),
            is_zero(hn::Add(magnitude(value), error))};
  }

  Doubles high;
  Doubles low;
  Doubles error;

 private:
  friend HWY_INLINE Tracked operator+(const Tracked& x, const Tracked& y) {
    const TwoSum high(x.high, y.high);
    const TwoSum low(x.low, y.low);
    const TwoSum rest(high.rest, low.value);
    return {high.value, rest.value,
            hn::Add(hn::Add(x.error, y.error), hn::Add(magnitude(low.rest), magnitude(rest.rest)))};
  }
  /// With u = 2^-53, the value v and rest r of x, and w and s of y, the product is
  /// v w + (v s + r w) + r s. Let t = |v s| + |r w|. The middle is rounded by at most 2 u t, and
  /// added to the rest of v w, which rounds once more. r s is at most u t. Where t is zero, so are
  /// r s and all these roundings.
  static HWY_INLINE Tracked product(const Difference& x, const Difference& y) {
    const TwoProduct first(x.value, y.value);
    const Doubles left = hn::Mul(x.value, y.rest);
    const Doubles right = hn::Mul(x.rest, y.value);
    const Doubles low = hn::Add(first.rest, hn::Add(left, right));
    const Doubles t = hn::Add(magnitude(left), magnitude(right));
    return {first.value, low, rounding(t, constant(4), low)};
  }
  /// The same for x = h + l, which is off by e, and y = w + s: h w + l w + (h s + l s). The first
  /// two have rests.
  static HWY_INLINE Tracked product(const Tracked& x, const Difference& y) {
    const TwoProduct first(x.high, y.value);
    const TwoProduct second(x.low, y.value);
    const TwoSum rest(first.rest, second.value);
    const Doubles last = hn::Mul(hn::Add(x.high, x.low), y.rest);
    const Doubles low = hn::Add(rest.value, last);
    const Doubles error = hn::Add(hn::Mul(x.error, magnitude(y.value)),
                                  hn::Add(magnitude(second.rest), magnitude(rest.rest)));
    return {first.value, low, hn::Add(error, rounding(magnitude(last), constant(4), low))};
  }
  /// `times` u t and a rounding of `sum`, where t is not zero.
  static HWY_INLINE Doubles rounding(Doubles t, Doubles times, Doubles sum) {
    const Doubles both = hn::MulAdd(times, t, magnitude(sum));
    return hn::IfThenZeroElse(hn::Eq(t, hn::Zero(DoubleLanes())), hn::Mul(constant(0x1p-53), both));
  }
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
#endif
