// tandem bench rays, on this processor and on a CUDA device.
#pragma once

#include <tandem/ray.h>

#include <cstdint>
#include <span>
#include <string>

#include "options/shared_options.h"
#include "render/scene.h"

namespace tandem::cli {

struct RayBenchOptions {
  std::string scenes = k_interior;
  /// Empty for those that are compared by default.
  std::string tracers;
  std::string device = "cpu";
  bool quick = false;
  MeasurementOptions measurement;
};

/// Of the triangles that were hit.
std::uint64_t hash_of(std::span<const Hit> hits);
std::size_t hit_count_of(std::span<const Hit> hits);

/// The whole benchmark on a CUDA device; only where the build has CUDA.
int bench_rays_on_cuda(const RayBenchOptions& options);

}  // namespace tandem::cli
