// Kernels (gpu/kernel.h) on a CUDA device.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cuda/atomic>

#include "cuda/check.h"
#include "gpu/kernel.h"

namespace tandem::cuda {

/// What a kernel's body sees. Blocks have one dimension.
class Threads {
 public:
  __device__ std::uint32_t thread() const { return threadIdx.x; }
  __device__ std::uint32_t block() const { return blockIdx.x; }
  __device__ std::uint32_t block_size() const { return blockDim.x; }
  __device__ std::uint32_t lane() const { return threadIdx.x % detail::k_warp_size; }
  __device__ std::uint32_t active() const { return __activemask(); }
  __device__ std::uint32_t index() const { return blockIdx.x * blockDim.x + threadIdx.x; }
  __device__ std::uint32_t thread_count() const { return gridDim.x * blockDim.x; }

  __device__ void sync() const { __syncthreads(); }
  __device__ void sync_warp() const { __syncwarp(); }
  __device__ std::uint32_t ballot(bool condition) const {
    return __ballot_sync(0xffffffff, condition ? 1 : 0);
  }
  __device__ std::uint32_t match(std::uint32_t number) const {
    return __match_any_sync(0xffffffff, number);
  }
  template <class T>
  __device__ T shuffle(T value, std::uint32_t lane) const {
    return __shfl_sync(0xffffffff, value, static_cast<int>(lane));
  }
  template <class T>
  __device__ T atomic_add(T* address, T value) const {
    // CUDA knows the type of 64 bits by another name than <cstdint>.
    if constexpr (sizeof(T) == sizeof(unsigned long long)) {
      return atomicAdd(reinterpret_cast<unsigned long long*>(address), value);
    } else {
      return atomicAdd(address, value);
    }
  }
  template <class T>
  __device__ T atomic_max(T* address, T value) const {
    if constexpr (sizeof(T) == sizeof(unsigned long long)) {
      // The one type of this size that CUDA knows.
      return atomicMax(reinterpret_cast<unsigned long long*>(address), value);
    } else {
      return atomicMax(address, value);
    }
  }
  template <class T>
  __device__ T arrive(T* address, T value) const {
    return ::cuda::atomic_ref<T, ::cuda::thread_scope_device>(*address).exchange(
        value, ::cuda::memory_order_acq_rel);
  }
  __device__ std::uint32_t arrive_and_count(std::uint32_t* address) const {
    return ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device>(*address).fetch_add(
        1, ::cuda::memory_order_acq_rel);
  }
  __device__ void publish(unsigned long long* address, unsigned long long value) const {
    ::cuda::atomic_ref<unsigned long long, ::cuda::thread_scope_system>(*address).store(
        value, ::cuda::memory_order_relaxed);
  }
  template <class T>
  __device__ T arrive_in_block(T* address, T value) const {
    return ::cuda::atomic_ref<T, ::cuda::thread_scope_block>(*address).exchange(
        value, ::cuda::memory_order_acq_rel);
  }
};

/// How many blocks a processor is to hold at once, which limits the registers of a thread; a kernel
/// may say so (`k_blocks_per_processor`).
template <class Kernel>
constexpr int k_least_blocks = [] {
  if constexpr (requires { Kernel::k_blocks_per_processor; }) {
    return Kernel::k_blocks_per_processor;
  } else {
    return 1;
  }
}();

template <class Kernel, int k_block_size>
__global__ void __launch_bounds__(k_block_size, k_least_blocks<Kernel>)
    run_kernel(const Kernel kernel) {
  // Bytes, as no constructors may run for what is shared.
  using Shared = typename Kernel::Shared;
  __shared__ alignas(Shared) unsigned char shared[sizeof(Shared)];
#if __CUDA_ARCH__ >= 900
  // The next kernel may be started from now on, if it was put in by `launch_early`, and this one
  // waits for the end of the one before it.
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
  kernel(Threads(), *reinterpret_cast<Shared*>(shared));
}

/// Puts a kernel into the stream.
template <int k_block_size, class Kernel>
void launch(const Kernel& kernel, std::uint32_t block_count, cudaStream_t stream) {
  run_kernel<Kernel, k_block_size><<<block_count, k_block_size, 0, stream>>>(kernel);
  check(cudaGetLastError(), "start a kernel");
}

/// Whether the code of a kernel is for devices whose kernels wait for those before them.
template <class Kernel, int k_block_size>
bool waits_by_itself() {
  static const bool result = [] {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, run_kernel<Kernel, k_block_size>),
          "tell what a kernel is compiled for");
    return attributes.ptxVersion >= 90;
  }();
  return result;
}

/// Puts a kernel into the stream that may be started, on devices that can, before the one before it
/// has ended, and then waits for that: what it takes to start a kernel hardly counts.
template <int k_block_size, class Kernel>
void launch_early(const Kernel& kernel, std::uint32_t block_count, cudaStream_t stream) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(block_count);
  config.blockDim = dim3(k_block_size);
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = waits_by_itself<Kernel, k_block_size>() ? 1 : 0;
  check(cudaLaunchKernelEx(&config, run_kernel<Kernel, k_block_size>, kernel), "start a kernel");
}

/// What a thread of a kernel takes, and how much of the current device it leaves idle.
struct KernelRoom {
  int registers;
  /// Per thread, in the memory of the device: arrays that have addresses, and what registers do not
  /// hold.
  std::size_t local_bytes;
  /// Per block.
  std::size_t shared_bytes;
  /// The share of the warps that a processor has room for.
  double occupancy;
};

template <int k_block_size, class Kernel>
KernelRoom room_of() {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, run_kernel<Kernel, k_block_size>),
        "tell what a kernel needs");
  int device = 0;
  int most_threads = 0;
  int blocks = 0;
  check(cudaGetDevice(&device), "tell the current device");
  check(cudaDeviceGetAttribute(&most_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
        "tell how many threads a processor holds");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_kernel<Kernel, k_block_size>,
                                                      k_block_size, 0),
        "tell how many blocks run at once");
  return {attributes.numRegs, attributes.localSizeBytes, attributes.sharedSizeBytes,
          static_cast<double>(blocks * k_block_size) / most_threads};
}

/// How many blocks of a kernel run at once on the whole device.
template <int k_block_size, class Kernel>
std::uint32_t blocks_at_once() {
  int device = 0;
  int processors = 0;
  int blocks = 0;
  check(cudaGetDevice(&device), "tell the current device");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
        "tell how many processors a device has");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_kernel<Kernel, k_block_size>,
                                                      k_block_size, 0),
        "tell how many blocks run at once");
  return static_cast<std::uint32_t>(processors) * static_cast<std::uint32_t>(blocks);
}

}  // namespace tandem::cuda
