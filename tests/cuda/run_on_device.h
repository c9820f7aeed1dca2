// What the tests of tandem::cuda on the host have in common: how they end.
#pragma once

#include <tandem/cuda/device.h>

#include <cstdio>
#include <exception>

namespace tandem::test {

/// Where there is a device, calls `same`, which compares it with the host and tells whether all was
/// the same. Returns the exit status of the test.
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
