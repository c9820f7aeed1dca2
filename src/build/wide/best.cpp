// The wide builder for fast queries: bisection near the middle, along the axis of least cost.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "build/wide/builders.h"
#include "build/wide/fit.h"
#include "build/wide/shape.h"
#include "math/float4.h"
#include "parallel/parallel_for.h"

namespace tandem::detail {
namespace {

constexpr float k_infinity = std::numeric_limits<float>::infinity();
/// References that a thread takes at a time.
constexpr std::size_t k_grain = 1 << 15;

/// A box; the fourth lane holds nothing.
struct Box {
  Float4 lower = float4(k_infinity);
  Float4 upper = float4(-k_infinity);

  void add(const Box& other) {
    lower = min4(lower, other.lower);
    upper = max4(upper, other.upper);
  }
  /// How likely the box is to meet a box of another tree: the volume of all places at which the
  /// centre of a cube as large as the box can lie when the two meet. (In double precision, as
  /// volumes of small boxes do not fit into float32.)
  double catchment() const {
    const Float4 side = upper - lower;
    const Float4 sum = side + float4((side[0] + side[1] + side[2]) * (1.0F / 3));
    return double{sum[0]} * sum[1] * sum[2];
  }
};

Box joined(Box a, const Box& b) {
  a.add(b);
  return a;
}

/// A triangle's box; its id is in the unused lane of `lower`.
struct Reference {
  Box box;

  std::uint32_t id() const { return std::bit_cast<std::uint32_t>(box.lower[3]); }
  void set_id(std::uint32_t id) { box.lower[3] = std::bit_cast<float>(id); }
  /// Twice the centre.
  Float4 centre() const { return box.lower + box.upper; }
  float centre(int axis) const { return box.lower[axis] + box.upper[axis]; }
};
static_assert(sizeof(Reference) == 32);

/// Centres along an axis as integers that sort the same way.
std::int32_t sort_key(const Reference& r, int axis) {
  const auto bits = std::bit_cast<std::int32_t>(r.centre(axis) + 0.0F);
  return bits < 0 ? bits ^ 0x7fffffff : bits;
}

struct Choice {
  double cost = std::numeric_limits<double>::infinity();
  int axis = 0;
  std::size_t position = 0;

  void consider(double its_cost, int its_axis, std::size_t its_position) {
    if (its_cost < cost || position == 0) *this = {its_cost, its_axis, its_position};
  }
};

/// The sum, over both parts, of the catchment times the number of triangles.
double cost_of(const Box& left, std::size_t left_count, const Box& right, std::size_t right_count) {
  return left.catchment() * static_cast<double>(left_count) +
         right.catchment() * static_cast<double>(right_count);
}

/// How a large set is divided: at which position along which axis. Places along the axis are
/// counted in fine bins, `factor` to a unit, from `lowest` on.
struct LargeChoice {
  int axis;
  std::size_t position;
  float lowest;
  float factor;

  static constexpr int k_bins = 128;

  int bin_of(const Reference& r) const {
    const float place = (r.centre(axis) - lowest) * factor;
    return static_cast<int>(std::clamp(place, 0.0F, k_bins - 0.5F));
  }
  /// Moves the references that come first to the front.
  void select(std::span<Reference> set, std::size_t count) const {
    if (count == 0) return;
    std::nth_element(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(count), set.end(),
                     [axis = axis](const Reference& a, const Reference& b) {
                       const std::int32_t x = sort_key(a, axis);
                       const std::int32_t y = sort_key(b, axis);
                       return x != y ? x < y : a.id() < b.id();
                     });
  }
};

/// Counts a sample of the set into bins, which give an estimate of the cost along each axis.
LargeChoice choose_for_large(std::span<const Reference> set,
                             std::span<const std::size_t> positions) {
  constexpr std::size_t k_sample = 1024;
  constexpr int k_bins = 32;
  const std::size_t stride = std::max<std::size_t>(1, set.size() / k_sample);
  Float4 lowest = float4(k_infinity);
  Float4 highest = float4(-k_infinity);
  for (std::size_t i = 0; i < set.size(); i += stride) {
    const Float4 centre = set[i].centre();
    lowest = min4(lowest, centre);
    highest = max4(highest, centre);
  }
  const Float4 width = highest - lowest;
  const Float4 factor = width > float4(0x1p-110F) ? (k_bins - 0.5F) / width : float4(0);
  Box bins[3][k_bins];
  std::uint32_t counts[3][k_bins] = {};
  for (std::size_t i = 0; i < set.size(); i += stride) {
    const Float4 place = (set[i].centre() - lowest) * factor;
    for (int axis = 0; axis < 3; ++axis) {
      const int bin = static_cast<int>(place[axis]);
      bins[axis][bin].add(set[i].box);
      ++counts[axis][bin];
    }
  }
  // The bin that contains the position counts on both sides.
  Choice best;
  for (int axis = 0; axis < 3; ++axis) {
    Box right[k_bins + 1];
    for (int i = k_bins; i-- > 0;) right[i] = joined(right[i + 1], bins[axis][i]);
    for (const std::size_t position : positions) {
      Box left;
      std::size_t count = 0;
      for (int i = 0; i < k_bins; ++i) {
        left.add(bins[axis][i]);
        count += stride * counts[axis][i];
        if (count < position && i + 1 < k_bins) continue;
        const Box& rest = right[count == position ? i + 1 : i];
        best.consider(cost_of(left, position, rest, set.size() - position), axis, position);
        break;
      }
    }
  }
  constexpr int k_finer = LargeChoice::k_bins / k_bins;
  return {best.axis, best.position, lowest[best.axis], factor[best.axis] * k_finer};
}

/// The positions at which a set of leaves may be divided, as numbers of triangles.
class TrianglePositions {
 public:
  TrianglePositions(const std::size_t* leaves, int count) : count_(count) {
    for (int i = 0; i < count; ++i) triangles_[i] = k_block * leaves[i];
    if (count == 2 && triangles_[1] < triangles_[0]) std::swap(triangles_[0], triangles_[1]);
  }
  std::span<const std::size_t> span() const {
    return {triangles_, static_cast<std::size_t>(count_)};
  }

