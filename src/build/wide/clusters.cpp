#include "build/wide/clusters.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "build/top_down.h"
#include "build/wide/box4.h"
#include "parallel/parallel_for.h"

namespace tandem::detail {
namespace {

/// Bins of sets with more triangles than `k_small`, and of others, for which fewer are as good.
constexpr int k_bin_count = 16;
constexpr int k_small_bin_count = 8;
constexpr std::size_t k_small = 32;
/// Leaves that have so many times the area of the whole box, divided by the number of triangles,
/// are large: many rays visit them. They are split further, even if the boxes of their parts are
/// together larger by this factor. Their triangles can then be put where they fit better.
constexpr double k_large = 40;
constexpr float k_large_gain = 1.2F;
constexpr float k_infinity = std::numeric_limits<float>::infinity();

/// Sets of more triangles than this are split by all threads together, others by one thread each.
constexpr std::size_t k_part_size = 4096;
/// How many triangles one thread takes at a time where all work on a set.
constexpr std::size_t k_grain = 4096;

Box4 box4(const BoxedTriangle& triangle) {
  Box4 result;
  std::memcpy(&result.lower, &triangle.lower, sizeof(Float4));
  std::memcpy(&result.upper, &triangle.upper, sizeof(Float4));
  // The id, taken for a number, could be one that arithmetic is slow with.
  result.lower = std::bit_cast<Float4>(std::bit_cast<Int4>(result.lower) & Int4{-1, -1, -1, 0});
  return result;
}

/// The box of a set, and the box of its centres.
struct SetBounds {
  Box4 box;
  Box4 centres;

  void add(const BoxedTriangle& triangle) {
    const Box4 one = box4(triangle);
    box.add(one);
    const Float4 centre = one.centre();
    centres.add(centre, centre);
  }
  void add(const SetBounds& other) {
    box.add(other.box);
    centres.add(other.centres);
  }
};

SetBounds bounds_of(std::span<const BoxedTriangle> set) {
  SetBounds result;
  for (const BoxedTriangle& triangle : set) result.add(triangle);
  return result;
}

/// Maps centres to bins along all axes at once.
class Binning {
 public:
  Binning(const SetBounds& bounds, int bin_count)
      : lowest_(bounds.centres.lower), end_(float4(static_cast<float>(bin_count) - 0.5F)) {
    const Float4 range = bounds.centres.upper - bounds.centres.lower;
    for (int axis = 0; axis < 3; ++axis) {
      // Where all centres coincide, or nearly do and are tiny, all are in the first bin.
      const float scale = static_cast<float>(bin_count) / range[axis];
      scale_[axis] = scale <= std::numeric_limits<float>::max() ? scale : 0;
    }
  }
  Int4 bins(const Box4& box) const {
    const Float4 place = (box.centre() - lowest_) * scale_;
    // The highest centre is at the end of the last bin.
    return __builtin_convertvector(min4(place, end_), Int4);
  }

 private:
  Float4 lowest_;
  Float4 end_;
  Float4 scale_{};
};

/// Bins below `bin` along `axis` come first; where `bin` is 0 there is no such plane.
struct Plane {
  int axis = 0;
  int bin = 0;
};

/// On which side of a plane triangles are.
class Sides {
 public:
  Sides(const Binning& binning, const Plane& plane) : binning_(binning) {
    end_[plane.axis] = plane.bin;
  }
  /// 1 for the first side, 0 for the second.
  std::size_t is_first(const BoxedTriangle& triangle) const {
    const auto lanes =
        std::bit_cast<std::array<std::uint64_t, 2>>(Int4(binning_.bins(box4(triangle)) < end_));
    return (lanes[0] | lanes[1]) != 0 ? 1 : 0;
  }

 private:
  Binning binning_;
  /// No bin is below 0.
  Int4 end_{};
};

/// What is in each bin along each axis.
template <int k_bin_count>
struct Bins {
  static constexpr int k_count = k_bin_count;
  Box4 box[k_bin_count][3];
  std::int32_t count[k_bin_count][4] = {};

