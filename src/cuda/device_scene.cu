// Frames of scenes on a device: boxes, close objects, triangles.
#include <tandem/cuda/scene.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuda/check.h"
#include "cuda/collision_method.h"
#include "cuda/device_array.h"
#include "cuda/device_model.h"
#include "cuda/distance/distances.h"
#include "cuda/download_pairs.h"
#include "cuda/meshes/mesh_copies.h"
#include "cuda/on_stream.h"
#include "cuda/touching_objects.h"
#include "gpu/broad_phase.h"
#include "query/device_source.h"

namespace tandem::cuda {
namespace {

/// What boxes in the world are made of: the roots of trees, and how far meshes reach.
class Roots {
 public:
  Roots(std::span<const Model> models, const Place& place)
      : trees_(models.size(), place), reaches_(models.size() * detail::SupportMap::k_size, place) {
    std::vector<detail::WideTreeView> trees;
    std::vector<float> reaches(models.size() * detail::SupportMap::k_size);
    for (const Model& model : models) {
      const detail::WideTree& tree = inside::wide(model);
      const std::size_t first = trees.size() * detail::SupportMap::k_size;
      std::copy(tree.support.begin(), tree.support.end(),
                reaches.begin() + static_cast<std::ptrdiff_t>(first));
      trees.push_back(tree.view());
      trees.back().support =
          detail::SupportMap(reaches_.data() + first, std::ldexp(1.0, tree.exponent));
    }
    trees_.copy_from(trees.data());
    reaches_.copy_from(reaches.data());
    check(cudaStreamSynchronize(place.stream), "copy models to the device");
    free_later();
  }
  /// Of models that the device has built for a method.
  Roots(const CollisionMethod& method, std::size_t model_count, const Place& place)
      : trees_(model_count, place), reaches_(0, place) {
    method.copy_trees(trees_.data(), place);
    check(cudaStreamSynchronize(place.stream), "copy models on the device");
    free_later();
  }

  const detail::WideTreeView* trees() const { return trees_.data(); }

  /// After a refit of some.
  void update(const CollisionMethod& method, const Place& place) {
    method.copy_trees(trees_.data(), place);
  }

 private:
  /// The arrays may outlive the stream that they are made in.
  void free_later() {
    trees_.free_in(nullptr);
    reaches_.free_in(nullptr);
  }

  DeviceArray<detail::WideTreeView> trees_;
  DeviceArray<float> reaches_;
};

using CloseObjects = detail::CloseObjects<OnStream>;

/// Throws unless there may be so many objects, and each shows a model.
void check_objects(std::size_t model_count, std::span<const std::uint32_t> model_of) {
  constexpr std::size_t k_most_objects = std::size_t{1} << 26;
  if (model_of.size() > k_most_objects) {
    throw Error("a scene on a device has at most " + std::to_string(k_most_objects) +
                " objects, not " + std::to_string(model_of.size()));
  }
  for (std::size_t i = 0; i < model_of.size(); ++i) {
    if (model_of[i] < model_count) continue;
    throw Error("object " + std::to_string(i) + " shows model " + std::to_string(model_of[i]) +
                ", but there are " + std::to_string(model_count));
  }
}

DeviceArray<std::uint32_t> kept(std::span<const std::uint32_t> numbers, const Place& place) {
  DeviceArray<std::uint32_t> result(numbers.size(), place);
  result.copy_from(numbers.data());
  check(cudaStreamSynchronize(place.stream), "copy numbers to the device");
  result.free_in(nullptr);
  return result;
}

}  // namespace

struct DeviceScene::State {
  Place place;
  int device;
  std::size_t model_count;
  std::unique_ptr<CollisionMethod> method;
  Roots roots;
  std::uint32_t object_count;
  DeviceArray<std::uint32_t> model_of;
  int triangle_bits;
  std::optional<CloseObjects> close = {};
  /// How often the room for close objects has grown.
  std::uint64_t generation = 0;

  void check_count(std::span<const Pose> in_world) const {
    if (in_world.size() == object_count) return;
    throw Error("the scene has " + std::to_string(object_count) + " objects, but there are " +
                std::to_string(in_world.size()) + " poses");
  }
  void reserve(std::uint32_t count, const Place& at) {
    OnStream on(at);
    close.reset();
    close.emplace(on, object_count, count);
    ++generation;
  }

  /// Finds the objects whose boxes are at most so far from each other, and makes queries of them,
  /// in order. Returns how many, and waits for that.
  std::uint32_t find_close(const Pose* in_world, double reach) {
    if (!close) reserve(std::max<std::uint32_t>(1024, 8 * object_count), place);
    while (true) {
      OnStream on(place);
      close->find(on, {roots.trees(), model_of.data(), in_world, object_count, reach},
                  detail::CloseOrder::sorted);
      const std::uint32_t count = on.read(std::array{close->count()})[0];
      if (count <= close->capacity()) return count;
      reserve(count + count / 4, place);
    }
  }

