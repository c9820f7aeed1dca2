#include "build/wide_fit.h"

#include <cmath>
#include <limits>

namespace tandem::detail {
namespace {

constexpr float k_infinity = std::numeric_limits<float>::infinity();

/// At least x, in float32.
float rounded_up(double x) {
  return static_cast<float>(x * (1 + 0x1p-22) + 0x1p-140);
}

/// What is known of the triangles below a child.
struct Summary {
  float lower[3] = {k_infinity, k_infinity, k_infinity};
  float upper[3] = {-k_infinity, -k_infinity, -k_infinity};
  /// Sum of cross products of edges.
  double normal[3] = {0, 0, 0};
  /// Sums over corners, where they are asked for: of coordinates, and of xx, xy, xz, yy, yz, zz.
  double corner_count = 0;
  double sum[3] = {0, 0, 0};
  double square[6] = {0, 0, 0, 0, 0, 0};

  void add(const Summary& other) {
    for (int k = 0; k < 3; ++k) {
      lower[k] = std::min(lower[k], other.lower[k]);
      upper[k] = std::max(upper[k], other.upper[k]);
      normal[k] += other.normal[k];
      sum[k] += other.sum[k];
    }
    for (int k = 0; k < 6; ++k) square[k] += other.square[k];
    corner_count += other.corner_count;
  }

  void add_normal(const CornerRow& row) {
    const float* v = row.value;
    const float a[3] = {v[3] - v[0], v[4] - v[1], v[5] - v[2]};
    const float b[3] = {v[6] - v[0], v[7] - v[1], v[8] - v[2]};
    normal[0] += a[1] * b[2] - a[2] * b[1];
    normal[1] += a[2] * b[0] - a[0] * b[2];
    normal[2] += a[0] * b[1] - a[1] * b[0];
  }

