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

/// The keys of one group, in as many vectors as they need.
struct Keys {
  HWY_INLINE Keys() {
    for (Indices& v : vector) v = hn::Set(GroupIndex(), SearchKey::k_absent);
  }
  explicit HWY_INLINE Keys(const SearchGroup& group) {
    for (int i = 0; i < k_groups; ++i) vector[i] = hn::Load(GroupIndex(), group.key + i * k_lanes);
  }
  HWY_INLINE void store(SearchGroup& group) const {
    for (int i = 0; i < k_groups; ++i) hn::Store(vector[i], GroupIndex(), group.key + i * k_lanes);
  }
  Indices vector[k_groups];
};

/// Returns the least key of `n` groups and makes it absent.
template <std::size_t n>
HWY_INLINE std::uint32_t take_least(Keys (&keys)[n]) {
  const GroupIndex d;
  Indices least = keys[0].vector[0];
  for (const Keys& k : keys) {
    for (const Indices v : k.vector) least = hn::Min(least, v);
  }
  least = hn::MinOfLanes(d, least);
  const Indices absent = hn::Set(d, SearchKey::k_absent);
  for (Keys& k : keys) {
    for (Indices& v : k.vector) v = hn::IfThenElse(hn::Eq(v, least), absent, v);
  }
  return hn::GetLane(least);
}

/// Sets the bound of a group. A whole vector is written, because whole vectors will be read soon.
HWY_INLINE void set_bound(WideSearch& search, std::size_t group, std::uint32_t bound) {
  const GroupIndex d;
  const std::size_t lane = group % k_lanes;
  std::uint32_t* place = search.bounds.data() + (group - lane);
  const auto here = hn::Eq(lane_numbers(), hn::Set(d, static_cast<std::uint32_t>(lane)));
  hn::Store(hn::IfThenElse(here, hn::Set(d, bound), hn::Load(d, place)), d, place);
}

/// The two least bounds of all groups.
HWY_INLINE void least_bounds(const WideSearch& search, std::uint32_t (&result)[2]) {
  const GroupIndex d;
  const std::uint32_t* bounds = search.bounds.data();
  const Indices absent = hn::Set(d, SearchKey::k_absent);
  Indices least = hn::Load(d, bounds);
  for (std::size_t i = k_lanes; i < search.group_count; i += k_lanes) {
    least = hn::Min(least, hn::Load(d, bounds + i));
  }
  least = hn::MinOfLanes(d, least);
  Indices second = absent;
  for (std::size_t i = 0; i < search.group_count; i += k_lanes) {
    const Indices v = hn::Load(d, bounds + i);
    second = hn::Min(second, hn::IfThenElse(hn::Eq(v, least), absent, v));
  }
  result[0] = hn::GetLane(least);
  result[1] = hn::GetLane(hn::MinOfLanes(d, second));
}

/// From this score on, it is better to visit all that is left with lists.
inline constexpr std::uint32_t k_hopeless = std::bit_cast<std::uint32_t>(2.5F);

/// What each step that is left adds to a score: enough to go down as long as that is promising.
inline constexpr float k_per_step = 0.15F;

/// The bits of a float subtracted from these give the bits of its inverse, to within an eighth; of
/// about √2 times the inverse for the second one. Its square counts twice.
inline constexpr std::uint32_t k_inverse = 0x7ef311c7;
inline constexpr std::uint32_t k_inverse_times_root_2 = 0x7f3311c7;

/// Fills the keys of the group of pair `h` of blocks; returns how many pairs of children overlap.
/// Surfaces cross where each goes through the other's middle. So the score is the sum of the
/// squares of distance over reach, those along slabs counted twice.
template <int h>
HWY_INLINE std::size_t score(const BlockPairs& pairs, int steps_left, std::size_t number,
                             SearchGroup& group) {
  const GroupIndex d;
  std::size_t count = 0;
  for_each_group([&]<int g>() TANDEM_LAMBDA {
    GroupMask mask = hn::FirstN(Group(), k_lanes);
    Floats sum = hn::Set(Group(), k_per_step * static_cast<float>(steps_left));
    measure<g, h>(pairs, [&](Floats distance, Floats reach, Axis axis) TANDEM_LAMBDA {
      mask = hn::And(mask, hn::Le(distance, reach));
      const Indices one = hn::Set(d, axis == Axis::slab ? k_inverse_times_root_2 : k_inverse);
      const Floats inverse = hn::BitCast(Group(), hn::Sub(one, hn::BitCast(d, reach)));
      const Floats part = hn::Mul(distance, inverse);
      sum = hn::MulAdd(part, part, sum);
    });
    const Indices place = hn::Or(lane_numbers<g>(), hn::Set(d, SearchKey::place(number)));
    const Indices bits = hn::AndNot(hn::Set(d, SearchKey::k_place_mask), hn::BitCast(d, sum));
    const Indices key = hn::Or(bits, place);
    const Indices absent = hn::Set(d, SearchKey::k_absent);
    hn::Store(hn::IfThenElse(hn::RebindMask(d, mask), key, absent), d, group.key + g * k_lanes);
    count += hn::CountTrue(Group(), mask);
  });
  return count;
}

