// Images: what the path tracer computes, and the bytes that a file holds.
#pragma once

#include <tandem/vec.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tandem::cli {

/// Radiance, row by row from the upper left.
struct Image {
  int width;
  int height;
  std::vector<Vec3d> pixels;

  Image(int width_, int height_)
      : width(width_),
        height(height_),
        pixels(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)) {}

  Vec3d& at(int x, int y) {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

/// The image in sRGB with eight bits per channel; highlights approach white smoothly. An exposure
/// of 0 stands for one that suits the image.
std::vector<std::uint8_t> develop(const Image& image, double exposure);

}  // namespace tandem::cli