  void add(std::span<const BoxedTriangle> set, const Binning& binning) {
    for (const BoxedTriangle& triangle : set) {
      const Box4 one = box4(triangle);
      const Int4 bin = binning.bins(one);
      for (int axis = 0; axis < 3; ++axis) {
        box[bin[axis]][axis].add(one);
        ++count[bin[axis]][axis];
      }
    }
  }
  void add(const Bins& other) {
    for (int i = 0; i < k_bin_count; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        box[i][axis].add(other.box[i][axis]);
        count[i][axis] += other.count[i][axis];
      }
    }
  }
  Int4 counts(int bin) const {
    Int4 result;
    std::memcpy(&result, count[bin], sizeof result);
    return result;
  }
};

/// An eighth of the surface areas of three boxes, scaled. Those of empty boxes are infinite.
Float4 areas(const Box4* boxes, float scale) {
  Float4 sides[4];
  for (int axis = 0; axis < 3; ++axis) sides[axis] = boxes[axis].half_sides() * float4(scale);
  sides[3] = float4(0);
  transpose(sides);
  return sides[0] * sides[1] + sides[1] * sides[2] + sides[2] * sides[0];
}

/// The same of one box.
float area(const Box4& box, float scale) {
  const Box4 boxes[3] = {box, box, box};
  return areas(boxes, scale)[0];
}

/// How many triangles a leaf holds: a power of two.
class LeafSize {
 public:
  explicit LeafSize(std::uint32_t size) : size_(size), shift_(std::countr_zero(size)) {}

  bool fits(std::size_t count) const { return count <= size_; }
  /// Sets so small are not worth a look.
  bool is_tiny(std::size_t count) const { return count <= std::min(size_, 2U); }
  /// As many leaves as the triangles fill.
  Float4 leaf_counts(Int4 count) const {
    return __builtin_convertvector((count + static_cast<int>(size_ - 1)) >> shift_, Float4);
  }

 private:
  std::uint32_t size_;
  int shift_;
};

/// By which half sides are multiplied before areas are computed of them, so that these do not leave
/// the range of floats.
float area_scale(const Box4& box) {
  const Float4 sides = box.half_sides();
  const float scale = 1 / std::max(sides[0], std::max(sides[1], sides[2]));
  return std::min(scale, std::numeric_limits<float>::max());
}

/// The cheapest plane between bins along any axis that costs less than the limit. All three axes
/// are worked on at once. Planes that separate nothing cost infinity times 0, which is not a number
/// and not less than any.
template <int k_bin_count>
Plane cheapest_plane(const Bins<k_bin_count>& bins, LeafSize leaf, float scale, float limit) {
  Float4 right_cost[k_bin_count];
  Box4 merged[3];
  Int4 count{};
  for (int i = k_bin_count - 1; i > 0; --i) {
    for (int axis = 0; axis < 3; ++axis) merged[axis].add(bins.box[i][axis]);
    count += bins.counts(i);
    right_cost[i] = areas(merged, scale) * leaf.leaf_counts(count);
  }
  for (Box4& each : merged) each = Box4();
  count = Int4{};
  Float4 least = float4(limit);
  Int4 best{};
  for (int i = 1; i < k_bin_count; ++i) {
    for (int axis = 0; axis < 3; ++axis) merged[axis].add(bins.box[i - 1][axis]);
    count += bins.counts(i - 1);
    const Float4 cost = areas(merged, scale) * leaf.leaf_counts(count) + right_cost[i];
    best = cost < least ? Int4{i, i, i, i} : best;
    least = cost < least ? cost : least;
  }
  int axis = least[1] < least[0] ? 1 : 0;
  if (least[2] < least[axis]) axis = 2;
  return {axis, best[axis]};
}

/// Splits sets one after the other, down to leaves.
class PartBuilder {
 public:
  /// The set begins at `begin` among all triangles. `scratch` has room for it. Leaves with an area
  /// of more than `large` are large.
  PartBuilder(LeafSize leaf, TriangleSet all, std::size_t begin, TriangleSet scratch, double large)
      : leaf_(leaf),
        all_(all),
        begin_(static_cast<std::uint32_t>(begin)),
        scratch_(scratch),
        large_(large) {}

