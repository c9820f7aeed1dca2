// Scenes on a CUDA device. Part of tandem::cuda.
#pragma once

#include <tandem/cuda/collide.h>
#include <tandem/scene.h>

#include <memory>

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

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tandem::cuda
