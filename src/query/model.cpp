#include <tandem/error.h>
#include <tandem/model.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/registry.h"
#include "query/model_access.h"
#include "structure/unit_triangles.h"
#include "tree/boxtree.h"
#include "tree/wide/tree.h"

namespace tandem {
namespace {

/// Whether the structure is a boxtree that can hold several triangles per leaf.
bool has_two_planes(Structure structure) {
  return structure == Structure("boxtree-two-planes") || structure == Structure("boxtree-packed");
}

bool is_boxtree(Structure structure) {
  return structure == Structure("boxtree") || has_two_planes(structure);
}

/// Throws for options that make no sense, or not with this structure.
void check(const BuildOptions& options, Structure structure) {
  const std::string name(structure.name());
  const BoxtreeOptions& boxtree = options.boxtree;
  if (!builds(options.builder, structure)) {
    throw Error("the builder " + std::string(options.builder.name()) +
                " does not make the structure " + name);
  }
  if (boxtree.leaf_size < 0 || boxtree.leaf_size > detail::k_max_leaf_size) {
    throw Error("leaves have 1 to 64 triangles, not " + std::to_string(boxtree.leaf_size));
  }
  if (boxtree.leaf_size > 1 && !has_two_planes(structure)) {
    throw Error("only boxtrees with two planes per node have a choice of leaf sizes");
  }
  if (!(boxtree.trim >= 0 && boxtree.trim <= 1)) {
    throw Error("the share from which boxes are trimmed is from 0 to 1, not " +
                std::to_string(boxtree.trim));
  }
  if (boxtree.parallel_planes && !is_boxtree(structure)) {
    throw Error("only boxtrees have planes that could be parallel");
  }
  if (options.arity == 0) return;
  if (options.arity < 2 || options.arity > 16) {
    throw Error("the arity of a hierarchy is from 2 to 16, not " + std::to_string(options.arity));
  }
  if (has_two_planes(structure) && options.arity != 2) {
    throw Error("boxtrees with two planes per node are binary; an arity of " +
                std::to_string(options.arity) + " needs the boxtree with one plane per node");
  }
  if (structure == Structure("wide") && options.arity != detail::k_block) {
    throw Error("the structure wide has four children per node; an arity of " +
                std::to_string(options.arity) + " needs another structure, such as aabb");
  }
}

}  // namespace

Model::Model(Mesh mesh, const BuildOptions& options)
    : structure_(options.structure.is_automatic() ? Structure::all().front() : options.structure) {
  if (mesh.triangle_count() > k_max_triangles) {
    throw Error("a model has at most " + std::to_string(k_max_triangles) +
                " triangles; this mesh has " + std::to_string(mesh.triangle_count()));
  }
  check(options, structure_);
  const std::string_view builder =
      options.builder.is_automatic() ? std::string_view() : options.builder.name();
  structures_ = std::make_shared<const detail::Structures>(
      std::move(mesh),
      detail::BuildPlan{structure_.name(), builder, options.arity, options.boxtree});
  // The default engine's needs, whichever kind of query the structure is for.
  const detail::StructureEntry& entry = detail::registry().structures()[structure_.index() - 1];
  if (!entry.engines.empty()) {
    entry.engines.front().prepare(*structures_, options.progress);
  } else {
    entry.ray_engines.front().prepare(*structures_, options.progress);
  }
}

const Mesh& Model::mesh() const {
  return structures_->mesh();
}

void Model::prepare(const Engine& engine) const {
  detail::EngineIndices names{engine.structure.index(), engine.traversal.index(),
                              engine.overlap.index()};
  if (names.structure == 0) names.structure = structure_.index();
  detail::registry().find(names, Pose()).prepare(*structures_, nullptr);
  if (engine.triangle_test == TriangleTest("unit-triangle")) {
    structures_->get<detail::UnitTriangles>();
  }
}

void Model::prepare_rays(const RayEngine& engine) const {
  detail::registry()
      .find_ray(engine.structure.index(), engine.traversal.index())
      .prepare(*structures_, nullptr);
}

std::size_t Model::structure_bytes() const {
  return structures_->bytes();
}

}  // namespace tandem
