#include <tandem/closest.h>
#include <tandem/error.h>
#include <tandem/ray_query.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "geometry/weighted_point.h"
#include "math/transform.h"
#include "parallel/parallel_for.h"
#include "query/model_access.h"
#include "query/placed_model.h"
#include "structure/rays.h"
#include "traverse/point/closest.h"

namespace tandem {
namespace {

/// So many points are searched at a time, by one thread.
constexpr std::size_t k_grain = 256;

void check_limit(double limit) {
  if (!(limit >= 0)) {
    throw Error("the limit of a distance is 0 or more, not " + std::to_string(limit));
  }
}

void check_points(std::span<const Vec3d> points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      if (!(std::fabs(points[i][axis]) <= detail::k_largest_coordinate)) {
        throw Error("point " + std::to_string(i) +
                    " has a coordinate that is not finite or exceeds 1e60");
      }
    }
  }
}

void check_lengths(std::size_t points, std::size_t results) {
  if (points != results) {
    throw Error("there are " + std::to_string(points) + " points but room for " +
                std::to_string(results) + " results");
  }
}

void find_closest(const Model& model, std::span<const Vec3d> points, double limit,
                  ClosestPoint* results) {
  if (model.mesh().empty()) {
    std::fill_n(results, points.size(), ClosestPoint());
    return;
  }
  detail::find_closest(detail::structures_of(model).get<detail::WideRayTree>().view(),
                       {points, limit, results});
}

/// Which points are inside the solid of a closed mesh.
class Inside {
 public:
  explicit Inside(const Model& model)
      : model_(model), placed_(model, nullptr, engine_), bounds_(placed_.surface().bounds) {}

  /// The mesh is at least `clearance` away from the point, give or take 1e-12 of that, which is
  /// more than 0.
  bool contains(const Vec3d& point, double clearance) {
    if (is_in_ball(point)) return inside_;
    inside_ = find(point, clearance);
    centre_ = point;
    radius_ = clearance;
    return inside_;
  }

 private:
  /// The last point's ball has nothing of the mesh in it, so all of it is on one side.
  bool is_in_ball(const Vec3d& point) const {
    return length(point - centre_) < radius_ * (1 - 1e-11);
  }

  bool find(const Vec3d& point, double clearance) const {
    for (int axis = 0; axis < 3; ++axis) {
      if (point[axis] < bounds_.lower[axis] || point[axis] > bounds_.upper[axis]) return false;
    }
    // A ray begins at floats. Where these are in the same ball, they are on the same side.
    const Vec3f origin(point);
    if (!(length(point - Vec3d(origin)) < clearance * (1 - 1e-11))) {
      return placed_.winding_around(point) != 0;
    }
    const Ray ray{origin, {0, 0, 1}};
    const detail::WeightedPoint start = detail::WeightedPoint::at(Vec3d(origin));
    int winding = 0;
    all_hits(model_, {&ray, 1}, [&](std::size_t, const Hit& hit) {
      winding += detail::winding_share(detail::widen(model_.mesh().triangle(hit.triangle)), start,
                                       detail::Projection{2});
      return Flow::go_on;
    });
    return winding != 0;
  }

  const Model& model_;
  Engine engine_;
  detail::PlacedModel placed_;
  const Bounds& bounds_;
  Vec3d centre_{0, 0, 0};
  double radius_ = 0;
  bool inside_ = false;
};

void find_signed(const Model& model, std::span<const Vec3d> points, double limit,
                 double* distances) {
  std::vector<ClosestPoint> closest(points.size());
  find_closest(model, points, limit, closest.data());
  Inside inside(model);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double distance = closest[i].distance;
    const bool negative = distance > 0 && inside.contains(detail::flush_tiny(points[i]),
                                                          closest[i] ? distance : limit);
    distances[i] = negative ? -distance : distance;
  }
}

/// Checks what was given and calls `answer(begin, end)` for pieces of the points.
template <class Answer>
void for_points(const Model& model, std::span<const Vec3d> points, std::size_t result_count,
                const ClosestOptions& options, const Answer& answer) {
  check_lengths(points.size(), result_count);
  check_limit(options.limit);
  check_points(points);
  // What all threads need is made before they start.
  model.prepare_rays();
  detail::parallel_for(points.size(), k_grain, options.threads, answer);
}

}  // namespace

ClosestPoint closest_point(const Model& model, const Vec3d& point, double limit) {
  ClosestPoint closest;
  closest_points(model, {&point, 1}, {&closest, 1}, {.limit = limit});
  return closest;
}

void closest_points(const Model& model, std::span<const Vec3d> points,
                    std::span<ClosestPoint> closest, const ClosestOptions& options) {
  for_points(model, points, closest.size(), options, [&](std::size_t begin, std::size_t end) {
    find_closest(model, points.subspan(begin, end - begin), options.limit, &closest[begin]);
  });
}

double signed_distance(const Model& model, const Vec3d& point, double limit) {
  double distance = 0;
  signed_distances(model, {&point, 1}, {&distance, 1}, {.limit = limit});
  return distance;
}

void signed_distances(const Model& model, std::span<const Vec3d> points,
                      std::span<double> distances, const ClosestOptions& options) {
  detail::check_closed(detail::structures_of(model).get<detail::Surface>(), "the mesh");
  for_points(model, points, distances.size(), options, [&](std::size_t begin, std::size_t end) {
    find_signed(model, points.subspan(begin, end - begin), options.limit, &distances[begin]);
  });
}

}  // namespace tandem
