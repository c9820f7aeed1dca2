// The search for one touching pair: blocks, boxes and triangles in one loop.
#if defined(TANDEM_WIDE_SEARCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TANDEM_WIDE_SEARCH_INL
#undef TANDEM_WIDE_SEARCH_INL
#else
#define TANDEM_WIDE_SEARCH_INL
#endif

#include <hwy/highway.h>

#include <bit>

#include "traverse/wide/kernels.h"
#include "traverse/wide/lanes-inl.h"
#include "traverse/wide/nodes-inl.h"
#include "traverse/wide/triangles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tandem::detail::HWY_NAMESPACE {

/// A group's keys, in as many vectors as they take.
inline constexpr std::size_t k_key_vectors = 16 / k_lanes;
struct Keys {
  HWY_INLINE Keys() {
    for (Indices& v : vector) v = hn::Set(GroupIndex(), SearchGroup::k_absent);
  }
  explicit HWY_INLINE Keys(const std::uint32_t* keys) {
    for (std::size_t i = 0; i < k_key_vectors; ++i) {
      vector[i] = hn::Load(GroupIndex(), keys + i * k_lanes);
    }
  }
  HWY_INLINE void store(std::uint32_t* keys) const {
    for (std::size_t i = 0; i < k_key_vectors; ++i) {
      hn::Store(vector[i], GroupIndex(), keys + i * k_lanes);
    }
  }
  Indices vector[k_key_vectors];
};

/// The least key of some groups, which is taken away.
template <std::size_t n>
HWY_INLINE std::uint32_t take_least(Keys (&keys)[n]) {
  const GroupIndex d;
  Indices least = keys[0].vector[0];
  for (const Keys& k : keys) {
    for (const Indices v : k.vector) least = hn::Min(least, v);
  }
  least = hn::MinOfLanes(d, least);
  const Indices absent = hn::Set(d, SearchGroup::k_absent);
  for (Keys& k : keys) {
    for (Indices& v : k.vector) v = hn::IfThenElse(hn::Eq(v, least), absent, v);
  }
  return hn::GetLane(least);
}

/// The numbers from 0 on, in lanes.
template <int g = 0>
HWY_INLINE Indices lane_numbers() {
  alignas(64) static constexpr std::uint32_t k_number[16] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                             8, 9, 10, 11, 12, 13, 14, 15};
  return hn::Load(GroupIndex(), k_number + g * k_lanes);
}

/// Whole vectors are written, because whole vectors will be read soon.
HWY_INLINE void set_bound(std::uint32_t* bounds, std::size_t number, std::uint32_t value) {
  const GroupIndex d;
  const std::size_t lane = number % k_lanes;
  std::uint32_t* place = bounds + (number - lane);
  const auto here = hn::Eq(lane_numbers(), hn::Set(d, static_cast<std::uint32_t>(lane)));
  hn::Store(hn::IfThenElse(here, hn::Set(d, value), hn::Load(d, place)), d, place);
}

/// The two least of `count` bounds.
HWY_INLINE void least_bounds(std::uint32_t* bounds, std::size_t count, std::uint32_t (&result)[2]) {
  const GroupIndex d;
  const Indices absent = hn::Set(d, SearchGroup::k_absent);
  Indices least = hn::Load(d, bounds);
  for (std::size_t i = k_lanes; i < count; i += k_lanes) {
    least = hn::Min(least, hn::Load(d, bounds + i));
  }
  least = hn::MinOfLanes(d, least);
  Indices second = absent;
  for (std::size_t i = 0; i < count; i += k_lanes) {
    const Indices v = hn::Load(d, bounds + i);
    second = hn::Min(second, hn::IfThenElse(hn::Eq(v, least), absent, v));
  }
  result[0] = hn::GetLane(least);
  result[1] = hn::GetLane(hn::MinOfLanes(d, second));
}

/// A score from which on it is better to take up all that is left with lists.
inline constexpr std::uint32_t k_hopeless = std::bit_cast<std::uint32_t>(2.5F);

/// Each step closer to the leaves is worth as much as this in scores: enough to go down as long as that is
/// promising.
inline constexpr float k_per_step = 0.15F;

