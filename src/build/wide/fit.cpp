#include "build/wide/fit.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>

namespace tandem::detail {
namespace {

constexpr float k_infinity = std::numeric_limits<float>::infinity();
constexpr float k_nan = std::numeric_limits<float>::quiet_NaN();

/// The corners of a leaf's four triangles in lanes: corner, axis. Where a triangle is missing, the
/// first one stands again.
struct LeafCorners {
  Float4 value[3][3];
};

/// What is known of the triangles below a child; of vectors the first three lanes count.
struct Summary {
  Float4 lower = float4(k_infinity);
  Float4 upper = float4(-k_infinity);
  /// Sum of cross products of edges.
  Float4 normal = float4(0);
  /// Of the corners: how many, their mean, and the sums of (xx, yy, zz) and (xy, yz, zx) of their
  /// differences from it. Sums of squares themselves would lose the differences of small triangles.
  float count = 0;
  Float4 mean = float4(0);
  Float4 squares = float4(0);
  Float4 products = float4(0);

  /// That of a whole whose parts these are.
  static Summary of(std::span<const Summary> parts) {
    Summary whole;
    for (const Summary& part : parts) {
      whole.lower = min4(whole.lower, part.lower);
      whole.upper = max4(whole.upper, part.upper);
      whole.normal += part.normal;
      whole.count += part.count;
      whole.mean += float4(part.count) * part.mean;
    }
    whole.mean /= float4(whole.count);
    for (const Summary& part : parts) {
      const Float4 difference = part.mean - whole.mean;
      const Float4 weighted = float4(part.count) * difference;
      whole.squares += part.squares + weighted * difference;
      whole.products += part.products + weighted * turned(difference);
    }
    return whole;
  }
};

/// As many directions as children, in lanes.
struct Directions {
  Float4 axis[3];
  /// Makes unit vectors; where there is no direction, zero.
  void normalise() {
    Float4 largest = float4(0);
    for (const Float4 a : axis) largest = max4(largest, max4(a, -a));
    const Float4 inverse = largest > float4(0x1p-100F) ? 1 / largest : float4(0);
    for (Float4& a : axis) a *= inverse;
    const Float4 square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
    const Float4 length = {std::sqrt(square[0]), std::sqrt(square[1]), std::sqrt(square[2]),
                           std::sqrt(square[3])};
    const Float4 per_length = length > float4(0.5F) ? 1 / length : float4(0);
    for (Float4& a : axis) a *= per_length;
  }
};

/// The directions in which the corners vary least: eigenvectors of the smallest eigenvalue of their
/// covariance. The adjugate has the same eigenvectors, and that one belongs to its largest
/// eigenvalue; its powers soon have nothing else. Zero where there is none, as on a line.
Directions least_directions(const Summary* children) {
  Float4 square[4] = {children[0].squares, children[1].squares, children[2].squares,
                      children[3].squares};
  Float4 mixed[4] = {children[0].products, children[1].products, children[2].products,
                     children[3].products};
  transpose(square[0], square[1], square[2], square[3]);
  transpose(mixed[0], mixed[1], mixed[2], mixed[3]);
  const auto scale_by_trace = [](Float4 trace, Float4* diagonal, Float4* others) {
    const Float4 inverse = trace > float4(0x1p-100F) ? 1 / trace : float4(0);
    for (int k = 0; k < 3; ++k) {
      diagonal[k] *= inverse;
      others[k] *= inverse;
    }
  };
  scale_by_trace(square[0] + square[1] + square[2], square, mixed);
  const auto [xx, yy, zz] = std::tie(square[0], square[1], square[2]);
  const auto [xy, yz, zx] = std::tie(mixed[0], mixed[1], mixed[2]);
  Float4 d[3] = {yy * zz - yz * yz, xx * zz - zx * zx, xx * yy - xy * xy};
  Float4 m[3] = {zx * yz - xy * zz, xy * zx - xx * yz, xy * yz - zx * yy};
  for (int power = 0; power < 4; ++power) {
    scale_by_trace(d[0] + d[1] + d[2], d, m);
    const Float4 dd[3] = {d[0] * d[0] + m[0] * m[0] + m[2] * m[2],
                          m[0] * m[0] + d[1] * d[1] + m[1] * m[1],
                          m[2] * m[2] + m[1] * m[1] + d[2] * d[2]};
    const Float4 mm[3] = {d[0] * m[0] + m[0] * d[1] + m[2] * m[1],
                          m[0] * m[2] + d[1] * m[1] + m[1] * d[2],
                          d[0] * m[2] + m[0] * m[1] + m[2] * d[2]};
    for (int k = 0; k < 3; ++k) {
      d[k] = dd[k];
      m[k] = mm[k];
    }
  }
  // The column with the largest diagonal entry is the longest.
  const Float4 columns[3][3] = {{d[0], m[0], m[2]}, {m[0], d[1], m[1]}, {m[2], m[1], d[2]}};
  Directions result;
  for (int k = 0; k < 3; ++k) {
    const Float4 of_first_two = d[0] >= d[1] ? columns[0][k] : columns[1][k];
    result.axis[k] = d[2] >= max4(d[0], d[1]) ? columns[2][k] : of_first_two;
  }
  result.normalise();
  return result;
}

/// Slabs of four children in lanes.
struct Slabs {
  Float4 normal[3];
  Float4 lower;
  Float4 upper;
};

/// The slabs along each of `n` directions a child, up to rounding: coordinates are at most 1, and sums
/// of three products are off by less than 2^-21. Child i has the leaves from bounds[i] to bounds[i + 1].
template <int n>
void find_slabs(const Directions* directions, const LeafCorners* leaves, const std::size_t* bounds,
                Slabs* slabs) {
  Float4 lower[n][k_block];
  Float4 upper[n][k_block];
  for (int child = 0; child < k_block; ++child) {
    Float4 normal[n][3];
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k) normal[i][k] = float4(directions[i].axis[k][child]);
      lower[i][child] = float4(k_infinity);
      upper[i][child] = float4(-k_infinity);
    }
    for (std::size_t leaf = bounds[child]; leaf < bounds[child + 1]; ++leaf) {
      for (const Float4* corner : leaves[leaf].value) {
        for (int i = 0; i < n; ++i) {
          const Float4 along =
              normal[i][0] * corner[0] + normal[i][1] * corner[1] + normal[i][2] * corner[2];
          lower[i][child] = min4(lower[i][child], along);
          upper[i][child] = max4(upper[i][child], along);
        }
      }
    }
  }
  for (int i = 0; i < n; ++i) {
    transpose(lower[i][0], lower[i][1], lower[i][2], lower[i][3]);
    transpose(upper[i][0], upper[i][1], upper[i][2], upper[i][3]);
    for (int k = 0; k < 3; ++k) slabs[i].normal[k] = directions[i].axis[k];
    slabs[i].lower = min4(min4(lower[i][0], lower[i][1]), min4(lower[i][2], lower[i][3]));
    slabs[i].upper = max4(max4(upper[i][0], upper[i][1]), max4(upper[i][2], upper[i][3]));
  }
}

