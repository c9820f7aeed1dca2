#include <tandem/cuda/rays.h>

#include "cuda/check.h"
#include "cuda/device_array.h"
#include "cuda/on_stream.h"
#include "render/paths/trace_on_device.h"
#include "render/paths/wavefront.h"

namespace tandem::cli {

namespace {

/// Paths in flight. They take about 300 bytes each.
constexpr std::uint32_t k_most_paths = std::uint32_t{1} << 22;

/// What `Wavefront` runs on.
class OnDevice : public cuda::OnStream {
 public:
  OnDevice(const Model& model, const cuda::RayTracing& how)
      : OnStream(cuda::Place{}), model_(model), how_(how) {}

  template <class T>
  void fetch(const T* from, T* to, std::size_t count) const {
    cuda::check(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyDeviceToHost), "render");
  }
  void closest_hits(const Ray* rays, Hit* hits, std::size_t count) const {
    cuda::closest_hits(model_, rays, hits, count, {}, how_);
  }
  void any_hits(const Ray* rays, std::uint8_t* hits, std::size_t count) const {
    cuda::any_hits(model_, rays, hits, count, {}, how_);
  }

 private:
  cuda::DeviceModel model_;
  cuda::RayTracing how_;
};

/// A copy of an array of the host.
template <class T>
class Copied {
 public:
  explicit Copied(const ArrayView<T>& host) : array_(host.count, {}), count_(host.count) {
    array_.copy_from(host.data);
  }
  ArrayView<T> view() const { return {array_.data(), count_}; }

 private:
  cuda::DeviceArray<T> array_;
  std::size_t count_;
};

}  // namespace

void trace_on_device(const PathScene& scene, const Model& model, RayTraversal traversal,
                     Vec3d* radiance, PixelFeatures* features, const Progress& progress) {
  cuda::require_device();
  const Copied vertices(scene.vertices);
  const Copied triangles(scene.triangles);
  const Copied materials(scene.materials);
  const Copied material_of(scene.material_of);
  const Copied lights(scene.lights);
  PathScene there = scene;
  there.vertices = vertices.view();
  there.triangles = triangles.view();
  there.materials = materials.view();
  there.material_of = material_of.view();
  there.lights = lights.view();
  OnDevice on(model, {.traversal = traversal});
  Wavefront(on, there, k_most_paths).trace(radiance, features, progress);
}

}  // namespace tandem::cli
