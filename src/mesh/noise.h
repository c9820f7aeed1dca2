// Smooth noise in space, for rocks.
#pragma once

#include <tandem/vec.h>

#include <cmath>
#include <cstdint>

#include "math/random.h"

namespace tandem::detail {

/// Value noise: uniform numbers at the points of the integer lattice, blended by a quintic whose
/// first two derivatives vanish there. Octaves of doubled frequency and halved amplitude add
/// detail. The result lies in [-1, 1] and is the same on every platform.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : seed_(Random(seed).next()) {}

  double operator()(const Vec3d& point, int octave_count) const {
    double sum = 0;
    double total = 0;
    double amplitude = 1;
    double frequency = 1;
    for (int octave = 0; octave < octave_count; ++octave) {
      sum += amplitude * octave_value(frequency * point, static_cast<std::uint64_t>(octave));
      total += amplitude;
      amplitude /= 2;
      frequency *= 2;
    }
    return sum / total;
  }

 private:
  double octave_value(const Vec3d& point, std::uint64_t octave) const {
    const Vec3d cell(std::floor(point.x), std::floor(point.y), std::floor(point.z));
    const Vec3d offset = point - cell;
    const Vec3d weight(blend(offset.x), blend(offset.y), blend(offset.z));
    double value = 0;
    for (int corner = 0; corner < 8; ++corner) {
      Vec3d lattice = cell;
      double share = 1;
      for (int axis = 0; axis < 3; ++axis) {
        const bool upper = (corner >> axis & 1) != 0;
        lattice[axis] += upper ? 1 : 0;
        share *= upper ? weight[axis] : 1 - weight[axis];
      }
      value += share * lattice_value(lattice, octave);
    }
    return value;
  }

  /// Uniform in [-1, 1).
  double lattice_value(const Vec3d& lattice, std::uint64_t octave) const {
    std::uint64_t bits = Random::mix(seed_ + octave);
    for (int axis = 0; axis < 3; ++axis) {
      bits = Random(bits ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(lattice[axis])))
                 .next();
    }
    return static_cast<double>(bits >> 11) * 0x1p-52 - 1;
  }

  static double blend(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }

  std::uint64_t seed_;
};

}  // namespace tandem::detail
