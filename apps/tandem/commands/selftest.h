// Checks of tandem selftest.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "text/progress_bar.h"

namespace tandem::cli {

/// Something that must give the same answers in two ways.
struct SelfCheck {
  std::string name;
  /// How many cases were the same; throws `tandem::Error`, which names the first other one.
  std::function<std::uint64_t(std::uint64_t seed, const Progress& progress)> run;
};

/// Those on a CUDA device; only where the build has CUDA.
std::vector<SelfCheck> cuda_checks();

}  // namespace tandem::cli
