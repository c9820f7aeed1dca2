#include <tandem/cuda/rays.h>

#include <algorithm>
#include <string>

#include "cuda/check.h"
#include "cuda/device_array.h"
#include "cuda/device_model.h"
#include "cuda/launch.h"
#include "gpu/trace_rays.h"

namespace tandem::cuda {

namespace {

/// Threads per block. Blocks of rays are independent, so small ones end sooner.
constexpr int k_block_size = 128;
/// So many rays are traced at a time, so that their numbers fit into 32 bits.
constexpr std::size_t k_most_rays = std::size_t{1} << 30;
/// A warp is refilled when so many of its threads are idle.
constexpr std::uint32_t k_refill_at = 24;
/// The kernel for undecided rays does not know how many there are.
constexpr std::uint32_t k_undecided_blocks = 512;

template <class Memory>
void start(const detail::RayPairView& tree, const detail::DeviceRays& batch,
           const detail::UndecidedRays& undecided, std::uint32_t* next, bool refill,
           Stream stream) {
  if (refill) {
    using Kernel = detail::TraceRaysRefilled<Memory>;
    launch<k_block_size>(Kernel{tree, batch, undecided, next, k_refill_at},
                         blocks_at_once<k_block_size, Kernel>(), stream);
  } else {
    const std::uint32_t blocks = (batch.count + k_block_size - 1) / k_block_size;
    launch<k_block_size>(detail::TraceRays<Memory>{tree, batch, undecided}, blocks, stream);
  }
}

void trace(const DeviceModel& model, const Ray* rays, Hit* hits, std::uint8_t* any,
           std::size_t count, const Place& place, const RayTracing& how) {
  const DeviceModel::Data& data = model.data();
  check_device(data);
  if (count == 0) return;
  // Two counters, and room for the numbers of all rays.
  DeviceArray<std::uint32_t> scratch(2 + std::min(count, k_most_rays), place);
  for (std::size_t begin = 0; begin < count; begin += k_most_rays) {
    const detail::DeviceRays batch{
        rays + begin, hits != nullptr ? hits + begin : nullptr,
        any != nullptr ? any + begin : nullptr,
        static_cast<std::uint32_t>(std::min(count - begin, k_most_rays))};
    const detail::UndecidedRays undecided{scratch.data() + 2, scratch.data()};
    std::uint32_t* const next = scratch.data() + 1;
    check(cudaMemsetAsync(scratch.data(), 0, 2 * sizeof(std::uint32_t), place.stream),
          "clear memory");
    if (how.stackless) {
      start<detail::LinkRegisters>(data.view, batch, undecided, next, how.refill, place.stream);
    } else {
      start<detail::LinkStack>(data.view, batch, undecided, next, how.refill, place.stream);
    }
    launch<k_block_size>(detail::TraceUndecidedRays{data.view, batch, undecided},
                         k_undecided_blocks, place.stream);
  }
}

void check_lengths(std::size_t rays, std::size_t hits) {
  if (rays != hits) {
    throw Error("there are " + std::to_string(rays) + " rays but room for " + std::to_string(hits) +
                " hits");
  }
}

template <class Answer, class Trace>
void trace_from_host(std::span<const Ray> rays, std::span<Answer> hits, const Place& place,
                     const Trace& trace) {
  check_lengths(rays.size(), hits.size());
  DeviceArray<Ray> device_rays(rays.size(), place);
  DeviceArray<Answer> device_hits(rays.size(), place);
  device_rays.copy_from(rays.data());
  trace(device_rays.data(), device_hits.data());
  device_hits.copy_to(hits.data());
  check(cudaStreamSynchronize(place.stream), "trace rays");
}

}  // namespace

void closest_hits(const DeviceModel& model, const Ray* rays, Hit* hits, std::size_t count,
                  const Place& place, const RayTracing& how) {
  trace(model, rays, hits, nullptr, count, place, how);
}

void any_hits(const DeviceModel& model, const Ray* rays, std::uint8_t* hits, std::size_t count,
              const Place& place, const RayTracing& how) {
  trace(model, rays, nullptr, hits, count, place, how);
}

void closest_hits(const DeviceModel& model, std::span<const Ray> rays, std::span<Hit> hits,
                  const Place& place, const RayTracing& how) {
  trace_from_host(rays, hits, place, [&](const Ray* from, Hit* to) {
    closest_hits(model, from, to, rays.size(), place, how);
  });
}

void any_hits(const DeviceModel& model, std::span<const Ray> rays, std::span<std::uint8_t> hits,
              const Place& place, const RayTracing& how) {
  trace_from_host(rays, hits, place, [&](const Ray* from, std::uint8_t* to) {
    any_hits(model, from, to, rays.size(), place, how);
  });
}

}  // namespace tandem::cuda
