// Runs the waves of src/gpu/waves on the CPU, for tests.
#pragma once

#include <tandem/batch.h>
#include <tandem/model.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "gpu/cpu_grid.h"
#include "gpu/waves/pack.h"
#include "gpu/waves/search.h"
#include "query/device_source.h"

namespace tandem::test {

/// Runs kernels on the CPU (see `WaveSearch`).
class WavesOnCpu {
 public:
  template <class T>
  class Array {
   public:
    explicit Array(std::size_t count) : data_(new T[count]()) {}
    T* data() const { return data_.get(); }

   private:
    std::unique_ptr<T[]> data_;
  };

  explicit WavesOnCpu(std::uint64_t seed) : seed_(seed) {}

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
  template <class T>
  Array<T> seen_by_host() {
    return Array<T>(1);
  }
  template <class Kernel>
  void launch(const Kernel& kernel, std::uint32_t thread_count) {
    const std::uint32_t threads = block_size();
    launch_on_cpu(kernel, {(thread_count + threads - 1) / threads, threads}, seed_);
  }
  template <class Kernel>
  void launch_parts(const Kernel& kernel) {
    const std::uint32_t threads = block_size();
    const auto times = static_cast<std::uint32_t>(1 + seed_ / 8 % 2);
    launch_on_cpu(kernel, {times * detail::PairQueue::k_most_parts, threads}, seed_);
  }
  template <class Launches>
  static void repeat(const detail::WaveKey&, const Launches& launches) {
    launches();
  }
  static void wait() {}
  template <class T>
  static void to_host(const T* from, T* to, std::size_t count) {
    std::copy_n(from, count, to);
  }
  template <class T>
  static void to_device(const T* from, T* to, std::size_t count) {
    std::copy_n(from, count, to);
  }
  template <class T>
  static void move(const T* from, T* to, std::size_t count) {
    std::copy_n(from, count, to);
  }

 private:
  /// Mostly one warp, which is faster here.
  std::uint32_t block_size() {
    ++seed_;
    return (seed_ % 8 == 0 ? detail::k_wave_warps : 1) * detail::k_warp_size;
  }

  std::uint64_t seed_;
};

/// Models as waves see them, in the memory of the host.
class ModelsOfWaves {
 public:
  explicit ModelsOfWaves(std::span<const Model> models) {
    for (const Model& model : models) packed_.add(model.mesh(), inside::wide(model));
    packed_.point_to(packed_.supports.data(), packed_.own_triangles.data());
  }
  detail::WaveModels view() const {
    return {packed_.models.data(), packed_.blocks.data(), packed_.leaves.data(),
            packed_.triangles.data()};
  }
  const detail::WaveShape& shape() const { return packed_.shape; }
  const detail::PackedWaveModels& packed() const { return packed_; }

 private:
  detail::PackedWaveModels packed_;
};

/// Sorted as `collide_batch` sorts.
inline BatchResult sorted_result(const detail::FoundPair* found, std::size_t found_count,
                                 std::size_t query_count) {
  std::vector<detail::FoundPair> pairs(found, found + found_count);
  std::sort(pairs.begin(), pairs.end(), [](const auto& x, const auto& y) {
    return x.query != y.query ? x.query < y.query : x.pair < y.pair;
  });
  BatchResult result;
  result.offsets.resize(query_count + 1);
  for (const detail::FoundPair& pair : pairs) {
    ++result.offsets[pair.query + 1];
    result.pairs.push_back(pair.pair);
  }
  for (std::size_t i = 0; i < query_count; ++i) result.offsets[i + 1] += result.offsets[i];
  return result;
}

}  // namespace tandem::test
