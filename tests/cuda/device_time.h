// How long work takes on a device, for tests that print it.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <limits>

#include "cuda/check.h"

namespace tandem::test {

/// The shortest time of some runs of what `work` puts into the default stream, in milliseconds.
template <class Work>
double device_time(const Work& work) {
  cudaEvent_t begin{};
  cudaEvent_t end{};
  cuda::check(cudaEventCreate(&begin), "make an event");
  cuda::check(cudaEventCreate(&end), "make an event");
  float least = std::numeric_limits<float>::max();
  for (int i = 0; i < 8; ++i) {
    cuda::check(cudaEventRecord(begin), "record an event");
    work();
    cuda::check(cudaEventRecord(end), "record an event");
    cuda::check(cudaEventSynchronize(end), "wait for an event");
    float time = 0;
    cuda::check(cudaEventElapsedTime(&time, begin, end), "tell the time");
    least = std::min(least, time);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return least;
}

}  // namespace tandem::test
