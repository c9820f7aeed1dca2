#include <tandem/cuda/device.h>

#include <string>

#include "cuda/check.h"

namespace tandem::cuda {
namespace {

class Pool final : public Memory {
 public:
  void* allocate(std::size_t bytes, Stream stream) override {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, bytes, stream),
          ("allocate " + std::to_string(bytes) + " bytes").c_str());
    return memory;
  }
  void deallocate(void* memory, std::size_t, Stream stream) noexcept override {
    // Nothing can be done about a failure, which the next call meets as well.
    cudaFreeAsync(memory, stream);
  }
};

}  // namespace

Memory::~Memory() = default;

Memory& default_memory() {
  static Pool pool;
  return pool;
}

std::vector<DeviceInfo> devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  std::vector<DeviceInfo> result;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, i), "describe a device");
    result.push_back({.name = properties.name,
                      .major = properties.major,
                      .minor = properties.minor,
                      .memory_bytes = properties.totalGlobalMem,
                      .multiprocessors = properties.multiProcessorCount});
  }
  return result;
}

void require_device() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "find a device");
  if (count == 0) throw Error("CUDA cannot find a device: this machine has none");
}

}  // namespace tandem::cuda