  DeviceFrame find(const Pose* in_world, detail::CloseOrder order, const Place& at) {
    check_device(device);
    if (object_count == 0) return {};
    if (!close) reserve(std::max<std::uint32_t>(1024, 8 * object_count), at);
    while (true) {
      const MakeQueries make = [&](const Place& to) {
        OnStream on(to);
        close->find(on, {roots.trees(), model_of.data(), in_world, object_count}, order);
      };
      const detail::MadeQueries made{close->queries(),
                                     close->capacity(),
                                     close->count(),
                                     {reinterpret_cast<std::uintptr_t>(in_world), generation}};
      // What needs memory of its own cannot be repeated as a graph.
      const bool repeats = !close->needs_scratch(object_count, order);
      if (!repeats) make(at);
      const FoundOfMade result = method->find_made(made, repeats ? make : MakeQueries(), at);
      if (result.query_count <= close->capacity()) {
        return {close->pairs(), result.query_count, result.found};
      }
      reserve(result.query_count + result.query_count / 4, at);
    }
  }
};

DeviceScene::DeviceScene(std::span<const Model> models, std::span<const std::uint32_t> model_of,
                         const ColliderOptions& options, const Place& place) {
  require_device();
  check_objects(models.size(), model_of);
  std::size_t most_triangles = 0;
  for (const Model& model : models) {
    most_triangles = std::max(most_triangles, model.mesh().triangle_count());
  }
  state_ =
      std::make_unique<State>(State{.place = place,
                                    .device = current_device(),
                                    .model_count = models.size(),
                                    .method = make_method(models, options, place),
                                    .roots = Roots(models, place),
                                    .object_count = static_cast<std::uint32_t>(model_of.size()),
                                    .model_of = kept(model_of, place),
                                    .triangle_bits = bits_for(most_triangles)});
}

DeviceScene::DeviceScene(std::span<const Mesh> meshes, std::span<const std::uint32_t> model_of,
                         const ColliderOptions& options, const Place& place) {
  require_device();
  const MeshCopies copies(meshes, place);
  *this = DeviceScene(copies.views(), model_of, options, place);
}

DeviceScene::DeviceScene(std::span<const DeviceMesh> meshes,
                         std::span<const std::uint32_t> model_of, const ColliderOptions& options,
                         const Place& place) {
  require_device();
  check_objects(meshes.size(), model_of);
  std::size_t most_triangles = 0;
  for (const DeviceMesh& mesh : meshes) {
    most_triangles = std::max(most_triangles, mesh.triangle_count);
  }
  std::unique_ptr<CollisionMethod> method = make_method(meshes, options, place);
  Roots roots(*method, meshes.size(), place);
  state_ =
      std::make_unique<State>(State{.place = place,
                                    .device = current_device(),
                                    .model_count = meshes.size(),
                                    .method = std::move(method),
                                    .roots = std::move(roots),
                                    .object_count = static_cast<std::uint32_t>(model_of.size()),
                                    .model_of = kept(model_of, place),
                                    .triangle_bits = bits_for(most_triangles)});
}

DeviceScene::~DeviceScene() = default;
DeviceScene::DeviceScene(DeviceScene&& other) noexcept = default;
DeviceScene& DeviceScene::operator=(DeviceScene&& other) noexcept = default;

DeviceFrame DeviceScene::find(const Pose* in_world, const Place& place) {
  return state_->find(in_world, detail::CloseOrder::any, place);
}

void DeviceScene::refit(std::size_t model, const Vec3f* positions, std::size_t count,
                        const Place& place) {
  check_device(state_->device);
  check_model(model, state_->model_count);
  state_->method->refit(model, positions, count, place);
  state_->roots.update(*state_->method, place);
}

void DeviceScene::refit(std::size_t model, std::span<const Vec3f> positions) {
  check_finite(positions);
  DeviceArray<Vec3f> on_device(positions.size(), state_->place);
  on_device.copy_from(positions.data());
  refit(model, on_device.data(), positions.size(), state_->place);
}

std::vector<ObjectClearance> DeviceScene::clearances(std::span<const Pose> in_world,
                                                     double distance) {
  check_device(state_->device);
  state_->check_count(in_world);
  if (!(distance >= 0)) {
    throw Error("a clearance is 0 or more, not " + std::to_string(distance));
  }
  Distances& distances = state_->method->distances();
  if (in_world.empty()) return {};
  const Place& place = state_->place;
  DeviceArray<Pose> poses(in_world.size(), place);
  poses.copy_from(in_world.data());
  // Lengths differ between frames by as much as rotations may be off; what is as close as the
  // distance counts.
  const std::uint32_t count = state_->find_close(poses.data(), distance * (1 + 1e-5));
  std::vector<ObjectPair> close(count);
  check(cudaMemcpyAsync(close.data(), state_->close->pairs(), count * sizeof(ObjectPair),
                        cudaMemcpyDeviceToHost, place.stream),
        "copy from the device");
  const std::vector<DistanceResult> results =
      distances.find(state_->close->queries(), count, limit_for(distance), place);
  return close_objects(close, results, [&](ObjectId a) -> const Pose& { return in_world[a]; });
}

SceneResult DeviceScene::collide(std::span<const Pose> in_world) {
  state_->check_count(in_world);
  const Place& place = state_->place;
  DeviceArray<Pose> poses(in_world.size(), place);
  poses.copy_from(in_world.data());
  const DeviceFrame frame = state_->find(poses.data(), detail::CloseOrder::sorted, place);
  if (frame.found.count > k_most_ordered_pairs ||
      bits_for(frame.close_count) + 2 * state_->triangle_bits > 64) {
    throw Error("the scene has " + std::to_string(frame.close_count) + " close objects and " +
                std::to_string(frame.found.count) +
                " pairs of triangles: too many to put into order on a device");
  }
  SceneResult result{{}, {0}, {}};
  if (frame.close_count == 0) return result;
  BatchResult batch;
  batch.offsets.resize(std::size_t{frame.close_count} + 1);
  download_pairs(frame.found, frame.close_count, state_->triangle_bits, place, 0, batch);
  std::vector<ObjectPair> close(frame.close_count);
  check(cudaMemcpyAsync(close.data(), frame.close, close.size() * sizeof(ObjectPair),
                        cudaMemcpyDeviceToHost, place.stream),
        "copy from the device");
  check(cudaStreamSynchronize(place.stream), "copy close objects");
  return touching_objects(close, std::move(batch));
}

}  // namespace tandem::cuda
