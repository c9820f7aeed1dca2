// Scenes on a CUDA device. Part of tandem::cuda.
#pragma once

#include <tandem/cuda/collide.h>
#include <tandem/scene.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tandem::cuda {

/// Finds what touches in scenes, frame after frame. Models are copied to the device when they are
/// first seen, each once, however many objects show it. As a `Collider`, it keeps its memory, and
/// one thread at a time may use it.
class SceneCollider {
 public:
  TANDEM_API explicit SceneCollider(const ColliderOptions& options = {}, const Place& place = {});
  TANDEM_API ~SceneCollider();
  TANDEM_API SceneCollider(SceneCollider&& other) noexcept;
  TANDEM_API SceneCollider& operator=(SceneCollider&& other) noexcept;

  /// What `scene.collide(options)` returns, to the byte: the host finds which objects are close to
  /// each other, the device which of their triangles touch. Throws `tandem::Error` where there is
  /// no device or too little memory.
  TANDEM_API SceneResult collide(const Scene& scene, const SceneOptions& options = {});

  /// What `scene.clearances(distance, options)` returns, but for which of the touching pairs of
  /// triangles it is: the host finds which objects are close, the device how close they come. For
  /// the methods `best`, `waves` and `warps`. Throws `tandem::Error` as above, for other methods,
  /// and for a distance that is negative or NaN.
  TANDEM_API std::vector<ObjectClearance> clearances(const Scene& scene, double distance,
                                                     const SceneOptions& options = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What touches in a frame, in the memory of the device; there until the next frame.
struct DeviceFrame {
  /// The objects whose boxes overlap, in any order, the lower one of each two first.
  const ObjectPair* close = nullptr;
  std::uint32_t close_count = 0;
  /// All touching triangles. What they call a query is the position of their objects in `close`.
  FoundPairs found;
};

/// Objects that move on a device: where they stand is written there by the caller's own work, and
/// what touches is found and left there. As a `Collider`, it keeps its memory, and one thread at a
/// time may use it.
class DeviceScene {
 public:
  /// Object i shows the model at position `model_of[i]`. Throws `tandem::Error` for a position that
  /// there is not, and where there is no device or too little memory.
  TANDEM_API DeviceScene(std::span<const Model> models, std::span<const std::uint32_t> model_of,
                         const ColliderOptions& options = {}, const Place& place = {});
  /// Models that the device itself makes of meshes, as a `Collider` does, for the methods `best`,
  /// `waves` and `warps`. Throws as above, and for other methods.
  TANDEM_API DeviceScene(std::span<const Mesh> meshes, std::span<const std::uint32_t> model_of,
                         const ColliderOptions& options = {}, const Place& place = {});
  /// The same for meshes in the memory of the device, which may go when this returns.
  TANDEM_API DeviceScene(std::span<const DeviceMesh> meshes,
                         std::span<const std::uint32_t> model_of,
                         const ColliderOptions& options = {}, const Place& place = {});
  TANDEM_API ~DeviceScene();
  TANDEM_API DeviceScene(DeviceScene&& other) noexcept;
  TANDEM_API DeviceScene& operator=(DeviceScene&& other) noexcept;

  /// A frame with every object at its pose, all of which are in the memory of the device and are
  /// not checked: each must be one that a `Pose` on the host can have. May wait for the stream.
  TANDEM_API DeviceFrame find(const Pose* in_world, const Place& place = {});

  /// The same from and to host memory: what `Scene::collide` returns for these objects, to the
  /// byte. Throws `tandem::Error` for another number of poses than there are objects.
  TANDEM_API SceneResult collide(std::span<const Pose> in_world);

  /// Every two objects that come as close as a distance: what `Scene::clearances` returns for
  /// these objects, but for which of the touching pairs of triangles it is. For the methods `best`,
  /// `waves` and `warps`. Throws `tandem::Error` as `collide` does, for other methods, and for a
  /// distance that is negative or NaN.
  TANDEM_API std::vector<ObjectClearance> clearances(std::span<const Pose> in_world,
                                                     double distance);

  /// Moves the vertices of a model that the device has made of a mesh, and with it those of all
  /// objects that show it. Otherwise as `Collider::refit`.
  TANDEM_API void refit(std::size_t model, const Vec3f* positions, std::size_t count,
                        const Place& place = {});
  /// From host memory. Throws too, naming the vertex, where a coordinate is not finite.
  TANDEM_API void refit(std::size_t model, std::span<const Vec3f> positions);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tandem::cuda
