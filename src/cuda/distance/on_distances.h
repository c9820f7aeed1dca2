// Runs the kernels of distances in a stream.
#pragma once

#include "cuda/on_waves.h"
#include "gpu/distance/decide.h"

namespace tandem::cuda {

/// As kernels of waves. Those with exact arithmetic take long to compile, so they have a source of
/// their own.
class OnDistances : public OnWaves {
 public:
  using OnWaves::launch_parts;
  using OnWaves::OnWaves;

  void launch_parts(const detail::ComputeCloseDistances& kernel) const;
  void launch_parts(const detail::WriteDistances& kernel) const;
};

}  // namespace tandem::cuda