/// For steps in which one tree waits. Replaces the children of its block by the block itself: of
/// the pairs that a child of the other tree has with them, only the first one stays, with the best
/// key of all four. Returns how many pairs there are then.
inline std::size_t join_children(Descent descent, std::uint32_t a, std::uint32_t b,
                                 SearchGroup& group) {
  const bool a_waits = descent == Descent::b_alone;
  const std::uint32_t next_pair = a_waits ? k_block : 1;
  const std::uint32_t next_in_pair = a_waits ? 1 : k_block;
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < k_block; ++i) {
    const std::uint32_t first = next_pair * i;
    std::uint32_t best = SearchKey::k_absent;
    for (std::uint32_t j = 0; j < k_block; ++j) {
      std::uint32_t& key = group.key[first + next_in_pair * j];
      if (key < best) best = key;
      key = SearchKey::k_absent;
    }
    if (best == SearchKey::k_absent) continue;
    group.key[first] = SearchKey::with_child(best, first);
    ++count;
  }
  if (a_waits) {
    group.first_a = a;
  } else {
    group.first_b = b;
  }
  return count;
}

/// This many pairs of triangles are worth being tested together.
inline constexpr std::size_t k_enough_candidates = 8;
// With fewer there is room for those of another pair of leaves: `boxes` leaves out none.
static_assert(k_enough_candidates - 1 + k_pairs_of_children * k_at_once <= WideSearch::k_room);

/// Visits the pairs of leaves in a group, the best first, and tests their triangles, until
/// something is found or the group is empty. `key` is the first of them, which was taken already.
/// Returns whether something was found; the group then has the keys of all pairs that were not
/// visited.
inline bool search_leaves(const WideFrame& frame, const SideFrame& side, WideSearch& search,
                          SearchGroup& group, std::uint32_t key) {
  const WideTreeView& tree_a = search.trees.a;
  const WideTreeView& tree_b = search.trees.b;
  std::uint32_t candidate_a[WideSearch::k_room + k_list_slack];
  std::uint32_t candidate_b[WideSearch::k_room + k_list_slack];
  const PairList candidates{candidate_a, candidate_b};
  Keys keys[1] = {Keys(group)};
  while (key != SearchKey::k_absent) {
    std::size_t count = 0;
    for (; key != SearchKey::k_absent && count < k_enough_candidates; key = take_least(keys)) {
      std::uint32_t leaf_a = group.index_a(key);
      std::uint32_t leaf_b = group.index_b(key);
      if (search.listener != nullptr) {
        search.listener->blocks(search.listener->context, group.step, leaf_a, leaf_b);
      }
      count += boxes(side, tree_a.boxes, tree_b.corners, {&leaf_a, &leaf_b}, 1,
                     candidates.from(count), WideSearch::k_room - count)
                   .written;
      ++search.blocks;
    }
    if (count == 0) break;
    search.overlaps += count;
    search.candidates += count;
    if (search.listener != nullptr) {
      for (std::size_t i = 0; i < count; ++i) {
        search.listener->triangles(search.listener->context, candidate_a[i], candidate_b[i]);
      }
    }
    const FilterResult result = triangles(frame, tree_a.corners, tree_b.corners, candidates, count,
                                          {search.touching_a.data(), search.touching_b.data()},
                                          {search.unsure_a.data(), search.unsure_b.data()});
    search.touching_count = result.touching;
    search.unsure_count = result.unsure;
    if (result.touching + result.unsure != 0) {
      keys[0].store(group);
      // The next key was taken, but its pair not visited.
      if (key != SearchKey::k_absent) group.key[SearchKey::child(key)] = key;
      return true;
    }
  }
  keys[0].store(group);
  return false;
}

/// Takes the two least keys of `n` groups, if the least one is below `limit`; otherwise `best` is
/// absent. The groups' bounds are then correct for what is left in them: the second key taken, or
/// the first one if nothing was taken, is not larger than any key left.
template <std::size_t n>
HWY_INLINE void take_two(WideSearch& search, const std::size_t (&groups)[n], std::uint32_t limit,
                         std::uint32_t (&best)[2]) {
  Keys keys[n];
  for (std::size_t i = 0; i < n; ++i) keys[i] = Keys(search.groups[groups[i]]);
  best[0] = take_least(keys);
  std::uint32_t bound = best[0];
  if (best[0] < limit) {
    best[1] = take_least(keys);
    bound = best[1];
    for (std::size_t i = 0; i < n; ++i) keys[i].store(search.groups[groups[i]]);
  } else {
    best[0] = SearchKey::k_absent;
  }
  for (const std::size_t group : groups) {
    set_bound(search, group,
              bound == SearchKey::k_absent ? bound : SearchKey::with_group(bound, group));
  }
}