/// Makes the group of pair `h` of blocks; returns how many pairs of children overlap. Surfaces cross where
/// each goes through the other's middle: the score sums the squares of distances over reach, those along
/// slabs counted twice.
template <int h>
HWY_INLINE std::size_t score(const BlockPairs& pairs, int steps_left, std::size_t number,
                             SearchGroup& group) {
  const GroupIndex d;
  std::size_t count = 0;
  TANDEM_FOR_EACH_GROUP({
    GroupMask mask = hn::FirstN(Group(), k_lanes);
    Floats sum = hn::Set(Group(), k_per_step * static_cast<float>(steps_left));
    measure<g, h>(pairs, [&](Floats distance, Floats reach, Axis axis) HWY_ATTR {
      mask = hn::And(mask, hn::Le(distance, reach));
      // 1 / reach, or about the root of 2 over it, to an eighth: exponents are subtracted.
      const std::uint32_t one = axis == Axis::slab ? 0x7f3311c7U : 0x7ef311c7U;
      const Floats inverse = hn::BitCast(Group(), hn::Sub(hn::Set(d, one), hn::BitCast(d, reach)));
      const Floats part = hn::Mul(distance, inverse);
      sum = times_plus(part, part, sum);
    });
    const Indices name = hn::Or(lane_numbers<g>(), hn::Set(d, SearchGroup::name(number)));
    const Indices promise = hn::AndNot(hn::Set(d, SearchGroup::k_name_bits), hn::BitCast(d, sum));
    const Indices key = hn::Or(promise, name);
    const Indices absent = hn::Set(d, SearchGroup::k_absent);
    hn::Store(hn::IfThenElse(hn::RebindMask(d, mask), key, absent), d, group.key + g * k_lanes);
    count += hn::CountTrue(Group(), mask);
  })
  return count;
}

/// Where one tree waits for the other: its children are taken together, as the block that they are in.
inline std::size_t join_children(bool of_a, std::uint32_t block, SearchGroup& group) {
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t first = of_a ? 4 * i : i;
    const std::uint32_t step = of_a ? 1 : 4;
    std::uint32_t best = SearchGroup::k_absent;
    for (std::uint32_t j = 0; j < 4; ++j) {
      std::uint32_t& key = group.key[first + step * j];
      if (key < best) best = key;
      key = SearchGroup::k_absent;
    }
    if (best == SearchGroup::k_absent) continue;
    group.key[first] = (best & ~15U) | first;
    ++count;
  }
  (of_a ? group.first_a : group.first_b) = block;
  return count;
}

/// As many pairs of triangles as are worth being tested together.
inline constexpr std::size_t k_enough_candidates = 8;
// Below that number there is room for one more pair of leaves: `boxes` leaves out none.
static_assert(k_enough_candidates - 1 + 16 * k_at_once <= WideSearch::k_room);

/// Tests the triangles of the pairs of leaves in a group, the best first, until something is found or the
/// group is empty. `key` is the first of them, which was taken already.
inline bool search_leaves(const WideFrame& frame, const SideFrame& side, WideSearch& search,
                          SearchGroup& group, std::uint32_t key) {
  const WidePair& trees = search.trees;
  std::uint32_t candidate_a[WideSearch::k_room + k_list_slack];
  std::uint32_t candidate_b[WideSearch::k_room + k_list_slack];
  Keys keys[1] = {Keys(group.key)};
  while (key != SearchGroup::k_absent) {
    std::size_t count = 0;
    for (; key != SearchGroup::k_absent && count < k_enough_candidates; key = take_least(keys)) {
      std::uint32_t leaf_a = group.child_a(key);
      std::uint32_t leaf_b = group.child_b(key);
      count += boxes(side, trees.a.boxes.data(), trees.b.corners.data(), {&leaf_a, &leaf_b}, 1,
                     {candidate_a + count, candidate_b + count}, WideSearch::k_room - count)
                   .written;
      ++search.blocks;
    }
    if (count == 0) break;
    search.overlaps += count;
    search.candidates += count;
    const WideKernels::Split split =
        triangles(frame, trees.a.corners.data(), trees.b.corners.data(), {candidate_a, candidate_b},
                  count, {search.touching_a.data(), search.touching_b.data()},
                  {search.unsure_a.data(), search.unsure_b.data()});
    search.touching_count = split.touching;
    search.unsure_count = split.unsure;
    if (split.touching + split.unsure != 0) {
      // What comes next is put back.
      keys[0].store(group.key);
      if (key != SearchGroup::k_absent) group.key[key & 15] = key;
      return true;
    }
  }
  keys[0].store(group.key);
  return false;
}

/// Takes the two best keys of `n` groups, if they promise more than `limit`; the groups' bounds are then
/// those of what is left.
template <std::size_t n>
HWY_INLINE void take_two(WideSearch& search, const std::size_t (&numbers)[n], std::uint32_t limit,
                         std::uint32_t (&best)[2]) {
  Keys keys[n];
  for (std::size_t i = 0; i < n; ++i) keys[i] = Keys(search.groups[numbers[i]].key);
  best[0] = take_least(keys);
  std::uint32_t bound = best[0];
  if (best[0] < limit) {
    best[1] = take_least(keys);
    bound = best[1];
    for (std::size_t i = 0; i < n; ++i) keys[i].store(search.groups[numbers[i]].key);
  } else {
    best[0] = SearchGroup::k_absent;
  }
  for (const std::size_t number : numbers) {
    const std::uint32_t its_bound = (bound & ~SearchGroup::k_name_bits) | SearchGroup::name(number);
    set_bound(search.bounds.data(), number,
              bound == SearchGroup::k_absent ? SearchGroup::k_absent : its_bound);
  }
}

