// The volume criterion (restricted boxtree paper, section 4): the split that leaves the least total
// volume in the boxes of its two sides, each of them its parent's box with one side moved inward.
//
// Along each axis the two parts grow from seeds, the triangles nearest to either end of the box.
// One after the other, each triangle joins the part that it makes longer by less. That determines
// where the lower part ends (p_lower) and where the upper part begins (p_upper). Then the triangles
// are assigned by these two planes, and by their centres where both parts could contain them.
//
//        lower part        upper part
//     ├──────────────────┼───────┤
//     ├────────────┤ p_lower
//              p_upper ├─────────┤
//
// Each part is cut from above or from below, whichever leaves less. Mostly the lower part is cut
// from above and the upper one from below. The other cases pay where the parent's box, itself
// restricted, is loose.
#include <limits>

#include "build/builders.h"
#include "build/top_down.h"
#include "math/random.h"
#include "volume/restricted_cut.h"

namespace tandem::detail {
namespace {

/// Three coordinates and an unused lane, which the compiler keeps in one register.
using Lanes = float __attribute__((vector_size(16)));

Lanes load(const Vec3f& v, float fourth) {
  return Lanes{v.x, v.y, v.z, fourth};
}
Lanes lower_of(const BoxedTriangle& triangle) {
  return load(triangle.lower, 0);
}
Lanes upper_of(const BoxedTriangle& triangle) {
  return load(triangle.upper, 0);
}
Lanes smaller(Lanes a, Lanes b) {
  return a < b ? a : b;
}
Lanes larger(Lanes a, Lanes b) {
  return a > b ? a : b;
}
Vec3f to_vec(Lanes lanes) {
  return {lanes[0], lanes[1], lanes[2]};
}

/// Along each axis: the range of the lower bounds of the set's triangles, and that of the upper
/// bounds.
struct Spread {
  Lanes least_lower;
  Lanes most_lower;
  Lanes least_upper;
  Lanes most_upper;

  explicit Spread(std::span<const BoxedTriangle> set)
      : least_lower(lower_of(set[0])),
        most_lower(least_lower),
        least_upper(upper_of(set[0])),
        most_upper(least_upper) {
    for (const BoxedTriangle& triangle : set) {
      const Lanes lower = lower_of(triangle);
      const Lanes upper = upper_of(triangle);
      least_lower = smaller(least_lower, lower);
      most_lower = larger(most_lower, lower);
      least_upper = smaller(least_upper, upper);
      most_upper = larger(most_upper, upper);
    }
  }

  /// The middle between the least and the largest value that twice a centre can have.
  double middle_centre(int axis) const {
    return 0.5 *
           (double{least_lower[axis]} + most_lower[axis] + least_upper[axis] + most_upper[axis]);
  }

  Aabb box() const { return {to_vec(least_lower), to_vec(most_upper)}; }
};

/// How far the parts reach along each axis.
struct Parts {
  /// The end of the lower part, and the beginning of the upper one.
  Lanes lower_end;
  Lanes upper_begin;

  /// Grows the parts from their seeds, along all axes at once. Triangles are taken alternately from
  /// the front and the back, so that both parts grow whatever the order of the triangles.
  Parts(std::span<const BoxedTriangle> set, const Spread& spread)
      : lower_end(spread.least_upper), upper_begin(spread.most_lower) {
    std::size_t front = 0;
    std::size_t back = set.size();
    while (front < back) {
      join(set[front++]);
      if (front < back) join(set[--back]);
    }
  }

  /// Adds the triangle to the part that grows less.
  void join(const BoxedTriangle& triangle) {
    const Lanes longer_lower = larger(lower_end, upper_of(triangle));
    const Lanes longer_upper = smaller(upper_begin, lower_of(triangle));
    const auto to_lower = longer_lower - lower_end <= upper_begin - longer_upper;
    lower_end = to_lower ? longer_lower : lower_end;
    upper_begin = to_lower ? upper_begin : longer_upper;
  }

  /// Whether a triangle belongs to the lower part along an axis.
  bool in_lower(const BoxedTriangle& triangle, int axis) const {
    if (triangle.upper[axis] > lower_end[axis]) return false;
    if (triangle.lower[axis] < upper_begin[axis]) return true;
    return triangle.centre(axis) <= double{lower_end[axis]} + upper_begin[axis];
  }
};

/// The volume of the parts' boxes, as a share of the parent's, when it is split along an axis. Each
/// part is cut from above or from below, whichever leaves less.
double remaining_share(const RestrictedBox<>& box, const Spread& spread, const Parts& parts,
                       int axis) {
  const double lower = box.lower(axis);
  const double upper = box.upper(axis);
  if (!(upper > lower)) return 2;
  const double lower_part =
      std::min(parts.lower_end[axis] - lower, upper - spread.least_lower[axis]);
  const double upper_part =
      std::min(upper - parts.upper_begin[axis], spread.most_upper[axis] - lower);
  return (lower_part + upper_part) / (upper - lower);
}

int longest_side(const RestrictedBox<>& box) {
  int longest = 0;
  for (int axis = 1; axis < 3; ++axis) {
    if (box.length(axis) > box.length(longest)) longest = axis;
  }
  return longest;
}

enum class Axes { all, longest };
enum class Ahead { no, yes };

class VolumeRule {
 public:
  /// The restricted box of the set, and its spread within.
  struct Context {
    RestrictedBox<> box;
    Spread spread;
  };

