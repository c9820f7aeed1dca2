#include <tandem/cuda/rays.h>

#include <algorithm>
#include <string>

#include "cuda/check.h"
#include "cuda/device_array.h"
#include "cuda/launch.h"
#include "cuda/on_stream.h"
#include "gpu/build_curve.h"
#include "gpu/trace_rays.h"
#include "query/device_source.h"

namespace tandem::cuda {

struct DeviceModel::Data {
  Data(std::size_t node_count, std::size_t triangle_count, const Place& place)
      : nodes(node_count, place),
        triangles(triangle_count, place),
        view{nodes.data(), triangles.data(), static_cast<std::uint32_t>(node_count),
             static_cast<std::uint32_t>(triangle_count)} {
    check(cudaGetDevice(&device), "tell the current device");
  }
  /// They may outlive the stream that they are made in.
  void keep() {
    nodes.free_in(nullptr);
    triangles.free_in(nullptr);
  }

  int device = 0;
  DeviceArray<detail::RayPairNode> nodes;
  DeviceArray<detail::RayPairTriangle> triangles;
  detail::RayPairView view;
};

DeviceModel::DeviceModel(const Model& model, const Place& place) {
  require_device();
  const detail::RayPairView host = inside::ray_pairs(model);
  const auto data = std::make_shared<Data>(host.node_count, host.triangle_count, place);
  data->nodes.copy_from(host.nodes);
  data->triangles.copy_from(host.triangles);
  data->keep();
  data_ = data;
}

DeviceModel::DeviceModel(const Mesh& mesh, const Place& place) {
  require_device();
  const std::size_t count = mesh.triangle_count();
  if (count > detail::RayPairView::k_most_triangles) {
    throw Error("a device model has at most " +
                std::to_string(detail::RayPairView::k_most_triangles) +
                " triangles; this mesh has " + std::to_string(count));
  }
  const auto data = std::make_shared<Data>(count, count, place);
  if (count > 0) {
    DeviceArray<Vec3f> vertices(mesh.vertex_count(), place);
    DeviceArray<TriangleIndices> triangles(count, place);
    vertices.copy_from(mesh.vertices().data());
    triangles.copy_from(mesh.triangles().data());
    OnStream on(place);
    detail::build_curve_tree(on,
                             {vertices.data(), triangles.data(), static_cast<std::uint32_t>(count)},
                             data->nodes.data(), data->triangles.data());
  }
  data->keep();
  data_ = data;
}

std::size_t DeviceModel::bytes() const {
  return data_->nodes.bytes() + data_->triangles.bytes();
}

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
  int device = 0;
  check(cudaGetDevice(&device), "tell the current device");
  if (device != data.device) {
    throw Error("the model is on CUDA device " + std::to_string(data.device) +
                ", and the current one is " + std::to_string(device));
  }
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