  /// The nodes, the root first. Leaves refer to places in the array of all triangles.
  std::vector<ClusterNode> build(int levels_left) {
    nodes_.reserve(all_.size() / 2 + 1);
    nodes_.emplace_back();
    place(0, 0, all_.size(), levels_left);
    return std::move(nodes_);
  }

 private:
  void place(std::uint32_t node, std::size_t begin, std::size_t end, int levels_left) {
    const TriangleSet set = all_.subspan(begin, end - begin);
    const SetBounds bounds = bounds_of(set);
    nodes_[node].box = bounds.box.box();
    const std::size_t first_count = split(set, bounds, levels_left);
    if (first_count == 0) {
      nodes_[node].first = begin_ + static_cast<std::uint32_t>(begin);
      nodes_[node].count = static_cast<std::uint32_t>(set.size());
      return;
    }
    const auto children = static_cast<std::uint32_t>(nodes_.size());
    nodes_[node].first = children;
    nodes_.resize(nodes_.size() + 2);
    place(children, begin, begin + first_count, levels_left - 1);
    place(children + 1, begin + first_count, end, levels_left - 1);
  }

  /// Reorders the set and returns the size of the first part; 0 when it is a leaf.
  std::size_t split(TriangleSet set, const SetBounds& bounds, int levels_left) {
    if (leaf_.is_tiny(set.size())) return 0;
    const bool fits = leaf_.fits(set.size());
    const bool must_halve = static_cast<int>(std::bit_width(set.size() - 1)) >= levels_left;
    if (must_halve) return fits ? 0 : halve_in_order(set, longest_axis(bounds.box.box()));
    // What fits is split further only where many rays come by.
    if (fits && half_area(bounds.box.box()) <= large_) return 0;
    const std::size_t first_count = set.size() > k_small
                                        ? split_by_plane<k_bin_count>(set, bounds)
                                        : split_by_plane<k_small_bin_count>(set, bounds);
    if (first_count != 0 || fits) return first_count;
    return halve_in_order(set, longest_axis(bounds.box.box()));
  }

  /// 0 when no plane separates the set, or none that is worth it where the set fits into a leaf.
  template <int k_bins>
  std::size_t split_by_plane(TriangleSet set, const SetBounds& bounds) {
    const Binning binning(bounds, k_bins);
    Bins<k_bins> bins;
    bins.add(set, binning);
    const float scale = area_scale(bounds.box);
    const float limit =
        leaf_.fits(set.size()) ? k_large_gain * area(bounds.box, scale) : k_infinity;
    const Plane plane = cheapest_plane(bins, leaf_, scale, limit);
    return plane.bin == 0 ? 0 : partition(set, binning, plane);
  }

  /// Without branches: each triangle is written to both sides, and stays on one.
  std::size_t partition(TriangleSet set, const Binning& binning, const Plane& plane) {
    const Sides sides(binning, plane);
    std::size_t left = 0;
    std::size_t right = 0;
    for (const BoxedTriangle& each : set) {
      const BoxedTriangle triangle = each;
      const std::size_t is_left = sides.is_first(triangle);
      set[left] = triangle;
      scratch_[right] = triangle;
      left += is_left;
      right += 1 - is_left;
    }
    std::copy_n(scratch_.begin(), right, set.begin() + static_cast<std::ptrdiff_t>(left));
    return left;
  }