/// Puts a key that was taken back into its group.
HWY_INLINE void put_back(WideSearch& search, std::uint32_t key) {
  const std::size_t group = SearchKey::group(key);
  search.groups[group].key[SearchKey::child(key)] = key;
  set_bound(search, group, SearchKey::with_group(key, group));
}

/// A pair of blocks that is visited: the blocks, their indices, and the number of steps that led to
/// them.
struct VisitedPair {
  const NodeBlock* block_a;
  const NodeBlock* block_b;
  std::uint32_t a;
  std::uint32_t b;
  int step;
};

/// Adds the group of pair `h` of blocks unless it is empty; returns how many groups it added.
template <int h>
HWY_INLINE std::size_t add_group(WideSearch& search, const BlockPairs& pairs,
                                 const VisitedPair& visited, std::size_t number) {
  const WidePair& trees = search.trees;
  SearchGroup& group = search.groups[number];
  std::size_t overlaps = score<h>(pairs, trees.steps() - visited.step - 1, number, group);
  group.first_a = visited.block_a->first_child;
  group.first_b = visited.block_b->first_child;
  group.step = visited.step + 1;
  const Descent descent = trees.descent(visited.step);
  if (descent != Descent::both) overlaps = join_children(descent, visited.a, visited.b, group);
  ++search.blocks;
  search.overlaps += overlaps;
  if (search.listener != nullptr) {
    search.listener->blocks(search.listener->context, visited.step, visited.a, visited.b);
  }
  return overlaps != 0 ? 1 : 0;
}

/// Visits one or two pairs of blocks, and adds their groups after all others. Returns how many.
HWY_INLINE std::size_t visit_blocks(const SideFrame& side, WideSearch& search,
                                    const VisitedPair (&visited)[2], int count) {
  std::size_t added = 0;
  for (int i = 0; i < count; i += k_at_once) {
    const int j = i + k_at_once - 1 < count ? i + k_at_once - 1 : i;
    const BlockPairs pairs(side, *visited[i].block_a, *visited[i].block_b, *visited[j].block_a,
                           *visited[j].block_b);
    added += add_group<0>(search, pairs, visited[i], search.group_count + added);
    if constexpr (k_at_once > 1) {
      if (j != i) added += add_group<1>(search, pairs, visited[j], search.group_count + added);
    }
  }
  search.group_count += added;
  return added;
}

/// Each round visits two pairs, which together cost less than one by one:
///
///     the fresh groups, which the last round made, if they have a key below the limit;
///     otherwise the two groups with the least bounds
///         │  their two least keys
///         ├─ pairs of leaves: their triangles are tested
///         └─ pairs of blocks: their groups are made, the fresh ones of the next round
///
/// The limit is the second least bound at the time when all bounds were last compared. So a search
/// that is promising goes straight down and rarely compares all bounds.
inline bool search(const WideFrame& frame, WideSearch& search) {
  constexpr std::uint32_t k_absent = SearchKey::k_absent;
  const SideFrame side(frame);
  const WidePair& trees = search.trees;
  const int steps = trees.steps();
  std::size_t fresh_count = 0;
  std::uint32_t limit = k_absent;
  while (search.group_count + 2 <= WideSearch::k_room_for_groups) {
    // Take two keys.
    std::uint32_t best[2] = {k_absent, k_absent};
    const std::size_t last = search.group_count - 1;
    if (fresh_count == 2) {
      take_two<2>(search, {last - 1, last}, limit, best);
    } else if (fresh_count == 1) {
      take_two<1>(search, {last}, limit, best);
    }
    if (best[0] == k_absent) {
      std::uint32_t bounds[2];
      least_bounds(search, bounds);
      search.exhausted = bounds[0] == k_absent;
      if (bounds[0] > k_hopeless) return false;
      const std::size_t first = SearchKey::group(bounds[0]);
      if (bounds[1] == k_absent) {
        take_two<1>(search, {first}, k_absent, best);
      } else {
        take_two<2>(search, {first, SearchKey::group(bounds[1])}, k_absent, best);
      }
      limit = bounds[1];
    }

    // Pairs of leaves are visited at once, pairs of blocks together afterwards.
    VisitedPair visited[2];
    int visited_count = 0;
    for (int i = 0; i < 2 && best[i] != k_absent; ++i) {
      SearchGroup& group = search.groups[SearchKey::group(best[i])];
      if (group.step < steps) {
        const std::uint32_t a = group.index_a(best[i]);
        const std::uint32_t b = group.index_b(best[i]);
        visited[visited_count++] = {trees.blocks_a(group.step) + a, trees.blocks_b(group.step) + b,
                                    a, b, group.step};
        continue;
      }
      if (!search_leaves(frame, side, search, group, best[i])) continue;
      // Something was found, and the search ends here or goes on later. The other key has been
      // taken but its pair not visited, if it comes after this one or belongs to a pair of blocks.
      if (i == 0 && best[1] != k_absent) put_back(search, best[1]);
      if (i == 1 && visited_count == 1) put_back(search, best[0]);
      return true;
    }
    fresh_count = visit_blocks(side, search, visited, visited_count);
  }
  return false;
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace tandem::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