/// The children of a block: the boxes of all below, and their best slabs. `children` and `bounds` are
/// those of four, of which some may be empty.
void fit_children(NodeBlock& block, const Summary* children, const std::size_t* bounds,
                  const LeafCorners* leaves, SlabChoice choice) {
  // More than all roundings can take away from a half side.
  constexpr float k_more = 1 + 0x1p-22F;
  Float4 lower[4];
  Float4 upper[4];
  Float4 normal[4];
  for (int i = 0; i < k_block; ++i) {
    lower[i] = children[i].lower;
    upper[i] = children[i].upper;
    normal[i] = children[i].normal;
  }
  transpose(lower[0], lower[1], lower[2], lower[3]);
  transpose(upper[0], upper[1], upper[2], upper[3]);
  transpose(normal[0], normal[1], normal[2], normal[3]);
  Float4 centre[3];
  for (int k = 0; k < 3; ++k) {
    centre[k] = 0.5F * (lower[k] + upper[k]);
    const Float4 half = max4(upper[k] - centre[k], centre[k] - lower[k]);
    store4(centre[k], block.centre[k]);
    store4(half * k_more + 0x1p-140F, block.half[k]);
  }

  Directions directions[2] = {{{normal[0], normal[1], normal[2]}}, {}};
  directions[0].normalise();
  Slabs slabs[2];
  if (choice == SlabChoice::thinner_of_two) {
    directions[1] = least_directions(children);
    find_slabs<2>(directions, leaves, bounds, slabs);
    // A normal of zero means that there is no such direction.
    const auto thickness = [](const Slabs& s) {
      const Float4 any =
          s.normal[0] * s.normal[0] + s.normal[1] * s.normal[1] + s.normal[2] * s.normal[2];
      return any > float4(0.5F) ? s.upper - s.lower : float4(k_infinity);
    };
    const auto second = thickness(slabs[1]) < thickness(slabs[0]);
    for (int k = 0; k < 3; ++k)
      slabs[0].normal[k] = second ? slabs[1].normal[k] : slabs[0].normal[k];
    slabs[0].lower = second ? slabs[1].lower : slabs[0].lower;
    slabs[0].upper = second ? slabs[1].upper : slabs[0].upper;
  } else {
    find_slabs<1>(directions, leaves, bounds, slabs);
  }
  const Slabs& slab = slabs[0];
  Float4 along_centre = float4(0);
  for (int k = 0; k < 3; ++k) {
    store4(slab.normal[k], block.normal[k]);
    along_centre += slab.normal[k] * centre[k];
  }
  const Float4 from = slab.lower - along_centre;
  const Float4 to = slab.upper - along_centre;
  const Float4 offset = 0.5F * (from + to);
  store4(offset, block.offset);
  // Two sums of three products, and some more roundings of numbers up to 4.
  store4(max4(to - offset, offset - from) + 0x1p-19F, block.thickness);
}

