// What a wide tree knows of its whole mesh, found on a device: its frame and its support function.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "build/mesh_frame.h"
#include "build/wide/support.h"
#include "gpu/curve_order.h"
#include "gpu/device_meshes.h"
#include "gpu/full_wide_levels.h"
#include "gpu/kernel.h"
#include "gpu/warp.h"
#include "math/bits.h"
#include "math/power_of_two.h"

namespace tandem::detail {

/// The bounds of all corners of a mesh, found by many threads at once (`CentreBounds`).
struct CornerBounds {
  /// The highest of each axis; the lowest, as complements.
  std::uint32_t most[6];

  TANDEM_HD void add(const Aabb& box) {
    for (int axis = 0; axis < 3; ++axis) {
      most[axis] = std::max(most[axis], ordered(box.upper[axis]));
      most[3 + axis] = std::max(most[3 + axis], ~ordered(box.lower[axis]));
    }
  }
  TANDEM_HD Aabb box() const {
    Aabb box{};
    for (int axis = 0; axis < 3; ++axis) {
      box.upper[axis] = number_of(most[axis]);
      box.lower[axis] = number_of(~most[3 + axis]);
    }
    return box;
  }
};

/// The sizes of the triangles by which meshes are judged.
struct MeasureSizes {
  using Shared = NothingShared;

  DeviceMeshes meshes;
  WideParts parts;
  std::uint32_t sample_count;
  /// Of each mesh.
  const CornerBounds* bounds;
  double* sizes;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i >= sample_count) return;
    const std::uint32_t number = parts.with_sample(i);
    const MeshPart mesh = meshes.part(number);
    const Aabb box = bounds[number].box();
    Vec3d origin;
    for (int k = 0; k < 3; ++k) origin[k] = MeshFrame::origin_of(box.lower[k], box.upper[k]);
    const std::uint32_t id =
        (i - parts.parts[number].first_sample) * SizeSample(mesh.count()).stride;
    sizes[i] = SizeSample::size_of(meshes.triangle(mesh.first + id, mesh), origin);
  }
};

/// Makes the frames, one block of threads per mesh: finds the size that counts byte by byte.
struct ChooseFrame {
  static constexpr std::uint32_t k_block_size = 256;
  static constexpr bool k_full_blocks = true;
  struct Shared {
    /// How many sizes go on with each byte.
    std::uint32_t counts[k_block_size];
    /// The bytes that are known, and the place of the size among those that begin so.
    std::uint64_t known;
    std::uint32_t place;
  };

  WideParts parts;
  const CornerBounds* bounds;
  const double* sizes;
  MeshFrame* frames;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    const std::uint32_t number = threads.block();
    const WidePart& part = parts.parts[number];
    const SizeSample sample(part.levels.triangle_count);
    if (threads.thread() == 0) {
      shared.known = 0;
      shared.place = sample.chosen();
    }
    // Sizes are not negative, so they compare as their bits do.
    for (int shift = 56; shift >= 0; shift -= 8) {
      shared.counts[threads.thread()] = 0;
      threads.sync();
      for (std::uint32_t i = threads.thread(); i < sample.count; i += k_block_size) {
        const auto bits = std::bit_cast<std::uint64_t>(sizes[part.first_sample + i]) >> shift;
        if (bits >> 8 == shared.known) threads.atomic_add(&shared.counts[bits & 0xff], 1U);
      }
      threads.sync();
      if (threads.thread() < k_warp_size) find_byte(threads, shared);
      threads.sync();
    }
    if (threads.thread() == 0) {
      frames[number] = MeshFrame::of(bounds[number].box(), std::bit_cast<double>(shared.known));
    }
  }

 private:
  /// The next byte of the size, by the threads of a warp.
  template <class Threads>
  TANDEM_KERNEL static void find_byte(const Threads& threads, Shared& shared) {
    constexpr std::uint32_t k_own = k_block_size / k_warp_size;
    const std::uint32_t* const own = shared.counts + k_own * threads.lane();
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < k_own; ++i) sum += own[i];
    std::uint32_t all = 0;
    std::uint32_t before = sum_before(threads, sum, &all);
    const std::uint32_t place = shared.place;
    threads.sync_warp();
    if (place < before || place >= before + sum) return;
    std::uint32_t byte = 0;
    while (place >= before + own[byte]) before += own[byte++];
    shared.place = place - before;
    shared.known = shared.known << 8 | (k_own * threads.lane() + byte);
  }
};

/// How far a mesh reaches in the directions of a `SupportMap`: bits that compare as numbers do,
/// which are 0 at first.
struct SupportReach {
  std::uint64_t* most;

  TANDEM_HD double operator[](std::uint32_t direction) const {
    const std::uint64_t bits = most[direction];
    return std::bit_cast<double>((bits >> 63) != 0 ? bits & ~k_sign : ~bits);
  }

