#include <tandem/cuda/device.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "cuda/check.h"

namespace tandem::cuda {
namespace {

/// A pool for each device. What is freed stays in it, as the next call is likely to need as much.
class Pools final : public Memory {
 public:
  void* allocate(std::size_t bytes, Stream stream) override {
    void* memory = nullptr;
    check(cudaMallocFromPoolAsync(&memory, bytes, pool_of_current_device(), stream),
          ("allocate " + std::to_string(bytes) + " bytes").c_str());
    return memory;
  }
  void deallocate(void* memory, std::size_t, Stream stream) noexcept override {
    // Nothing can be done about a failure, which the next call meets as well.
    cudaFreeAsync(memory, stream);
  }

 private:
  cudaMemPool_t pool_of_current_device() {
    int device = 0;
    check(cudaGetDevice(&device), "tell the current device");
    const std::lock_guard lock(mutex_);
    const auto place = static_cast<std::size_t>(device);
    if (place >= pools_.size()) pools_.resize(place + 1, nullptr);
    if (pools_[place] == nullptr) pools_[place] = make_pool(device);
    return pools_[place];
  }

  static cudaMemPool_t make_pool(int device) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    cudaMemPool_t pool = nullptr;
    check(cudaMemPoolCreate(&pool, &properties), "make a pool of memory");
    std::uint64_t kept_bytes = ~std::uint64_t{0};
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept_bytes),
          "keep memory");
    return pool;
  }

  std::mutex mutex_;
  /// By device. They live as long as the process.
  std::vector<cudaMemPool_t> pools_;
};

}  // namespace

Memory::~Memory() = default;

Memory& default_memory() {
  static Pools pools;
  return pools;
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
  int driver = 0;
  check(cudaDriverGetVersion(&driver), "find a device");
  if (driver == 0) throw Error("CUDA cannot find a device: this machine has no CUDA driver");
  int count = 0;
  check(cudaGetDeviceCount(&count), "find a device");
  if (count == 0) throw Error("CUDA cannot find a device: this machine has none");
}

}  // namespace tandem::cuda
