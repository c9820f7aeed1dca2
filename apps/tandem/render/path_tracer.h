// A path tracer for diffuse surfaces. Its paths have a fixed number of bounces, with one visibility
// ray to a light at each of them, and end at the sky where they leave the scene.
#pragma once

#include <tandem/engine.h>
#include <tandem/ray.h>
#include <tandem/sink.h>
#include <tandem/statistics.h>

#include <vector>

#include "devices/devices.h"
#include "render/image.h"
#include "render/scene.h"

namespace tandem::cli {

struct RenderOptions {
  int width = 960;
  int height = 540;
  /// Paths through each pixel.
  int samples = 32;
  /// Times that a path is reflected.
  int bounces = 4;
  /// Take the noise out that so few paths leave.
  bool denoise = true;
  /// On a CUDA device "pairs", "pairs-stackless" or the library's choice.
  RayTraversal traversal = {};
  /// What the paths are traced on.
  Device device = Device::cpu;
  /// Of the CPU; 0 stands for as many as the machine has.
  int threads = 0;
  /// Count the rays: those of the paths and those towards lights; not on a CUDA device.
  bool statistics = false;
  Progress progress = {};
};

struct RenderResult {
  Image image;
  RayStatistics statistics;
};

/// The image is the same for any number of threads and on every device: random numbers belong to
/// pixels and samples. Throws `tandem::Error` where there is no such device.
RenderResult render(const Scene& scene, const RenderOptions& options);

/// All rays of a picture, by default with one path through each pixel.
struct PathRays {
  /// The segments of the paths: through the pixels, after the first bounce, after the second, ….
  std::vector<std::vector<Ray>> segments;
  /// Towards lights.
  std::vector<Ray> visibility;
};
PathRays record_paths(const Scene& scene, int width, int height, int bounces, int samples = 1);

}  // namespace tandem::cli