 private:
  std::size_t triangles_[2];
  int count_;
};

/// Divides the largest sets of triangles, by all threads together. The references go back and forth
/// between two arrays, so that each division is one copy.
class TopBisection {
 public:
  TopBisection(std::span<Reference> references, std::span<Reference> other, int threads)
      : references_{references, other},
        threads_(threads),
        array_(leaf_count_for(references.size())) {}

  /// Begin, end and positions count leaves. Returns the position chosen.
  std::size_t operator()(std::size_t begin, std::size_t end, const std::size_t* positions,
                         int position_count) {
    const int from = array_of(begin);
    const std::span<const Reference> set = part(from, begin, end);
    const LargeChoice choice =
        choose_for_large(set, TrianglePositions(positions, position_count).span());
    divide(set, choice, part(1 - from, begin, end));
    array_[begin] ^= 1;
    array_[begin + choice.position / k_block] = array_[begin];
    return choice.position / k_block;
  }

  /// In which array the set is that begins with this leaf.
  int array_of(std::size_t begin) const { return array_[begin]; }
  /// The references of some leaves in one of the arrays.
  std::span<Reference> part(int array, std::size_t begin, std::size_t end) const {
    const std::size_t first = k_block * begin;
    return references_[array].subspan(first,
                                      std::min(k_block * end, references_[array].size()) - first);
  }

 private:
  /// References that a thread takes at a time.
  static constexpr std::size_t k_piece = 1 << 13;

  /// What of a piece of the set is in each bin, and where that goes: what is below the bin with the
  /// position, in it and above it.
  struct Piece {
    std::uint32_t counts[LargeChoice::k_bins] = {};
    Reference* to[3];
  };

  /// Copies the set, those that come first to the front. All bins but one lie on one side.
  void divide(std::span<const Reference> set, const LargeChoice& choice, std::span<Reference> to) {
    std::vector<Piece> pieces((set.size() + k_piece - 1) / k_piece);
    parallel_for(set.size(), k_piece, threads_, [&](std::size_t begin, std::size_t end) {
      Piece& piece = pieces[begin / k_piece];
      for (const Reference& r : set.subspan(begin, end - begin)) ++piece.counts[choice.bin_of(r)];
    });
    std::array<std::size_t, LargeChoice::k_bins> counts{};
    for (const Piece& piece : pieces) {
      for (int bin = 0; bin < LargeChoice::k_bins; ++bin) counts[bin] += piece.counts[bin];
    }
    std::size_t below = 0;
    int split = 0;
    while (below + counts[split] <= choice.position) below += counts[split++];

    const std::span<Reference> middle = to.subspan(below, counts[split]);
    Reference* next[3] = {to.data(), middle.data(), middle.data() + middle.size()};
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      Piece& piece = pieces[i];
      const std::size_t size = std::min(k_piece, set.size() - k_piece * i);
      const std::size_t first = std::accumulate(piece.counts, piece.counts + split, std::size_t{0});
      std::copy_n(next, 3, piece.to);
      next[0] += first;
      next[1] += piece.counts[split];
      next[2] += size - first - piece.counts[split];
    }
    parallel_for(set.size(), k_piece, threads_, [&](std::size_t begin, std::size_t end) {
      Reference* left = pieces[begin / k_piece].to[0];
      Reference* inside = pieces[begin / k_piece].to[1];
      Reference* right = pieces[begin / k_piece].to[2];
      for (const Reference& r : set.subspan(begin, end - begin)) {
        const int bin = choice.bin_of(r);
        Reference*& target = bin < split ? left : bin == split ? inside : right;
        *target++ = r;
      }
    });
    choice.select(middle, choice.position - below);
  }

