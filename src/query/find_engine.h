// The engine that a query between two models runs on.
#pragma once

#include <tandem/engine.h>
#include <tandem/model.h>
#include <tandem/pose.h>

#include "engine/tandem_engine.h"
#include "query/model_access.h"

namespace tandem::detail {

/// The same for engines of any kind, from the registry.
const TandemEngine& find_named_engine(const Model& a, const Model& b, const Pose& b_in_a,
                                      const Engine& engine);

/// What the engine names, the models' own structure where it names none. Throws `tandem::Error`
/// when there is no such engine, or when the models were made for different structures. Inline, as
/// a query that ends at the roots takes but 30 ns.
inline const TandemEngine& find_engine(const Model& a, const Model& b, const Pose& b_in_a,
                                       const Engine& engine) {
  const TandemEngine* const usual = ModelAccess::usual(a);
  if (usual != nullptr && usual == ModelAccess::usual(b) && engine.structure.is_automatic() &&
      engine.traversal.is_automatic() && engine.overlap.is_automatic()) {
    return *usual;
  }
  return find_named_engine(a, b, b_in_a, engine);
}

/// Throws that the engine finds touching triangles alone.
[[noreturn]] void refuse_distances(const TandemEngine& engine);

/// The triangle test that it names; the exact one by default.
TriangleTestKind triangle_test_of(const Engine& engine);

}  // namespace tandem::detail
