// An array in the memory of a device.
#pragma once

#include <cuda_runtime.h>
#include <tandem/cuda/device.h>

#include <cstddef>
#include <utility>

#include "cuda/check.h"

namespace tandem::cuda {

/// The memory that a call uses.
inline Memory& memory_of(const Place& place) {
  return place.memory != nullptr ? *place.memory : default_memory();
}

/// Allocated and freed in the order of a stream.
template <class T>
class DeviceArray {
 public:
  DeviceArray(std::size_t count, const Place& place)
      : memory_(&memory_of(place)), stream_(place.stream), count_(count) {
    if (count > 0) data_ = static_cast<T*>(memory_->allocate(count * sizeof(T), stream_));
  }
  ~DeviceArray() {
    if (data_ != nullptr) memory_->deallocate(data_, count_ * sizeof(T), stream_);
  }
  DeviceArray(DeviceArray&& other) noexcept
      : memory_(other.memory_),
        stream_(other.stream_),
        count_(std::exchange(other.count_, 0)),
        data_(std::exchange(other.data_, nullptr)) {}
  DeviceArray& operator=(DeviceArray&&) = delete;

  T* data() const { return data_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

  /// For arrays that live longer than the stream in which they were made.
  void free_in(Stream stream) { stream_ = stream; }

  void clear() {
    if (count_ == 0) return;
    check(cudaMemsetAsync(data_, 0, bytes(), stream_), "clear memory");
  }
  void copy_from(const T* host) {
    if (count_ == 0) return;
    check(cudaMemcpyAsync(data_, host, bytes(), cudaMemcpyHostToDevice, stream_),
          "copy to the device");
  }
  void copy_to(T* host) const {
    if (count_ == 0) return;
    check(cudaMemcpyAsync(host, data_, bytes(), cudaMemcpyDeviceToHost, stream_),
          "copy from the device");
  }

 private:
  Memory* memory_;
  Stream stream_;
  std::size_t count_;
  T* data_ = nullptr;
};

}  // namespace tandem::cuda
