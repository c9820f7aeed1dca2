// Which objects of a scene are close to each other, on a device: boxes in the world, each compared
// with each, or sorted along x and swept where there are many.
#pragma once

#include <tandem/batch.h>
#include <tandem/scene.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "gpu/curve_order.h"
#include "gpu/kernel.h"
#include "gpu/warp.h"
#include "math/bits.h"
#include "math/rigid.h"
#include "tree/wide/world_box.h"
#include "volume/margin.h"

namespace tandem::detail {

/// The objects of a scene in the memory of a device. Object i shows the model with the number
/// `model_of[i]` and stands at `in_world[i]`.
struct DeviceObjects {
  const WideTreeView* models;
  const std::uint32_t* model_of;
  const Pose* in_world;
  std::uint32_t count;
  /// Boxes that are at most so far from each other count as close.
  double reach = 0;
};

/// A box in the world, rounded outwards.
struct WorldBoxF {
  Vec3f lower;
  Vec3f upper;

  TANDEM_HD bool overlaps(const WorldBoxF& other) const {
    return (lower.x <= other.upper.x) & (other.lower.x <= upper.x) & overlaps_in_y_and_z(other);
  }
  TANDEM_HD bool overlaps_in_y_and_z(const WorldBoxF& other) const {
    return (lower.y <= other.upper.y) & (other.lower.y <= upper.y) & (lower.z <= other.upper.z) &
           (other.lower.z <= upper.z);
  }
};

/// One thread per object.
struct PlaceBoxes {
  static constexpr const char* k_phase = "boxes";
  using Shared = NothingShared;

  DeviceObjects objects;
  WorldBoxF* boxes;
  /// The lower ends along x, and whose they are; null where they are not to be sorted.
  std::uint32_t* keys;
  std::uint32_t* ids;
  /// Of close pairs: none as yet.
  std::uint32_t* close_count;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i == 0) *close_count = 0;
    if (i >= objects.count) return;
    const WorldBox box = world_box(objects.models[objects.model_of[i]], objects.in_world[i]);
    WorldBoxF rounded;
    for (int axis = 0; axis < 3; ++axis) {
      rounded.lower[axis] = round_down(box.lower[axis] - 0.5 * objects.reach);
      rounded.upper[axis] = round_up(box.upper[axis] + 0.5 * objects.reach);
    }
    boxes[i] = rounded;
    if (keys == nullptr) return;
    keys[i] = ordered(rounded.lower.x);
    ids[i] = i;
  }
};

/// Objects that are close to each other, as they are found. Those beyond the capacity are counted
/// and lost.
struct ClosePairs {
  /// The lower object, then the other one.
  std::uint64_t* keys;
  std::uint32_t capacity;
  std::uint32_t* count;

  TANDEM_HD static std::uint64_t key(std::uint32_t i, std::uint32_t j) {
    return i < j ? std::uint64_t{i} << 32 | j : std::uint64_t{j} << 32 | i;
  }
};

/// Each object with each: one warp per 32 objects and 32 others, of which each two meet once.
struct CompareBoxes {
  static constexpr const char* k_phase = "close";
  using Shared = NothingShared;

  const WorldBoxF* boxes;
  std::uint32_t object_count;
  ClosePairs close;

  static std::uint32_t thread_count(std::uint32_t object_count) {
    const std::uint32_t groups = group_count(object_count);
    return groups * groups * k_warp_size;
  }

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t groups = group_count(object_count);
    const std::uint32_t warp = threads.index() / k_warp_size;
    const std::uint32_t first = warp / groups * k_warp_size;
    const std::uint32_t others = warp % groups * k_warp_size;
    if (first >= object_count || others < first) return;
    const std::uint32_t i = first + threads.lane();
    std::uint32_t meeting = 0;
    if (i < object_count) {
      const WorldBoxF box = boxes[i];
      const std::uint32_t end = std::min(others + k_warp_size, object_count);
      for (std::uint32_t j = std::max(others, i + 1); j < end; ++j) {
        meeting |= (box.overlaps(boxes[j]) ? 1U : 0U) << (j - others);
      }
    }
    append(threads, i, others, meeting);
  }

 private:
  TANDEM_HD static std::uint32_t group_count(std::uint32_t object_count) {
    return (object_count + k_warp_size - 1) / k_warp_size;
  }

  template <class Threads>
  TANDEM_KERNEL void append(const Threads& threads, std::uint32_t i, std::uint32_t others,
                            std::uint32_t meeting) const {
    std::uint32_t total = 0;
    std::uint32_t place = sum_before(threads, count_bits(meeting), &total);
    if (total == 0) return;
    std::uint32_t taken = 0;
    if (threads.lane() == 0) taken = threads.atomic_add(close.count, total);
    place += threads.shuffle(taken, 0);
    for (; meeting != 0; meeting &= meeting - 1, ++place) {
      const std::uint32_t j = others + static_cast<std::uint32_t>(lowest_bit(meeting));
      if (place < close.capacity) close.keys[place] = ClosePairs::key(i, j);
    }
  }
};

/// One warp per object: it looks at those that begin along x before this one ends.
struct SweepBoxes {
  using Shared = NothingShared;

