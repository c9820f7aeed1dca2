// Sorts triangles along a space-filling curve: where builders on devices begin.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "gpu/curve.h"
#include "gpu/device_meshes.h"
#include "gpu/kernel.h"
#include "math/bits.h"
#include "tree/tree.h"

namespace tandem::detail {

/// How finely the curve tells triangles of a mesh apart. Surfaces fill about as many cells as the
/// square of how many there are along an axis; some finer levels are for what is crowded. Up to
/// four million triangles, keys have 32 bits, which are sorted twice as fast as more. Each bit of a
/// key is at most one level of a tree, and so is each bit of the places of equal keys.
struct CurveLevels {
  int key_bits;
  int place_bits;

  TANDEM_HD explicit CurveLevels(std::uint32_t triangle_count)
      : place_bits(bit_width(triangle_count)) {
    const int most = place_bits <= 22 ? 10 : k_most_curve_levels;
    const int levels = std::min(place_bits / 2 + 3, most);
    key_bits = 3 * std::min(levels, (k_max_depth - place_bits) / 3);
  }
  TANDEM_HD int levels() const { return key_bits / 3; }
  /// The most levels of a tree whose nodes are ranges of equal bits.
  TANDEM_HD int tree_levels() const { return key_bits + place_bits; }
};

/// Bits that compare as numbers do: those of any number are more than 0.
TANDEM_HD inline std::uint32_t ordered(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  return (bits >> 31) != 0 ? ~bits : bits | 0x80000000;
}
TANDEM_HD inline float number_of(std::uint32_t ordered) {
  return std::bit_cast<float>((ordered >> 31) != 0 ? ordered & 0x7fffffff : ~ordered);
}

/// The bounds of the centres of all boxes of a mesh, and the largest magnitude of a coordinate,
/// found by many threads at once. All zero at first: everything is a maximum of ordered bits.
struct CentreBounds {
  /// The highest of each axis; the lowest, as complements; the magnitude.
  std::uint32_t most[7];

  TANDEM_HD static Vec3f centre(const Aabb& box) { return 0.5F * box.lower + 0.5F * box.upper; }

  TANDEM_HD float upper(int axis) const { return number_of(most[axis]); }
  TANDEM_HD float lower(int axis) const { return number_of(~most[3 + axis]); }
  TANDEM_HD float largest_coordinate() const { return std::bit_cast<float>(most[6]); }

  TANDEM_HD void add(const Aabb& box) {
    const Vec3f middle = centre(box);
    for (int axis = 0; axis < 3; ++axis) {
      const std::uint32_t place = ordered(middle[axis]);
      most[axis] = std::max(most[axis], place);
      most[3 + axis] = std::max(most[3 + axis], ~place);
      // Without their signs, numbers compare as their bits do.
      const float size = std::fmax(std::fabs(box.lower[axis]), std::fabs(box.upper[axis]));
      most[6] = std::max(most[6], std::bit_cast<std::uint32_t>(size));
    }
  }
};

/// Each warp looks at some triangles that follow each other, mesh by mesh. Where all triangles of a
/// block are of one mesh, the block adds what its warps find before the mesh is told.
template <class Bounds>
struct FindBounds {
  struct Shared {
    Bounds all;
  };

