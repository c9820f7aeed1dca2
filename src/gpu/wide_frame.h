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

/// The sizes of the triangles by which a mesh is judged.
struct MeasureSizes {
  using Shared = NothingShared;

  DeviceMeshes meshes;
  const CornerBounds* bounds;
  double* sizes;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const SizeSample sample(meshes.triangle_count);
    const std::uint32_t i = threads.index();
    if (i >= sample.count) return;
    const Aabb box = bounds->box();
    Vec3d origin;
    for (int k = 0; k < 3; ++k) origin[k] = MeshFrame::origin_of(box.lower[k], box.upper[k]);
    const std::uint32_t id = i * sample.stride;
    sizes[i] = SizeSample::size_of(meshes.triangle(id, meshes.part_of(id)), origin);
  }
};

/// Makes the frame: one thread finds that its size is the one that counts.
struct ChooseFrame {
  using Shared = NothingShared;

  std::uint32_t triangle_count;
  const CornerBounds* bounds;
  const double* sizes;
  MeshFrame* frame;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const SizeSample sample(triangle_count);
    const std::uint32_t own = threads.index();
    if (own >= sample.count) return;
    std::uint32_t before = 0;
    for (std::uint32_t i = 0; i < sample.count; ++i) {
      if (sizes[i] < sizes[own] || (sizes[i] == sizes[own] && i < own)) ++before;
    }
    if (before == sample.chosen()) *frame = MeshFrame::of(bounds->box(), sizes[own]);
  }
};

/// How far a mesh reaches in the directions of a `SupportMap`: bits that compare as numbers do,
/// which are 0 at first.
struct SupportReach {
  std::uint64_t* most;

  TANDEM_HD double operator[](int direction) const {
    const std::uint64_t bits = most[direction];
    return std::bit_cast<double>((bits >> 63) != 0 ? bits & ~k_sign : ~bits);
  }

  /// By all threads of a warp; NaN counts as nothing.
  template <class Threads>
  TANDEM_KERNEL void raise(const Threads& threads, int direction, double reach) const {
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

/// How far some slots reach: a start, which leaves little to look at. One warp per direction.
struct SampleSupport {
  using Shared = NothingShared;
  static constexpr std::uint32_t k_threads = k_warp_size * SupportMap::k_size;

  const CornerRow* corners;
  std::uint32_t slot_count;
  SupportReach reach;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const auto number = static_cast<int>(threads.index() / k_warp_size);
    if (number >= SupportMap::k_size) return;
    const Vec3d direction = SupportMap::direction(number);
    const std::uint32_t stride = (slot_count + k_most - 1) / k_most;
    double most = -std::numeric_limits<double>::infinity();
    for (std::uint32_t i = threads.lane(); i < k_most && i * stride < slot_count;
         i += k_warp_size) {
      most = std::fmax(most, slot_reach(corners[i * stride], direction));
    }
    reach.raise(threads, number, most);
  }

 private:
  static constexpr std::uint32_t k_most = 1024;
};

/// Looks at the slots of those children that may reach farther; one warp per child.
struct FindSupport {
  using Shared = NothingShared;
  /// Slots per child.
  static constexpr std::uint32_t k_slots = 256;

  const CornerRow* corners;
  std::uint32_t slot_count;
  /// Of each child.
  const ChildSummary* summaries;
  std::uint32_t summary_count;
  SupportReach reach;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t child = threads.index() / k_warp_size;
    if (child >= summary_count) return;
    const ChildSummary all = summaries[child];
    for (int begin = 0; begin < SupportMap::k_size; begin += static_cast<int>(k_warp_size)) {
      const int own = begin + static_cast<int>(threads.lane());
      std::uint32_t left =
          threads.ballot(own < SupportMap::k_size && farthest(all, own) > reach[own]);
      for (; left != 0; left &= left - 1) look(threads, child, begin + lowest_bit(left));
    }
  }

 private:
  TANDEM_KERNEL static double farthest(const ChildSummary& all, int number) {
    const Vec3d direction = SupportMap::direction(number);
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      sum += std::fmax(direction[k] * all.lower[k], direction[k] * all.upper[k]);
    }
    return sum;
  }

  template <class Threads>
  TANDEM_KERNEL void look(const Threads& threads, std::uint32_t child, int number) const {
    const Vec3d direction = SupportMap::direction(number);
    double most = -std::numeric_limits<double>::infinity();
    const std::uint32_t left = slot_count - k_slots * child;
    for (std::uint32_t i = threads.lane(); i < left && i < k_slots; i += k_warp_size) {
      most = std::fmax(most, slot_reach(corners[k_slots * child + i], direction));
    }
    reach.raise(threads, number, most);
  }
};

/// Puts what has been found into a tree.
struct FinishFrame {
  using Shared = NothingShared;

  SupportReach reach;
  const std::uint64_t* farthest_sq;
  MeshFrame* frame;
  float* support;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared&) const {
    const std::uint32_t i = threads.index();
    if (i == 0) frame->limit_radius(std::bit_cast<double>(*farthest_sq));
    if (i >= SupportMap::k_size) return;
    const Vec3d centre = power_of_two(-frame->exponent) * (frame->root.centre - frame->origin);
    const auto number = static_cast<int>(i);
    support[i] = support_value(reach[number] - dot(SupportMap::direction(number), centre));
  }
};

}  // namespace tandem::detail
