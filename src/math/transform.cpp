#include "math/transform.h"

namespace tandem::detail {
namespace {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__FMA__)
#define TANDEM_CHOOSE_FMA_AT_RUN_TIME
#endif

inline Triangle transform_corners(const Pose& pose, const TriangleF& t) {
  return {{transform_point(pose, t.corner[0]), transform_point(pose, t.corner[1]),
           transform_point(pose, t.corner[2])}};
}

#ifdef TANDEM_CHOOSE_FMA_AT_RUN_TIME
// Same source, same bits: only the instruction differs from the library call.
__attribute__((target("fma"), flatten)) Triangle transform_corners_fma(const Pose& pose,
                                                                       const TriangleF& t) {
  return transform_corners(pose, t);
}
#endif

}  // namespace

Triangle transform_triangle(const Pose& pose, const TriangleF& triangle) {
#ifdef TANDEM_CHOOSE_FMA_AT_RUN_TIME
  static const bool has_fma = __builtin_cpu_supports("fma") != 0;
  if (has_fma) return transform_corners_fma(pose, triangle);
#endif
  return transform_corners(pose, triangle);
}

}  // namespace tandem::detail
