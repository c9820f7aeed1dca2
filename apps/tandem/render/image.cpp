#include "render/image.h"

#include <algorithm>
#include <cmath>

#include "render/colour.h"

namespace tandem::cli {

namespace {

/// Makes the mean of all pixels that are not black middle grey, unless a tenth of them would be too
/// bright then. The mean is of logarithms, so that a few lamps do not darken the rest.
double automatic_exposure(const Image& image) {
  std::vector<double> brightness;
  double sum = 0;
  for (const Vec3d& pixel : image.pixels) {
    if (!(luminance(pixel) > 0)) continue;
    brightness.push_back(luminance(pixel));
    sum += std::log(brightness.back());
  }
  if (brightness.empty()) return 1;
  const auto high = brightness.begin() + static_cast<std::ptrdiff_t>(brightness.size() * 9 / 10);
  std::nth_element(brightness.begin(), high, brightness.end());
  return std::min(0.25 / std::exp(sum / static_cast<double>(brightness.size())), 1.2 / *high);
}

}  // namespace

std::vector<std::uint8_t> develop(const Image& image, double exposure) {
  if (exposure == 0) exposure = automatic_exposure(image);
  std::vector<std::uint8_t> bytes;
  bytes.reserve(3 * image.pixels.size());
  for (const Vec3d& pixel : image.pixels) {
    for (int channel = 0; channel < 3; ++channel) {
      // Almost linear for shadows and middle tones; what is brighter approaches white (Reinhard et
      // al. 2002).
      constexpr double k_white_sq = 3 * 3;
      const double x = exposure * pixel[channel];
      const double y = std::min(1.0, x * (1 + x / k_white_sq) / (1 + x) * 1.25);
      const double srgb = y <= 0.0031308 ? 12.92 * y : 1.055 * std::pow(y, 1 / 2.4) - 0.055;
      bytes.push_back(static_cast<std::uint8_t>(std::lround(255 * std::clamp(srgb, 0.0, 1.0))));
    }
  }
  return bytes;
}

}  // namespace tandem::cli
