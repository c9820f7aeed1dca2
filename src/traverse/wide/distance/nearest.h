// The closest two triangles of two wide trees.
#pragma once

#include <tandem/pose.h>
#include <tandem/sink.h>
#include <tandem/triangle.h>

#include <cstdint>

#include "traverse/wide/distance/near_front.h"
#include "traverse/wide/kernels.h"
#include "tree/wide/tree.h"

namespace tandem::detail {

/// Two triangles by their ids, and how far apart they are.
struct NearestPair {
  std::uint32_t a = k_no_triangle;
  std::uint32_t b = k_no_triangle;
  double distance = 0;

  bool found() const { return a != k_no_triangle; }
  /// Of equally close pairs the first by triangle of A, then triangle of B, is the closer one.
  bool closer_than(const NearestPair& other) const {
    if (!other.found() || distance != other.distance) {
      return !other.found() || distance < other.distance;
    }
    return a != other.a ? a < other.a : b < other.b;
  }
};

/// Two triangles in A's frame.
struct TwoTriangles {
  Triangle a;
  Triangle b;
};

/// What is asked of two trees.
struct NearestQuery {
  const WideTreeView& a;
  const WideTreeView& b;
  const Pose& b_in_a;
  /// Two triangles of the meshes.
  FunctionRef<TwoTriangles(std::uint32_t a, std::uint32_t b)> triangles_of;
  /// Pairs as far as that do not count.
  double limit;
  /// Pairs that are closer than the closest by no more than this need not be found.
  double relative_error = 0;
  double absolute_error = 0;
  /// A pair that is at most so far apart is enough: then the first one that is found is the answer.
  double enough = -1;
  /// A pair that is known, closer than the limit, or none.
  NearestPair known = {};
  /// What a search before this one left, with its bounds for this pose, or nothing: then it begins
  /// there, and leaves what the next one needs.
  NearFront* front = nullptr;
};

/// The closest pair, if there is one that is closer than the limit; none of it depends on the
/// kernels, unless an error is allowed or a distance is enough. Neither tree is empty.
template <class Observer>
NearestPair find_nearest(const WideKernels& kernels, const NearestQuery& query, Observer& observer);

}  // namespace tandem::detail