  void add_corners(const CornerRow& row) {
    const float* v = row.value;
    for (int c = 0; c < 9; c += 3) {
      const double x = v[c];
      const double y = v[c + 1];
      const double z = v[c + 2];
      sum[0] += x;
      sum[1] += y;
      sum[2] += z;
      square[0] += x * x;
      square[1] += x * y;
      square[2] += x * z;
      square[3] += y * y;
      square[4] += y * z;
      square[5] += z * z;
    }
    corner_count += 3;
  }
};

/// Makes a unit vector; false when there is no direction.
bool normalise(double v[3]) {
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (!(length > 0x1p-400)) return false;
  for (int k = 0; k < 3; ++k) v[k] /= length;
  return true;
}

/// The direction in which the corners vary least: the eigenvector of the smallest eigenvalue of their
/// covariance. The adjugate has the same eigenvectors, and that one belongs to its largest
/// eigenvalue; its powers soon have nothing else. False when there is none, as on a line.
bool least_direction(const Summary& s, double direction[3]) {
  const double per_corner = 1 / s.corner_count;
  const double mean[3] = {s.sum[0] * per_corner, s.sum[1] * per_corner, s.sum[2] * per_corner};
  const double xx = s.square[0] * per_corner - mean[0] * mean[0];
  const double xy = s.square[1] * per_corner - mean[0] * mean[1];
  const double xz = s.square[2] * per_corner - mean[0] * mean[2];
  const double yy = s.square[3] * per_corner - mean[1] * mean[1];
  const double yz = s.square[4] * per_corner - mean[1] * mean[2];
  const double zz = s.square[5] * per_corner - mean[2] * mean[2];
  double m[6] = {yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy,
                 xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy};
  for (int power = 0; power < 4; ++power) {
    const double trace = m[0] + m[3] + m[5];
    if (!(trace > 0x1p-400)) return false;
    const double inverse = 1 / trace;
    for (double& entry : m) entry *= inverse;
    const double next[6] = {
        m[0] * m[0] + m[1] * m[1] + m[2] * m[2], m[0] * m[1] + m[1] * m[3] + m[2] * m[4],
        m[0] * m[2] + m[1] * m[4] + m[2] * m[5], m[1] * m[1] + m[3] * m[3] + m[4] * m[4],
        m[1] * m[2] + m[3] * m[4] + m[4] * m[5], m[2] * m[2] + m[4] * m[4] + m[5] * m[5]};
    std::copy(next, next + 6, m);
  }
  // The column with the largest diagonal entry is the longest.
  const double columns[3][3] = {{m[0], m[1], m[2]}, {m[1], m[3], m[4]}, {m[2], m[4], m[5]}};
  const int longest = m[0] >= m[3] ? (m[0] >= m[5] ? 0 : 2) : (m[3] >= m[5] ? 1 : 2);
  std::copy(columns[longest], columns[longest] + 3, direction);
  return normalise(direction);
}

struct Slab {
  float normal[3] = {0, 0, 0};
  float lower = -k_infinity;
  float upper = k_infinity;
};

/// The slab along a direction, up to rounding: coordinates are at most 1, and sums of three products
/// are off by less than 2^-21.
Slab slab_along(const double direction[3], const CornerRow* begin, const CornerRow* end) {
  Slab slab{{static_cast<float>(direction[0]), static_cast<float>(direction[1]),
             static_cast<float>(direction[2])},
            k_infinity,
            -k_infinity};
  const float* n = slab.normal;
  float lower[3] = {k_infinity, k_infinity, k_infinity};
  float upper[3] = {-k_infinity, -k_infinity, -k_infinity};
  for (const CornerRow* row = begin; row != end; ++row) {
    const float* v = row->value;
    for (int c = 0; c < 3; ++c) {
      const float along = n[0] * v[3 * c] + n[1] * v[3 * c + 1] + n[2] * v[3 * c + 2];
      lower[c] = along < lower[c] ? along : lower[c];
      upper[c] = along > upper[c] ? along : upper[c];
    }
  }
  slab.lower = std::min({lower[0], lower[1], lower[2]});
  slab.upper = std::max({upper[0], upper[1], upper[2]});
  return slab;
}

/// Child `lane` of a block: the box of all below, and the better slab.
void fit_child(NodeBlock& block, int lane, const Summary& summary, const CornerRow* begin,
               const CornerRow* end, SlabChoice choice) {
  double centre[3];
  for (int k = 0; k < 3; ++k) {
    const auto middle = static_cast<float>(0.5 * (double{summary.lower[k]} + summary.upper[k]));
    centre[k] = middle;
    block.centre[k][lane] = middle;
    block.half[k][lane] =
        rounded_up(std::max(summary.upper[k] - centre[k], centre[k] - summary.lower[k]));
  }
  double direction[3] = {summary.normal[0], summary.normal[1], summary.normal[2]};
  Slab slab;
  if (normalise(direction)) slab = slab_along(direction, begin, end);
  if (choice == SlabChoice::thinner_of_two && least_direction(summary, direction)) {
    const Slab other = slab_along(direction, begin, end);
    if (!(slab.upper - slab.lower <= other.upper - other.lower)) slab = other;
  }
  if (slab.upper == k_infinity) {
    // No direction at all: a slab that everything is in.
    slab = {{0, 0, 0}, 0, 0};
  }
  double along_centre = 0;
  for (int k = 0; k < 3; ++k) {
    block.normal[k][lane] = slab.normal[k];
    along_centre += slab.normal[k] * centre[k];
  }
  const auto offset = static_cast<float>(0.5 * (double{slab.lower} + slab.upper) - along_centre);
  block.offset[lane] = offset;
  block.thickness[lane] = rounded_up(
      std::max(slab.upper - along_centre - offset, offset - (slab.lower - along_centre)) + 0x1p-20);
}

/// Nothing overlaps a child that is not there.
void clear_child(NodeBlock& block, int lane) {
  for (int k = 0; k < 3; ++k) {
    block.centre[k][lane] = 0;
    block.half[k][lane] = std::numeric_limits<float>::quiet_NaN();
    block.normal[k][lane] = 0;
  }
  block.offset[lane] = 0;
  block.thickness[lane] = 0;
}

}  // namespace

ScaledMesh::ScaledMesh(const Mesh& mesh) : triangles_(mesh.triangles()) {
  if (mesh.empty()) return;
  const Bounds bounds = mesh.bounds();
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    const double lower = bounds.lower[k];
    const double upper = bounds.upper[k];
    const double middle = static_cast<float>(0.5 * (lower + upper));
    if (std::fabs(middle) > upper - lower) origin_[k] = middle;
    extent_[k] = std::max(std::fabs(upper - origin_[k]), std::fabs(lower - origin_[k]));
    largest = std::max(largest, extent_[k]);
  }
  exponent_ = -149;
  if (largest > 0) std::frexp(largest, &exponent_);
  const double factor = std::ldexp(1.0, -exponent_);
  // What is too small for float32 is rounded.
  extent_ = factor * extent_ + Vec3d{0x1p-149, 0x1p-149, 0x1p-149};
  vertices_.reserve(mesh.vertex_count());
  for (const Vec3f& v : mesh.vertices()) {
    vertices_.emplace_back(factor * (Vec3d(v) - origin_));
  }
}

