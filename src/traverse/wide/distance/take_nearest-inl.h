// Of a list of pairs with lower bounds, the closest ones.
#if defined(TANDEM_WIDE_TAKE_NEAREST_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_TAKE_NEAREST_INL
#undef TANDEM_WIDE_TAKE_NEAREST_INL
#else
#define TANDEM_WIDE_TAKE_NEAREST_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "traverse/wide/kernels.h"
#include "traverse/wide/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

/// Drops the pairs that are farther apart than the limit.
HWY_INLINE void drop_far(NearList& list, float limit) {
  const Group d;
  const GroupIndex di;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.size; i += k_lanes) {
    const Floats bound = hn::LoadU(d, list.bound + i);
    const Packing pack(hn::And(hn::Le(bound, hn::Set(d, limit)), hn::FirstN(d, list.size - i)));
    const Indices a = pack(hn::LoadU(di, list.pairs.a + i));
    const Indices b = pack(hn::LoadU(di, list.pairs.b + i));
    // These were read before, as no more pairs are kept than there were.
    hn::StoreU(a, di, list.pairs.a + kept);
    hn::StoreU(b, di, list.pairs.b + kept);
    hn::StoreU(hn::BitCast(d, pack(hn::BitCast(di, bound))), d, list.bound + kept);
    kept += pack.count();
  }
  list.size = kept;
}

std::size_t take_nearest(NearList& list, float limit, PairList taken, std::size_t most) {
  drop_far(list, limit);
  if (list.size <= most) {
    const std::size_t count = list.size;
    std::copy_n(list.pairs.a, count, taken.a);
    std::copy_n(list.pairs.b, count, taken.b);
    list.size = 0;
    return count;
  }
  // Keys have the order of the bounds, but for their last bits, which say where a pair is in the
  // list. The bits of floats have their order, once those of negative ones are turned around.
  constexpr std::uint32_t k_place = std::bit_ceil(NearList::k_room) - 1;
  const hn::RebindToSigned<Group> ds;
  const GroupIndex di;
  alignas(64) std::uint32_t keys[NearList::k_room + k_list_slack];
  for (std::size_t i = 0; i < list.size; i += k_lanes) {
    const auto bits = hn::BitCast(ds, hn::LoadU(Group(), list.bound + i));
    const Indices flips = hn::Or(hn::BitCast(di, hn::ShiftRight<31>(bits)), hn::Set(di, 1U << 31));
    const Indices places = hn::Iota(di, static_cast<std::uint32_t>(i));
    const Indices ordered = hn::Xor(hn::BitCast(di, bits), flips);
    const Indices key = hn::Or(hn::AndNot(hn::Set(di, k_place), ordered), places);
    const auto there = hn::FirstN(di, list.size - i);
    hn::Store(hn::IfThenElse(there, key, hn::Set(di, ~0U)), di, keys + i);
  }
  for (std::size_t i = 0; i < most; ++i) {
    Indices least = hn::Load(di, keys);
    for (std::size_t k = k_lanes; k < list.size; k += k_lanes) {
      least = hn::Min(least, hn::Load(di, keys + k));
    }
    const std::size_t place = hn::GetLane(hn::MinOfLanes(di, least)) & k_place;
    taken.a[i] = list.pairs.a[place];
    taken.b[i] = list.pairs.b[place];
    keys[place] = ~0U;
    list.bound[place] = std::numeric_limits<float>::infinity();
  }
  return most;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
