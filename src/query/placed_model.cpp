// Rays that count how often a closed mesh winds around a point.
//
// A ray is a segment, a segment is a triangle without area, and `collide` knows exactly which
// triangles that touches: so the tree finds the few that are above a point, and exact signs say
// what each of them counts.
#include "query/placed_model.h"

#include <tandem/query.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "geometry/degenerate.h"

namespace tandem::detail {
namespace {

constexpr Projection k_along_z{2};

/// The least float that is not below x; none when x is beyond all of them.
std::optional<float> float_above(double x) {
  if (!(x <= std::numeric_limits<float>::max())) return std::nullopt;
  const auto rounded = static_cast<float>(std::max(x, -double{std::numeric_limits<float>::max()}));
  if (rounded >= x) return rounded;
  return std::nextafter(rounded, std::numeric_limits<float>::infinity());
}

/// A number that no moved vertex has more than as its last coordinate.
double top_of(const Bounds& bounds, const Pose& pose) {
  double top = pose.translation().z;
  double size = std::fabs(top);
  for (int axis = 0; axis < 3; ++axis) {
    const double low = pose.rotation(2, axis) * bounds.lower[axis];
    const double high = pose.rotation(2, axis) * bounds.upper[axis];
    top += std::max(low, high);
    size += std::max(std::fabs(low), std::fabs(high));
  }
  // Far more than what rounding may add.
  return top + 1e-12 * size;
}

bool is_in(const Bounds& bounds, const Vec3d& p) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!(p[axis] >= bounds.lower[axis] && p[axis] <= bounds.upper[axis])) return false;
  }
  return true;
}

}  // namespace

int PlacedModel::winding_around(const WeightedPoint& point) const {
  int winding = 0;
  for (std::uint32_t id = 0; id < triangle_count(); ++id) {
    winding += winding_share(triangle(id), point, k_along_z);
  }
  return winding;
}

int PlacedModel::winding_around(const Vec3d& corner) const {
  if (model_.mesh().empty()) return 0;
  const WeightedPoint point = WeightedPoint::at(corner);
  const Bounds& bounds = surface().bounds;
  // The model itself is placed in A's frame as it is in all queries, so the segment is there too:
  // as A's counterpart it is moved to where it begins, as B's it begins at a vertex of A's, whose
  // coordinates are floats.
  const bool is_a = in_a_ == nullptr;
  if (is_a && !is_in(bounds, corner)) return 0;
  const double top = is_a ? bounds.upper.z : top_of(bounds, *in_a_);
  if (top <= corner.z) return 0;
  const std::optional<float> end = float_above(is_a ? (1 + 1e-12) * (top - corner.z) : top);
  if (!end) return winding_around(point);
  const Vec3f from = is_a ? Vec3f{0, 0, 0} : Vec3f(corner);
  const Structure structure =
      engine_.structure.is_automatic() ? model_.structure() : engine_.structure;
  const Model ray(Mesh({from, {from.x, from.y, *end}}, {{0, 1, 1}}), {.structure = structure});

  int winding = 0;
  const auto add = [&](std::uint32_t id) {
    winding += winding_share(triangle(id), point, k_along_z);
    return Flow::go_on;
  };
  const QueryOptions options{.engine = engine_};
  if (is_a) {
    collide(
        model_, ray, Pose::from_translation(corner), [&](TrianglePair pair) { return add(pair.a); },
        options);
  } else {
    collide(
        ray, model_, *in_a_, [&](TrianglePair pair) { return add(pair.b); }, options);
  }
  return winding;
}

int PlacedModel::outward(std::uint32_t part) const {
  // In the frame of the mesh: moving it does not turn it inside out.
  const Mesh& mesh = model_.mesh();
  const std::vector<std::uint32_t>& part_of = surface().part_of;
  Projection axis;
  std::uint32_t id = 0;
  const auto has_area = [&](std::uint32_t candidate) {
    const Triangle t = widen(mesh.triangle(candidate));
    return find_projection(t.corner[0], t.corner[1], t.corner[2], &axis);
  };
  while (id < part_of.size() && (part_of[id] != part || !has_area(id))) ++id;
  if (id == part_of.size()) return 1;
  // The solid is on the side of the triangle around which the mesh winds more often.
  const Triangle t = widen(mesh.triangle(id));
  const WeightedPoint centre = WeightedPoint::centre(t);
  int above = 0;
  for (std::uint32_t other = 0; other < part_of.size(); ++other) {
    above += winding_share(widen(mesh.triangle(other)), centre, axis);
  }
  const int turn = orient2d_sign(t.corner[0], t.corner[1], t.corner[2], axis);
  const int front = axis.dropped == 1 ? -turn : turn;
  const int below = above + front;
  return above + below < 0 ? -1 : 1;
}

}  // namespace tandem::detail
