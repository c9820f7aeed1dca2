// One engine for rays: a structure and a traversal of it, as one function. Here types are erased;
// engine/ray_engine_of.h makes engines of types.
#pragma once

#include <tandem/ray_query.h>

#include <cstddef>

#include "engine/name_info.h"

namespace tandem::detail {

class Structures;
struct RayBatch;

/// What is known of an engine once types are erased.
struct RayEngineEntry {
  NameInfo traversal;
  /// Of the state between two steps; 0 when there is none.
  std::size_t state_bytes;
  HitStreamResult (*trace)(const Structures& structures, const RayBatch& batch);
  void (*prepare)(const Structures& structures, const Progress& progress);
};

}  // namespace tandem::detail
