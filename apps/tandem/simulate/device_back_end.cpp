#include "simulate/device_back_end.h"

#include <algorithm>
#include <array>
#include <map>

#include "devices/collide_timer.h"

namespace tandem::cli {

std::span<const BatchQuery> DeviceBackEnd::on_device(std::span<const Model> models,
                                                     std::span<const BatchQuery> queries) {
  const bool is_known =
      collider_ &&
      std::equal(models.begin(), models.end(), meshes_.begin(), meshes_.end(),
                 [](const Model& model, const Mesh* mesh) { return &model.mesh() == mesh; });
  if (!is_known) {
    std::map<const Mesh*, std::uint32_t> known;
    std::vector<Model> distinct;
    meshes_.clear();
    place_of_.clear();
    for (const Model& model : models) {
      const auto [entry, is_new] =
          known.emplace(&model.mesh(), static_cast<std::uint32_t>(distinct.size()));
      if (is_new) distinct.push_back(model);
      meshes_.push_back(&model.mesh());
      place_of_.push_back(entry->second);
    }
    collider_ =
        std::make_unique<cuda::Collider>(distinct, cuda::ColliderOptions{.method = method_});
  }
  placed_.assign(queries.begin(), queries.end());
  for (BatchQuery& query : placed_) {
    query.a = place_of_[query.a];
    query.b = place_of_[query.b];
  }
  return placed_;
}

BatchResult DeviceBackEnd::collide(std::span<const Model> models,
                                   std::span<const BatchQuery> queries) {
  const std::span<const BatchQuery> placed = on_device(models, queries);
  return collider_->collide(placed);
}

double DeviceBackEnd::find_s(std::span<const Model> models, std::span<const BatchQuery> queries) {
  const std::span<const BatchQuery> placed = on_device(models, queries);
  CollideTimer timer(*collider_, placed);
  std::array<double, 3> seconds{};
  for (double& each : seconds) each = timer.find_s();
  std::sort(seconds.begin(), seconds.end());
  return seconds[1];
}

}  // namespace tandem::cli
