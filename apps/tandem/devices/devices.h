// This room knows what programs can run on: the processor, and the CUDA devices of the machine. It
// uses the public API, text/ and options/, and tandem::cuda where the build has it.
#pragma once

#include <tandem/cuda/device.h>

#include <string>
#include <vector>

#include "options/command_line.h"

namespace tandem::cli {

enum class Device { cpu, cuda };

/// Whether tandem::cuda is part of this build.
bool has_cuda();

/// The CUDA devices of the machine; none where there are none, or no part of this build uses them.
std::vector<cuda::DeviceInfo> cuda_devices();

/// --device, for commands that run on either.
void add_device(CLI::App& app, std::string& device);

/// The value of `--device`: `cpu` or `cuda`. Throws `tandem::Error` for other names, and for `cuda`
/// where this build or this machine has no such device.
Device parse_device(const std::string& name);

/// Throws `tandem::Error` that begins with who wants it where there is no CUDA device.
void require_cuda(const std::string& wanted_by);

}  // namespace tandem::cli
