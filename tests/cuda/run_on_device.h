// What the tests of tandem::cuda on the host have in common: how they end.
#pragma once

#include <tandem/cuda/device.h>

#include <cstdio>
#include <exception>

namespace tandem::test {

/// Calls `same`, which compares host and device and tells whether all was the same, where there is a
/// device. Returns the exit status of the test.
template <class Same>
int run_on_device(const Same& same) {
  constexpr int k_skipped = 77;
  try {
    if (cuda::devices().empty()) {
      std::printf("no CUDA device here: skipped\n");
      return k_skipped;
    }
    return same() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace tandem::test
