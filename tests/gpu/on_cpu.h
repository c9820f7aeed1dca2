// Runs kernels one after the other on the CPU, in memory of the host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "gpu/cpu_grid.h"

namespace tandem::test {

/// What `build_curve_tree` and its kin run on.
class OnCpu {
 public:
  template <class T>
  class Array {
   public:
    explicit Array(std::size_t count) : data_(new T[count]()) {}
    T* data() const { return data_.get(); }

   private:
    std::unique_ptr<T[]> data_;
  };

  explicit OnCpu(std::uint64_t seed) : seed_(seed) {}

  template <class T>
  Array<T> zeros(std::size_t count) {
    return Array<T>(count);
  }
  template <class T>
  Array<T> array(std::size_t count) {
    Array<T> result(count);
    std::memset(static_cast<void*>(result.data()), 0xcd, count * sizeof(T));
    return result;
  }
  template <class Kernel>
  void launch(const Kernel& kernel, std::uint32_t thread_count) {
    launch_on_cpu(kernel, {(thread_count + 63) / 64, 64}, ++seed_);
  }
  void sort(const std::uint64_t* keys, const std::uint32_t* ids, std::uint64_t* to_keys,
            std::uint32_t* to_ids, std::uint32_t count, int bits) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return (keys[a] & mask) < (keys[b] & mask);
    });
    for (std::uint32_t i = 0; i < count; ++i) {
      to_keys[i] = keys[order[i]];
      to_ids[i] = ids[order[i]];
    }
  }

 private:
  std::uint64_t seed_;
};

}  // namespace tandem::test
