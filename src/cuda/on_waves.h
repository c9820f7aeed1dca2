// Runs the kernels of waves in a stream.
#pragma once

#include <tandem/cuda/collide.h>
#include <tandem/cuda/device.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cuda/check.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "cuda/stopwatch.h"
#include "gpu/waves/nodes.h"
#include "gpu/waves/queue.h"
#include "gpu/waves/search.h"

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

/// Launches that are put into a stream again and again: as one graph, which takes the host a
/// fraction of the time.
class RepeatedLaunches {
 public:
  RepeatedLaunches() = default;
  ~RepeatedLaunches() { forget(); }
  RepeatedLaunches(const RepeatedLaunches&) = delete;
  RepeatedLaunches& operator=(const RepeatedLaunches&) = delete;

  /// Calls `launches(stream)` the first time that a key is given, and makes a graph of it the
  /// second time in a row.
  template <class Launches>
  void run(const detail::WaveKey& key, cudaStream_t stream, const Launches& launches) {
    if (!known_ || key != key_) {
      forget();
      key_ = key;
      known_ = true;
      launches(stream);
      return;
    }
    if (graph_ == nullptr) record(launches);
    check(cudaGraphLaunch(graph_, stream), "start a graph");
  }

 private:
  template <class Launches>
  void record(const Launches& launches) {
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "make a stream");
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "record a graph");
    launches(stream);
    check(cudaStreamEndCapture(stream, &graph), "record a graph");
    check(cudaGraphInstantiate(&graph_, graph, 0), "make a graph");
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
  }
  void forget() {
    if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
    known_ = false;
  }

  detail::WaveKey key_{};
  bool known_ = false;
  cudaGraphExec_t graph_ = nullptr;
};

/// What `WaveSearch` runs on. Each kernel may be started before the one before it has ended, and
/// waits for that end itself.
class OnWaves {
 public:
  /// Where `steps` is given, each kernel is measured by itself and added there.
  OnWaves(const Place& place, RepeatedLaunches& repeated, std::vector<CollideStep>* steps = nullptr)
      : place_(place), repeated_(&repeated), steps_(steps) {}

  /// Where kernels are put now.
  const Place& place() const { return place_; }

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
    launch_blocks(kernel, (thread_count + k_block_size - 1) / k_block_size);
  }
  template <class Kernel>
  void launch_parts(const Kernel& kernel) const {
    constexpr std::uint32_t k_parts = detail::PairQueue::k_most_parts;
    // Asked once: the answer takes longer than a kernel.
    static const std::uint32_t blocks = blocks_at_once<k_block_size, Kernel>() / k_parts * k_parts;
    launch_blocks(kernel, blocks > 0 ? blocks : k_parts);
  }

  template <class Launches>
  void repeat(const detail::WaveKey& key, const Launches& launches) {
    if (steps_ != nullptr) return launches();
    const Stream stream = place_.stream;
    repeated_->run(key, stream, [&](Stream into) {
      place_.stream = into;
      launches();
      place_.stream = stream;
    });
  }
  /// Looks at the number itself, which takes less time than to ask CUDA; CUDA is asked now and
  /// then, as a kernel that fails publishes nothing.
  void wait_for(detail::WaveCount& number) const {
    constexpr int k_looks = 10'000;
    const std::atomic_ref<detail::WaveCount> published(number);
    for (int i = 1; published.load(std::memory_order_acquire) == 0; ++i) {
      if (i % k_looks != 0) continue;
      const cudaError_t state = cudaStreamQuery(place_.stream);
      if (state == cudaErrorNotReady) continue;
      return check(state, "find touching triangles");
    }
  }
  template <class T>
  void copy_now(const T* from, T* to, std::size_t count) const {
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDefault, place_.stream),
          "copy memory");
    check(cudaStreamSynchronize(place_.stream), "find touching triangles");
  }

 private:
  static constexpr int k_block_size = detail::k_wave_block_size;

  template <class Kernel>
  void launch_blocks(const Kernel& kernel, std::uint32_t block_count) const {
    const auto start = [&] { launch_early<k_block_size>(kernel, block_count, place_.stream); };
    if (steps_ == nullptr) return start();
    steps_->push_back({.phase = Kernel::k_phase, .seconds = Stopwatch().seconds(place_, start)});
  }

  Place place_;
  RepeatedLaunches* repeated_;
  std::vector<CollideStep>* steps_;
};

}  // namespace tandem::cuda
