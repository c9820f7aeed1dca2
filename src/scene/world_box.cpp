#include "scene/world_box.h"

#include "query/model_access.h"
#include "structure/wide.h"

namespace tandem::detail {

WorldBox world_box(const Model& model, const Pose& in_world) {
  if (model.mesh().empty()) return world_box(WideTreeView(), in_world);
  return world_box(structures_of(model).get<WideStructure>().view(), in_world);
}

}  // namespace tandem::detail
