// Binned surface area heuristic (Wald 2007): the cost of a split is the sum over its two sides of
// surface area times number of triangles.
#include <array>
#include <limits>
#include <optional>

#include "build/builders.h"
#include "build/top_down.h"

namespace tandem::detail {
namespace {

constexpr int k_bin_count = 16;

struct Bin {
  std::size_t count = 0;
  std::optional<Aabb> box;

  void add(const Bin& other) {
    count += other.count;
    if (other.box) box = box ? Aabb::merge(*box, *other.box) : *other.box;
  }
  double cost() const {
    if (!box) return 0;
    const Vec3d sides = Vec3d(box->upper) - Vec3d(box->lower);
    return static_cast<double>(count) * (sides.x * sides.y + sides.y * sides.z + sides.z * sides.x);
  }
};

/// Maps centres along an axis to bins.
struct Binning {
  int axis;
  double lowest;
  double highest;

  bool separates() const { return lowest < highest; }
  int bin(double centre) const {
    const double share = (centre - lowest) / (highest - lowest);
    return std::min(k_bin_count - 1, static_cast<int>(share * k_bin_count));
  }
};

Binning binning_of(TriangleSet set, int axis) {
  Binning result{axis, set[0].centre(axis), set[0].centre(axis)};
  for (const BoxedTriangle& triangle : set) {
    result.lowest = std::min(result.lowest, triangle.centre(axis));
    result.highest = std::max(result.highest, triangle.centre(axis));
  }
  return result;
}

struct Plane {
  double cost = std::numeric_limits<double>::infinity();
  Binning binning{};
  /// Bins below this one come first.
  int bin = 0;
};

/// The cheapest plane between bins along one axis.
Plane cheapest_plane(TriangleSet set, const Binning& binning) {
  std::array<Bin, k_bin_count> bins{};
  for (const BoxedTriangle& triangle : set) {
    bins[binning.bin(triangle.centre(binning.axis))].add({1, triangle.box()});
  }
  // A sweep from the right gives the cost of all bins from i on; a sweep from the left gives the
  // other side of each split.
  std::array<double, k_bin_count> right_cost{};
  Bin right;
  for (int i = k_bin_count - 1; i > 0; --i) {
    right.add(bins[i]);
    right_cost[i] = right.cost();
  }
  Plane best;
  Bin left;
  for (int i = 1; i < k_bin_count; ++i) {
    left.add(bins[i - 1]);
    if (left.count == 0 || left.count == set.size()) continue;
    const double cost = left.cost() + right_cost[i];
    if (cost < best.cost) best = {cost, binning, i};
  }
  return best;
}

struct SahRule : SetAlone {
  static std::size_t split(TriangleSet set, Context) {
    Plane best;
    for (int axis = 0; axis < 3; ++axis) {
      const Binning binning = binning_of(set, axis);
      if (!binning.separates()) continue;
      const Plane plane = cheapest_plane(set, binning);
      if (plane.cost < best.cost) best = plane;
    }
    // No plane separates the set: halve it by id.
    if (best.bin == 0) return halve(set, 0);
    const auto middle =
        std::stable_partition(set.begin(), set.end(), [&](const BoxedTriangle& triangle) {
          return best.binning.bin(triangle.centre(best.binning.axis)) < best.bin;
        });
    return static_cast<std::size_t>(middle - set.begin());
  }
};

}  // namespace

TreeShape SahBuilder::build(const Mesh& mesh, const Progress& progress) {
  return TopDownBuilder(SahRule(), progress).build(boxed_triangles(mesh));
}

}  // namespace tandem::detail
