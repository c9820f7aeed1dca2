// Four, eight and sixteen lanes on any instruction set: what the kernels of the wide traversal
// share.
//
// A pair of blocks has 4 x 4 pairs of children. They are tested in groups of as many lanes as the
// machine has: one group of 16, two of 8 or four of 4. Counted through all groups, lane 4j + i is
// the pair (i of A, j of B). So the values of A's children repeat every four lanes, and each value
// of B's stands in four lanes; here for eight lanes:
//
//     lane       0 1 2 3  4 5 6 7   group 0     0 1 2 3  4 5 6 7   group 1
//     A's child  0 1 2 3  0 1 2 3               0 1 2 3  0 1 2 3
//     B's child  0 0 0 0  1 1 1 1               2 2 2 2  3 3 3 3
//
// What concerns one block alone is computed before, for its four children side by side. Where
// vectors have room for eight, two pairs of blocks are computed at once, the second one in the
// upper half.
#if defined(TANDEM_WIDE_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_LANES_INL
#undef TANDEM_WIDE_LANES_INL
#else
#define TANDEM_WIDE_LANES_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "traverse/wide/pair.h"
#include "traverse/wide/tables.h"
#include "tree/wide/tree.h"

// How many lanes the kernels use. Better targets are smaller numbers, and all targets of other
// processors are larger than those of x86. Every target has at least four lanes.
#undef TANDEM_LANES
#if HWY_TARGET <= HWY_AVX3
#define TANDEM_LANES 16
#elif HWY_TARGET == HWY_AVX2
#define TANDEM_LANES 8
#else
#define TANDEM_LANES 4
#endif

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::size_t k_lanes = TANDEM_LANES;
inline constexpr int k_groups = static_cast<int>(k_pairs_of_children / k_lanes);

/// The children of one block.
using Four = hn::FixedTag<float, k_block>;
using FourFloats = hn::Vec<Four>;

/// A group of pairs of children.
using Group = hn::FixedTag<float, k_lanes>;
using Floats = hn::Vec<Group>;
using GroupMask = hn::Mask<Group>;
using GroupIndex = hn::RebindToUnsigned<Group>;
using Indices = hn::Vec<GroupIndex>;

#if HWY_HAVE_FLOAT64
/// A half of a group in doubles.
inline constexpr std::size_t k_double_lanes = k_lanes / 2;
using DoubleLanes = hn::FixedTag<double, k_double_lanes>;
using Doubles = hn::Vec<DoubleLanes>;
#endif

/// The children of as many blocks as are computed at once, one or two.
inline constexpr int k_at_once = k_lanes > 4 ? 2 : 1;
using Side = hn::FixedTag<float, k_block * k_at_once>;
using SideFloats = hn::Vec<Side>;

/// Lambdas of kernels, which must be compiled for the target and become part of their caller.
#undef TANDEM_LAMBDA
#define TANDEM_LAMBDA HWY_ATTR __attribute__((always_inline))

/// Calls `body` with the template argument 0, then 1 and so on, for each group.
template <class Body>
HWY_INLINE void for_each_group(const Body& body) {
  body.template operator()<0>();
  if constexpr (k_groups > 1) body.template operator()<1>();
  if constexpr (k_groups > 2) {
    body.template operator()<2>();
    body.template operator()<3>();
  }
}

/// Four values for each of the pairs that are computed at once.
HWY_INLINE SideFloats load_side(const float* first, [[maybe_unused]] const float* second) {
  const Four d;
#if TANDEM_LANES > 4
  return hn::Combine(Side(), hn::LoadU(d, second), hn::LoadU(d, first));
#else
  return hn::LoadU(d, first);
#endif
}

/// A's values of pair `h`, in every four lanes.
template <int h>
HWY_INLINE Floats repeat(SideFloats x) {
#if TANDEM_LANES == 16
  const auto wide = _mm512_castps256_ps512(x.raw);
  return Floats{_mm512_shuffle_f32x4(wide, wide, h * 0x55)};
#elif TANDEM_LANES == 8
  return Floats{_mm256_permute2f128_ps(x.raw, x.raw, h * 0x11)};
#else
  return x;
#endif
}
HWY_INLINE Floats load_repeated(const float* values) {
  return hn::LoadDup128(Group(), values);
}

