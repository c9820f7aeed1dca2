// What tandem::cuda copies to devices. It is a library of its own, so a shared tandem exports this.
#pragma once

#include <tandem/export.h>
#include <tandem/model.h>

#include "tree/ray_pairs.h"

namespace tandem::inside {

/// Makes the tree unless it is there; the view is valid as long as the model.
TANDEM_API detail::RayPairView ray_pairs(const Model& model);

}  // namespace tandem::inside
