#include <tandem/cuda/rays.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "cuda/check.h"
#include "cuda/device_array.h"
#include "cuda/device_model.h"
#include "cuda/launch.h"
#include "cuda/ray_profile.h"
#include "gpu/rays/count_rays.h"
#include "gpu/rays/trace_rays.h"

namespace tandem::cuda {
namespace {

/// Threads per block. Blocks of rays are independent, so small ones end sooner.
constexpr int k_block_size = 128;
/// So many rays are traced at a time, so that their numbers fit into 32 bits.
constexpr std::size_t k_most_rays = std::size_t{1} << 30;
/// A warp is refilled when so many of its threads are idle.
constexpr std::uint32_t k_refill_at = 20;
/// The kernels for rays that are left do not know how many there are.
constexpr std::uint32_t k_settling_blocks = 1024;
constexpr std::uint32_t k_undecided_blocks = 512;

/// What a call needs beside the model.
struct Batch {
  detail::DeviceRays rays;
  detail::DoubtfulTriangles doubtful;
  detail::RaysToSettle to_settle;
  detail::UndecidedRays undecided;
  /// For `TraceRaysRefilled`.
  std::uint32_t* next;
  bool refill;
  Stream stream;

  template <class Way>
  detail::RayTask<Way> task(const Way& way) const {
    return {way, rays, doubtful, to_settle, undecided};
  }
  std::uint32_t block_count() const { return (rays.count + k_block_size - 1) / k_block_size; }
};

/// Puts the kernels of a way into the stream. Rays that are not decided are traced again by
/// `Exact`, which is for the same structure.
struct Start {
  const Batch& batch;

  template <class Way, class Exact>
  void operator()(const Way& way, const Exact& exact) const {
    const detail::RayTask<Way> task = batch.task(way);
    if (batch.refill) {
      using Kernel = detail::TraceRaysRefilled<Way>;
      launch<k_block_size>(Kernel{task, batch.next, k_refill_at},
                           blocks_at_once<k_block_size, Kernel>(), batch.stream);
      launch<k_block_size>(detail::SettleRays<Way>{task}, k_settling_blocks, batch.stream);
    } else {
      launch<k_block_size>(detail::TraceRays<Way>{task}, batch.block_count(), batch.stream);
    }
    launch<k_block_size>(detail::TraceUndecidedRays<Exact>{batch.task(exact)}, k_undecided_blocks,
                         batch.stream);
  }
};

/// Puts the kernel into the stream that counts, and tells what those need that trace.
struct Count {
  const Batch& batch;
  detail::RayWork* work;
  KernelRoom* room;

