// The wide builder for fast queries: bisection near the middle, along the axis of least cost.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "build/builders.h"
#include "build/wide_fit.h"
#include "build/wide_shape.h"

namespace tandem::detail {
namespace {

constexpr float k_infinity = std::numeric_limits<float>::infinity();

/// A box in four lanes; the fourth holds nothing.
struct alignas(16) Box {
  float lower[4] = {k_infinity, k_infinity, k_infinity, k_infinity};
  float upper[4] = {-k_infinity, -k_infinity, -k_infinity, -k_infinity};

  void add(const Box& other) {
    for (int k = 0; k < 4; ++k) {
      lower[k] = other.lower[k] < lower[k] ? other.lower[k] : lower[k];
      upper[k] = other.upper[k] > upper[k] ? other.upper[k] : upper[k];
    }
  }
  /// Half of the surface.
  float area() const {
    const float x = upper[0] - lower[0];
    const float y = upper[1] - lower[1];
    const float z = upper[2] - lower[2];
    return x * y + y * z + z * x;
  }
};

/// A triangle's box; its id is in the lane that holds nothing.
struct Reference {
  Box box;

  std::uint32_t id() const { return std::bit_cast<std::uint32_t>(box.lower[3]); }
  void set_id(std::uint32_t id) { box.lower[3] = std::bit_cast<float>(id); }
  /// Twice the centre.
  float centre(int axis) const { return box.lower[axis] + box.upper[axis]; }
};
static_assert(sizeof(Reference) == 32);

/// Centres along an axis as whole numbers that sort the same way.
std::uint32_t sort_key(const Reference& r, int axis) {
  const auto bits = std::bit_cast<std::uint32_t>(r.centre(axis) + 0.0F);
  return (bits >> 31) != 0 ? ~bits : bits | 0x80000000U;
}

struct Choice {
  float cost = k_infinity;
  int axis = 0;
  std::size_t position = 0;

  void consider(const Box& left, std::size_t left_count, const Box& right, std::size_t right_count,
                int its_axis) {
    const float its_cost = left.area() * static_cast<float>(left_count) +
                           right.area() * static_cast<float>(right_count);
    if (its_cost < cost || position == 0) *this = {its_cost, its_axis, left_count};
  }
};

class BestBisection {
 public:
  BestBisection(std::vector<Reference>& references, const Progress& progress)
      : references_(references), progress_(progress), scratch_(references.size()) {}

  /// In leaves; returns the position chosen.
  std::size_t operator()(std::size_t begin, std::size_t end, const std::size_t* positions,
                         int position_count) {
    const std::size_t first = k_block * begin;
    const std::size_t last = std::min(k_block * end, references_.size());
    const std::span<Reference> set(references_.data() + first, last - first);
    std::size_t triangles[2];
    for (int i = 0; i < position_count; ++i) triangles[i] = k_block * positions[i];
    const std::span<const std::size_t> choices(triangles, position_count);
    const std::size_t position =
        set.size() <= k_small ? bisect_small(set, choices) : bisect_large(set, choices);
    report(last);
    return position / k_block;
  }

 private:
  static constexpr std::size_t k_small = 64;
  static constexpr int k_bins = 16;

  /// Small sets are sorted along each axis. A member's place is the number of those before it, which
  /// processors count faster than they sort.
  std::size_t bisect_small(std::span<Reference> set, std::span<const std::size_t> positions) {
    const std::size_t n = set.size();
    std::uint8_t order[3][k_small];
    Choice best;
    for (int axis = 0; axis < 3; ++axis) {
      // The index in the last bits tells equal centres apart, and costs others next to nothing.
      std::int32_t key[k_small];
      std::int32_t place[k_small];
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t signed_order = sort_key(set[i], axis) ^ 0x80000000U;
        key[i] = static_cast<std::int32_t>((signed_order & ~(k_small - 1)) | i);
      }
      const std::size_t padded = (n + 7) / 8 * 8;
      std::fill(key + n, key + padded, std::numeric_limits<std::int32_t>::max());
      std::fill(place, place + padded, 0);
      for (std::size_t j = 0; j < n; ++j) {
        const std::int32_t other = key[j];
        for (std::size_t i = 0; i < padded; ++i) place[i] += key[i] > other ? 1 : 0;
      }
      for (std::size_t i = 0; i < n; ++i) order[axis][place[i]] = static_cast<std::uint8_t>(i);
      for (const std::size_t position : positions) {
        Box left;
        Box right;
        for (std::size_t i = 0; i < position; ++i) left.add(set[order[axis][i]].box);
        for (std::size_t i = position; i < n; ++i) right.add(set[order[axis][i]].box);
        best.consider(left, position, right, n - position, axis);
      }
    }
    for (std::size_t i = 0; i < n; ++i) scratch_[i] = set[order[best.axis][i]];
    std::copy_n(scratch_.begin(), n, set.begin());
    return best.position;
  }

