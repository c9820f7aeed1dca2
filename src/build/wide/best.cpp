// The wide builder for fast queries: bisection near the middle, along the axis of least cost.
#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "build/wide/builders.h"
#include "build/wide/fit.h"
#include "build/wide/shape.h"
#include "math/float4.h"

namespace tandem::detail {
namespace {

constexpr float k_infinity = std::numeric_limits<float>::infinity();

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

/// Divides sets of triangles, from the whole mesh down to leaves, depth first. Call `finish` after
/// the last division: then the ids of the references are in the order of the leaves. Their boxes
/// are not, and mean nothing any more.
class BestBisection {
 public:
  BestBisection(std::vector<Reference>& references, const Progress& progress)
      : references_(references), progress_(progress), scratch_(references.size()) {}

  /// Begin, end and positions count leaves. Returns the position chosen.
  std::size_t operator()(std::size_t begin, std::size_t end, const std::size_t* positions,
                         int position_count) {
    const std::size_t first = k_block * begin;
    const std::size_t last = std::min(k_block * end, references_.size());
    std::size_t triangles[2];
    for (int i = 0; i < position_count; ++i) triangles[i] = k_block * positions[i];
    if (position_count == 2 && triangles[1] < triangles[0]) std::swap(triangles[0], triangles[1]);
    const std::span<const std::size_t> choices(triangles, position_count);
    const std::size_t position = last - first <= k_small ? bisect_small(first, last, choices)
                                                         : bisect_large(first, last, choices);
    report(last);
    return position / k_block;
  }

  void finish() { close_small(); }

 private:
  static constexpr std::size_t k_small = 64;
  static constexpr std::size_t k_sample = 1024;
  static constexpr int k_bins = 32;
  static constexpr int k_fine_bins = 128;

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

  /// A large set is sampled, and the sample is counted into bins, which give an estimate of the
  /// cost along each axis. Along the best axis the whole set is then divided exactly.
  std::size_t bisect_large(std::size_t first, std::size_t last,
                           std::span<const std::size_t> positions) {
    const std::span<Reference> set(references_.data() + first, last - first);
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
    const int axis = best.axis;
    constexpr int k_finer = k_fine_bins / k_bins;
    divide(set, best, lowest[axis], factor[axis] * k_finer);
    return best.position;
  }

  /// Moves the references that come first along the axis to the front. They are counted into bins:
  /// all bins but one lie entirely on one side.
  void divide(std::span<Reference> set, const Choice& choice, float lowest, float factor) {
    const int axis = choice.axis;
    const auto bin_of = [&](const Reference& r) {
      const float place = (r.centre(axis) - lowest) * factor;
      return static_cast<int>(std::clamp(place, 0.0F, k_fine_bins - 0.5F));
    };
    std::uint32_t counts[k_fine_bins] = {};
    for (const Reference& r : set) ++counts[bin_of(r)];
    std::size_t below = 0;
    int split = 0;
    while (below + counts[split] <= choice.position) below += counts[split++];

    // References below the split bin move to the front; those in it and those above it wait in
    // the scratch memory.
    const std::size_t middle_count = counts[split];
    Reference* left = set.data();
    Reference* middle = scratch_.data();
    Reference* right = middle + middle_count;
    for (const Reference& r : set) {
      const int bin = bin_of(r);
      Reference*& target = bin < split ? left : bin == split ? middle : right;
      *target++ = r;
    }
    middle = scratch_.data();
    if (choice.position > below) {
      std::nth_element(middle, middle + (choice.position - below), middle + middle_count,
                       [axis](const Reference& a, const Reference& b) {
                         const std::int32_t x = sort_key(a, axis);
                         const std::int32_t y = sort_key(b, axis);
                         return x != y ? x < y : a.id() < b.id();
                       });
    }
    std::copy_n(middle, set.size() - below, set.data() + below);
  }

  void report(std::size_t last) {
    if (!progress_ || last < reported_ + (1 << 14)) return;
    reported_ = last;
    progress_(static_cast<double>(last) / static_cast<double>(references_.size()));
  }

  std::vector<Reference>& references_;
  const Progress& progress_;
  std::vector<Reference> scratch_;
  std::size_t reported_ = 0;
  /// The small set that is open, and the order of its members along each axis. A part occupies the
  /// same places in all three orders.
  std::size_t small_first_ = 0;
  std::size_t small_last_ = 0;
  std::uint8_t order_[3][k_small];
};

}  // namespace

WideTree WideBest::build(const Mesh& mesh, const Progress& progress) {
  const ScaledMesh scaled(mesh);
  std::vector<Reference> references(mesh.triangle_count());
  for (std::uint32_t id = 0; id < references.size(); ++id) {
    const ScaledMesh::Corners t = scaled.triangle(id);
    Reference& r = references[id];
    r.box.lower = min4(min4(t.corner[0], t.corner[1]), t.corner[2]);
    r.box.upper = max4(max4(t.corner[0], t.corner[1]), t.corner[2]);
    r.set_id(id);
  }
  WideShape shape;
  if (!references.empty()) {
    BestBisection bisection(references, progress);
    WideShaper(leaf_count_for(references.size()), shape, std::ref(bisection));
    bisection.finish();
  }
  shape.order.reserve(references.size());
  for (const Reference& r : references) shape.order.push_back(r.id());
  return fit_wide(scaled, shape, SlabChoice::thinner_of_two);
}

}  // namespace tandem::detail