  VolumeRule(Axes axes, Ahead ahead) : axes_(axes), ahead_(ahead) {}

  static Context root(TriangleSet set) {
    const Spread spread(set);
    return {RestrictedBox<>(spread.box()), spread};
  }
  static Context below(const Context& parent, TriangleSet set) {
    const Spread spread(set);
    Context result{parent.box, spread};
    result.box.move(best_cut(parent.box, spread.box()).cut);
    return result;
  }

  std::size_t split(TriangleSet set, const Context& context) {
    if (set.size() == 2) return 1;
    const Parts parts(set, context.spread);
    const int axis = choose_axis(set, context, parts);
    std::size_t count =
        deal_out(set, [&](const BoxedTriangle& t) { return parts.in_lower(t, axis); });
    if (!is_lopsided(count, set.size())) return count;
    // One part has grown over nearly all triangles, as happens on regular meshes: split at the
    // middle of the centres instead.
    const double middle = context.spread.middle_centre(axis);
    count = deal_out(set, [&](const BoxedTriangle& t) { return t.centre(axis) <= middle; });
    return is_lopsided(count, set.size()) ? halve_in_order(set, axis) : count;
  }

 private:
  /// Splits that separate so few triangles would make the tree deep and its construction slow.
  static bool is_lopsided(std::size_t count, std::size_t size) {
    return count < size / 16 || size - count < size / 16 || count == 0 || count == size;
  }

  int choose_axis(TriangleSet set, const Context& context, const Parts& parts) {
    if (axes_ == Axes::longest) return longest_side(context.box);
    int best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
      double share = remaining_share(context.box, context.spread, parts, axis);
      if (ahead_ == Ahead::yes) share += share_below(set, context, parts, axis);
      if (share < least) {
        least = share;
        best = axis;
      }
    }
    return best;
  }

  /// The second order of the cost (section 6.1): the volume after the best splits of both parts, as
  /// a share of the parent's volume.
  double share_below(TriangleSet set, const Context& context, const Parts& parts, int axis) {
    const std::size_t count =
        deal_out(set, [&](const BoxedTriangle& t) { return parts.in_lower(t, axis); });
    const double volume = context.box.size();
    if (count == 0 || count == set.size() || !(volume > 0)) return 2;
    double sum = 0;
    for (const TriangleSet part : {set.first(count), set.subspan(count)}) {
      const Context child = below(context, part);
      double least = 2;
      const Parts grown(part, child.spread);
      for (int next = 0; next < 3; ++next) {
        least = std::min(least, remaining_share(child.box, child.spread, grown, next));
      }
      sum += child.box.size() / volume * least;
    }
    return sum;
  }

  /// Moves the lower part to the front. The new order depends only on the old one, because the next
  /// splits depend on it.
  template <class InLower>
  static std::size_t deal_out(TriangleSet set, InLower in_lower) {
    std::size_t count = 0;
    std::size_t end = set.size();
    while (count < end) {
      if (in_lower(set[count])) {
        ++count;
      } else {
        std::swap(set[count], set[--end]);
      }
    }
    return count;
  }

  Axes axes_;
  Ahead ahead_;
};

TreeShape build_by(VolumeRule rule, std::vector<BoxedTriangle> triangles,
                   const Progress& progress) {
  return TopDownBuilder(rule, progress).build(std::move(triangles));
}

}  // namespace

TreeShape VolumeBuilder::build(const Mesh& mesh, const Progress& progress) {
  return build_by(VolumeRule(Axes::all, Ahead::no), boxed_triangles(mesh), progress);
}

TreeShape VolumeLongestBuilder::build(const Mesh& mesh, const Progress& progress) {
  return build_by(VolumeRule(Axes::longest, Ahead::no), boxed_triangles(mesh), progress);
}

TreeShape VolumeAheadBuilder::build(const Mesh& mesh, const Progress& progress) {
  return build_by(VolumeRule(Axes::all, Ahead::yes), boxed_triangles(mesh), progress);
}

TreeShape VolumeRandomBuilder::build(const Mesh& mesh, const Progress& progress) {
  std::vector<BoxedTriangle> triangles = boxed_triangles(mesh);
  Random random(1);
  for (std::size_t i = triangles.size(); i > 1; --i) {
    std::swap(triangles[i - 1], triangles[random.below(i)]);
  }
  return build_by(VolumeRule(Axes::all, Ahead::no), std::move(triangles), progress);
}

}  // namespace tandem::detail
