// Runs kernels one after the other in a stream, with scratch memory that goes when they are done.
#pragma once

#include <tandem/cuda/device.h>

#include <thrust/iterator/transform_iterator.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "cuda/check.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"

namespace tandem::cuda {

/// What `TreeBuilder` and its kin run on.
class OnStream {
 public:
  explicit OnStream(const Place& place) : place_(place) {}

  const Place& place() const { return place_; }

  template <class T>
  DeviceArray<T> array(std::size_t count) const {
    return DeviceArray<T>(count, place_);
  }
  template <class T>
  DeviceArray<T> zeros(std::size_t count) const {
    DeviceArray<T> result(count, place_);
    result.clear();
    return result;
  }

  /// The kernel may be started before the one before it has ended, and waits for that.
  template <class Kernel>
  void launch(const Kernel& kernel, std::uint32_t thread_count) const {
    constexpr std::uint32_t k_block_size = detail::k_block_size_of<Kernel>;
    launch_early<k_block_size>(kernel, (thread_count + k_block_size - 1) / k_block_size,
                               place_.stream);
  }

  template <class Kernel>
  static std::uint32_t threads_at_once() {
    constexpr std::uint32_t k_block_size = detail::k_block_size_of<Kernel>;
    static const std::uint32_t threads = blocks_at_once<k_block_size, Kernel>() * k_block_size;
    return threads;
  }

  template <class Key>
  void sort(const Key* keys, const std::uint32_t* ids, Key* to_keys, std::uint32_t* to_ids,
            std::uint32_t count, int bits) const {
    with_scratch("sort", [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, to_keys, ids, to_ids, count, 0,
                                             bits, place_.stream);
    });
  }

  void sort_keys(const std::uint64_t* keys, std::uint64_t* to, std::uint32_t count,
                 int bits) const {
    with_scratch("sort", [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortKeys(scratch, bytes, keys, to, count, 0, bits,
                                            place_.stream);
    });
  }

  void sums_before(const std::uint32_t* numbers, std::uint32_t* to, std::uint32_t count) const {
    add_up(numbers, to, count);
  }
  template <class T, class NumberOf>
  void sums_before(const T* words, std::uint32_t* to, std::uint32_t count,
                   NumberOf number_of) const {
    add_up(thrust::make_transform_iterator(words, number_of), to, count);
  }

  template <class T>
  DeviceArray<T> kept(std::size_t count) const {
    DeviceArray<T> result(count, place_);
    result.free_in(nullptr);
    return result;
  }
  template <class T>
  void let_go(DeviceArray<T>& array) const {
    array.free_in(place_.stream);
  }
  template <class T>
  void copy(const T* from, T* to, std::size_t count) const {
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice, place_.stream),
          "copy on the device");
  }

  template <class T, std::size_t count>
  std::array<T, count> read(const std::array<const T*, count>& from) const {
    std::array<T, count> result;
    for (std::size_t i = 0; i < count; ++i) {
      check(cudaMemcpyAsync(&result[i], from[i], sizeof(T), cudaMemcpyDeviceToHost, place_.stream),
            "copy from the device");
    }
    check(cudaStreamSynchronize(place_.stream), "finish work on the device");
    return result;
  }

 private:
  template <class Numbers>
  void add_up(const Numbers& numbers, std::uint32_t* to, std::uint32_t count) const {
    with_scratch("add up numbers", [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveSum(scratch, bytes, numbers, to, count, place_.stream);
    });
  }

  /// CUB's functions are called twice: at first only to tell how many bytes they need.
  template <class Work>
  void with_scratch(const char* what, const Work& work) const {
    std::size_t bytes = 0;
    check(work(nullptr, bytes), what);
    const DeviceArray<std::byte> scratch(bytes, place_);
    check(work(scratch.data(), bytes), what);
  }

  Place place_;
};

}  // namespace tandem::cuda