  DeviceMeshes meshes;
  /// Of each mesh.
  Bounds* bounds;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    if (threads.thread() < k_numbers) shared.all.most[threads.thread()] = 0;
    threads.sync();
    const std::uint32_t warp_count = threads.thread_count() / k_warp_size;
    const std::uint32_t share = (meshes.triangle_count + warp_count - 1) / warp_count;
    const std::uint32_t warps_per_block = threads.block_size() / k_warp_size;
    const std::uint32_t begin = limited(threads.block() * warps_per_block, share);
    const std::uint32_t end = limited((threads.block() + 1) * warps_per_block, share);
    if (begin == end) return;
    const MeshPart first_part = meshes.part_of(begin);
    const bool one_mesh = end <= first_part.end;
    const std::uint32_t stop = limited(threads.index() / k_warp_size + 1, share);
    for (std::uint32_t at = limited(threads.index() / k_warp_size, share); at < stop;) {
      const MeshPart part = one_mesh ? first_part : meshes.part_of(at);
      const std::uint32_t part_stop = std::min(stop, part.end);
      Bounds own{};
      // Several at once, so that their loads do not wait for each other.
      constexpr std::uint32_t k_at_once = 4;
      for (std::uint32_t id = at + threads.lane(); id < part_stop; id += k_at_once * k_warp_size) {
        TriangleIndices corners[k_at_once];
        for (std::uint32_t i = 0; i < k_at_once; ++i) {
          const std::uint32_t other = id + i * k_warp_size;
          corners[i] = meshes.triangles[other < part_stop ? other : id];
        }
        Aabb boxes[k_at_once];
        for (std::uint32_t i = 0; i < k_at_once; ++i) {
          boxes[i] = box_of(meshes.triangle(corners[i], part));
        }
        for (const Aabb& box : boxes) own.add(box);
      }
      raise(threads, own, one_mesh ? &shared.all : &bounds[part.number]);
      at = part_stop;
    }
    threads.sync();
    if (one_mesh && threads.thread() < k_numbers) {
      threads.atomic_max(&bounds[first_part.number].most[threads.thread()],
                         shared.all.most[threads.thread()]);
    }
  }

 private:
  static constexpr std::uint32_t k_numbers = sizeof(Bounds) / sizeof(std::uint32_t);

  /// The triangles before the share of a warp.
  TANDEM_KERNEL std::uint32_t limited(std::uint32_t warp, std::uint32_t share) const {
    return static_cast<std::uint32_t>(
        std::min(std::uint64_t{warp} * share, std::uint64_t{meshes.triangle_count}));
  }

  template <class Threads>
  TANDEM_KERNEL static void raise(const Threads& threads, const Bounds& own, Bounds* to) {
    for (std::uint32_t i = 0; i < k_numbers; ++i) {
      std::uint32_t most = own.most[i];
      for (std::uint32_t step = k_warp_size / 2; step > 0; step /= 2) {
        most = std::max(most, threads.shuffle(most, threads.lane() ^ step));
      }
      if (threads.lane() == 0) threads.atomic_max(&to->most[i], most);
    }
  }
};

/// The grid whose cells the curve of a mesh visits. One scale for all axes, so that cells are
/// cubes. In double, in which no size overflows.
struct CurveGrid {
  double lower[3];
  double scale;
  int levels;

  TANDEM_HD static CurveGrid of(const CentreBounds& bounds, std::uint32_t triangle_count) {
    CurveGrid grid{};
    double largest_side = 0;
    for (int axis = 0; axis < 3; ++axis) {
      grid.lower[axis] = bounds.lower(axis);
      largest_side = std::fmax(largest_side, bounds.upper(axis) - grid.lower[axis]);
    }
    grid.levels = CurveLevels(triangle_count).levels();
    if (largest_side > 0) grid.scale = grid.cell_count() / largest_side;
    return grid;
  }

  /// Along each axis.
  TANDEM_HD double cell_count() const { return std::uint32_t{1} << levels; }

  template <class Key>
  TANDEM_HD Key key(const Vec3f& centre) const {
    std::uint32_t cell[3];
    for (int axis = 0; axis < 3; ++axis) {
      const double place = (double{centre[axis]} - lower[axis]) * scale;
      cell[axis] = static_cast<std::uint32_t>(std::fmax(std::fmin(place, cell_count() - 1), 0.0));
    }
    return hilbert_key<Key>(cell[0], cell[1], cell[2], levels);
  }
};

/// Where each triangle is on the curve of its mesh; the number of the mesh comes first.
template <class Key>
struct FindCurveKeys {
  /// That of the block's first triangle.
  struct Shared {
    CurveGrid grid;
  };

  DeviceMeshes meshes;
  const CentreBounds* bounds;
  /// The bits of a key that are not the number of a mesh.
  int key_bits;
  Key* keys;
  std::uint32_t* ids;

