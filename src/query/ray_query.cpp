#include <tandem/error.h>
#include <tandem/ray_query.h>

#include <algorithm>
#include <string>

#include "engine/registry.h"
#include "parallel/lock.h"
#include "parallel/parallel_for.h"
#include "query/model_access.h"
#include "traverse/ray/batch.h"

namespace tandem {
namespace {

using detail::RayBatch;
using detail::Wanted;

HitStreamResult trace(const Model& model, const RayEngine& engine, const RayBatch& batch) {
  return detail::registry()
      .find_ray(engine.structure.index(), engine.traversal.index())
      .trace(detail::structures_of(model), batch);
}

/// Threads share the rays; counts do not depend on who traced which.
RayStatistics trace_on_threads(const Model& model, const RayOptions& options,
                               const RayBatch& batch) {
  constexpr std::size_t k_grain = 1024;
  // What all threads need is made before they start.
  model.prepare_rays(options.engine);
  RayStatistics sum;
  detail::Mutex adding;
  detail::parallel_for(
      batch.rays.size(), k_grain, options.threads, [&](std::size_t begin, std::size_t end) {
        const RayStatistics statistics =
            trace(model, options.engine, batch.part(begin, end - begin)).statistics;
        if (!batch.statistics) return;
        const std::lock_guard lock(adding);
        sum += statistics;
      });
  return sum;
}

void check_lengths(std::size_t rays, std::size_t hits) {
  if (rays != hits) {
    throw Error("there are " + std::to_string(rays) + " rays but room for " + std::to_string(hits) +
                " hits");
  }
}

}  // namespace

Hit closest_hit(const Model& model, const Ray& ray, const RayEngine& engine) {
  Hit hit;
  trace(model, engine, {.rays = {&ray, 1}, .wanted = Wanted::closest, .hits = &hit});
  return hit;
}

bool any_hit(const Model& model, const Ray& ray, const RayEngine& engine) {
  std::uint8_t hit = 0;
  trace(model, engine, {.rays = {&ray, 1}, .wanted = Wanted::any, .any = &hit});
  return hit != 0;
}

RayStatistics closest_hits(const Model& model, std::span<const Ray> rays, std::span<Hit> hits,
                           const RayOptions& options) {
  check_lengths(rays.size(), hits.size());
  return trace_on_threads(model, options,
                          {.rays = rays,
                           .wanted = Wanted::closest,
                           .hits = hits.data(),
                           .statistics = options.statistics});
}

RayStatistics any_hits(const Model& model, std::span<const Ray> rays, std::span<std::uint8_t> hits,
                       const RayOptions& options) {
  check_lengths(rays.size(), hits.size());
  return trace_on_threads(
      model, options,
      {.rays = rays, .wanted = Wanted::any, .any = hits.data(), .statistics = options.statistics});
}

HitStreamResult all_hits(const Model& model, std::span<const Ray> rays, HitSink sink,
                         const RayOptions& options) {
  return trace(
      model, options.engine,
      {.rays = rays, .wanted = Wanted::all, .sink = &sink, .statistics = options.statistics});
}

}  // namespace tandem