/// B's values of pair `h` in group `g`: lane i gets value (g · lanes + i) / 4.
template <int g, int h>
HWY_INLINE Floats spread(SideFloats x) {
  [[maybe_unused]] constexpr int k = k_block * h + static_cast<int>(g * k_lanes / k_block);
#if TANDEM_LANES == 16
  const auto which = _mm512_setr_epi32(k, k, k, k, k + 1, k + 1, k + 1, k + 1, k + 2, k + 2, k + 2,
                                       k + 2, k + 3, k + 3, k + 3, k + 3);
  return Floats{_mm512_permutexvar_ps(which, _mm512_castps256_ps512(x.raw))};
#elif TANDEM_LANES == 8
  const auto which = _mm256_setr_epi32(k, k, k, k, k + 1, k + 1, k + 1, k + 1);
  return Floats{_mm256_permutevar8x32_ps(x.raw, which)};
#else
  return hn::Broadcast<g>(x);
#endif
}

/// The numbers of the children in each lane of group `g`.
HWY_INLINE Indices child_of_a() {
  return hn::Load(GroupIndex(), k_lane_child_of_a);
}
template <int g>
HWY_INLINE Indices child_of_b() {
  return hn::Load(GroupIndex(), k_lane_child_of_b + g * k_lanes);
}

/// A condition in each lane: it holds where the sign bit is set. The other bits mean nothing. There
/// are more registers for these than for masks, and more operations at once.
using Truth = Floats;

/// The lanes in which it holds.
HWY_INLINE GroupMask where(Truth x) {
  const hn::RebindToSigned<Group> d;
  return hn::RebindMask(Group(), hn::Lt(hn::BitCast(d, x), hn::Zero(d)));
}

// Conditions of three: all; any; x, or both y and z; x, and y or z.
#if TANDEM_LANES == 16
/// Bit 4x + 2y + z of the table is the result for x, y and z.
template <int table>
HWY_INLINE Truth logic(Truth x, Truth y, Truth z) {
  const auto bits = [](Truth v) TANDEM_LAMBDA { return _mm512_castps_si512(v.raw); };
  return {_mm512_castsi512_ps(_mm512_ternarylogic_epi32(bits(x), bits(y), bits(z), table))};
}
template <int table>
HWY_INLINE Doubles logic(Doubles x, Doubles y, Doubles z) {
  const auto bits = [](Doubles v) TANDEM_LAMBDA { return _mm512_castpd_si512(v.raw); };
  return {_mm512_castsi512_pd(_mm512_ternarylogic_epi64(bits(x), bits(y), bits(z), table))};
}
HWY_INLINE Truth all_of(Truth x, Truth y, Truth z) {
  return logic<0x80>(x, y, z);
}
HWY_INLINE Truth any_of(Truth x, Truth y, Truth z) {
  return logic<0xfe>(x, y, z);
}
HWY_INLINE Truth or_both(Truth x, Truth y, Truth z) {
  return logic<0xf8>(x, y, z);
}
HWY_INLINE Truth and_either(Truth x, Truth y, Truth z) {
  return logic<0xe0>(x, y, z);
}
#else
HWY_INLINE Truth all_of(Truth x, Truth y, Truth z) {
  return hn::And(x, hn::And(y, z));
}
HWY_INLINE Truth any_of(Truth x, Truth y, Truth z) {
  return hn::Or(x, hn::Or(y, z));
}
HWY_INLINE Truth or_both(Truth x, Truth y, Truth z) {
  return hn::Or(x, hn::And(y, z));
}
HWY_INLINE Truth and_either(Truth x, Truth y, Truth z) {
  return hn::And(x, hn::Or(y, z));
}
#endif

