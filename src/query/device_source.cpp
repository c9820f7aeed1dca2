#include "query/device_source.h"

#include "query/model_access.h"
#include "structure/rays.h"

namespace tandem::inside {

detail::RayPairView ray_pairs(const Model& model) {
  return detail::structures_of(model).get<detail::RayPairTree>().view();
}

}  // namespace tandem::inside
