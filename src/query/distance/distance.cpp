// Distances of models: how far apart they are, and what is closer than a distance.
#include <tandem/distance.h>
#include <tandem/error.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

#include "geometry/distance/triangle_distance.h"
#include "geometry/distance/within.h"
#include "math/power_of_two.h"
#include "math/transform.h"
#include "query/pair_triangles.h"
#include "query/search_models.h"
#include "structure/wide.h"
#include "traverse/observer.h"
#include "traverse/tandem/brute_force.h"
#include "traverse/wide/clearance.h"
#include "traverse/wide/distance/nearest.h"
#include "traverse/wide/far_roots.h"

namespace tandem {
namespace {

using detail::structures_of;

constexpr double k_infinity = std::numeric_limits<double>::infinity();

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

const Structure& wide() {
  static const Structure k_structure = detail::WideTree::k_name;
  return k_structure;
}

/// The engine for distances: where none is named, the default one, also of models that were made
/// for another structure.
Engine engine_for(const Model& a, const Model& b, const Engine& named) {
  if (!named.triangle_test.is_automatic() &&
      detail::triangle_test_of(named) != detail::TriangleTestKind::exact) {
    throw Error("distances come from the exact triangle test alone, not from " +
                std::string(named.triangle_test.name()));
  }
  Engine engine = named;
  const bool is_open = engine.structure.is_automatic() && engine.traversal.is_automatic() &&
                       engine.overlap.is_automatic();
  if (is_open && (a.structure() != wide() || b.structure() != wide())) engine.structure = wide();
  return engine;
}

/// Of the engines that find distances, whether it is that without a structure.
bool is_brute_force(const Engine& engine) {
  if (engine.structure.is_automatic()) return engine.traversal.name() == detail::BruteForce::k_name;
  return engine.structure != wide();
}

/// Throws where the engine finds no distances.
void check_engine(const Model& a, const Model& b, const Pose& b_in_a, const Engine& chosen) {
  const detail::TandemEngine& engine = detail::find_engine(a, b, b_in_a, chosen);
  if (!engine.finds_within) detail::refuse_distances(engine);
}

const detail::WideTreeView& wide_view(const Model& model) {
  return structures_of(model).get<detail::WideStructure>().view();
}

/// Calls `search` with options and a search for pairs that are at most so far apart.
template <class Search>
auto search_within(const Model& a, const Model& b, const Pose& b_in_a, double distance,
                   const QueryOptions& options, const Search& search) {
  check_distance("the distance of a query", distance);
  QueryOptions chosen = options;
  if (distance > 0) chosen.engine = engine_for(a, b, options.engine);
  return search(detail::search_for(a, b, b_in_a, chosen, distance), chosen);
}

/// The closest pair of two models by brute force.
template <class TrianglesOf>
detail::NearestPair nearest_of_all(const Model& a, const Model& b, double limit,
                                   const TrianglesOf& triangles_of, Statistics& statistics) {
  detail::NearestPair best;
  const auto count_a = static_cast<std::uint32_t>(a.mesh().triangle_count());
  const auto count_b = static_cast<std::uint32_t>(b.mesh().triangle_count());
  for (std::uint32_t j = 0; j < count_b; ++j) {
    for (std::uint32_t i = 0; i < count_a; ++i) {
      const detail::TwoTriangles two = triangles_of(i, j);
      const detail::NearestPair pair{i, j,
                                     detail::triangle_distance(two.a, two.b).nearest.distance};
      if (pair.distance < limit && pair.closer_than(best)) best = pair;
    }
  }
  statistics.triangle_tests += std::uint64_t{count_a} * count_b;
  return best;
}

/// The closest pair of two models, or one that is `enough` (see `NearestQuery`).
/// `guess` is a pair that may be close.
detail::NearestPair nearest(const Model& a, const Model& b, const Pose& b_in_a,
                            const DistanceOptions& options, double enough,
                            std::optional<TrianglePair> guess, detail::NearFront* front,
                            Statistics& statistics) {
  const auto triangles_of = [&](std::uint32_t in_a, std::uint32_t in_b) {
    return detail::TwoTriangles{detail::widen(a.mesh().triangle(in_a)),
                                detail::transform_triangle(b_in_a, b.mesh().triangle(in_b))};
  };
  if (is_brute_force(options.engine)) {
    Statistics counted;
    const auto found = nearest_of_all(a, b, options.limit, triangles_of, counted);
    if (options.statistics) statistics += counted;
    return found;
  }
  detail::NearestQuery query{.a = wide_view(a),
                             .b = wide_view(b),
                             .b_in_a = b_in_a,
                             .triangles_of = triangles_of,
                             .limit = options.limit,
                             .relative_error = options.relative_error,
                             .absolute_error = options.absolute_error,
                             .enough = enough};
  const auto move = [&](const Pose& from) {
    return detail::farthest_move(query.b.root, from, b_in_a) *
           detail::power_of_two(-query.a.exponent);
  };
  if (front != nullptr &&
      front->come_here(structures_of(a).identity(), structures_of(b).identity(), b_in_a, move)) {
    query.front = front;
  }
  if (guess && guess->a < a.mesh().triangle_count() && guess->b < b.mesh().triangle_count()) {
    const detail::TwoTriangles two = triangles_of(guess->a, guess->b);
    const double known = detail::triangle_distance(two.a, two.b).nearest.distance;
    if (known < options.limit) query.known = {guess->a, guess->b, known};
  }
  if (!options.statistics) {
    detail::NullObserver observer;
    return detail::find_nearest(detail::wide_kernels(), query, observer);
  }
  const Progress none;
  detail::CountingObserver observer(none);
  const detail::NearestPair found = detail::find_nearest(detail::wide_kernels(), query, observer);
  statistics += observer.statistics();
  return found;
}

DistanceResult distance_from(const Model& a, const Model& b, const Pose& b_in_a,
                             std::optional<TrianglePair> guess, detail::NearFront* front,
                             DistanceOptions options) {
  check_distance("the limit of a distance", options.limit);
  check_distance("the relative error of a distance", options.relative_error);
  check_distance("the absolute error of a distance", options.absolute_error);
  options.engine = engine_for(a, b, options.engine);
  check_engine(a, b, b_in_a, options.engine);
  DistanceResult result;
  if (a.mesh().empty() || b.mesh().empty()) return result;
  result.lower_bound = options.limit;
  if (options.limit == 0) return result;

  // Whether they touch at all is soon known, and then nothing is closer. A search that begins with
  // a guess is as soon there; where an error is allowed, it might miss that they touch.
  const bool is_exact = options.relative_error == 0 && options.absolute_error == 0;
  detail::NearestPair found;
  if (!guess || !is_exact || is_brute_force(options.engine)) {
    const IntersectsResult touching =
        intersects(a, b, b_in_a, {.engine = options.engine, .statistics = options.statistics});
    result.statistics = touching.statistics;
    if (touching) found = {touching.pair->a, touching.pair->b, 0};
  }
  // Nothing is closer than 0.
  if (!found.found()) found = nearest(a, b, b_in_a, options, 0, guess, front, result.statistics);
  // What was left out is at least as far as the closest may be.
  const double closest = found.found() ? found.distance : options.limit;
  result.lower_bound =
      std::max((closest - options.absolute_error) / (1 + options.relative_error), 0.0);
  if (!found.found()) return result;
  result.pair = TrianglePair{found.a, found.b};
  const TriangleDistance at = distance(a, b, b_in_a, *result.pair);
  result.distance = at.distance;
  result.on_a = at.on_a;
  result.on_b = at.on_b;
  result.normal = at.normal;
  return result;
}

}  // namespace

TriangleDistance distance(const Model& a, const Model& b, const Pose& b_in_a, TrianglePair pair,
                          double relative_error) {
  check_distance("the relative error of a distance", relative_error);
  const detail::PairTriangles triangles = detail::triangles_of(a, b, b_in_a, pair);
  return detail::distance_of_triangles(triangles.a, triangles.b, relative_error);
}

DistanceResult distance(const Model& a, const Model& b, const Pose& b_in_a,
                        const DistanceOptions& options) {
  return distance_from(a, b, b_in_a, std::nullopt, nullptr, options);
}

DistanceWitness::DistanceWitness() = default;
DistanceWitness::DistanceWitness(const DistanceWitness& other) {
  *this = other;
}
DistanceWitness::DistanceWitness(DistanceWitness&& other) noexcept = default;
DistanceWitness& DistanceWitness::operator=(const DistanceWitness& other) {
  pair_ = other.pair_;
  front_ = other.front_ ? std::make_unique<detail::NearFront>(*other.front_) : nullptr;
  return *this;
}
DistanceWitness& DistanceWitness::operator=(DistanceWitness&& other) noexcept = default;
DistanceWitness::~DistanceWitness() = default;

DistanceResult distance(const Model& a, const Model& b, const Pose& b_in_a,
                        DistanceWitness& witness, const DistanceOptions& options) {
  if (!witness.front_) witness.front_ = std::make_unique<detail::NearFront>();
  const DistanceResult result =
      distance_from(a, b, b_in_a, witness.pair_, witness.front_.get(), options);
  if (result.pair) witness.pair_ = result.pair;
  return result;
}

StreamResult collide_within(const Model& a, const Model& b, const Pose& b_in_a, double distance,
                            PairSink sink, const QueryOptions& options) {
  return search_within(a, b, b_in_a, distance, options,
                       [&](const auto& search, const QueryOptions& chosen) {
                         return detail::search_and_show(search, sink, chosen);
                       });
}

CollideResult collide_within(const Model& a, const Model& b, const Pose& b_in_a, double distance,
                             const QueryOptions& options) {
  return search_within(a, b, b_in_a, distance, options,
                       [](const auto& search, const QueryOptions& chosen) {
                         return detail::search_and_sort(search, chosen);
                       });
}

IntersectsResult within(const Model& a, const Model& b, const Pose& b_in_a, double distance,
                        const QueryOptions& options) {
  check_distance("the distance of a query", distance);
  if (distance == 0) return intersects(a, b, b_in_a, options);
  QueryOptions chosen = options;
  chosen.engine = engine_for(a, b, options.engine);
  if (is_brute_force(chosen.engine)) {
    return detail::search_first(detail::search_for(a, b, b_in_a, chosen, distance), chosen);
  }
  check_engine(a, b, b_in_a, chosen.engine);
  IntersectsResult result;
  if (!a.mesh().empty() && !b.mesh().empty() &&
      !detail::roots_far_apart(wide_view(a), wide_view(b), b_in_a, distance)) {
    // As for a distance that need not be the least; what is as far as the limit does not count.
    const DistanceOptions limited{.engine = chosen.engine,
                                  .limit = std::nextafter(distance, k_infinity),
                                  .statistics = options.statistics};
    const detail::NearestPair found =
        nearest(a, b, b_in_a, limited, distance, std::nullopt, nullptr, result.statistics);
    if (found.found()) result.pair = TrianglePair{found.a, found.b};
  }
  if (options.progress) options.progress(1);
  return result;
}

CountResult count_within(const Model& a, const Model& b, const Pose& b_in_a, double distance,
                         const QueryOptions& options) {
  return search_within(a, b, b_in_a, distance, options,
                       [](const auto& search, const QueryOptions& chosen) {
                         return detail::search_and_count(search, chosen);
                       });
}

}  // namespace tandem
