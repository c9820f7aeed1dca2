// What the CUDA tests share: arrays on the device, and comparisons of host and device.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace tandem::test {

/// The exit status that means skipped, for machines without a device.
inline constexpr int k_skipped = 77;

inline bool has_device() {
  int device_count = 0;
  if (cudaGetDeviceCount(&device_count) == cudaSuccess && device_count > 0) return true;
  std::printf("no CUDA device here: skipped\n");
  return false;
}

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

/// An array on the device, freed with its owner.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
  }
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) {
    check(cudaMemcpy(data_, host.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "copy in");
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() { return data_; }
  std::vector<T> host() const {
    std::vector<T> result(count_);
    check(cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "copy out");
    return result;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// How many blocks of 128 threads.
inline int block_count(int count) {
  return (count + 127) / 128;
}

template <class Function, class Answer>
__global__ void call(Function function, Answer* answers, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) answers[i] = function(i);
}

/// Calls a function with the numbers from 0 to count - 1: once on the host, with host pointers in
/// it, and once on the device, with device pointers. Whether all answers have the same bits.
template <class Function>
bool same_answers(const char* what, int count, Function on_host, Function on_device) {
  using Answer = decltype(on_host(0));
  DeviceArray<Answer> device_answers(static_cast<std::size_t>(count));
  call<<<block_count(count), 128>>>(on_device, device_answers.data(), count);
  check(cudaGetLastError(), "launch");
  const std::vector<Answer> answers = device_answers.host();
  int zero_count = 0;
  for (int i = 0; i < count; ++i) {
    const Answer expected = on_host(i);
    if (std::memcmp(&expected, &answers[i], sizeof expected) != 0) {
      std::fprintf(stderr, "%s, case %d: host and device disagree\n", what, i);
      return false;
    }
    const Answer zero{};
    zero_count += std::memcmp(&zero, &expected, sizeof zero) == 0 ? 1 : 0;
  }
  std::printf("%-24s %d cases, same answers; %d are zero\n", what, count, zero_count);
  return true;
}

}  // namespace tandem::test
