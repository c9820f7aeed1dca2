#include "query/device_source.h"

#include "query/model_access.h"
#include "structure/rays.h"
#include "structure/wide.h"

namespace tandem::inside {

using detail::structures_of;

detail::RayPairView ray_pairs(const Model& model) {
  return structures_of(model).get<detail::RayPairTree>().view();
}

detail::KeyedRayTreeView ray_binary(const Model& model) {
  return {structures_of(model).get<detail::RayTree>().view(),
          structures_of(model).get<detail::NodeKeys>().view()};
}

detail::WideRayTreeView ray_wide(const Model& model) {
  return structures_of(model).get<detail::WideRayTree>().view();
}

const detail::WideTree& wide(const Model& model) {
  return structures_of(model).get<detail::WideStructure>().tree();
}

}  // namespace tandem::inside
