// tandem bench gpu: what is asked for, and the measurement itself.
#pragma once

#include <string>
#include <vector>

#include "options/shared_options.h"

namespace tandem::cli {

struct GpuBenchOptions {
  std::string scenes = "pile";
  std::string objects = "1000";
  std::string mesh;
  std::string triangles;
  std::string methods = "all";
  std::string beside = "tandem,threads";
  std::string sample = "200";
  std::string rounds = "31";
  bool steps = false;
  bool unique = false;
  MeasurementOptions measurement;
};

/// There is a device. Defined where the build has CUDA. Throws `tandem::Error`.
int bench_on_cuda(const GpuBenchOptions& options);

}  // namespace tandem::cli
