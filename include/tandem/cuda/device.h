// CUDA devices: which there are, and where work and memory on them go. Part of tandem::cuda, which
// needs the CUDA runtime; these headers need nothing of CUDA.
#pragma once

#include <tandem/export.h>

#include <cstddef>
#include <string>
#include <vector>

struct CUstream_st;

namespace tandem::cuda {

/// CUDA's `cudaStream_t`: work that is put into a stream is done in that order, some time later.
using Stream = CUstream_st*;

struct DeviceInfo {
  std::string name;
  /// Major and minor compute capability, such as 9 and 0.
  int major = 0;
  int minor = 0;
  std::size_t memory_bytes = 0;
  int multiprocessors = 0;
};

/// The devices of this machine, in CUDA's order; none where there is no driver.
TANDEM_API std::vector<DeviceInfo> devices();

/// Throws `tandem::Error`, which says why, when there is no device that this build can use.
TANDEM_API void require_device();

/// Where memory on devices comes from. Whoever has a pool of their own derives from this.
class TANDEM_API Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  virtual ~Memory();

  /// At least so many bytes on the current device, aligned to 256, for work that is put into the
  /// stream from now on. Throws when there are none.
  virtual void* allocate(std::size_t bytes, Stream stream) = 0;
  /// Takes memory back once the work is done that is in the stream by now.
  virtual void deallocate(void* memory, std::size_t bytes, Stream stream) noexcept = 0;
};

/// A pool of CUDA for each device, which keeps what is freed for later calls.
TANDEM_API Memory& default_memory();

/// Where a call puts its work, and where it gets memory: on the current device.
struct Place {
  /// The default stream unless given.
  Stream stream = nullptr;
  /// `default_memory` unless given.
  Memory* memory = nullptr;
};

}  // namespace tandem::cuda
