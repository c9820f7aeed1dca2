// What tandem::cuda copies to devices. It is a library of its own, so a shared tandem exports this.
#pragma once

#include <tandem/export.h>
#include <tandem/model.h>

#include "tree/node_keys.h"
#include "tree/ray_pairs.h"
#include "tree/wide/ray_tree.h"
#include "tree/wide/tree.h"

namespace tandem::inside {

// Each makes the structure unless it is there. Views are valid as long as the model.
TANDEM_API detail::RayPairView ray_pairs(const Model& model);
TANDEM_API detail::KeyedRayTreeView ray_binary(const Model& model);
TANDEM_API detail::WideRayTreeView ray_wide(const Model& model);
TANDEM_API const detail::WideTree& wide(const Model& model);

}  // namespace tandem::inside