/// Nothing overlaps a child that is not there.
void clear_child(NodeBlock& block, int lane) {
  for (int k = 0; k < 3; ++k) {
    block.centre[k][lane] = 0;
    block.half[k][lane] = k_nan;
    block.normal[k][lane] = 0;
  }
  block.offset[lane] = 0;
  block.thickness[lane] = 0;
}

/// Fills a leaf with up to four triangles.
class LeafFitter {
 public:
  LeafFitter(const ScaledMesh& mesh, WideTree& tree) : mesh_(mesh), tree_(tree) {}

  Summary fit(std::size_t leaf, std::span<const std::uint32_t> ids, LeafCorners& lanes) {
    ScaledMesh::Corners t[k_block];
    Float4 lower[k_block];
    Float4 upper[k_block];
    Summary all;
    for (std::size_t lane = 0; lane < k_block; ++lane) {
      t[lane] = mesh_.triangle(ids[lane < ids.size() ? lane : 0]);
      const Float4* corner = t[lane].corner;
      lower[lane] = min4(min4(corner[0], corner[1]), corner[2]);
      upper[lane] = max4(max4(corner[0], corner[1]), corner[2]);
      all.lower = min4(all.lower, lower[lane]);
      all.upper = max4(all.upper, upper[lane]);
      const Float4 a = corner[1] - corner[0];
      const Float4 b = corner[2] - corner[0];
      all.normal += turned(a * turned(b) - turned(a) * b);
    }
    measure(t, all);
    store(leaf, ids, t, lower, upper);
    for (int c = 0; c < 3; ++c) {
      Float4 v[4] = {t[0].corner[c], t[1].corner[c], t[2].corner[c], t[3].corner[c]};
      transpose(v[0], v[1], v[2], v[3]);
      for (int k = 0; k < 3; ++k) lanes.value[c][k] = v[k];
    }
    return all;
  }

 private:
  static void measure(const ScaledMesh::Corners* t, Summary& all) {
    Float4 sum = float4(0);
    for (int i = 0; i < k_block; ++i) sum += t[i].corner[0] + t[i].corner[1] + t[i].corner[2];
    all.count = 3 * k_block;
    all.mean = sum * float4(1.0F / (3 * k_block));
    for (int i = 0; i < k_block; ++i) {
      for (const Float4 corner : t[i].corner) {
        const Float4 difference = corner - all.mean;
        all.squares += difference * difference;
        all.products += difference * turned(difference);
      }
    }
  }