  LeafSize leaf_;
  TriangleSet all_;
  std::uint32_t begin_;
  TriangleSet scratch_;
  double large_;
  std::vector<ClusterNode> nodes_;
};

/// Splits large sets by all threads together, level by level, until there are enough sets to give
/// each thread its own.
class ClusterBuilder {
 public:
  ClusterBuilder(const Mesh& mesh, LeafSize leaf, int threads)
      : leaf_(leaf), threads_(threads), count_(mesh.triangle_count()) {
    for (auto& triangles : triangles_) {
      triangles = std::make_unique_for_overwrite<BoxedTriangle[]>(count_);
    }
    std::vector<SetBounds> bounds(count_ / k_grain + 1);
    parallel_for(count_, k_grain, threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto id = static_cast<std::uint32_t>(i);
        const Aabb box = Aabb::fit(mesh.triangle(id).corner);
        triangles_[0][i] = {box.lower, id, box.upper, 0};
      }
      bounds[begin / k_grain] = bounds_of(triangles(0, begin, end));
    });
    for (const SetBounds& piece : bounds) whole_.add(piece);
  }

  ClusterTree build() {
    if (count_ == 0) return {};
    result_.nodes.emplace_back();
    result_.triangles.resize(count_);
    add_set({0, 0, count_, k_max_depth, 0, whole_});
    while (!large_.empty()) split_large();
    build_parts();
    return std::move(result_);
  }

 private:
  struct Set {
    std::uint32_t node;
    std::size_t begin;
    std::size_t end;
    int levels_left;
    /// Which of the two arrays of triangles the set is in.
    int buffer;
    SetBounds bounds;
  };
  /// A piece of a large set, and then of both of its parts.
  struct Piece {
    std::size_t set;
    std::size_t begin;
    std::size_t end;
    Bins<k_bin_count> bins;
    /// Where those of its triangles go that come first, and where the others go.
    std::size_t left;
    std::size_t right;
    SetBounds left_bounds;
    SetBounds right_bounds;
  };
  struct Split {
    Bins<k_bin_count> bins;
    Plane plane;
    std::size_t left_count = 0;
    SetBounds left_bounds;
    SetBounds right_bounds;
  };

  void add_set(const Set& set) {
    const std::size_t count = set.end - set.begin;
    // Where levels run short, sets are halved, which one thread does.
    const bool must_halve = static_cast<int>(std::bit_width(count - 1)) >= set.levels_left;
    (count > k_part_size && !must_halve ? large_ : parts_).push_back(set);
  }

  std::vector<Piece> pieces_of(const std::vector<Set>& sets) const {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      for (std::size_t begin = sets[i].begin; begin < sets[i].end; begin += k_grain) {
        Piece& piece = pieces.emplace_back();
        piece.set = i;
        piece.begin = begin;
        piece.end = std::min(begin + k_grain, sets[i].end);
      }
    }
    return pieces;
  }

  TriangleSet triangles(int buffer, std::size_t begin, std::size_t end) const {
    return {triangles_[buffer].get() + begin, end - begin};
  }
  std::span<const BoxedTriangle> triangles_of(const Set& set, const Piece& piece) const {
    return triangles(set.buffer, piece.begin, piece.end);
  }

  void split_large() {
    const std::vector<Set> sets = std::exchange(large_, {});
    std::vector<Split> splits(sets.size());
    std::vector<Piece> pieces = pieces_of(sets);
    const auto for_each_piece = [&](const auto& work) {
      parallel_for(pieces.size(), 1, threads_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) work(pieces[i], sets[pieces[i].set]);
      });
    };
    for_each_piece([&](Piece& piece, const Set& set) {
      piece.bins.add(triangles_of(set, piece), Binning(set.bounds, k_bin_count));
    });
    for (const Piece& piece : pieces) splits[piece.set].bins.add(piece.bins);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      splits[i].plane =
          cheapest_plane(splits[i].bins, leaf_, area_scale(sets[i].bounds.box), k_infinity);
    }
    // Bins tell how many of a piece's triangles come first, and so where they go.
    for (Piece& piece : pieces) {
      Split& split = splits[piece.set];
      piece.left = sets[piece.set].begin + split.left_count;
      for (int bin = 0; bin < split.plane.bin; ++bin) {
        split.left_count += static_cast<std::size_t>(piece.bins.count[bin][split.plane.axis]);
      }
    }
    for (Piece& piece : pieces) {
      const std::size_t middle = sets[piece.set].begin + splits[piece.set].left_count;
      piece.right = middle + (piece.begin - piece.left);
    }
    for_each_piece([&](Piece& piece, const Set& set) {
      const Plane& plane = splits[piece.set].plane;
      if (plane.bin != 0) scatter(piece, set, Sides(Binning(set.bounds, k_bin_count), plane));
    });
    for (const Piece& piece : pieces) {
      splits[piece.set].left_bounds.add(piece.left_bounds);
      splits[piece.set].right_bounds.add(piece.right_bounds);
    }
    for (std::size_t i = 0; i < sets.size(); ++i) add_children(sets[i], splits[i]);
  }

  /// Copies a piece's triangles into the other array, to both parts of the set.
  void scatter(Piece& piece, const Set& set, const Sides& sides) {
    BoxedTriangle* const to = triangles_[1 - set.buffer].get();
    std::size_t left = piece.left;
    std::size_t right = piece.right;
    for (const BoxedTriangle& triangle : triangles_of(set, piece)) {
      const std::size_t is_left = sides.is_first(triangle);
      to[is_left != 0 ? left : right] = triangle;
      left += is_left;
      right += 1 - is_left;
    }
    piece.left_bounds = bounds_of({to + piece.left, to + left});
    piece.right_bounds = bounds_of({to + piece.right, to + right});
  }

  void add_children(const Set& set, const Split& split) {
    // No plane separates it: it is halved, which one thread does.
    if (split.plane.bin == 0) {
      parts_.push_back(set);
      return;
    }
    const auto first = static_cast<std::uint32_t>(result_.nodes.size());
    result_.nodes[set.node] = {set.bounds.box.box(), first, 0};
    result_.nodes.resize(result_.nodes.size() + 2);
    const std::size_t middle = set.begin + split.left_count;
    const int levels_left = set.levels_left - 1;
    const int buffer = 1 - set.buffer;
    add_set({first, set.begin, middle, levels_left, buffer, split.left_bounds});
    add_set({first + 1, middle, set.end, levels_left, buffer, split.right_bounds});
  }

  void build_parts() {
    const double large = k_large * half_area(whole_.box.box()) / static_cast<double>(count_);
    std::vector<std::vector<ClusterNode>> nodes(parts_.size());
    for_each_part([&](std::size_t i) {
      const Set& set = parts_[i];
      const TriangleSet own = triangles(set.buffer, set.begin, set.end);
      const TriangleSet scratch = triangles(1 - set.buffer, set.begin, set.end);
      nodes[i] = PartBuilder(leaf_, own, set.begin, scratch, large).build(set.levels_left);
      for (std::size_t k = 0; k < own.size(); ++k) result_.triangles[set.begin + k] = own[k].id;
    });
    // A part's root has its place among the nodes above; the others follow these.
    std::size_t node_count = result_.nodes.size();
    for (const std::vector<ClusterNode>& part : nodes) {
      result_.parts.push_back(static_cast<std::uint32_t>(node_count));
      node_count += part.size() - 1;
    }
    result_.nodes.resize(node_count);
    for_each_part([&](std::size_t i) {
      const std::uint32_t offset = result_.parts[i] - 1;
      for (std::size_t k = 0; k < nodes[i].size(); ++k) {
        ClusterNode node = nodes[i][k];
        if (!node.is_leaf()) node.first += offset;
        result_.nodes[k == 0 ? parts_[i].node : offset + k] = node;
      }
    });
  }

  template <class Work>
  void for_each_part(const Work& work) {
    parallel_for(parts_.size(), 1, threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) work(i);
    });
  }

  LeafSize leaf_;
  int threads_;
  std::size_t count_;
  /// Two arrays, between which sets go back and forth. Not initialised before they are filled.
  std::array<std::unique_ptr<BoxedTriangle[]>, 2> triangles_;
  SetBounds whole_;
  std::vector<Set> large_;
  std::vector<Set> parts_;
  ClusterTree result_;
};

}  // namespace

ClusterTree build_clusters(const Mesh& mesh, std::uint32_t leaf_size, int threads) {
  return ClusterBuilder(mesh, LeafSize(leaf_size), threads).build();
}

}  // namespace tandem::detail
