#include <tandem/cuda/rays.h>

#include <algorithm>
#include <string>
#include <string_view>

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

/// What a call needs beside the model.
struct Batch {
  detail::DeviceRays rays;
  detail::UndecidedRays undecided;
  /// For `TraceRaysRefilled`.
  std::uint32_t* next;
  bool refill;
  Stream stream;
};

/// Rays that are not decided are traced again by `Exact`, which is for the same structure.
template <class Way, class Exact>
void start(const Way& way, const Exact& exact, const Batch& batch) {
  const detail::RayTask<Way> task{way, batch.rays, batch.undecided};
  if (batch.refill) {
    using Kernel = detail::TraceRaysRefilled<Way>;
    launch<k_block_size>(Kernel{task, batch.next, k_refill_at},
                         blocks_at_once<k_block_size, Kernel>(), batch.stream);
  } else {
    const std::uint32_t blocks = (batch.rays.count + k_block_size - 1) / k_block_size;
    launch<k_block_size>(detail::TraceRays<Way>{task}, blocks, batch.stream);
  }
  launch<k_block_size>(detail::TraceUndecidedRays<Exact>{{exact, batch.rays, batch.undecided}},
                       k_undecided_blocks, batch.stream);
}

/// Starts the traversal if it has the name, or any if there is none.
template <class Way>
bool start_pairs(const Way& way, std::string_view traversal, std::string_view name,
                 const Batch& batch) {
  if (!name.empty() && name != traversal) return false;
  start(way, detail::PairStackWay{way}, batch);
  return true;
}
template <class State>
bool start_binary(const ComparedTrees& trees, std::string_view name, const Batch& batch) {
  if (!name.empty() && name != State::k_name) return false;
  const detail::TriangleCorners triangles{trees.triangles.data()};
  start(detail::BinaryWay<State>{trees.binary, triangles, trees.largest_coordinate},
        detail::BinaryWay<detail::DistanceStackState>{trees.binary, triangles,
                                                      trees.largest_coordinate},
        batch);
  return true;
}
template <class... State>
bool start_binary(detail::TypeList<State...>, const ComparedTrees& trees, std::string_view name,
                  const Batch& batch) {
  return (start_binary<State>(trees, name, batch) || ...);
}
bool start_wide(const ComparedTrees& trees, std::string_view name, const Batch& batch) {
  if (!name.empty() && name != "lanes") return false;
  const detail::WideWay way{*trees.wide, trees.binary, {trees.triangles.data()}};
  start(way, way, batch);
  return true;
}

bool start(const DeviceModel::Data& data, std::string_view name, const Batch& batch) {
  if (data.compared != nullptr) {
    return data.compared->wide
               ? start_wide(*data.compared, name, batch)
               : start_binary(detail::BinaryRayTraversals(), *data.compared, name, batch);
  }
  return start_pairs(detail::PairStackWay{data.view}, detail::LinkStack::k_name, name, batch) ||
         start_pairs(detail::PairRingWay<>{data.view}, detail::LinkRing::k_name, name, batch);
}

void trace(const DeviceModel& model, const Ray* rays, Hit* hits, std::uint8_t* any,
           std::size_t count, const Place& place, const RayTracing& how) {
  const DeviceModel::Data& data = model.data();
  check_device(data);
  if (count == 0) return;
  // Two counters, and room for the numbers of all rays.
  DeviceArray<std::uint32_t> scratch(2 + std::min(count, k_most_rays), place);
  const std::string_view name = how.traversal.is_automatic() ? "" : how.traversal.name();
  for (std::size_t begin = 0; begin < count; begin += k_most_rays) {
    const Batch batch{.rays = {rays + begin, hits != nullptr ? hits + begin : nullptr,
                               any != nullptr ? any + begin : nullptr,
                               static_cast<std::uint32_t>(std::min(count - begin, k_most_rays))},
                      .undecided = {scratch.data() + 2, scratch.data()},
                      .next = scratch.data() + 1,
                      .refill = how.refill,
                      .stream = place.stream};
    check(cudaMemsetAsync(scratch.data(), 0, 2 * sizeof(std::uint32_t), place.stream),
          "clear memory");
    if (!start(data, name, batch)) {
      throw Error("the traversal " + std::string(name) + " is not one of the structure " +
                  std::string(data.structure.name()) + ", which the model has on the device");
    }
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
