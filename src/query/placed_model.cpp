// Rays that count how often a closed mesh winds around a point.
//
// A ray is a segment, a segment is a triangle without area, and `collide` knows exactly which
// triangles that touches: so the tree finds the few that are above a point, and exact signs say
// what each of them counts.
#include "query/placed_model.h"

#include <tandem/error.h>
#include <tandem/query.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

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

struct Box {
  Vec3d lower;
  Vec3d upper;
};

/// A box that contains every moved vertex.
Box moved_box(const Bounds& bounds, const Pose& pose) {
  Box box{pose.translation(), pose.translation()};
  for (int row = 0; row < 3; ++row) {
    double size = std::fabs(pose.translation()[row]);
    for (int axis = 0; axis < 3; ++axis) {
      const double low = pose.rotation(row, axis) * bounds.lower[axis];
      const double high = pose.rotation(row, axis) * bounds.upper[axis];
      box.lower[row] += std::min(low, high);
      box.upper[row] += std::max(low, high);
      size += std::max(std::fabs(low), std::fabs(high));
    }
    // Far more than what rounding may add, and what is flushed to 0.
    const double margin = 1e-12 * size + k_smallest_coordinate;
    box.lower[row] -= margin;
    box.upper[row] += margin;
  }
  return box;
}

bool is_in(const Box& box, const Vec3d& p) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!(p[axis] >= box.lower[axis] && p[axis] <= box.upper[axis])) return false;
  }
  return true;
}

}  // namespace

void check_closed(const Surface& surface, std::string_view name) {
  if (surface.closed()) return;
  const auto [triangle, corner] = *surface.open_edge;
  throw Error(std::string(name) + " is not closed: no triangle runs along the edge of triangle " +
              std::to_string(triangle) + " from corner " + std::to_string(corner) + " to corner " +
              std::to_string((corner + 1) % 3) + " the other way");
}

int PlacedModel::winding_around(const WeightedPoint& point) const {
  int winding = 0;
  for (std::uint32_t id = 0; id < triangle_count(); ++id) {
    winding += winding_share(triangle(id), point, k_along_z);
  }
  return winding;
}

int PlacedModel::winding_around(const Vec3d& corner) const {
  if (model_.mesh().empty()) return 0;
  const bool is_a = in_a_ == nullptr;
  const Bounds& bounds = surface().bounds;
  const Box box = is_a ? Box{Vec3d(bounds.lower), Vec3d(bounds.upper)} : moved_box(bounds, *in_a_);
  if (!is_in(box, corner)) return 0;
  const WeightedPoint point = WeightedPoint::at(corner);
  // The mesh is placed as in every query, and so is the ray: as A's counterpart it is moved to
  // where it begins; as B's it begins at a vertex of A's, whose coordinates are floats.
  const double height = (1 + 1e-12) * (box.upper.z - corner.z);
  const std::optional<float> end = float_above(is_a ? height : box.upper.z);
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