  /// Large ones are counted into bins, which tell the cost of each axis nearly; along the best axis
  /// the set is then divided exactly.
  std::size_t bisect_large(std::span<Reference> set, std::span<const std::size_t> positions) {
    struct Bin {
      Box box;
      std::size_t count = 0;
    };
    float lowest[3] = {k_infinity, k_infinity, k_infinity};
    float highest[3] = {-k_infinity, -k_infinity, -k_infinity};
    for (const Reference& r : set) {
      for (int axis = 0; axis < 3; ++axis) {
        const float centre = r.centre(axis);
        lowest[axis] = centre < lowest[axis] ? centre : lowest[axis];
        highest[axis] = centre > highest[axis] ? centre : highest[axis];
      }
    }
    float factor[3];
    for (int axis = 0; axis < 3; ++axis) {
      const float width = highest[axis] - lowest[axis];
      factor[axis] = width > 0x1p-60F ? (k_bins - 0.5F) / width : 0;
    }
    const auto bin_of = [&](const Reference& r, int axis) {
      return static_cast<int>((r.centre(axis) - lowest[axis]) * factor[axis]);
    };
    Bin bins[3][k_bins];
    for (const Reference& r : set) {
      for (int axis = 0; axis < 3; ++axis) {
        Bin& bin = bins[axis][bin_of(r, axis)];
        bin.box.add(r.box);
        ++bin.count;
      }
    }
    // The bin in which a position falls counts on both sides.
    Choice best;
    for (int axis = 0; axis < 3; ++axis) {
      Box right[k_bins + 1];
      for (int i = k_bins; i-- > 0;) {
        right[i] = right[i + 1];
        right[i].add(bins[axis][i].box);
      }
      for (const std::size_t position : positions) {
        Box left;
        std::size_t count = 0;
        for (int i = 0; i < k_bins; ++i) {
          left.add(bins[axis][i].box);
          count += bins[axis][i].count;
          if (count >= position) {
            best.consider(left, position, right[count == position ? i + 1 : i],
                          set.size() - position, axis);
            break;
          }
        }
      }
    }
    divide(
        set, best, [&](const Reference& r) { return bin_of(r, best.axis); }, bins[best.axis]);
    return best.position;
  }

  /// Puts those that come first along the axis first. All bins but one lie on one side as a whole.
  template <class BinOf, class Bin>
  void divide(std::span<Reference> set, const Choice& choice, BinOf bin_of, const Bin* bins) {
    std::size_t below = 0;
    int split = 0;
    while (below + bins[split].count <= choice.position) below += bins[split++].count;
    const std::size_t middle = bins[split].count;
    std::size_t next[3] = {0, below, below + middle};
    for (const Reference& r : set) {
      const int bin = bin_of(r);
      scratch_[next[(bin >= split ? 1 : 0) + (bin > split ? 1 : 0)]++] = r;
    }
    const auto at = [&](std::size_t i) {
      return scratch_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    if (choice.position > below) {
      std::sort(at(below), at(below + middle),
                [axis = choice.axis](const Reference& a, const Reference& b) {
                  const std::uint32_t x = sort_key(a, axis);
                  const std::uint32_t y = sort_key(b, axis);
                  return x != y ? x < y : a.id() < b.id();
                });
    }
    std::copy(scratch_.begin(), at(set.size()), set.begin());
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
};

}  // namespace

WideTree build_wide_best(const Mesh& mesh, const Progress& progress) {
  const ScaledMesh scaled(mesh);
  std::vector<Reference> references(mesh.triangle_count());
  for (std::uint32_t id = 0; id < references.size(); ++id) {
    const TriangleF triangle = scaled.triangle(id);
    Reference& r = references[id];
    for (int c = 0; c < 3; ++c) {
      Box corner;
      for (int k = 0; k < 3; ++k) corner.lower[k] = corner.upper[k] = triangle.corner[c][k];
      r.box.add(corner);
    }
    r.set_id(id);
  }
  WideShape shape;
  if (!references.empty()) {
    WideShaper(leaf_count_for(references.size()), shape, BestBisection(references, progress));
  }
  shape.order.reserve(references.size());
  for (const Reference& r : references) shape.order.push_back(r.id());
  return fit_wide(scaled, shape, SlabChoice::thinner_of_two);
}

}  // namespace tandem::detail
