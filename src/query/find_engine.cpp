#include "query/find_engine.h"

#include <tandem/error.h>

#include <string>

#include "engine/registry.h"

namespace tandem::detail {
namespace {

/// Where the structure that both models were made for stands in the registry.
std::size_t common_structure(const Model& a, const Model& b) {
  if (a.structure() != b.structure()) {
    throw Error("the models were made for different structures, " +
                std::string(a.structure().name()) + " and " + std::string(b.structure().name()) +
                "; make both for the same, or name one in the query's engine");
  }
  return a.structure().index();
}

/// Brute force needs no structure, so every model has it.
Structure triangles() {
  static const Structure k_structure = "triangles";
  return k_structure;
}
bool needs_no_structure(const Engine& engine) {
  return !engine.traversal.is_automatic() &&
         exists(Engine{triangles(), engine.traversal, engine.overlap, {}});
}

}  // namespace

const TandemEngine& find_named_engine(const Model& a, const Model& b, const Pose& b_in_a,
                                      const Engine& engine) {
  const Registry& engines = registry();
  EngineIndices names{engine.structure.index(), engine.traversal.index(), engine.overlap.index()};
  if (names.structure == 0) {
    names.structure = needs_no_structure(engine) ? triangles().index() : common_structure(a, b);
  }
  return engines.find(names, b_in_a);
}

void refuse_distances(const TandemEngine& engine) {
  throw Error("the traversal " + std::string(engine.traversal.name) +
              " finds no distances; leave the engine automatic, or name the structure wide or "
              "triangles");
}

TriangleTestKind triangle_test_of(const Engine& engine) {
  return engine.triangle_test.is_automatic()
             ? TriangleTestKind::exact
             : static_cast<TriangleTestKind>(engine.triangle_test.index() - 1);
}

}  // namespace tandem::detail
