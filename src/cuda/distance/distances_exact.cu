// The kernels of distances that need exact arithmetic.
#include "cuda/distance/on_distances.h"

namespace tandem::cuda {

void OnDistances::launch_parts(const detail::ComputeCloseDistances& kernel) const {
  OnWaves::launch_parts(kernel);
}
void OnDistances::launch_parts(const detail::WriteDistances& kernel) const {
  OnWaves::launch_parts(kernel);
}

}  // namespace tandem::cuda
