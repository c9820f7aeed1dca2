#include <tandem/cuda/scene.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cuda/touching_objects.h"

namespace tandem::cuda {

struct SceneCollider::State {
  ColliderOptions options;
  Place place;
  /// Those on the device; copies of a model share its mesh.
  std::vector<Model> models = {};
  std::map<const Mesh*, std::uint32_t> number_of_mesh = {};
  std::optional<Collider> collider = {};

  /// The number of a model on the device.
  std::uint32_t number_of(const Model& model) {
    const auto number = static_cast<std::uint32_t>(models.size());
    const auto [entry, is_new] = number_of_mesh.try_emplace(&model.mesh(), number);
    if (is_new) models.push_back(model);
    return entry->second;
  }

  /// A query for each two objects, between models that are on the device.
  std::vector<BatchQuery> queries_of(const Scene& scene, const std::vector<ObjectPair>& close) {
    const std::size_t known = models.size();
    std::vector<BatchQuery> queries;
    queries.reserve(close.size());
    for (const auto& [a, b] : close) {
      queries.push_back({number_of(scene.model(a)), number_of(scene.model(b)),
                         relative_pose(scene.pose(a), scene.pose(b))});
    }
    if (!collider || models.size() != known) {
      collider.reset();
      collider.emplace(models, options, place);
    }
    return queries;
  }
};

SceneCollider::SceneCollider(const ColliderOptions& options, const Place& place)
    : state_(std::make_unique<State>(State{.options = options, .place = place})) {
  require_device();
}
SceneCollider::~SceneCollider() = default;
SceneCollider::SceneCollider(SceneCollider&& other) noexcept = default;
SceneCollider& SceneCollider::operator=(SceneCollider&& other) noexcept = default;

SceneResult SceneCollider::collide(const Scene& scene, const SceneOptions& options) {
  const std::vector<ObjectPair> close = scene.close_objects(options);
  const std::vector<BatchQuery> queries = state_->queries_of(scene, close);
  return touching_objects(close, state_->collider->collide(queries));
}

std::vector<ObjectClearance> SceneCollider::clearances(const Scene& scene, double distance,
                                                       const SceneOptions& options) {
  const std::vector<ObjectPair> close = scene.close_objects(distance, options);
  const std::vector<BatchQuery> queries = state_->queries_of(scene, close);
  const std::vector<DistanceResult> results =
      state_->collider->distance(queries, limit_for(distance));
  return close_objects(close, results, [&](ObjectId a) -> const Pose& { return scene.pose(a); });
}

}  // namespace tandem::cuda
