// Four, eight and sixteen lanes on any instruction set: what the kernels of the wide traversal share.
//
// What concerns one block alone is computed for its four children side by side; where vectors have room
// for eight, for two pairs of blocks at once, the second in the upper half. A pair of blocks then has
// 4 x 4 pairs of children. They are tested in groups of as many lanes as the machine has, 4, 8 or 16.
// Within all groups together, lane 4j + i is the pair (i of A, j of B), so values of A's children repeat
// every four lanes, and each value of B's stands in four lanes.
#if defined(TANDEM_WIDE_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_LANES_INL
#undef TANDEM_WIDE_LANES_INL
#else
#define TANDEM_WIDE_LANES_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "traverse/wide/packing.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Four = hn::FixedTag<float, 4>;
using FourFloats = hn::Vec<Four>;
using Group = hn::CappedTag<float, 16>;
using Floats = hn::Vec<Group>;
using GroupMask = hn::Mask<Group>;
using GroupIndex = hn::RebindToUnsigned<Group>;
using Indices = hn::Vec<GroupIndex>;

inline constexpr std::size_t k_lanes = hn::MaxLanes(Group());
inline constexpr int k_groups = static_cast<int>(16 / k_lanes);
static_assert(k_lanes == 4 || k_lanes == 8 || k_lanes == 16);

/// Values of the children of one or two blocks.
using Side = hn::CappedTag<float, 8>;
using SideFloats = hn::Vec<Side>;
/// As many pairs of blocks as are computed at once.
inline constexpr int k_at_once = static_cast<int>(hn::MaxLanes(Side()) / 4);

/// Four values for each of the pairs.
HWY_INLINE SideFloats load_side(const float* first, [[maybe_unused]] const float* second) {
  const Four d;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  return hn::Combine(Side(), hn::LoadU(d, second), hn::LoadU(d, first));
#else
  return hn::LoadU(d, first);
#endif
}

/// A's values of pair `h`, in every four lanes.
template <int h>
HWY_INLINE Floats repeat(SideFloats x) {
#if HWY_TARGET == HWY_AVX3
  const auto wide = _mm512_castps256_ps512(x.raw);
  return Floats{_mm512_shuffle_f32x4(wide, wide, h * 0x55)};
#elif HWY_TARGET == HWY_AVX2
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
  [[maybe_unused]] constexpr int k = 4 * h;
#if HWY_TARGET == HWY_AVX3
  const auto which = _mm512_setr_epi32(k, k, k, k, k + 1, k + 1, k + 1, k + 1, k + 2, k + 2, k + 2,
                                       k + 2, k + 3, k + 3, k + 3, k + 3);
  return Floats{_mm512_permutexvar_ps(which, _mm512_castps256_ps512(x.raw))};
#elif HWY_TARGET == HWY_AVX2
  constexpr int l = k + 2 * g;
  const auto which = _mm256_setr_epi32(l, l, l, l, l + 1, l + 1, l + 1, l + 1);
  return Floats{_mm256_permutevar8x32_ps(x.raw, which)};
#else
  return hn::Broadcast<g>(x);
#endif
}

/// The number of A's child in each lane, and of B's in group `g`.
HWY_INLINE Indices child_of_a() {
  alignas(64) static constexpr std::uint32_t k_child[16] = {0, 1, 2, 3, 0, 1, 2, 3,
                                                            0, 1, 2, 3, 0, 1, 2, 3};
  return hn::Load(GroupIndex(), k_child);
}
template <int g>
HWY_INLINE Indices child_of_b() {
  alignas(64) static constexpr std::uint32_t k_child[16] = {0, 0, 0, 0, 1, 1, 1, 1,
                                                            2, 2, 2, 2, 3, 3, 3, 3};
  return hn::Load(GroupIndex(), k_child + g * k_lanes);
}

/// x·y + z, in one rounding where the machine has an instruction for it and in two elsewhere. Margins
/// allow for both.
template <class V>
HWY_INLINE V times_plus(V x, V y, V z) {
  return hn::MulAdd(x, y, z);
}

/// Moves the lanes of a mask to the front; what comes behind them is anything. (Highway's own Compress
/// copies a table a call where there is no such instruction.)
class Packing {
 public:
#if HWY_TARGET == HWY_AVX3
  explicit HWY_INLINE Packing(GroupMask mask)
      : mask_(hn::RebindMask(GroupIndex(), mask)), count_(hn::CountTrue(GroupIndex(), mask_)) {}
  HWY_INLINE Indices operator()(Indices v) const {
    return hn::Compress(v, mask_);
  }
#elif HWY_TARGET == HWY_AVX2
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
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(Group(), mask, bits);
    from_ = hn::Load(hn::Repartition<std::uint8_t, Group>(), k_packed_bytes[bits[0]].data());
    count_ = hwy::PopCount(bits[0]);
  }
  HWY_INLINE Indices operator()(Indices v) const {
    return hn::BitCast(GroupIndex(), hn::TableLookupBytes(v, from_));
  }
#endif
  /// How many lanes the mask has.
  HWY_INLINE std::size_t count() const {
    return count_;
  }

 private:
#if HWY_TARGET == HWY_AVX3
  hn::Mask<GroupIndex> mask_;
#elif HWY_TARGET == HWY_AVX2
  __m256i from_;
#else
  hn::Vec<hn::Repartition<std::uint8_t, Group>> from_;
#endif
  std::size_t count_;
};

/// Appends the lanes of a mask to two lists, of which `written` are there. Writes whole vectors.
HWY_INLINE void append(GroupMask mask, Indices a, Indices b, std::uint32_t* out_a,
                       std::uint32_t* out_b, std::size_t& written) {
  const GroupIndex d;
  const Packing pack(mask);
  hn::StoreU(pack(a), d, out_a + written);
  hn::StoreU(pack(b), d, out_b + written);
  written += pack.count();
}

/// The statement for each group `g`, which is a constant.
#define TANDEM_FOR_EACH_GROUP(...)            \
  {                                           \
    {                                         \
      constexpr int g = 0;                    \
      __VA_ARGS__;                            \
    }                                         \
    if constexpr (k_groups > 1) {             \
      constexpr int g = k_groups > 1 ? 1 : 0; \
      __VA_ARGS__;                            \
    }                                         \
    if constexpr (k_groups > 2) {             \
      constexpr int g = k_groups > 2 ? 2 : 0; \
      __VA_ARGS__;                            \
    }                                         \
    if constexpr (k_groups > 2) {             \
      constexpr int g = k_groups > 2 ? 3 : 0; \
      __VA_ARGS__;                            \
    }                                         \
  }

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
