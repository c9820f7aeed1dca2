// Many rays, one after the other.
#pragma once

#include <tandem/ray.h>
#include <tandem/ray_query.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "traverse/ray/query.h"

namespace tandem::detail {

/// Rays that ask for the same, and where their answers go: to the same position in `hits` or `any`,
/// or into the sink.
struct RayBatch {
  std::span<const Ray> rays;
  Wanted wanted;
  Hit* hits = nullptr;
  std::uint8_t* any = nullptr;
  const HitSink* sink = nullptr;
  /// The position of the first ray among all rays of the call.
  std::size_t first_index = 0;
  bool statistics = false;

  /// `count` of its rays from `begin` on.
  RayBatch part(std::size_t begin, std::size_t count) const {
    RayBatch result = *this;
    result.rays = rays.subspan(begin, count);
    if (hits != nullptr) result.hits = hits + begin;
    if (any != nullptr) result.any = any + begin;
    result.first_index = first_index + begin;
    return result;
  }
};

/// Calls `trace(query)` for each ray that can hit something and writes the answers, until a sink
/// for all hits says stop.
template <class Trace>
Flow trace_each(const RayBatch& batch, const Trace& trace) {
  for (std::size_t i = 0; i < batch.rays.size(); ++i) {
    Hit hit;
    ValidRay valid;
    if (validate_ray(batch.rays[i], &valid)) {
      RayQuery query(valid, batch.wanted, batch.sink, batch.first_index + i);
      const Flow flow = trace(query);
      if (flow == Flow::stop && batch.wanted == Wanted::all) return Flow::stop;
      hit = query.best();
    }
    if (batch.hits != nullptr) batch.hits[i] = hit;
    if (batch.any != nullptr) batch.any[i] = hit ? 1 : 0;
  }
  return Flow::go_on;
}

}  // namespace tandem::detail