  template <class Threads>
  TANDEM_KERNEL void operator()(const Threads& threads, Shared& shared) const {
    const std::uint32_t id = threads.index();
    const MeshPart first_part = meshes.part_of(id - threads.thread());
    // Read before the threads wait for each other.
    const bool there = id < meshes.triangle_count;
    const MeshPart part = !there || id < first_part.end ? first_part : meshes.part_of(id);
    const Vec3f centre =
        there ? CentreBounds::centre(box_of(meshes.triangle(id, part))) : Vec3f{0, 0, 0};
    if (threads.thread() == 0) shared.grid = grid_of(first_part);
    threads.sync();
    if (!there) return;
    const CurveGrid grid = part.number == first_part.number ? shared.grid : grid_of(part);
    // The only mesh has no bits, and a key may have as many as there are.
    const Key mesh = meshes.starts == nullptr ? 0 : Key{part.number} << key_bits;
    keys[id] = mesh | grid.template key<Key>(centre);
    ids[id] = id;
  }

 private:
  TANDEM_KERNEL CurveGrid grid_of(const MeshPart& part) const {
    return CurveGrid::of(bounds[part.number], part.count());
  }
};

/// Triangles in the order of their keys. Neighbours that have many leading bits in common are
/// joined first.
template <class Key>
struct CurveOrder {
  const Key* keys;
  const std::uint32_t* ids;

  /// Higher than all levels of a mesh. Like these it has seven bits.
  static constexpr std::uint32_t k_end = 127;

  /// How early the keys of neighbours of a mesh differ, at a place and after it: the higher, the
  /// earlier. Equal keys are told apart by their places. After the last place of a mesh, `k_end`.
  TANDEM_HD std::uint32_t level(std::uint32_t place, const MeshPart& part) const {
    return place + 1 == part.end ? k_end : level(place, place + 1, part);
  }
  /// Before a place; so `k_end` before the first one.
  TANDEM_HD std::uint32_t level_before(std::uint32_t place, const MeshPart& part) const {
    return place == part.first ? k_end : level(place - 1, place, part);
  }
  /// The highest between two places of a mesh.
  TANDEM_HD std::uint32_t level(std::uint32_t place, std::uint32_t later,
                                const MeshPart& part) const {
    const std::uint64_t bits = keys[place] ^ keys[later];
    return static_cast<std::uint32_t>(bits != 0 ? k_place_levels + bit_width(bits)
                                                : bit_width(places_differ(place, later, part)));
  }

  /// In a tree of ranges of equal bits: the most levels below the range whose two parts meet at a
  /// place.
  TANDEM_HD int levels_below(std::uint32_t place, const MeshPart& part,
                             const CurveLevels& levels) const {
    const auto own = static_cast<int>(level(place, place + 1, part));
    return own > k_place_levels ? own - k_place_levels + levels.place_bits : own;
  }

 private:
  static constexpr int k_place_levels = 32;
  static_assert(k_place_levels + 3 * k_most_curve_levels < static_cast<int>(k_end));

  TANDEM_HD static std::uint32_t places_differ(std::uint32_t place, std::uint32_t later,
                                               const MeshPart& part) {
    return (place - part.first) ^ (later - part.first);
  }
};

/// A range of triangles of a mesh, from its first to its last place.
struct CurveRange {
  MeshPart part;
  std::uint32_t left;
  std::uint32_t right;

  TANDEM_HD std::uint32_t count() const { return right - left + 1; }
  TANDEM_HD bool whole() const { return left == part.first && right + 1 == part.end; }
  /// Whether it is joined with the range to its right, rather than with that to its left; it is not
  /// the whole mesh.
  template <class Key>
  TANDEM_HD bool goes_right(const CurveOrder<Key>& order) const {
    return order.level(right, part) < order.level_before(left, part);
  }
  /// Where it meets that range: the last place of the first of both.
  template <class Key>
  TANDEM_HD std::uint32_t meets_at(const CurveOrder<Key>& order) const {
    return goes_right(order) ? right : left - 1;
  }
};

}  // namespace tandem::detail