  /// By all threads of a warp; NaN counts as nothing.
  template <class Threads>
  TANDEM_KERNEL void raise(const Threads& threads, std::uint32_t direction, double reach) const {
    for (std::uint32_t step = k_warp_size / 2; step > 0; step /= 2) {
      reach = std::fmax(reach, threads.shuffle(reach, threads.lane() ^ step));
    }
    if (threads.lane() != 0) return;
    const auto bits = std::bit_cast<std::uint64_t>(reach);
    const std::uint64_t ordered = (bits >> 63) != 0 ? ~bits : bits | k_sign;
    if (ordered > most[direction]) threads.atomic_max(&most[direction], ordered);
  }

 private:
  static constexpr std::uint64_t k_sign = std::uint64_t{1} << 63;
};

/// How far one of a slot's corners reaches; nowhere, if it has no triangle.
TANDEM_HD inline double slot_reach(const CornerRow& row, const Vec3d& direction) {
  double reach = -std::numeric_limits<double>::infinity();
  for (int c = 0; c < 9; c += 3) {
    // fmax takes the number where there is a NaN.
    reach =
        std::fmax(reach, dot(direction, Vec3d{row.value[c], row.value[c + 1], row.value[c + 2]}));
  }
  return reach;
}

/// How far some slots of each mesh reach: a start, which leaves little to look at. One warp per
/// direction.
struct SampleSupport {
  using Shared = NothingShared;

  const CornerRow* corners;
  WideParts parts;
  /// Of each mesh, `SupportMap::k_size` directions.
  SupportReach reach;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t warp = threads.index() / k_warp_size;
    if (warp >= SupportMap::k_size * parts.count) return;
    const WidePart& part = parts.parts[warp / SupportMap::k_size];
    const Vec3d direction = SupportMap::direction(static_cast<int>(warp % SupportMap::k_size));
    const std::uint32_t slot_count = k_block * part.levels.leaf_count();
    const std::uint32_t stride = (slot_count + k_most - 1) / k_most;
    double most = -std::numeric_limits<double>::infinity();
    for (std::uint32_t i = threads.lane(); i < k_most && i * stride < slot_count;
         i += k_warp_size) {
      most = std::fmax(most, slot_reach(corners[part.first_slot() + i * stride], direction));
    }
    reach.raise(threads, warp, most);
  }

 private:
  static constexpr std::uint32_t k_most = 1024;
};

/// Looks at the slots of those chunks that may reach farther; one warp per chunk.
struct FindSupport {
  using Shared = NothingShared;

  const CornerRow* corners;
  WideParts parts;
  /// Of each chunk.
  const ChildSummary* summaries;
  std::uint32_t chunk_count;
  SupportReach reach;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t chunk = threads.index() / k_warp_size;
    if (chunk >= chunk_count) return;
    const std::uint32_t mesh = parts.with_chunk(chunk);
    const ChildSummary all = summaries[chunk];
    for (std::uint32_t begin = 0; begin < SupportMap::k_size; begin += k_warp_size) {
      const std::uint32_t own = begin + threads.lane();
      std::uint32_t left = threads.ballot(
          own < SupportMap::k_size && farthest(all, own) > reach[SupportMap::k_size * mesh + own]);
      for (; left != 0; left &= left - 1) {
        look(threads, chunk, mesh, begin + static_cast<std::uint32_t>(lowest_bit(left)));
      }
    }
  }

 private:
  TANDEM_KERNEL static double farthest(const ChildSummary& all, std::uint32_t number) {
    const Vec3d direction = SupportMap::direction(static_cast<int>(number));
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      sum += std::fmax(direction[k] * all.lower[k], direction[k] * all.upper[k]);
    }
    return sum;
  }

  template <class Threads>
  TANDEM_KERNEL void look(const Threads& threads, std::uint32_t chunk, std::uint32_t mesh,
                          std::uint32_t number) const {
    const WidePart& part = parts.parts[mesh];
    const Vec3d direction = SupportMap::direction(static_cast<int>(number));
    double most = -std::numeric_limits<double>::infinity();
    const std::uint32_t first = k_chunk_slots * (chunk - part.first_chunk);
    const std::uint32_t left = k_block * part.levels.leaf_count() - first;
    for (std::uint32_t i = threads.lane(); i < left && i < k_chunk_slots; i += k_warp_size) {
      most = std::fmax(most, slot_reach(corners[part.first_slot() + first + i], direction));
    }
    reach.raise(threads, SupportMap::k_size * mesh + number, most);
  }
};

/// Puts what has been found into the trees.
struct FinishFrames {
  using Shared = NothingShared;

  std::uint32_t mesh_count;
  SupportReach reach;
  /// Of each mesh.
  const std::uint64_t* farthest_sq;
  MeshFrame* frames;
  float* supports;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i >= SupportMap::k_size * mesh_count) return;
    const std::uint32_t mesh = i / SupportMap::k_size;
    const auto number = static_cast<int>(i % SupportMap::k_size);
    MeshFrame& frame = frames[mesh];
    if (number == 0) frame.limit_radius(std::bit_cast<double>(farthest_sq[mesh]));
    const Vec3d centre = power_of_two(-frame.exponent) * (frame.root.centre - frame.origin);
    supports[i] = support_value(reach[i] - dot(SupportMap::direction(number), centre));
  }
};

}  // namespace tandem::detail
