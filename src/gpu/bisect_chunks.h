// Puts the triangles of wide trees into the order of slots, on a device: along the curve, and, if
// that is wanted, by bisection among any 256 that follow each other there.
//
// The host's builder `best` bisects everything: sets are divided in the middle, along the axis of
// which the two parts are least likely to meet something. The curve comes close to that for large
// sets and not for small ones, of which queries visit most.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gpu/curve_order.h"
#include "gpu/device_meshes.h"
#include "gpu/full_wide_levels.h"
#include "gpu/kernel.h"
#include "gpu/ranges_of_warp.h"

namespace tandem::detail {

/// One block of threads per chunk, and one thread per slot.
struct BisectChunks {
  static constexpr std::uint32_t k_block_size = k_chunk_slots;
  static constexpr bool k_full_blocks = true;
  static constexpr std::uint32_t k_warps = k_block_size / k_warp_size;

  struct Shared {
    /// Along each axis; the highest possible one where no triangle is.
    alignas(16) std::uint32_t keys[3][k_block_size];
    std::uint32_t places[k_block_size];
    float boxes[6][k_block_size];
    Aabb of_warps[3][k_warps];
  };

  DeviceMeshes meshes;
  WideParts parts;
  const CentreBounds* bounds;
  /// The triangles of all meshes along their curves.
  const std::uint32_t* order;
  TriangleIndices* in_order;
  /// For each slot, the triangle of its mesh.
  std::uint32_t* ids;
  /// Otherwise they stay along the curve.
  bool bisects;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    const std::uint32_t thread = threads.thread();
    const std::uint32_t number = parts.with_chunk(threads.block());
    const WidePart& part = parts.parts[number];
    const MeshPart mesh = meshes.part(number);
    const std::uint32_t first = (threads.block() - part.first_chunk) * k_chunk_slots;
    const std::uint32_t left = part.levels.triangle_count - first;
    const std::uint32_t count = left < k_chunk_slots ? left : k_chunk_slots;
    std::uint32_t place = mesh.first + first + thread;
    if (bisects) {
      Member own = nobody();
      if (thread < count) own = member(place, mesh);
      for (std::uint32_t size = k_chunk_slots; size >= 2 * k_block; size /= 2) {
        bisect(threads, size, count, &own, shared);
      }
      place = own.place;
    }
    const std::uint32_t slot = first + thread;
    if (thread < count) {
      const std::uint32_t id = order[place];
      in_order[mesh.first + slot] = meshes.triangles[id];
      ids[part.first_slot() + slot] = id - mesh.first;
    } else if (slot < k_block * part.levels.leaf_count()) {
      ids[part.first_slot() + slot] = k_no_triangle;
    }
  }

 private:
  static constexpr int k_thread_bits = 8;
  static_assert(k_block_size == 1U << k_thread_bits);

  /// A triangle, which moves from thread to thread.
  struct Member {
    Aabb box;
    /// Where its centre is along each axis, in bits that leave room for the number of a thread.
    std::uint32_t cell[3];
    /// On the curve.
    std::uint32_t place;
  };

  TANDEM_KERNEL static Member nobody() {
    constexpr float k_far = ChildSummary::k_infinity;
    return {{{k_far, k_far, k_far}, {-k_far, -k_far, -k_far}}, {k_none, k_none, k_none}, 0};
  }
  static constexpr std::uint32_t k_none = ~std::uint32_t{0} >> k_thread_bits;