  template <class Way, class Exact>
  void operator()(const Way& way, const Exact&) const {
    launch<k_block_size>(detail::CountRays<Way>{batch.task(way), work}, batch.block_count(),
                         batch.stream);
    *room = batch.refill ? room_of<k_block_size, detail::TraceRaysRefilled<Way>>()
                         : room_of<k_block_size, detail::TraceRays<Way>>();
  }
};

// Each calls `visit(way, exact)` with its way if the traversal has the name, or any if there is
// none.

template <class Way, class Visit>
bool visit_pairs(const Way& way, std::string_view traversal, std::string_view name,
                 const Visit& visit) {
  if (!name.empty() && name != traversal) return false;
  visit(way, detail::PairStackWay{way});
  return true;
}
template <class State, class Visit>
bool visit_binary(const ComparedTrees& trees, std::string_view name, const Visit& visit) {
  if (!name.empty() && name != State::k_name) return false;
  const detail::TriangleCorners triangles{trees.triangles.data()};
  visit(detail::BinaryWay<State>{trees.binary, triangles, trees.largest_coordinate},
        detail::BinaryWay<detail::DistanceStackState>{trees.binary, triangles,
                                                      trees.largest_coordinate});
  return true;
}
template <class... State, class Visit>
bool visit_binary(detail::TypeList<State...>, const ComparedTrees& trees, std::string_view name,
                  const Visit& visit) {
  return (visit_binary<State>(trees, name, visit) || ...);
}
template <class Visit>
bool visit_wide(const ComparedTrees& trees, std::string_view name, const Visit& visit) {
  if (!name.empty() && name != "lanes") return false;
  const detail::WideWay way{*trees.wide, trees.binary, {trees.triangles.data()}};
  visit(way, way);
  return true;
}

/// The way that the caller has named, or the model's usual one. Throws for another structure's.
template <class Visit>
void visit_way(const DeviceModel::Data& data, const RayTracing& how, const Visit& visit) {
  const std::string_view name = how.traversal.is_automatic() ? "" : how.traversal.name();
  bool found = false;
  if (data.compared == nullptr) {
    found = visit_pairs(detail::PairStackWay{data.view}, detail::LinkStack::k_name, name, visit) ||
            visit_pairs(detail::PairRingWay<>{data.view}, detail::LinkRing::k_name, name, visit);
  } else if (data.compared->wide) {
    found = visit_wide(*data.compared, name, visit);
  } else {
    found = visit_binary(detail::BinaryRayTraversals(), *data.compared, name, visit);
  }
  if (found) return;
  throw Error("the traversal " + std::string(name) + " is not one of the structure " +
              std::string(data.structure.name()) + ", which the model has on the device");
}

/// Calls `use(batch)` with one part of the rays after the other.
template <class Use>
void in_batches(const Ray* rays, Hit* hits, std::uint8_t* any, std::size_t count,
                const Place& place, bool refill, const Use& use) {
  if (count == 0) return;
  // Lists for as many rays as there are, and of one doubtful triangle per ray; few need one.
  const std::size_t most = std::min(count, k_most_rays);
  DeviceArray<detail::DoubtfulTriangles::Entry> doubtful(most, place);
  DeviceArray<detail::RaysToSettle::Entry> to_settle(most, place);
  DeviceArray<std::uint32_t> undecided(most, place);
  DeviceArray<std::uint32_t> counters(4, place);
  for (std::size_t begin = 0; begin < count; begin += k_most_rays) {
    counters.clear();
    use(Batch{.rays = {rays + begin, hits != nullptr ? hits + begin : nullptr,
                       any != nullptr ? any + begin : nullptr,
                       static_cast<std::uint32_t>(std::min(count - begin, k_most_rays))},
              .doubtful = {doubtful.data(), counters.data(), static_cast<std::uint32_t>(most)},
              .to_settle = {to_settle.data(), counters.data() + 1},
              .undecided = {undecided.data(), counters.data() + 2},
              .next = counters.data() + 3,
              .refill = refill,
              .stream = place.stream});
  }
}

void trace(const DeviceModel& model, const Ray* rays, Hit* hits, std::uint8_t* any,
           std::size_t count, const Place& place, const RayTracing& how) {
  const DeviceModel::Data& data = model.data();
  check_device(data);
  in_batches(rays, hits, any, count, place, how.refill,
             [&](const Batch& batch) { visit_way(data, how, Start{batch}); });
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

RayProfile profile_rays(const DeviceModel& model, const Ray* rays, Hit* hits, std::uint8_t* any,
                        std::size_t count, const RayTracing& how) {
  check_device(model.data());
  const Place place{};
  DeviceArray<detail::RayWork> work(1, place);
  work.clear();
  RayProfile profile;
  in_batches(rays, hits, any, count, place, how.refill, [&](const Batch& batch) {
    KernelRoom room{};
    visit_way(model.data(), how, Count{batch, work.data(), &room});
    profile.registers = room.registers;
    profile.local_bytes = room.local_bytes;
    profile.shared_bytes = room.shared_bytes / k_block_size;
    profile.occupancy = room.occupancy;
  });
  detail::RayWork done;
  work.copy_to(&done);
  check(cudaStreamSynchronize(place.stream), "count what rays do");
  profile.statistics = done.statistics;
  profile.warp_visits = done.warp_visits;
  return profile;
}

}  // namespace tandem::cuda
