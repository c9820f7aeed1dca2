// The tree that rays are traced through by default: up to eight children a node and eight triangles
// a leaf, laid out so that one instruction works on all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tree/wide/large_pages.h"

namespace tandem::detail {

/// Nodes and leaves lie in one array of cache lines, parents before their children. A link is a
/// position there, and with the leaf bit that of a block of triangles.
class WideRayTree {
 public:
  static constexpr int k_width = 8;
  static constexpr int k_block_size = 8;
  static constexpr std::size_t k_line_bytes = 64;
  static constexpr std::uint32_t k_leaf_bit = std::uint32_t{1} << 31;

  /// The children's boxes: lower bounds along x, y and z, then upper ones. A child that is not there
  /// has an empty box.
  struct alignas(k_line_bytes) Node {
    float bound[6][k_width];
    std::uint32_t child[k_width];
    std::uint32_t child_count;
  };

  /// The corners of triangles by axis and corner; what is not there has NaN corners.
  struct alignas(k_line_bytes) Block {
    float corner[3][3][k_block_size];
    std::uint32_t id[k_block_size];
    std::uint32_t count;
  };

  /// No root for an empty mesh; otherwise it is the node at link 0.
  bool empty() const { return lines_.empty(); }
  static bool is_leaf(std::uint32_t link) { return (link & k_leaf_bit) != 0; }
  const Node& node(std::uint32_t link) const { return *static_cast<const Node*>(at(link)); }
  const Block& block(std::uint32_t link) const { return *static_cast<const Block*>(at(link)); }
  /// Where the node or block begins.
  const void* at(std::uint32_t link) const { return &lines_[link & ~k_leaf_bit]; }

  /// The largest magnitude of a coordinate.
  float largest_coordinate() const { return largest_coordinate_; }
  std::size_t bytes() const { return lines_.size() * k_line_bytes; }

  /// For the builder: appends a copy and returns its link, without the leaf bit.
  template <class Part>
  std::uint32_t append(const Part& part) {
    const std::size_t link = lines_.size();
    lines_.resize(link + sizeof(Part) / k_line_bytes);
    std::memcpy(&lines_[link], &part, sizeof(Part));
    return static_cast<std::uint32_t>(link);
  }
  void replace(std::uint32_t link, const Node& node) {
    std::memcpy(&lines_[link], &node, sizeof(Node));
  }
  void set_largest_coordinate(float largest) { largest_coordinate_ = largest; }

 private:
  struct alignas(k_line_bytes) Line {
    std::byte bytes[k_line_bytes];
  };
  std::vector<Line, LargePageAllocator<Line>> lines_;
  float largest_coordinate_ = 0;
};

}  // namespace tandem::detail