  std::span<Reference> references_[2];
  int threads_;
  /// By leaf: in which array the set is that begins with it. Bytes, not bits, as threads write them
  /// at the same time.
  std::vector<std::uint8_t> array_;
};

/// Divides sets of triangles further, down to leaves, depth first, on one thread. Once it is gone,
/// `order` has the triangles in the order of the leaves.
class BestBisection {
 public:
  /// `scratch` has room for all references.
  BestBisection(std::span<Reference> references, std::span<Reference> scratch,
                std::span<std::uint32_t> order)
      : references_(references), scratch_(scratch), order_of_ids_(order) {}
  ~BestBisection() {
    close_small();
    for (std::size_t i = 0; i < references_.size(); ++i) order_of_ids_[i] = references_[i].id();
  }
  BestBisection(const BestBisection&) = delete;
  BestBisection& operator=(const BestBisection&) = delete;

  /// Begin, end and positions count leaves. Returns the position chosen.
  std::size_t operator()(std::size_t begin, std::size_t end, const std::size_t* positions,
                         int position_count) {
    const std::size_t first = k_block * begin;
    const std::size_t last = std::min(k_block * end, references_.size());
    const TrianglePositions triangles(positions, position_count);
    const std::size_t position = last - first <= k_small
                                     ? bisect_small(first, last, triangles.span())
                                     : bisect_large(first, last, triangles.span());
    return position / k_block;
  }

 private:
  static constexpr std::size_t k_small = 64;

  /// A small set is sorted along each axis once, and its parts are kept sorted. Only their order is
  /// changed; the references themselves stay in place until the next small set is opened.
  std::size_t bisect_small(std::size_t first, std::size_t last,
                           std::span<const std::size_t> positions) {
    if (first < small_first_ || last > small_last_) open_small(first, last);
    const Reference* references = references_.data() + small_first_;
    const std::size_t n = last - first;
    const auto order_along = [&](int axis) { return order_[axis] + (first - small_first_); };
    Choice best;
    for (int axis = 0; axis < 3; ++axis) {
      const std::uint8_t* order = order_along(axis);
      const auto box_of = [&](std::size_t begin, std::size_t end) {
        Box box;
        for (std::size_t i = begin; i < end; ++i) box.add(references[order[i]].box);
        return box;
      };
      const std::size_t low = positions.front();
      const std::size_t high = positions.back();
      const Box left = box_of(0, low);
      const Box middle = box_of(low, high);
      const Box right = box_of(high, n);
      best.consider(cost_of(left, low, joined(middle, right), n - low), axis, low);
      best.consider(cost_of(joined(left, middle), high, right, n - high), axis, high);
    }
    const std::uint8_t* chosen = order_along(best.axis);
    if (n <= 2 * k_block) {
      // The parts are leaves, in which any order will do.
      if (best.axis != 0) std::copy_n(chosen, n, order_along(0));
      return best.position;
    }
    bool is_right[k_small];
    for (std::size_t i = 0; i < n; ++i) is_right[chosen[i]] = i >= best.position;
    for (int axis = 0; axis < 3; ++axis) {
      if (axis == best.axis) continue;
      std::uint8_t* order = order_along(axis);
      std::uint8_t right[k_small];
      std::size_t left_count = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint8_t member = order[i];
        order[left_count] = member;
        right[i - left_count] = member;
        left_count += is_right[member] ? 0 : 1;
      }
      std::copy_n(right, n - left_count, order + left_count);
    }
    return best.position;
  }

