// Queries of rays: what a ray hits of a model.
#pragma once

#include <tandem/engine.h>
#include <tandem/export.h>
#include <tandem/model.h>
#include <tandem/ray.h>
#include <tandem/sink.h>
#include <tandem/statistics.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tandem {

/// The closest hit; of several at the same distance the one with the lowest triangle id.
///
/// The triangle is closed, so a ray through an edge hits both triangles that share it: whether a
/// ray hits is decided exactly, and no ray passes between them. A ray that runs in a triangle's
/// plane does not hit it, and nothing hits a triangle without area (docs/conventions.md).
TANDEM_API Hit closest_hit(const Model& model, const Ray& ray, const RayEngine& engine = {});

/// Whether the ray hits anything.
TANDEM_API bool any_hit(const Model& model, const Ray& ray, const RayEngine& engine = {});

struct RayOptions {
  /// For comparing engines (tandem/engine.h). The default is the fastest one.
  RayEngine engine = {};
  /// How many threads share the rays; 0 stands for as many as the machine has.
  int threads = 1;
  /// Fill in the statistics; a query without them does not pay for them.
  bool statistics = false;
};

/// Writes the closest hit of each ray to the same position in `hits`. Throws `tandem::Error` when
/// the spans have different lengths. Nothing depends on the number of threads.
TANDEM_API RayStatistics closest_hits(const Model& model, std::span<const Ray> rays,
                                      std::span<Hit> hits, const RayOptions& options = {});

/// Writes 1 for each ray that hits anything, 0 for the others. Errors as for `closest_hits`.
TANDEM_API RayStatistics any_hits(const Model& model, std::span<const Ray> rays,
                                  std::span<std::uint8_t> hits, const RayOptions& options = {});

/// Is shown each hit with its ray's position and answers whether the query goes on.
using HitSink = FunctionRef<Flow(std::size_t ray, const Hit&)>;

struct HitStreamResult {
  /// True when the sink ended the query; there may be hits that it was not shown.
  bool stopped = false;
  RayStatistics statistics;
};

/// Streams every hit of each ray into `sink`: ray by ray, the hits of one ray in no particular
/// order, each triangle once, until the sink says stop. Runs on the calling thread alone.
TANDEM_API HitStreamResult all_hits(const Model& model, std::span<const Ray> rays, HitSink sink,
                                    const RayOptions& options = {});

}  // namespace tandem