WideTree fit_wide(const ScaledMesh& mesh, const WideShape& shape, SlabChoice choice) {
  WideTree tree;
  tree.origin = mesh.origin();
  tree.exponent = mesh.exponent();
  tree.extent = mesh.extent();
  const std::size_t leaf_count = leaf_count_for(shape.order.size());
  if (leaf_count == 0) return tree;

  // Leaves.
  tree.boxes.resize(leaf_count);
  tree.corners.resize(k_block * leaf_count);
  tree.ids.resize(k_block * leaf_count, k_no_triangle);
  std::vector<Summary> below(leaf_count);
  for (std::size_t leaf = 0; leaf < leaf_count; ++leaf) {
    BoxBlock& box = tree.boxes[leaf];
    for (int lane = 0; lane < k_block; ++lane) {
      const std::size_t slot = k_block * leaf + lane;
      CornerRow& row = tree.corners[slot];
      if (slot >= shape.order.size()) {
        for (float& value : row.value) value = std::numeric_limits<float>::quiet_NaN();
        for (int k = 0; k < 3; ++k) {
          box.lower[k][lane] = k_infinity;
          box.upper[k][lane] = -k_infinity;
        }
        continue;
      }
      tree.ids[slot] = shape.order[slot];
      const TriangleF triangle = mesh.triangle(shape.order[slot]);
      for (int c = 0; c < 3; ++c) {
        for (int k = 0; k < 3; ++k) row.value[3 * c + k] = triangle.corner[c][k];
      }
      Summary& summary = below[leaf];
      for (int k = 0; k < 3; ++k) {
        box.lower[k][lane] = std::min({row.value[k], row.value[3 + k], row.value[6 + k]});
        box.upper[k][lane] = std::max({row.value[k], row.value[3 + k], row.value[6 + k]});
        summary.lower[k] = std::min(summary.lower[k], box.lower[k][lane]);
        summary.upper[k] = std::max(summary.upper[k], box.upper[k][lane]);
      }
      summary.add_normal(row);
      if (choice == SlabChoice::thinner_of_two) summary.add_corners(row);
    }
  }

  // Blocks, from the bottom up. `ends` are the ends of the slots below each block of the level below.
  const std::size_t height = shape.child_counts.size();
  tree.levels.resize(height);
  std::vector<std::size_t> ends(leaf_count);
  for (std::size_t leaf = 0; leaf < leaf_count; ++leaf) {
    ends[leaf] = std::min(k_block * (leaf + 1), shape.order.size());
  }
  for (std::size_t level = height; level-- > 0;) {
    const std::vector<std::uint8_t>& child_counts = shape.child_counts[level];
    std::vector<NodeBlock>& blocks = tree.levels[level];
    blocks.resize(child_counts.size());
    std::vector<Summary> summaries(child_counts.size());
    std::vector<std::size_t> block_ends(child_counts.size());
    std::uint32_t child = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      blocks[i].first_child = child;
      blocks[i].child_count = child_counts[i];
      for (int lane = 0; lane < k_block; ++lane) {
        if (lane >= child_counts[i]) {
          clear_child(blocks[i], lane);
          continue;
        }
        fit_child(blocks[i], lane, below[child], tree.corners.data() + begin,
                  tree.corners.data() + ends[child], choice);
        summaries[i].add(below[child]);
        begin = ends[child++];
      }
      block_ends[i] = begin;
    }
    below = std::move(summaries);
    ends = std::move(block_ends);
  }
  return tree;
}

}  // namespace tandem::detail