  /// Sorts by counting, for each member, how many come before it: on a small set, vector
  /// instructions do that faster than any sort.
  void open_small(std::size_t first, std::size_t last) {
    close_small();
    small_first_ = first;
    small_last_ = last;
    const std::size_t n = last - first;
    const std::size_t padded = (n + 7) / 8 * 8;
    for (int axis = 0; axis < 3; ++axis) {
      // The index in the last bits makes equal centres distinct, and hardly changes the order of
      // others.
      std::int32_t key[k_small];
      std::int32_t place[k_small];
      for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t whole = sort_key(references_[first + i], axis);
        key[i] = (whole & ~static_cast<std::int32_t>(k_small - 1)) | static_cast<std::int32_t>(i);
      }
      std::fill(key + n, key + padded, std::numeric_limits<std::int32_t>::max());
      std::fill(place, place + padded, 0);
      for (std::size_t j = 0; j < n; ++j) {
        const std::int32_t other = key[j];
        for (std::size_t i = 0; i < padded; ++i) place[i] += key[i] > other ? 1 : 0;
      }
      for (std::size_t i = 0; i < n; ++i) order_[axis][place[i]] = static_cast<std::uint8_t>(i);
    }
  }

  void close_small() {
    std::uint32_t ids[k_small];
    const std::size_t n = small_last_ - small_first_;
    Reference* references = references_.data() + small_first_;
    for (std::size_t i = 0; i < n; ++i) ids[i] = references[order_[0][i]].id();
    for (std::size_t i = 0; i < n; ++i) references[i].set_id(ids[i]);
    small_first_ = small_last_ = 0;
  }

  std::size_t bisect_large(std::size_t first, std::size_t last,
                           std::span<const std::size_t> positions) {
    const std::span<Reference> set = references_.subspan(first, last - first);
    const LargeChoice choice = choose_for_large(set, positions);
    divide(set, choice);
    return choice.position;
  }

  /// Moves the references that come first along the axis to the front. They are counted into bins:
  /// all bins but one lie entirely on one side.
  void divide(std::span<Reference> set, const LargeChoice& choice) {
    std::uint32_t counts[LargeChoice::k_bins] = {};
    for (const Reference& r : set) ++counts[choice.bin_of(r)];
    std::size_t below = 0;
    int split = 0;
    while (below + counts[split] <= choice.position) below += counts[split++];

    // References below the split bin move to the front; those in it and those above it wait in
    // the scratch memory.
    const std::span<Reference> middle = scratch_.first(counts[split]);
    Reference* left = set.data();
    Reference* inside = middle.data();
    Reference* right = inside + middle.size();
    for (const Reference& r : set) {
      const int bin = choice.bin_of(r);
      Reference*& target = bin < split ? left : bin == split ? inside : right;
      *target++ = r;
    }
    choice.select(middle, choice.position - below);
    std::copy_n(scratch_.data(), set.size() - below, set.data() + below);
  }

  std::span<Reference> references_;
  std::span<Reference> scratch_;
  std::span<std::uint32_t> order_of_ids_;
  /// The small set that is open, and the order of its members along each axis. A part occupies the
  /// same places in all three orders.
  std::size_t small_first_ = 0;
  std::size_t small_last_ = 0;
  std::uint8_t order_[3][k_small];
};

/// The order of the triangles and the blocks above them.
WideShape best_shape(const ScaledMesh& mesh, int threads, const Progress& progress) {
  const std::size_t count = mesh.triangle_count();
  LargeVector<Reference> references(count);
  LargeVector<Reference> other(count);
  parallel_for(count, k_grain, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto id = static_cast<std::uint32_t>(i);
      const ScaledMesh::Corners t = mesh.triangle(id);
      Reference& r = references[i];
      r.box.lower = min4(min4(t.corner[0], t.corner[1]), t.corner[2]);
      r.box.upper = max4(max4(t.corner[0], t.corner[1]), t.corner[2]);
      r.set_id(id);
    }
  });
  if (progress) progress(0.1);
  WideShape shape;
  shape.order.resize(count);
  TopBisection top(references, other, threads);
  const auto part = [&](const LeafRange& leaves) {
    const int array = top.array_of(leaves.begin);
    const std::span<Reference> own = top.part(array, leaves.begin, leaves.end);
    return BestBisection(own, top.part(1 - array, leaves.begin, leaves.end),
                         std::span(shape.order).subspan(k_block * leaves.begin, own.size()));
  };
  shape.child_counts = WideShaper(top, part, threads).run(leaf_count_for(count));
  if (progress) progress(0.6);
  return shape;
}

}  // namespace

WideTree WideBest::build(const Mesh& mesh, int threads, const Progress& progress) {
  WideTree tree;
  with_threads(threads, [&] {
    const ScaledMesh scaled(mesh, threads);
    const WideShape shape = mesh.empty() ? WideShape() : best_shape(scaled, threads, progress);
    tree = fit_wide(scaled, shape, SlabChoice::thinner_of_two, threads);
  });
  return tree;
}

}  // namespace tandem::detail
