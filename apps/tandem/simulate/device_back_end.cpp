#include "simulate/device_back_end.h"

#include <algorithm>
#include <array>
#include <map>

#include "devices/collide_timer.h"

namespace tandem::cli {

std::vector<BatchQuery> DeviceBackEnd::on_device(std::span<const Model> models,
                                                 std::span<const BatchQuery> queries) {
  if (!collider_ || place_of_.size() != models.size()) {
    std::map<const Mesh*, std::uint32_t> known;
    std::vector<Model> distinct;
    place_of_.clear();
    for (const Model& model : models) {
      const auto [entry, is_new] =
          known.emplace(&model.mesh(), static_cast<std::uint32_t>(distinct.size()));
      if (is_new) distinct.push_back(model);
      place_of_.push_back(entry->second);
    }
    collider_ =
        std::make_unique<cuda::Collider>(distinct, cuda::ColliderOptions{.method = method_});
  }
  std::vector<BatchQuery> placed(queries.begin(), queries.end());
  for (BatchQuery& query : placed) {
    query.a = place_of_[query.a];
    query.b = place_of_[query.b];
  }
  return placed;
}

BatchResult DeviceBackEnd::collide(std::span<const Model> models,
                                   std::span<const BatchQuery> queries) {
  const std::vector<BatchQuery> placed = on_device(models, queries);
  return collider_->collide(placed);
}

double DeviceBackEnd::find_s(std::span<const Model> models, std::span<const BatchQuery> queries) {
  const std::vector<BatchQuery> placed = on_device(models, queries);
  CollideTimer timer(*collider_, placed);
  std::array<double, 3> seconds{};
  for (double& each : seconds) each = timer.find_s();
  std::sort(seconds.begin(), seconds.end());
  return seconds[1];
}

}  // namespace tandem::cli
