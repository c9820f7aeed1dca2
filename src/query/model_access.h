// What the library sees of a model.
//
// The query room is what the public API calls: models, queries, cursors, rays. It uses all rooms
// before it.
#pragma once

#include <tandem/model.h>

#include "structure/structures.h"

namespace tandem::detail {

struct ModelAccess {
  static const Structures& structures(const Model& model) { return *model.structures_; }
  static const TandemEngine* usual(const Model& model) { return model.usual_; }
};

inline const Structures& structures_of(const Model& model) {
  return ModelAccess::structures(model);
}

}  // namespace tandem::detail