/// A pair of blocks that is taken up, and how many steps led to it.
struct TakenPair {
  std::uint32_t number_a;
  std::uint32_t number_b;
  const NodeBlock* a;
  const NodeBlock* b;
  int step;
};

/// Adds the group of pair `h` of blocks unless it is empty; returns whether it is there.
template <int h>
HWY_INLINE std::size_t add_group(WideSearch& search, const BlockPairs& pairs,
                                 const TakenPair& taken, std::size_t number) {
  const WidePair& trees = search.trees;
  SearchGroup& group = search.groups[number];
  std::size_t overlaps = score<h>(pairs, trees.steps() - taken.step - 1, number, group);
  group.first_a = taken.a->first_child;
  group.first_b = taken.b->first_child;
  group.step = taken.step + 1;
  if (trees.a_waits(taken.step)) overlaps = join_children(true, taken.number_a, group);
  if (trees.b_waits(taken.step)) overlaps = join_children(false, taken.number_b, group);
  ++search.blocks;
  search.overlaps += overlaps;
  return overlaps != 0 ? 1 : 0;
}

/// Two pairs are taken up at a time, which costs less than one by one. They come from the groups that were
/// made last, as long as these promise more than all others.
inline bool search(const WideFrame& frame, WideSearch& search) {
  constexpr std::uint32_t k_absent = SearchGroup::k_absent;
  const SideFrame side(frame);
  const WidePair& trees = search.trees;
  const int steps = trees.steps();
  std::size_t fresh = 0;
  std::uint32_t waiting[2];
  least_bounds(search.bounds.data(), search.group_count, waiting);
  while (search.group_count + 2 <= WideSearch::k_room_for_groups) {
    std::uint32_t best[2] = {k_absent, k_absent};
    const std::size_t last = search.group_count - 1;
    if (fresh == 2) {
      take_two<2>(search, {last - 1, last}, waiting[0], best);
    } else if (fresh == 1) {
      take_two<1>(search, {last}, waiting[0], best);
    }
    fresh = 0;
    if (best[0] == k_absent) {
      least_bounds(search.bounds.data(), search.group_count, waiting);
      search.exhausted = waiting[0] == k_absent;
      if (waiting[0] > k_hopeless) return false;
      const std::size_t first = SearchGroup::number(waiting[0]);
      if (waiting[1] == k_absent) {
        take_two<1>(search, {first}, k_absent, best);
      } else {
        take_two<2>(search, {first, SearchGroup::number(waiting[1])}, k_absent, best);
      }
      waiting[0] = waiting[1];
    }

    TakenPair taken[2];
    int taken_count = 0;
    for (const std::uint32_t key : best) {
      if (key == k_absent) break;
      SearchGroup& from = search.groups[SearchGroup::number(key)];
      if (from.step == steps) {
        if (!search_leaves(frame, side, search, from, key)) continue;
        // What was taken besides is put back.
        if (key == best[0] && best[1] != k_absent) {
          search.groups[SearchGroup::number(best[1])].key[best[1] & 15] = best[1];
        } else if (taken_count != 0) {
          search.groups[SearchGroup::number(best[0])].key[best[0] & 15] = best[0];
          set_bound(search.bounds.data(), SearchGroup::number(best[0]), best[0] & ~15U);
        }
        return true;
      }
      const std::uint32_t a = from.child_a(key);
      const std::uint32_t b = from.child_b(key);
      taken[taken_count++] = {a, b, trees.blocks_a(from.step) + a, trees.blocks_b(from.step) + b,
                              from.step};
    }
    for (int i = 0; i < taken_count; i += k_at_once) {
      const int j = i + k_at_once - 1 < taken_count ? i + k_at_once - 1 : i;
      const BlockPairs pairs(side, *taken[i].a, *taken[i].b, *taken[j].a, *taken[j].b);
      fresh += add_group<0>(search, pairs, taken[i], search.group_count + fresh);
      if constexpr (k_at_once > 1) {
        if (j != i) fresh += add_group<1>(search, pairs, taken[j], search.group_count + fresh);
      }
    }
    search.group_count += fresh;
  }
  return false;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
