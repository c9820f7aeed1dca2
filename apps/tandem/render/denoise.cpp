#include "render/denoise.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "parallel/parallel_for.h"
#include "render/colour.h"

namespace tandem::cli {

namespace {

/// The light that falls on the surface of a pixel, and the variance of its brightness.
struct Light {
  Vec3f colour;
  float variance = 0;
};

/// Times that the filter is applied; each time its steps are twice as long, up to 16 pixels.
constexpr int k_passes = 5;

class Filter {
 public:
  Filter(const Image& image, const Features& features, int threads)
      : image_(image), features_(features), threads_(threads), light_(image.pixels.size()) {
    for (std::size_t i = 0; i < light_.size(); ++i) {
      const PixelFeatures& f = features.pixels[i];
      const Vec3d reflected = image.pixels[i] - Vec3d(f.seen);
      for (int channel = 0; channel < 3; ++channel) {
        if (f.albedo[channel] > k_black) {
          light_[i].colour[channel] = static_cast<float>(reflected[channel] / f.albedo[channel]);
        }
      }
      light_[i].variance = f.variance;
    }
  }

  Image run() {
    std::vector<Light> next(light_.size());
    for (int pass = 0; pass < k_passes; ++pass) {
      const int step = 1 << pass;
      detail::parallel_for(static_cast<std::size_t>(features_.height), 1, threads_,
                           [&](std::size_t row, std::size_t) {
                             for (int x = 0; x < features_.width; ++x) {
                               const int y = static_cast<int>(row);
                               next[index(x, y)] = filtered(x, y, step);
                             }
                           });
      std::swap(light_, next);
    }
    Image result = image_;
    for (std::size_t i = 0; i < light_.size(); ++i) {
      const PixelFeatures& f = features_.pixels[i];
      for (int channel = 0; channel < 3; ++channel) {
        // What is too dark to have its colour taken out stays as it is.
        if (!(f.albedo[channel] > k_black)) continue;
        result.pixels[i][channel] =
            double{f.seen[channel]} + double{f.albedo[channel]} * light_[i].colour[channel];
      }
    }
    return result;
  }

 private:
  static constexpr float k_black = 1e-3F;

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(features_.width) +
           static_cast<std::size_t>(x);
  }

  static float brightness(const Light& light) {
    return static_cast<float>(luminance(Vec3d(light.colour)));
  }

  static bool has_surface(const PixelFeatures& f) {
    return f.albedo.x + f.albedo.y + f.albedo.z > 3 * k_black && length_sq(f.normal) > 0;
  }

  /// The mean of the variances around a pixel: each alone is noise itself.
  float variance_around(int x, int y) const {
    float sum = 0;
    float count = 0;
    for (int j = std::max(0, y - 1); j <= std::min(features_.height - 1, y + 1); ++j) {
      for (int i = std::max(0, x - 1); i <= std::min(features_.width - 1, x + 1); ++i) {
        sum += light_[index(i, j)].variance;
        ++count;
      }
    }
    return sum / count;
  }

  Light filtered(int x, int y, int step) const {
    // A cubic B-spline.
    constexpr float k_kernel[] = {3.0F / 8, 1.0F / 4, 1.0F / 16};
    const std::size_t here = index(x, y);
    const PixelFeatures& f = features_.pixels[here];
    if (!has_surface(f)) return light_[here];
    const Vec3f normal = normalised(f.normal);
    const float brightness_here = brightness(light_[here]);
    const float noise = 4 * std::sqrt(variance_around(x, y)) + 1e-20F;
    const auto tolerance = static_cast<float>(features_.pixel_size * step) * length(f.point);
    Vec3f colour{0, 0, 0};
    float variance = 0;
    float total = 0;
    for (int j = -2; j <= 2; ++j) {
      for (int i = -2; i <= 2; ++i) {
        const int at_x = x + i * step;
        const int at_y = y + j * step;
        if (at_x < 0 || at_x >= features_.width || at_y < 0 || at_y >= features_.height) continue;
        const std::size_t there = index(at_x, at_y);
        const PixelFeatures& g = features_.pixels[there];
        if (!has_surface(g)) continue;
        // The same surface: its normal, and its distance from this one's plane.
        float same = std::max(0.0F, dot(normal, g.normal) / length(g.normal));
        for (int k = 0; k < 5; ++k) same *= same;
        const float off_plane = std::fabs(dot(normal, g.point - f.point)) / tolerance;
        const float differs = std::fabs(brightness(light_[there]) - brightness_here) / noise;
        const float weight =
            k_kernel[std::abs(i)] * k_kernel[std::abs(j)] * same * std::exp(-off_plane - differs);
        if (!(weight > 0)) continue;
        colour += weight * light_[there].colour;
        variance += weight * weight * light_[there].variance;
        total += weight;
      }
    }
    if (!(total > 0)) return light_[here];
    return {colour / total, variance / (total * total)};
  }

  const Image& image_;
  const Features& features_;
  int threads_;
  std::vector<Light> light_;
};

}  // namespace

Image denoised(const Image& image, const Features& features, int threads) {
  return Filter(image, features, threads).run();
}

}  // namespace tandem::cli
