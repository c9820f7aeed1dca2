// What a search for the closest two triangles knows so far.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "geometry/distance/triangle_distance.h"
#include "traverse/wide/distance/nearest.h"

namespace tandem::detail {

/// The closest pair so far, and what it says of others.
class ClosestPair {
 public:
  ClosestPair(const NearestQuery& query, double unit)
      : query_(query), unit_(unit), best_(query.known), limit_(query.limit) {
    if (best_.found()) limit_ = best_.distance;
    update();
  }

  const NearestPair& best() const { return best_; }

  /// The closest pair is not farther apart than this, in A's units.
  double limit() const { return limit_ / unit_; }
  /// What is farther apart than this need not be looked at: less than the limit where an error is
  /// allowed.
  double needed() const { return needed_; }
  /// The same, rounded up. It is finite, as what is missing is infinitely far apart.
  float needed_above() const { return needed_above_; }
  /// Whether any pair that is close enough will do.
  bool wants_any() const { return query_.enough > 0; }
  /// Whether no more pairs are wanted.
  bool done() const { return limit_ <= query_.enough && best_.found(); }

  /// Two triangles are surely not farther apart than that, in A's units.
  void at_most(double distance) {
    if (distance * unit_ >= limit_) return;
    limit_ = distance * unit_;
    update();
  }

  /// Whether two triangles that are not farther apart than that, in A's units, are close enough.
  bool is_enough(double distance) const { return distance * unit_ <= query_.enough; }

  TwoTriangles triangles_of(std::uint32_t a, std::uint32_t b) const {
    return query_.triangles_of(a, b);
  }

  /// Two triangles are so far apart.
  void consider(const NearestPair& pair) {
    if (!(pair.distance < query_.limit) || !pair.closer_than(best_)) return;
    best_ = pair;
    if (pair.distance < limit_) {
      limit_ = pair.distance;
      update();
    }
  }
  void consider(std::uint32_t a, std::uint32_t b) {
    const TwoTriangles pair = triangles_of(a, b);
    consider({a, b, triangle_distance(pair.a, pair.b).nearest.distance});
  }

 private:
  void update() {
    const double least = (limit_ - query_.absolute_error) / (1 + query_.relative_error);
    needed_ = std::fmax(least, 0) / unit_;
    needed_above_ = static_cast<float>(
        std::fmin(needed_ * (1 + 0x1p-20) + 0x1p-140, std::numeric_limits<float>::max()));
  }

  const NearestQuery& query_;
  double unit_;
  NearestPair best_;
  /// Some two triangles are as close as that, or the caller wants closer ones.
  double limit_;
  double needed_ = 0;
  float needed_above_ = 0;
};

}  // namespace tandem::detail
