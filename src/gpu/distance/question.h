// What a search for distances is asked.
#pragma once

#include <tandem/cuda/collide.h>

#include <limits>

#include "gpu/waves/results.h"

namespace tandem::detail {

/// How far apart the models of each query are, or whether they come as close as a distance. All
/// arrays are in the memory of the device.
struct DistanceQuestion {
  /// For the closest pairs, of those that are closer than the limit; else null.
  cuda::DeviceDistance* results = nullptr;
  double limit = std::numeric_limits<double>::infinity();
  /// For whether there are pairs that are at most `within` apart: 1 if so; else null.
  WaveCount* any = nullptr;
  double within = 0;
};

}  // namespace tandem::detail
