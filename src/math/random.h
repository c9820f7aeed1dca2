// Random numbers that are the same on every platform, unlike those of <random>'s distributions.
#pragma once

#include <cstdint>

namespace tandem::detail {

/// SplitMix64 (Steele, Lea and Flood 2014): each seed gives its own sequence of 2^64 numbers.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// 64 uniform bits.
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    return mix(state_);
  }

  /// Uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Uniform in [lower, upper); rounding may return `upper`.
  double uniform(double lower, double upper) { return lower + (upper - lower) * uniform(); }

  /// One of 0 to bound - 1; `bound` is at least 1. The bias is below bound / 2^64.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

  /// The generator's mixing step alone: a hash of 64 bits.
  static constexpr std::uint64_t mix(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace tandem::detail