  TANDEM_KERNEL Member member(std::uint32_t place, const MeshPart& mesh) const {
    Member result{};
    result.box = box_of(meshes.triangle(order[place], mesh));
    result.place = place;
    const Vec3f centre = CentreBounds::centre(result.box);
    const CentreBounds& all = bounds[mesh.number];
    double largest_side = 0;
    for (int axis = 0; axis < 3; ++axis) {
      largest_side = std::fmax(largest_side, double{all.upper(axis)} - all.lower(axis));
    }
    const double scale = largest_side > 0 ? (k_none - 1) / largest_side : 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double cell = (double{centre[axis]} - all.lower(axis)) * scale;
      result.cell[axis] =
          static_cast<std::uint32_t>(std::fmax(std::fmin(cell, double{k_none - 1}), 0.0));
    }
    return result;
  }

  /// How likely a box is to meet one of another tree, as for the host's builder.
  TANDEM_KERNEL static double catchment(const Aabb& box) {
    double side[3];
    for (int axis = 0; axis < 3; ++axis) side[axis] = double{box.upper[axis]} - box.lower[axis];
    const double mean = (side[0] + side[1] + side[2]) / 3;
    return (side[0] + mean) * (side[1] + mean) * (side[2] + mean);
  }

  /// Divides each set of so many slots, of which the first ones are full: where there is more than
  /// one half, the first one is filled with those that come first along the best axis.
  template <class Threads>
  TANDEM_KERNEL static void bisect(const Threads& threads, std::uint32_t size, std::uint32_t count,
                                   Member* own, Shared& shared) {
    const std::uint32_t thread = threads.thread();
    const std::uint32_t begin = thread & ~(size - 1);
    const std::uint32_t half = size / 2;
    const bool divided = begin + half < count;
    for (int axis = 0; axis < 3; ++axis) {
      shared.keys[axis][thread] = own->cell[axis] << k_thread_bits | thread;
    }
    threads.sync();
    std::uint32_t rank[3];
    for (int axis = 0; axis < 3; ++axis)
      rank[axis] = rank_of(thread, begin, size, shared.keys[axis]);
    double least = 0;
    std::uint32_t to = thread;
    Aabb halves[3][2];
    for (int axis = 0; axis < 3; ++axis) {
      put(own->box, begin + rank[axis], shared);
      threads.sync();
      join_half(threads, get(thread, shared), half, halves[axis], shared.of_warps[axis]);
      threads.sync();
    }
    const std::uint32_t members = std::min(count - std::min(count, begin), size);
    for (int axis = 0; axis < 3; ++axis) {
      if (half >= k_warp_size) join_warps(begin, half, shared.of_warps[axis], halves[axis]);
      const double cost = catchment(halves[axis][0]) * half +
                          catchment(halves[axis][1]) * (static_cast<double>(members - half));
      if (!divided || (axis > 0 && !(cost < least))) continue;
      least = cost;
      to = begin + rank[axis];
    }
    put(own->box, to, shared);
    for (int axis = 0; axis < 3; ++axis) shared.keys[axis][to] = own->cell[axis];
    shared.places[to] = own->place;
    threads.sync();
    own->box = get(thread, shared);
    for (int axis = 0; axis < 3; ++axis) own->cell[axis] = shared.keys[axis][thread];
    own->place = shared.places[thread];
    threads.sync();
  }

  /// How many of a set come before one of them. All keys differ.
  TANDEM_KERNEL static std::uint32_t rank_of(std::uint32_t thread, std::uint32_t begin,
                                             std::uint32_t size, const std::uint32_t* keys) {
    struct alignas(16) Four {
      std::uint32_t key[4];
    };
    const auto* const fours = reinterpret_cast<const Four*>(keys + begin);
    const std::uint32_t own = keys[thread];
    std::uint32_t rank = 0;
    for (std::uint32_t i = 0; i < size / 4; ++i) {
      const Four four = fours[i];
      for (const std::uint32_t key : four.key) rank += key < own ? 1 : 0;
    }
    return rank;
  }

  /// The boxes of both halves of a set, of which each thread brings that of a slot: those of sets
  /// that one warp has, and of each warp of others.
  template <class Threads>
  TANDEM_KERNEL static void join_half(const Threads& threads, Aabb box, std::uint32_t half,
                                      Aabb* halves, Aabb* of_warps) {
    for (std::uint32_t step = 1; step < k_warp_size && step < half; step *= 2) {
      box = merged(box, shuffled(threads, box, threads.lane() ^ step));
    }
    if (half >= k_warp_size) {
      if (threads.lane() == 0) of_warps[threads.thread() / k_warp_size] = box;
      return;
    }
    const Aabb other = shuffled(threads, box, threads.lane() ^ half);
    const bool second = (threads.lane() & half) != 0;
    halves[0] = second ? other : box;
    halves[1] = second ? box : other;
  }
  TANDEM_KERNEL static void join_warps(std::uint32_t begin, std::uint32_t half,
                                       const Aabb* of_warps, Aabb* halves) {
    const std::uint32_t warps = half / k_warp_size;
    for (std::uint32_t side = 0; side < 2; ++side) {
      const Aabb* const own = of_warps + begin / k_warp_size + side * warps;
      halves[side] = own[0];
      for (std::uint32_t i = 1; i < warps; ++i) halves[side] = merged(halves[side], own[i]);
    }
  }

  TANDEM_KERNEL static void put(const Aabb& box, std::uint32_t slot, Shared& shared) {
    for (int k = 0; k < 3; ++k) {
      shared.boxes[k][slot] = box.lower[k];
      shared.boxes[3 + k][slot] = box.upper[k];
    }
  }
  TANDEM_KERNEL static Aabb get(std::uint32_t slot, const Shared& shared) {
    Aabb box;
    for (int k = 0; k < 3; ++k) {
      box.lower[k] = shared.boxes[k][slot];
      box.upper[k] = shared.boxes[3 + k][slot];
    }
    return box;
  }
};

}  // namespace tandem::detail
