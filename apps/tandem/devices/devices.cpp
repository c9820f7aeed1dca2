#include "devices/devices.h"

#include <tandem/error.h>

#include "text/strings.h"

namespace tandem::cli {

bool has_cuda() {
#ifdef TANDEM_HAS_CUDA
  return true;
#else
  return false;
#endif
}

std::vector<cuda::DeviceInfo> cuda_devices() {
#ifdef TANDEM_HAS_CUDA
  return cuda::devices();
#else
  return {};
#endif
}

void add_device(CLI::App& app, std::string& device) {
  add_value_with_default(app, "--device", device, "NAME", "cpu, or cuda for a CUDA device");
}

Device parse_device(const std::string& name) {
  if (name == "cpu") return Device::cpu;
  if (name != "cuda") throw Error("--device: " + in_quotes(name) + " is neither cpu nor cuda");
  require_cuda("--device cuda");
  return Device::cuda;
}

void require_cuda(const std::string& wanted_by) {
#ifdef TANDEM_HAS_CUDA
  try {
    cuda::require_device();
  } catch (const Error& error) {
    throw Error(wanted_by + ": " + error.what());
  }
#else
  throw Error(wanted_by +
              ": this build of the program has no CUDA, which it gets where CMake finds nvcc");
#endif
}

}  // namespace tandem::cli
