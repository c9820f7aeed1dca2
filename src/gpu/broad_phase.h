// Which objects of a scene are close to each other, on a device: boxes in the world, sorted along x
// and swept.
#pragma once

#include <tandem/batch.h>
#include <tandem/scene.h>

#include <cstdint>

#include "gpu/curve_order.h"
#include "gpu/kernel.h"
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
};

/// A box in the world, rounded outwards.
struct WorldBoxF {
  Vec3f lower;
  Vec3f upper;

  TANDEM_HD bool overlaps_in_y_and_z(const WorldBoxF& other) const {
    return (lower.y <= other.upper.y) & (other.lower.y <= upper.y) & (lower.z <= other.upper.z) &
           (other.lower.z <= upper.z);
  }
};

/// One thread per object.
struct PlaceBoxes {
  using Shared = NothingShared;

  DeviceObjects objects;
  WorldBoxF* boxes;
  /// The lower ends along x, and whose they are.
  std::uint32_t* keys;
  std::uint32_t* ids;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i >= objects.count) return;
    const WorldBox box = world_box(objects.models[objects.model_of[i]], objects.in_world[i]);
    WorldBoxF rounded;
    for (int axis = 0; axis < 3; ++axis) {
      rounded.lower[axis] = round_down(box.lower[axis]);
      rounded.upper[axis] = round_up(box.upper[axis]);
    }
    boxes[i] = rounded;
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

/// One thread per place for a pair: no pair is there yet. Places that stay unused come last when
/// keys are sorted.
struct ClearClosePairs {
  using Shared = NothingShared;

  ClosePairs close;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i == 0) *close.count = 0;
    if (i < close.capacity) close.keys[i] = ~std::uint64_t{0};
  }
};

/// One thread per place for a pair: what is asked of it.
struct MakeSceneQueries {
  using Shared = NothingShared;

  DeviceObjects objects;
  ClosePairs close;
  BatchQuery* queries;
  ObjectPair* pairs;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i >= close.capacity || i >= *close.count) return;
    const auto a = static_cast<std::uint32_t>(close.keys[i] >> 32);
    const auto b = static_cast<std::uint32_t>(close.keys[i]);
    pairs[i] = {a, b};
    queries[i] = {objects.model_of[a], objects.model_of[b],
                  relate(objects.in_world[a], objects.in_world[b])};
  }
};

/// What the broad phase leaves: as many as `*count` says, at most as many as there is room for,
/// which is for one at least.
struct CloseObjects {
  BatchQuery* queries;
  ObjectPair* pairs;
  std::uint32_t capacity;
  std::uint32_t* count;
};

/// Whether close objects are wanted by their numbers, the lower one first, or in any order.
enum class CloseOrder { any, sorted };

/// Finds which of some objects, of which there is at least one, are close, and makes queries of
/// them. Nothing waits: if `*count` exceeds the capacity, there is more than fits. `On` is as in
/// gpu/build.h.
template <class On>
void find_close_objects(On& on, const DeviceObjects& objects, const CloseObjects& to,
                        CloseOrder order) {
  const auto boxes = on.template array<WorldBoxF>(objects.count);
  const auto first_keys = on.template array<std::uint32_t>(objects.count);
  const auto first_ids = on.template array<std::uint32_t>(objects.count);
  const auto keys = on.template array<std::uint32_t>(objects.count);
  const auto ids = on.template array<std::uint32_t>(objects.count);
  on.launch(PlaceBoxes{objects, boxes.data(), first_keys.data(), first_ids.data()}, objects.count);
  on.sort(first_keys.data(), first_ids.data(), keys.data(), ids.data(), objects.count, 32);

  const auto found = on.template array<std::uint64_t>(to.capacity);
  const auto in_order =
      on.template array<std::uint64_t>(order == CloseOrder::sorted ? to.capacity : 0);
  const ClosePairs close{found.data(), to.capacity, to.count};
  on.launch(ClearClosePairs{close}, to.capacity);
  on.launch(SweepBoxes{boxes.data(), ids.data(), objects.count, close},
            objects.count * k_warp_size);
  if (order == CloseOrder::sorted) {
    on.sort_keys(found.data(), in_order.data(), to.capacity, 32 + bit_width(objects.count));
  }
  on.launch(MakeSceneQueries{objects,
                             {order == CloseOrder::sorted ? in_order.data() : found.data(),
                              to.capacity, to.count},
                             to.queries,
                             to.pairs},
            to.capacity);
}

}  // namespace tandem::detail
