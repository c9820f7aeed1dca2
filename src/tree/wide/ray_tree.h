// The tree that rays are traced through by default: up to eight children per node and eight
// triangles per leaf, laid out so that one instruction works on all of them.
#pragma once

#include <tandem/host_device.h>
#include <tandem/triangle.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "tree/wide/large_pages.h"

namespace tandem::detail {

inline constexpr std::size_t k_cache_line_bytes = 64;

/// The boxes of up to eight children: lower bounds along x, y and z, then upper bounds. The boxes
/// of missing children are empty.
///
/// On each side of each axis a box is larger than what it encloses, by what tests in float32 may be
/// off because of its own coordinates (`FloatRay`): if these have a magnitude of at most m along
/// the axis, by at least 7.9·2^-24·m. So a triangle far away blurs no other one's box.
struct alignas(k_cache_line_bytes) WideRayNode {
  static constexpr int k_width = 8;
  float bound[6][k_width];
  /// A link to each child.
  std::uint32_t child[k_width];
  std::uint32_t child_count;
};

/// The corners of up to eight triangles, by axis and corner; those of missing triangles are NaN.
struct alignas(k_cache_line_bytes) WideRayBlock {
  static constexpr int k_width = 8;
  float corner[3][3][k_width];
  std::uint32_t id[k_width];
  std::uint32_t count;

  TANDEM_HD TriangleF triangle(int lane) const {
    TriangleF result;
    for (int k = 0; k < 3; ++k) {
      result.corner[k] = {corner[0][k][lane], corner[1][k][lane], corner[2][k][lane]};
    }
    return result;
  }
};

struct alignas(k_cache_line_bytes) CacheLine {
  std::byte bytes[k_cache_line_bytes];
};

/// A wide ray tree as traversals see it, on the host or on a device: valid as long as the memory
/// behind it.
///
/// Nodes and leaves lie in one array of cache lines, parents before their children. A link is a
/// position there; if its highest bit is set, it leads to a leaf: a block of triangles. The root is
/// the node at link 0; an empty mesh has none.
struct WideRayTreeView {
  static constexpr std::uint32_t k_leaf_bit = std::uint32_t{1} << 31;

  const CacheLine* lines = nullptr;
  std::size_t line_count = 0;
  /// The largest magnitude of a coordinate.
  float largest_coordinate = 0;

  TANDEM_HD bool empty() const { return line_count == 0; }
  TANDEM_HD static bool is_leaf(std::uint32_t link) { return (link & k_leaf_bit) != 0; }
  TANDEM_HD const WideRayNode& node(std::uint32_t link) const {
    return *static_cast<const WideRayNode*>(at(link));
  }
  TANDEM_HD const WideRayBlock& block(std::uint32_t link) const {
    return *static_cast<const WideRayBlock*>(at(link));
  }
  /// Where the node or block begins.
  TANDEM_HD const void* at(std::uint32_t link) const { return lines + (link & ~k_leaf_bit); }
};

/// The owner of the memory.
class WideRayTree {
 public:
  static constexpr std::string_view k_name = "ray-wide";

  bool empty() const { return lines_.empty(); }
  std::size_t bytes() const { return lines_.size() * sizeof(CacheLine); }
  WideRayTreeView view() const {
    return {.lines = lines_.data(),
            .line_count = lines_.size(),
            .largest_coordinate = largest_coordinate_};
  }

  /// For the builder, which fills in all lines: how many of them there are.
  void resize(std::size_t line_count) { lines_.resize(line_count); }
  /// How many lines a node or block takes.
  template <class Part>
  static constexpr std::size_t k_lines = sizeof(Part) / sizeof(CacheLine);
  /// Puts a node or block at a link without the leaf bit.
  template <class Part>
  void write(std::size_t link, const Part& part) {
    std::memcpy(static_cast<void*>(&lines_[link]), &part, sizeof(Part));
  }
  void set_largest_coordinate(float largest) { largest_coordinate_ = largest; }

 private:
  LargeVector<CacheLine> lines_;
  float largest_coordinate_ = 0;
};

}  // namespace tandem::detail
