// Runs kernels one after the other in a stream, with scratch memory that goes when they are done.
#pragma once

#include <tandem/cuda/device.h>

#include <cstdint>
#include <cub/device/device_radix_sort.cuh>

#include "cuda/check.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"

namespace tandem::cuda {

/// What `build_curve_tree` and its kin run on.
class OnStream {
 public:
  explicit OnStream(const Place& place) : place_(place) {}

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

  template <class Kernel>
  void launch(const Kernel& kernel, std::uint32_t thread_count) const {
    constexpr int k_block_size = 128;
    cuda::launch<k_block_size>(kernel, (thread_count + k_block_size - 1) / k_block_size,
                               place_.stream);
  }

  void sort(const std::uint64_t* keys, const std::uint32_t* ids, std::uint64_t* to_keys,
            std::uint32_t* to_ids, std::uint32_t count, int bits) const {
    std::size_t bytes = 0;
    const auto sort = [&](void* scratch) {
      check(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, to_keys, ids, to_ids, count, 0,
                                            bits, place_.stream),
            "sort");
    };
    sort(nullptr);
    const DeviceArray<std::byte> scratch(bytes, place_);
    sort(scratch.data());
  }

 private:
  Place place_;
};

}  // namespace tandem::cuda
