#include <tandem/distance.h>
#include <tandem/error.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "geometry/triangle_distance.h"
#include "math/transform.h"
#include "query/find_engine.h"
#include "query/pair_triangles.h"

namespace tandem {
namespace {

/// Throws unless it is at least 0. `what` is what it is called.
void check_distance(const char* what, double distance) {
  if (distance >= 0) return;
  std::ostringstream text;
  text << what << " is ";
  if (std::isnan(distance)) {
    text << "not a number";
  } else {
    text << distance << ", but it must be at least 0";
  }
  throw Error(text.str());
}

void check(const DistanceOptions& options) {
  check_distance("the limit of a distance", options.limit);
  check_distance("the relative error of a distance", options.relative_error);
  check_distance("the absolute error of a distance", options.absolute_error);
}

/// Shows the pairs that are close enough.
template <class Show>
void for_each_within(const Model& a, const Model& b, const Pose& b_in_a, double distance,
                     const Show& show) {
  const auto count_a = static_cast<std::uint32_t>(a.mesh().triangle_count());
  const auto count_b = static_cast<std::uint32_t>(b.mesh().triangle_count());
  for (std::uint32_t i = 0; i < count_a; ++i) {
    const Triangle in_a = detail::widen(a.mesh().triangle(i));
    for (std::uint32_t j = 0; j < count_b; ++j) {
      const Triangle in_b = detail::transform_triangle(b_in_a, b.mesh().triangle(j));
      if (detail::triangle_distance(in_a, in_b).nearest.distance > distance) continue;
      if (show(TrianglePair{i, j}) == Flow::stop) return;
    }
  }
}

}  // namespace

TriangleDistance distance(const Model& a, const Model& b, const Pose& b_in_a, TrianglePair pair) {
  const detail::PairTriangles triangles = detail::triangles_of(a, b, b_in_a, pair);
  return detail::distance_of_triangles(triangles.a, triangles.b);
}

DistanceResult distance(const Model& a, const Model& b, const Pose& b_in_a,
                        const DistanceOptions& options) {
  check(options);
  DistanceResult result;
  double best = options.limit;
  for_each_within(a, b, b_in_a, best, [&](TrianglePair pair) {
    const TriangleDistance found = distance(a, b, b_in_a, pair);
    if (found.distance < best) {
      best = found.distance;
      result.distance = best;
      result.pair = pair;
      result.on_a = found.on_a;
      result.on_b = found.on_b;
      result.normal = found.normal;
    }
    return Flow::go_on;
  });
  result.lower_bound = best;
  return result;
}

DistanceResult distance(const Model& a, const Model& b, const Pose& b_in_a,
                        DistanceWitness& witness, const DistanceOptions& options) {
  const DistanceResult result = distance(a, b, b_in_a, options);
  witness.pair_ = result.pair;
  return result;
}

StreamResult collide_within(const Model& a, const Model& b, const Pose& b_in_a, double distance,
                            PairSink sink, const QueryOptions& options) {
  check_distance("the distance of a query", distance);
  (void)options;
  StreamResult result;
  for_each_within(a, b, b_in_a, distance, [&](TrianglePair pair) {
    const Flow flow = sink(pair);
    result.stopped = flow == Flow::stop;
    return flow;
  });
  return result;
}

CollideResult collide_within(const Model& a, const Model& b, const Pose& b_in_a, double distance,
                             const QueryOptions& options) {
  CollideResult result;
  const auto append = [&](TrianglePair pair) {
    result.pairs.push_back(pair);
    return Flow::go_on;
  };
  collide_within(a, b, b_in_a, distance, append, options);
  std::sort(result.pairs.begin(), result.pairs.end());
  return result;
}

IntersectsResult within(const Model& a, const Model& b, const Pose& b_in_a, double distance,
                        const QueryOptions& options) {
  IntersectsResult result;
  const auto keep = [&](TrianglePair pair) {
    result.pair = pair;
    return Flow::stop;
  };
  collide_within(a, b, b_in_a, distance, keep, options);
  return result;
}

CountResult count_within(const Model& a, const Model& b, const Pose& b_in_a, double distance,
                         const QueryOptions& options) {
  CountResult result;
  const auto add = [&](TrianglePair) {
    ++result.count;
    return Flow::go_on;
  };
  collide_within(a, b, b_in_a, distance, add, options);
  return result;
}

}  // namespace tandem
