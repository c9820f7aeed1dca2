// Runs the kernels of waves in a stream.
#pragma once

#include <tandem/cuda/device.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "cuda/check.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "gpu/waves/nodes.h"
#include "gpu/waves/queue.h"

namespace tandem::cuda {

/// In the memory of the host, where kernels can write.
template <class T>
class SeenByHost {
 public:
  SeenByHost() {
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, sizeof(T), cudaHostAllocMapped), "allocate memory of the host");
    data_ = static_cast<T*>(memory);
  }
  ~SeenByHost() {
    if (data_ != nullptr) cudaFreeHost(data_);
  }
  SeenByHost(SeenByHost&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  SeenByHost& operator=(SeenByHost&&) = delete;

  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

/// What `WaveSearch` runs on. Each kernel may be started before the one before it has ended, and
/// waits for that end itself.
class OnWaves {
 public:
  explicit OnWaves(const Place& place) : place_(place) {}

  /// These arrays may live longer than the stream.
  template <class T>
  DeviceArray<T> array(std::size_t count) const {
    DeviceArray<T> result(count, place_);
    result.free_in(nullptr);
    return result;
  }
  template <class T>
  DeviceArray<T> zeros(std::size_t count) const {
    DeviceArray<T> result(count, place_);
    result.clear();
    result.free_in(nullptr);
    return result;
  }
  template <class T>
  SeenByHost<T> seen_by_host() const {
    return SeenByHost<T>();
  }

  template <class Kernel>
  void launch(const Kernel& kernel, std::uint32_t thread_count) const {
    launch_early<k_block_size>(kernel, (thread_count + k_block_size - 1) / k_block_size,
                               place_.stream);
  }
  template <class Kernel>
  void launch_parts(const Kernel& kernel) const {
    constexpr std::uint32_t k_parts = detail::PairQueue::k_most_parts;
    // Asked once: the answer takes longer than a kernel.
    static const std::uint32_t blocks = blocks_at_once<k_block_size, Kernel>() / k_parts * k_parts;
    launch_early<k_block_size>(kernel, blocks > 0 ? blocks : k_parts, place_.stream);
  }

  void wait() const { check(cudaStreamSynchronize(place_.stream), "find touching triangles"); }
  template <class T>
  void to_host(const T* from, T* to, std::size_t count) const {
    copy(from, to, count);
  }
  template <class T>
  void to_device(const T* from, T* to, std::size_t count) const {
    copy(from, to, count);
  }
  template <class T>
  void move(const T* from, T* to, std::size_t count) const {
    copy(from, to, count);
  }

 private:
  static constexpr int k_block_size = detail::k_wave_block_size;

  template <class T>
  void copy(const T* from, T* to, std::size_t count) const {
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDefault, place_.stream),
          "copy memory");
    wait();
  }

  Place place_;
};

}  // namespace tandem::cuda
