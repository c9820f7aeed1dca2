// Runs the waves of src/gpu/waves on the CPU, for tests.
#pragma once

#include <tandem/batch.h>
#include <tandem/model.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/cpu_grid.h"
#include "gpu/on_cpu.h"
#include "gpu/waves/pack.h"
#include "gpu/waves/search.h"
#include "query/device_source.h"

namespace tandem::test {

/// Runs kernels on the CPU (see `WaveSearch`).
class WavesOnCpu : public OnCpu {
 public:
  explicit WavesOnCpu(std::uint64_t seed) : OnCpu(seed), seed_(seed) {}

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
  static void wait_for(const detail::WaveCount&) {}
  template <class T>
  static void copy_now(const T* from, T* to, std::size_t count) {
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
  explicit ModelsOfWaves(std::span<const Model> models)
      : packed_(sources(models), [](std::size_t count, const auto& work) {
          for (std::size_t i = count; i-- > 0;) work(i);
        }) {
    packed_.point_to(packed_.supports.data(), packed_.own_triangles.data());
  }
  detail::WaveModels view() const {
    return {packed_.models.data(), packed_.blocks.data(), packed_.leaves.data(),
            packed_.triangles.data()};
  }
  const detail::WaveShape& shape() const { return packed_.shape; }
  const detail::PackedWaveModels& packed() const { return packed_; }

 private:
  static std::vector<detail::WaveSource> sources(std::span<const Model> models) {
    std::vector<detail::WaveSource> result;
    for (const Model& model : models) result.push_back({&model.mesh(), &inside::wide(model)});
    return result;
  }

  detail::PackedWaveModels packed_;
};

}  // namespace tandem::test
