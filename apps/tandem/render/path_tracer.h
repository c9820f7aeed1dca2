// A path tracer for diffuse surfaces: paths of a fixed number of bounces, one visibility ray to a
// light at each of them, and the sky where they leave the scene.
#pragma once

#include <tandem/ray.h>

#include <cstdint>
#include <vector>

#include "render/scene.h"

namespace tandem::cli {

struct RenderOptions {
  int width = 960;
  int height = 540;
  /// Paths through each pixel.
  int samples = 64;
  /// Times that a path is reflected.
  int bounces = 4;
  RayTraversal traversal = RayTraversal::automatic;
  /// 0 stands for as many as the machine has.
  int threads = 0;
  /// Of all rays: those of the paths and those towards lights.
  RayStatistics* statistics = nullptr;
  Progress progress = nullptr;
};

/// Radiance, row by row from the upper left.
struct Image {
  int width;
  int height;
  std::vector<Vec3d> pixels;
};

/// The same for any number of threads: random numbers belong to pixels and samples.
Image render(const Scene& scene, const RenderOptions& options);

/// All rays of a picture with one path through each pixel.
struct PathRays {
  /// The paths' segments: through the pixels, after the first bounce, after the second, ….
  std::vector<std::vector<Ray>> segments;
  /// Towards lights.
  std::vector<Ray> visibility;
};
PathRays record_paths(const Scene& scene, int width, int height, int bounces);

/// Eight bits a channel, sRGB, with highlights rolled off. An exposure of 0
/// stands for one that suits the picture.
std::vector<std::uint8_t> develop(const Image& image, double exposure);

}  // namespace tandem::cli
