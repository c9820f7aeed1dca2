// What the driver writes into the chip's memory for an object: its nodes in pairs of siblings, and
// the records of its triangles.
//
// The paper stores a triangle's matrix in a leaf instead of its DOP, and leaves out pairs of a leaf
// and an inner node. Those pairs need the leaf's volume. So here a leaf is a node like any other,
// with a volume, and refers to a record of its own for the triangle.
#pragma once

#include <tandem/model.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "chip/config.h"

namespace tandem::chip {

/// Lower bounds of all slabs, then upper bounds: d_0 to d_{k-1} of the paper.
using Bounds = std::array<float, k_most_bounds>;

/// `none`: there is no node in that place. The root has no sibling.
enum class NodeKind : std::uint8_t { none, inner, leaf };

struct NodeRecord {
  Bounds bounds{};
  NodeKind kind = NodeKind::none;
  /// The pair of an inner node's children; the record of a leaf's triangle.
  std::uint32_t link = 0;
  /// Which node of the library's tree it is.
  std::uint32_t node = 0;
};

/// Lines 30 to 32 of the matrix register file, and the corners: 21 numbers (section 3.3).
struct TriangleRecord {
  /// Maps the triangle onto the unit triangle: m[i][0] x + m[i][1] y + m[i][2] z + m[i][3].
  float matrix[3][4] = {};
  float corner[3][3] = {};
};

struct ObjectImage {
  int k = 0;
  /// Pair p is in places 2p and 2p + 1; the root is alone in pair 0. Empty for an empty mesh.
  std::vector<NodeRecord> nodes;
  /// By the triangle's id in the mesh.
  std::vector<TriangleRecord> triangles;

  bool empty() const { return nodes.empty(); }
  std::size_t pair_count() const { return nodes.size() / 2; }
};

/// The image of a model's tree of k-DOPs, or of its boxtree, with their library defaults; the tree
/// is built unless the model has it. Throws `tandem::Error` for a tree that is not binary.
ObjectImage object_image(const Model& model, Nodes nodes);

/// The record of one triangle. A triangle without area gets a matrix of zeros, which nothing
/// pierces.
TriangleRecord triangle_record(const TriangleF& triangle);

/// Where two objects stand in the chip's memory, in bytes.
class MemoryLayout {
 public:
  MemoryLayout(const Config& config, const ObjectImage& a, const ObjectImage& b);

  /// `object` is 0 for A and 1 for B.
  std::uint64_t node_address(int object, std::uint32_t place) const {
    return nodes_[object] + place / 2 * stride_ + place % 2 * node_bytes_;
  }
  std::uint64_t triangle_address(int object, std::uint32_t triangle) const {
    return triangles_[object] + std::uint64_t{triangle} * Config::triangle_stride();
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::uint64_t stride_;
  std::uint64_t node_bytes_;
  std::uint64_t nodes_[2] = {};
  std::uint64_t triangles_[2] = {};
  std::uint64_t bytes_ = 0;
};

}  // namespace tandem::chip
