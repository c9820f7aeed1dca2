// Embree 3 or 4, whichever is installed, and what differs between them.
#pragma once

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

namespace tandem::cli {

/// Looks for the closest hit of the ray in `query`.
inline void embree_closest_hit(RTCScene scene, RTCRayHit& query) {
#if RTC_VERSION_MAJOR >= 4
  rtcIntersect1(scene, &query);
#else
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(scene, &context, &query);
#endif
}

}  // namespace tandem::cli
