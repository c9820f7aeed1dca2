// Every call of CUDA is checked.
#pragma once

#include <cuda_runtime.h>
#include <tandem/error.h>

#include <string>

namespace tandem::cuda {

/// Throws `tandem::Error` unless the call went well.
inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  // What went wrong is said here, so that the next call does not say it again.
  cudaGetLastError();
  throw Error(std::string("CUDA cannot ") + what + ": " + cudaGetErrorString(error));
}

}  // namespace tandem::cuda
