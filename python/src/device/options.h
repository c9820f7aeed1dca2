// What colliders and scenes on a device are made of, and how.
#pragma once

#include <tandem/cuda/collide.h>
#include <tandem/cuda/device_mesh.h>
#include <tandem/model.h>

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "../support/arrays.h"
#include "memory.h"

namespace tandem::python {

/// A mesh in the memory of a device, and who has that.
struct KeptDeviceMesh {
  cuda::DeviceMesh mesh;
  py::object vertices;
  py::object triangles;
};

/// Models of the host, or meshes, here or on the device, of which the device makes its own.
class Sources {
 public:
  /// Of objects of one kind. Throws, naming the argument.
  explicit Sources(const py::sequence& models);

  std::size_t size() const {
    return std::visit([](const auto& all) { return all.size(); }, all_);
  }
  /// Calls the function with a span of them.
  template <class Function>
  auto visit(Function&& function) const {
    return std::visit([&](const auto& all) { return function(std::span(all)); }, all_);
  }

 private:
  py::tuple kept_;
  std::variant<std::vector<Model>, std::vector<Mesh>, std::vector<cuda::DeviceMesh>> all_;
};

/// The meshes of a sequence. Throws, naming the argument.
std::vector<Mesh> to_meshes(const py::sequence& meshes);

/// Calls `refit(positions)` with those of the host, or `refit(positions, count)` with those of the
/// device: float32 of shape (n, 3).
template <class Refit>
auto with_positions(ArrayLike positions, const Refit& refit) {
  if (is_on_device(positions.value)) {
    const DeviceArray moved(positions.value, "positions", {{"<f4"}, {3}});
    return refit(moved.as<Vec3f>(), moved.size());
  }
  const Array<float> floats = to_floats(positions.value, "positions");
  const std::span moved(reinterpret_cast<const Vec3f*>(floats.data()),
                        row_count(floats, 3, "positions"));
  try {
    return refit(moved);
  } catch (const Error& error) {
    // "vertex 3 has ...", or what is wrong with the model.
    const std::string sentence = error.what();
    throw Error((sentence.starts_with("vertex") ? "positions: " : "") + sentence);
  }
}

/// Throws, naming the argument, unless there is such a model.
std::size_t to_model(std::int64_t model, std::size_t model_count);

}  // namespace tandem::python

// The parameters of colliders behind the models, and what they are called.
#define TANDEM_COLLIDER_PARAMETERS                                                     \
  cuda::CollideMethod method, std::size_t memory_limit, cuda::ColliderBuilder builder, \
      const cuda::BlockedOptions &blocked, const cuda::StacklessOptions &stackless
#define TANDEM_COLLIDER_ARGUMENTS                                                            \
  py::kw_only(), py::arg("method") = cuda::CollideMethod::best, py::arg("memory_limit") = 0, \
                 py::arg("builder") = cuda::ColliderBuilder::bisection,                      \
                 py::arg("blocked") = cuda::BlockedOptions{},                                \
                 py::arg("stackless") = cuda::StacklessOptions {}
#define TANDEM_COLLIDER_OPTIONS                       \
  cuda::ColliderOptions {                             \
    method, memory_limit, builder, blocked, stackless \
  }
