// Random numbers of the path tracer.
#pragma once

#include <tandem/host_device.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace tandem::cli {

/// Orders of all samples of a pixel.
class SampleOrders {
 public:
  explicit SampleOrders(int sample_count)
      : count_(static_cast<std::uint32_t>(sample_count)),
        mask_(std::bit_ceil(count_) - 1),
        shift_(std::max(1, static_cast<int>(std::bit_width(mask_)) / 2)) {}

  TANDEM_HD std::uint32_t count() const { return count_; }

  /// The sample's place in the order that the seed chooses: a cipher on as many bits as the number
  /// of samples needs, repeated until the result is below that number (Kensler 2013).
  TANDEM_HD std::uint32_t place(std::uint32_t sample, std::uint32_t seed) const {
    if (mask_ == 0) return 0;
    std::uint32_t i = sample;
    do {
      i = (i ^ seed) & mask_;
      i = (i * 0xe170893d) & mask_;
      i ^= i >> shift_;
      i = (i ^ (seed >> 8)) & mask_;
      i = (i * 0x6935fa69) & mask_;
      i ^= i >> shift_;
      i = (i * 0x0929eb3f) & mask_;
      i ^= i >> shift_;
    } while (i >= count_);
    return i;
  }

 private:
  std::uint32_t count_;
  std::uint32_t mask_;
  int shift_;
};

/// Random numbers of one sample of a pixel (SplitMix64). They give points of a sequence that fills
/// the unit square evenly as the number of samples grows (Roberts 2018). Each use of a point has
/// its own shift and its own order of the samples, so that uses do not depend on each other.
class PixelRandom {
 public:
  PixelRandom() = default;
  TANDEM_HD PixelRandom(std::uint64_t pixel, std::uint32_t sample)
      : state_(mix(pixel + 0x9e3779b97f4a7c15)), sample_(sample) {}

  struct Point {
    double x;
    double y;
  };
  /// The steps of the sequence.
  static constexpr double k_step_x = 0.7548776662466927;
  static constexpr double k_step_y = 0.5698402909980532;

  TANDEM_HD static double fraction(double x) { return x - std::floor(x); }

  TANDEM_HD Point point(const SampleOrders& orders) {
    const double index = orders.place(sample_, static_cast<std::uint32_t>(next()));
    const double x = fraction(uniform() + k_step_x * index);
    const double y = fraction(uniform() + k_step_y * index);
    return {x, y};
  }

 private:
  TANDEM_HD static std::uint64_t mix(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }
  TANDEM_HD std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    return mix(state_);
  }
  TANDEM_HD double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  std::uint64_t state_ = 0;
  std::uint32_t sample_ = 0;
};

}  // namespace tandem::cli