  void store(std::size_t leaf, std::span<const std::uint32_t> ids, const ScaledMesh::Corners* t,
             Float4* lower, Float4* upper) {
    transpose(lower[0], lower[1], lower[2], lower[3]);
    transpose(upper[0], upper[1], upper[2], upper[3]);
    BoxBlock& box = tree_.boxes[leaf];
    for (int k = 0; k < 3; ++k) {
      store4(lower[k], box.lower[k]);
      store4(upper[k], box.upper[k]);
    }
    for (std::size_t lane = 0; lane < k_block; ++lane) {
      const std::size_t slot = k_block * leaf + lane;
      float* row = tree_.corners[slot].value;
      if (lane < ids.size()) {
        tree_.ids[slot] = ids[lane];
        // The fourth lane is overwritten by the next corner.
        store4(t[lane].corner[0], row);
        store4(t[lane].corner[1], row + 3);
        std::memcpy(row + 6, &t[lane].corner[2], 3 * sizeof(float));
        continue;
      }
      tree_.ids[slot] = k_no_triangle;
      std::fill_n(row, 9, k_nan);
      for (int k = 0; k < 3; ++k) {
        box.lower[k][lane] = k_infinity;
        box.upper[k][lane] = -k_infinity;
      }
    }
  }

  const ScaledMesh& mesh_;
  WideTree& tree_;
};

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
    const Vec3f scaled(factor * (Vec3d(v) - origin_));
    vertices_.push_back(Float4{scaled.x, scaled.y, scaled.z, 0});
  }
}

WideTree fit_wide(const ScaledMesh& mesh, const WideShape& shape, SlabChoice choice) {
  WideTree tree;
  tree.origin = mesh.origin();
  tree.exponent = mesh.exponent();
  tree.extent = mesh.extent();
  const std::span<const std::uint32_t> order(shape.order);
  const std::size_t leaf_count = leaf_count_for(order.size());
  if (leaf_count == 0) return tree;

  tree.boxes.resize(leaf_count);
  tree.corners.resize(k_block * leaf_count);
  tree.ids.resize(k_block * leaf_count);
  std::vector<LeafCorners> leaves(leaf_count);
  std::vector<Summary> below(leaf_count);
  LeafFitter fitter(mesh, tree);
  for (std::size_t leaf = 0; leaf < leaf_count; ++leaf) {
    const std::size_t first = k_block * leaf;
    below[leaf] =
        fitter.fit(leaf, order.subspan(first, std::min<std::size_t>(k_block, order.size() - first)),
                   leaves[leaf]);
  }

  // Blocks, from the bottom up. `ends` are the ends of the leaves below each block of the level below.
  const std::size_t height = shape.child_counts.size();
  tree.levels.resize(height);
  std::vector<std::size_t> ends(leaf_count);
  for (std::size_t leaf = 0; leaf < leaf_count; ++leaf) ends[leaf] = leaf + 1;
  for (std::size_t level = height; level-- > 0;) {
    const std::vector<std::uint8_t>& child_counts = shape.child_counts[level];
    std::vector<NodeBlock>& blocks = tree.levels[level];
    blocks.resize(child_counts.size());
    std::vector<Summary> summaries(child_counts.size());
    std::vector<std::size_t> block_ends(child_counts.size());
    std::uint32_t child = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::uint32_t count = child_counts[i];
      blocks[i].first_child = child;
      blocks[i].child_count = count;
      Summary children[k_block];
      std::size_t bounds[k_block + 1] = {begin, begin, begin, begin, begin};
      for (std::uint32_t lane = 0; lane < k_block; ++lane) {
        children[lane] = below[lane < count ? child + lane : child];
        bounds[lane + 1] = lane < count ? ends[child + lane] : bounds[lane];
      }
      fit_children(blocks[i], children, bounds, leaves.data(), choice);
      for (int lane = static_cast<int>(count); lane < k_block; ++lane) clear_child(blocks[i], lane);
      summaries[i] = Summary::of({children, count});
      begin = bounds[k_block];
      block_ends[i] = begin;
      child += count;
    }
    below = std::move(summaries);
    ends = std::move(block_ends);
  }
  return tree;
}

}  // namespace tandem::detail