/// The larger of |x| and |y|.
HWY_INLINE Floats larger_magnitude(Floats x, Floats y) {
#if TANDEM_LANES == 16
  return {_mm512_range_ps(x.raw, y.raw, 0x0b)};
#else
  return hn::Max(hn::Abs(x), hn::Abs(y));
#endif
}

/// The lanes of a mask as bits.
HWY_INLINE unsigned bits_of(GroupMask mask) {
#if HWY_TARGET == HWY_WASM
  // Highway 1.0 writes the lanes to memory and reads them one by one.
  return wasm_i32x4_bitmask(mask.raw);
#elif TANDEM_LANES == 16
  return static_cast<unsigned>(_cvtmask16_u32(mask.raw));
#else
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(Group(), mask, bytes);
  return static_cast<unsigned>(bytes[0]) | static_cast<unsigned>(bytes[1]) << 8;
#endif
}

/// How many lanes it has.
HWY_INLINE std::size_t count_of(GroupMask mask) {
#if HWY_TARGET == HWY_WASM
  return hwy::PopCount(bits_of(mask));
#else
  return hn::CountTrue(Group(), mask);
#endif
}

/// Moves the lanes of a mask to the front; what comes behind them is anything. (Where there is no
/// such instruction, Highway's own Compress copies a table for each call.)
class Packing {
 public:
#if TANDEM_LANES == 16
  explicit HWY_INLINE Packing(GroupMask mask)
      : mask_(hn::RebindMask(GroupIndex(), mask)), count_(hn::CountTrue(GroupIndex(), mask_)) {}
  HWY_INLINE Indices operator()(Indices v) const {
    return hn::Compress(v, mask_);
  }
#elif TANDEM_LANES == 8
  explicit HWY_INLINE Packing(GroupMask mask) {
    // Bits 4i to 4i + 2 of an entry say where the i-th lane comes from.
    const auto bits = static_cast<unsigned>(_mm256_movemask_ps(mask.raw));
    const auto shifts = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    from_ = _mm256_srlv_epi32(_mm256_set1_epi32(static_cast<int>(k_packed_lanes[bits])), shifts);
    count_ = hwy::PopCount(bits);
  }
  HWY_INLINE Indices operator()(Indices v) const {
    return Indices{_mm256_permutevar8x32_epi32(v.raw, from_)};
  }
#else
  explicit HWY_INLINE Packing(GroupMask mask) {
    const unsigned bits = bits_of(mask);
    from_ = hn::Load(hn::Repartition<std::uint8_t, Group>(), k_packed_bytes[bits].from);
    count_ = hwy::PopCount(bits);
  }
  HWY_INLINE Indices operator()(Indices v) const {
#if HWY_TARGET == HWY_WASM
    // Highway 1.0 moves the bytes one by one.
    return {wasm_i8x16_swizzle(v.raw, from_.raw)};
#else
    return hn::BitCast(GroupIndex(), hn::TableLookupBytes(v, from_));
#endif
  }
#endif
  /// How many lanes the mask has.
  HWY_INLINE std::size_t count() const {
    return count_;
  }

 private:
#if TANDEM_LANES == 16
  hn::Mask<GroupIndex> mask_;
#elif TANDEM_LANES == 8
  __m256i from_;
#else
  hn::Vec<hn::Repartition<std::uint8_t, Group>> from_;
#endif
  std::size_t count_;
};

/// Appends the pairs in the lanes of a mask to a list that has `written` pairs. Writes whole
/// vectors.
HWY_INLINE void append(GroupMask mask, Indices a, Indices b, PairList out, std::size_t& written) {
  const GroupIndex d;
  const Packing pack(mask);
  hn::StoreU(pack(a), d, out.a + written);
  hn::StoreU(pack(b), d, out.b + written);
  written += pack.count();
}

/// The children in the lanes of a group, when those of their blocks begin here.
HWY_INLINE Indices children_of_a(std::uint32_t first) {
  return hn::Add(hn::Set(GroupIndex(), first), child_of_a());
}
template <int g>
HWY_INLINE Indices children_of_b(std::uint32_t first) {
  return hn::Add(hn::Set(GroupIndex(), first), child_of_b<g>());
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
