// The shape of the wide trees that devices build, and where they put them.
#pragma once

#include <tandem/host_device.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "build/fit_child.h"
#include "build/mesh_frame.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// Triangles stand in some order, four per leaf; blocks have four children, and only the
/// last one of a level may have fewer. Children have heights: that of a leaf is 0.
struct FullWideLevels {
  std::uint32_t triangle_count = 0;
  int count = 0;
  /// Of each level, from the root, and of the end.
  std::uint32_t begin[k_max_wide_height + 1] = {};

  FullWideLevels() = default;
  /// Of a mesh that is not empty.
  explicit FullWideLevels(std::uint32_t triangle_count_) : triangle_count(triangle_count_) {
    for (count = 1; size(count) > 1; ++count) {
    }
    for (int level = 0; level < count; ++level) {
      begin[level + 1] = begin[level] + size(count - level);
    }
  }

  /// How many children of a height there are.
  TANDEM_HD std::uint32_t size(int height) const {
    const std::uint64_t triangles = std::uint64_t{k_block} << (2 * height);
    return static_cast<std::uint32_t>((triangle_count + triangles - 1) / triangles);
  }
  TANDEM_HD std::uint32_t leaf_count() const { return size(0); }
  std::uint32_t block_count() const { return begin[count]; }
};

/// Children of this height, with all their triangles, are the work of a block of threads.
inline constexpr int k_chunk_height = 3;
inline constexpr std::uint32_t k_chunk_slots = std::uint32_t{k_block} << (2 * k_chunk_height);

/// Where the tree of one of some meshes is among those of all.
struct WidePart {
  FullWideLevels levels;
  std::uint32_t first_block = 0;
  std::uint32_t first_leaf = 0;
  std::uint32_t first_chunk = 0;
  /// Of the triangles by which meshes are judged (`SizeSample`).
  std::uint32_t first_sample = 0;

  TANDEM_HD std::uint32_t first_slot() const { return k_block * first_leaf; }
  TANDEM_HD std::uint32_t chunk_count() const { return levels.size(k_chunk_height); }
};

/// The parts of all meshes, none of which is empty.
struct WideParts {
  const WidePart* parts;
  std::uint32_t count;

  /// The mesh with this chunk, block, leaf or sample among those of all.
  TANDEM_HD std::uint32_t with_chunk(std::uint32_t i) const {
    return last_from(&WidePart::first_chunk, i);
  }
  TANDEM_HD std::uint32_t with_block(std::uint32_t i) const {
    return last_from(&WidePart::first_block, i);
  }
  TANDEM_HD std::uint32_t with_leaf(std::uint32_t i) const {
    return last_from(&WidePart::first_leaf, i);
  }
  TANDEM_HD std::uint32_t with_sample(std::uint32_t i) const {
    return last_from(&WidePart::first_sample, i);
  }

 private:
  /// The last mesh whose first one is not behind this one.
  TANDEM_HD std::uint32_t last_from(std::uint32_t WidePart::*first, std::uint32_t i) const {
    std::uint32_t number = 0;
    for (std::uint32_t end = count; end - number > 1;) {
      const std::uint32_t middle = number + (end - number) / 2;
      (parts[middle].*first <= i ? number : end) = middle;
    }
    return number;
  }
};

/// Puts the trees of meshes behind each other.
struct WideLayout {
  std::vector<WidePart> parts;
  /// Where the next one would be.
  WidePart end;
  std::size_t triangle_count = 0;
  /// Of the highest tree.
  int level_count = 0;

  /// Adds a mesh that is not empty.
  void add(std::uint32_t count) {
    WidePart part = end;
    part.levels = FullWideLevels(count);
    parts.push_back(part);
    end.first_block += part.levels.block_count();
    end.first_leaf += part.levels.leaf_count();
    end.first_chunk += part.chunk_count();
    end.first_sample += SizeSample(count).count;
    triangle_count += count;
    level_count = std::max(level_count, part.levels.count);
  }
};

/// Room for trees: as many blocks and leaves as there are, and four slots per leaf.
struct DeviceWideTrees {
  NodeBlock* blocks;
  BoxBlock* boxes;
  CornerRow* corners;
  std::uint32_t* ids;
  /// Of each mesh.
  MeshFrame* frames;
  /// `SupportMap::k_size` values of each mesh.
  float* supports;
};

/// What is known of the triangles below a child.
struct ChildSummary {
  Vec3f lower{k_infinity, k_infinity, k_infinity};
  Vec3f upper{-k_infinity, -k_infinity, -k_infinity};
  /// The sum of the cross products of edges.
  Vec3f normal{0, 0, 0};

  TANDEM_HD static ChildSummary merge(const ChildSummary& a, const ChildSummary& b) {
    return {min(a.lower, b.lower), max(a.upper, b.upper), a.normal + b.normal};
  }

  static constexpr float k_infinity = std::numeric_limits<float>::infinity();
};

/// A child on its way into its block.
struct WideChild {
  float lower[3];
  float upper[3];
  /// A unit vector, or zero.
  float normal[3];

  TANDEM_HD explicit WideChild(const ChildSummary& all)
      : lower{all.lower.x, all.lower.y, all.lower.z},
        upper{all.upper.x, all.upper.y, all.upper.z},
        normal{all.normal.x, all.normal.y, all.normal.z} {
    normalise(normal);
  }

  TANDEM_HD float along(const Vec3f& point) const {
    return normal[0] * point.x + normal[1] * point.y + normal[2] * point.z;
  }

  /// Writes child number `child` of a height, whose points reach so far along the normal.
  TANDEM_HD void put(float from, float to, int height, std::uint32_t child, const WidePart& part,
                     NodeBlock* blocks) const {
    const FullWideLevels& levels = part.levels;
    const std::uint32_t level = part.first_block + levels.begin[levels.count - 1 - height];
    NodeBlock& block = blocks[level + child / k_block];
    const std::uint32_t lane = child % k_block;
    const FittedBox<float> box(lower, upper);
    const FittedSlab<float> slab(normal, from, to, box);
    for (int k = 0; k < 3; ++k) {
      block.centre[k][lane] = box.centre[k];
      block.half[k][lane] = box.half[k];
      block.normal[k][lane] = normal[k];
    }
    block.offset[lane] = slab.offset;
    block.thickness[lane] = slab.thickness;
    const std::uint32_t after = levels.size(height) - child;
    if (lane == 0) {
      block.first_child = child;
      block.child_count = after < k_block ? after : k_block;
    }
    if (after > 1) return;
    for (std::uint32_t missing = lane + 1; missing < k_block; ++missing) {
      clear_child(block, missing);
    }
  }
};

}  // namespace tandem::detail