  const WorldBoxF* boxes;
  /// Objects by the lower ends of their boxes.
  const std::uint32_t* ids;
  std::uint32_t object_count;
  ClosePairs close;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t place = threads.index() / k_warp_size;
    if (place >= object_count) return;
    const std::uint32_t id = ids[place];
    const WorldBoxF box = boxes[id];
    for (std::uint32_t begin = place + 1;; begin += k_warp_size) {
      const std::uint32_t other_place = begin + threads.lane();
      std::uint32_t other = 0;
      bool reached = other_place < object_count;
      bool meets = false;
      if (reached) {
        other = ids[other_place];
        reached = boxes[other].lower.x <= box.upper.x;
        meets = reached && box.overlaps_in_y_and_z(boxes[other]);
      }
      append(threads, meets, ClosePairs::key(id, other));
      if (threads.ballot(reached) != ~std::uint32_t{0}) return;
    }
  }

 private:
  template <class Threads>
  TANDEM_KERNEL void append(const Threads& threads, bool meets, std::uint64_t key) const {
    const std::uint32_t meeting = threads.ballot(meets);
    if (meeting == 0) return;
    std::uint32_t first = 0;
    if (threads.lane() == 0) first = threads.atomic_add(close.count, count_bits(meeting));
    first = threads.shuffle(first, 0);
    const std::uint32_t before = meeting & ((std::uint32_t{1} << threads.lane()) - 1);
    const std::uint32_t place = first + count_bits(before);
    if (meets && place < close.capacity) close.keys[place] = key;
  }
};

/// One thread per place for a pair: places that are not used come last when keys are sorted.
struct ClearUnusedPlaces {
  using Shared = NothingShared;

  ClosePairs close;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i < close.capacity && i >= *close.count) close.keys[i] = ~std::uint64_t{0};
  }
};

/// One thread per place for a pair: what is asked of it.
struct MakeSceneQueries {
  static constexpr const char* k_phase = "queries";
  using Shared = NothingShared;

  DeviceObjects objects;
  ClosePairs close;
  BatchQuery* queries;
  ObjectPair* pairs;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i >= close.capacity || i >= load_fresh(close.count)) return;
    const auto a = static_cast<std::uint32_t>(close.keys[i] >> 32);
    const auto b = static_cast<std::uint32_t>(close.keys[i]);
    pairs[i] = {a, b};
    queries[i] = {objects.model_of[a], objects.model_of[b],
                  relate(objects.in_world[a], objects.in_world[b])};
  }
};

/// Whether close objects are wanted by their numbers, the lower one first, or in any order.
enum class CloseOrder { any, sorted };

/// So many objects are each compared with each: that takes less time than to sort them.
inline constexpr std::uint32_t k_most_compared = 8192;

/// Memory for close objects and what is asked of them: as many as `*count()` says, at most as many
/// as there is room for, which is for one at least. `On` is as in gpu/build.h.
template <class On>
class CloseObjects {
 public:
  CloseObjects(On& on, std::uint32_t object_count, std::uint32_t capacity,
               std::uint32_t most_compared = k_most_compared)
      : capacity_(capacity),
        most_compared_(most_compared),
        boxes_(on.template kept<WorldBoxF>(object_count)),
        keys_(on.template kept<std::uint64_t>(capacity)),
        queries_(on.template kept<BatchQuery>(capacity)),
        pairs_(on.template kept<ObjectPair>(capacity)),
        count_(on.template kept<std::uint32_t>(1)) {}

  std::uint32_t capacity() const { return capacity_; }
  const BatchQuery* queries() const { return queries_.data(); }
  const ObjectPair* pairs() const { return pairs_.data(); }
  const std::uint32_t* count() const { return count_.data(); }

  /// Whether finding them takes memory of its own, for a while.
  bool needs_scratch(std::uint32_t object_count, CloseOrder order) const {
    return object_count > most_compared_ || order == CloseOrder::sorted;
  }

  /// Finds which of some objects, of which there is at least one, are close, and makes queries of
  /// them. Nothing waits: if `*count()` exceeds the capacity, there is more than fits.
  void find(On& on, const DeviceObjects& objects, CloseOrder order) const {
    const ClosePairs close{keys_.data(), capacity_, count_.data()};
    if (objects.count <= most_compared_) {
      on.launch(PlaceBoxes{objects, boxes_.data(), nullptr, nullptr, count_.data()}, objects.count);
      on.launch(CompareBoxes{boxes_.data(), objects.count, close},
                CompareBoxes::thread_count(objects.count));
    } else {
      sweep(on, objects, close);
    }
    if (order == CloseOrder::any) {
      make_queries(on, objects, close);
      return;
    }
    const auto in_order = on.template array<std::uint64_t>(capacity_);
    on.launch(ClearUnusedPlaces{close}, capacity_);
    on.sort_keys(close.keys, in_order.data(), capacity_, 32 + bit_width(objects.count));
    make_queries(on, objects, {in_order.data(), capacity_, count_.data()});
  }

 private:
  template <class T>
  using Array = decltype(std::declval<On>().template kept<T>(0));

  void sweep(On& on, const DeviceObjects& objects, const ClosePairs& close) const {
    const auto first_keys = on.template array<std::uint32_t>(objects.count);
    const auto first_ids = on.template array<std::uint32_t>(objects.count);
    const auto keys = on.template array<std::uint32_t>(objects.count);
    const auto ids = on.template array<std::uint32_t>(objects.count);
    on.launch(
        PlaceBoxes{objects, boxes_.data(), first_keys.data(), first_ids.data(), count_.data()},
        objects.count);
    on.sort(first_keys.data(), first_ids.data(), keys.data(), ids.data(), objects.count, 32);
    on.launch(SweepBoxes{boxes_.data(), ids.data(), objects.count, close},
              objects.count * k_warp_size);
  }
  void make_queries(On& on, const DeviceObjects& objects, const ClosePairs& close) const {
    on.launch(MakeSceneQueries{objects, close, queries_.data(), pairs_.data()}, capacity_);
  }

  std::uint32_t capacity_;
  std::uint32_t most_compared_;
  Array<WorldBoxF> boxes_;
  Array<std::uint64_t> keys_;
  Array<BatchQuery> queries_;
  Array<ObjectPair> pairs_;
  Array<std::uint32_t> count_;
};

}  // namespace tandem::detail
