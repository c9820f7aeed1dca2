// How long work takes on a device, by events in its stream.
#pragma once

#include <cuda_runtime.h>
#include <tandem/cuda/device.h>

#include "cuda/check.h"

namespace tandem::cuda {

class Stopwatch {
 public:
  Stopwatch() {
    check(cudaEventCreate(&begin_), "make an event");
    check(cudaEventCreate(&end_), "make an event");
  }
  ~Stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  /// Calls `work`, which puts work into the stream, and waits for it.
  template <class Work>
  double seconds(const Place& place, const Work& work) {
    check(cudaEventRecord(begin_, place.stream), "record an event");
    work();
    check(cudaEventRecord(end_, place.stream), "record an event");
    check(cudaEventSynchronize(end_), "finish work on the device");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_), "tell the time between events");
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

}  // namespace tandem::cuda
