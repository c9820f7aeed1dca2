// Random numbers of the path tracer.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace tandem::cli {

/// Random numbers of one sample of a pixel (SplitMix64). They give points of a sequence that fills
/// the unit square evenly as the number of samples grows (Roberts 2018). Each use of a point has
/// its own shift and its own order of the samples, so that uses do not depend on each other.
class PixelRandom {
 public:
  PixelRandom(std::uint64_t pixel, int sample, int sample_count)
      : state_(mix(pixel + 0x9e3779b97f4a7c15)),
        sample_(static_cast<std::uint32_t>(sample)),
        sample_count_(static_cast<std::uint32_t>(sample_count)) {}

  struct Point {
    double x;
    double y;
  };
  /// The steps of the sequence.
  static constexpr double k_step_x = 0.7548776662466927;
  static constexpr double k_step_y = 0.5698402909980532;

  static double fraction(double x) { return x - std::floor(x); }

  Point point() {
    const double index = permuted(static_cast<std::uint32_t>(next()));
    return {fraction(uniform() + k_step_x * index), fraction(uniform() + k_step_y * index)};
  }

 private:
  static std::uint64_t mix(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    return mix(state_);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// The sample's place in an order of all samples that the seed chooses: a cipher on as many bits
  /// as their number needs, repeated until the result is below that number (Kensler 2013).
  std::uint32_t permuted(std::uint32_t seed) const {
    const std::uint32_t mask = std::bit_ceil(sample_count_) - 1;
    if (mask == 0) return 0;
    const int shift = std::max(1, static_cast<int>(std::bit_width(mask)) / 2);
    std::uint32_t i = sample_;
    do {
      i = (i ^ seed) & mask;
      i = (i * 0xe170893d) & mask;
      i ^= i >> shift;
      i = (i ^ (seed >> 8)) & mask;
      i = (i * 0x6935fa69) & mask;
      i ^= i >> shift;
      i = (i * 0x0929eb3f) & mask;
      i ^= i >> shift;
    } while (i >= sample_count_);
    return i;
  }

  std::uint64_t state_;
  std::uint32_t sample_;
  std::uint32_t sample_count_;
};

}  // namespace tandem::cli
