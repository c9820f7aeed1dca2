// A filter that takes the noise of few samples out of a picture, and leaves its edges.
#pragma once

#include <tandem/vec.h>

#include <cstddef>
#include <vector>

#include "render/image.h"

namespace tandem::cli {

/// What the paths of a pixel met first, as a mean over its samples: how pixels of one surface are
/// known from those of another.
struct PixelFeatures {
  /// Radiance that comes straight from lights and the sky. It has no noise but that of edges.
  Vec3f seen;
  /// The colour of the surface; zero where there is none.
  Vec3f albedo;
  Vec3f normal;
  /// Relative to the eye.
  Vec3f point;
  /// The variance of the mean brightness of the light that falls on the surface.
  float variance = 0;
};

struct Features {
  int width;
  int height;
  /// What a pixel covers at the distance 1.
  double pixel_size;
  std::vector<PixelFeatures> pixels;
};

/// The light that falls on surfaces is averaged over neighbours on the same surface, as far as they
/// do not differ by more than noise does; then the surfaces get their colours back. The wavelet
/// filter of Dammertz et al. (2010), guided by variance as in Schied et al. (2017). The same for
/// any number of threads.
Image denoised(const Image& image, const Features& features, int threads);

}  // namespace tandem::cli
