#include <tandem/error.h>
#include <tandem/model.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/registry.h"
#include "parallel/parallel_for.h"
#include "query/find_engine.h"
#include "query/model_access.h"
#include "structure/unit_triangles.h"
#include "tree/boxtree.h"

namespace tandem {
namespace {

/// Throws for options that make no sense, or not with this structure.
void check(const BuildOptions& options, const detail::StructureEntry& structure) {
  const std::string name(structure.info.name);
  const detail::BuildChoices& choices = structure.choices;
  const BoxtreeOptions& boxtree = options.boxtree;
  if (!builds(options.builder, structure.info.name)) {
    throw Error("the builder " + std::string(options.builder.name()) +
                " does not make the structure " + name);
  }
  if (boxtree != BoxtreeOptions{} && !choices.boxtree) {
    throw Error("the structure " + name + " is no boxtree and has none of their options");
  }
  if (boxtree.leaf_size < 0 || boxtree.leaf_size > detail::k_max_leaf_size) {
    throw Error("leaves have 1 to 64 triangles, not " + std::to_string(boxtree.leaf_size));
  }
  if (boxtree.leaf_size > 1 && !choices.leaf_size) {
    throw Error("the structure " + name + " has one triangle per leaf, not " +
                std::to_string(boxtree.leaf_size));
  }
  if (!(boxtree.trim >= 0 && boxtree.trim <= 1)) {
    throw Error("the share from which boxes are trimmed is from 0 to 1, not " +
                std::to_string(boxtree.trim));
  }
  detail::resolve_thread_count(options.threads);
  if (options.arity == 0) return;
  if (options.arity < choices.least_arity || options.arity > choices.most_arity) {
    const std::string least = std::to_string(choices.least_arity);
    const std::string most = std::to_string(choices.most_arity);
    throw Error("the structure " + name +
                (choices.most_arity == 0
                     ? " has no choice of arity"
                     : " has an arity of " + least + (least == most ? "" : " to " + most) +
                           ", not " + std::to_string(options.arity)));
  }
}

/// Makes what the structure's default engine needs, whichever kind of query it is for.
void prepare_own(const detail::StructureEntry& entry, const detail::Structures& structures,
                 const Progress& progress) {
  if (!entry.engines.empty()) {
    entry.engines.front().prepare(structures, progress);
  } else {
    entry.ray_engines.front().prepare(structures, progress);
  }
}

}  // namespace

Model::Model(Mesh mesh, const BuildOptions& options)
    : structure_(options.structure.is_automatic() ? Structure::all().front() : options.structure) {
  if (mesh.triangle_count() > k_max_triangles) {
    throw Error("a model has at most " + std::to_string(k_max_triangles) +
                " triangles; this mesh has " + std::to_string(mesh.triangle_count()));
  }
  const detail::StructureEntry& entry = detail::registry().structures()[structure_.index() - 1];
  check(options, entry);
  usual_ = detail::registry().usual(structure_.index());
  const std::string_view builder =
      options.builder.is_automatic() ? std::string_view() : options.builder.name();
  structures_ = std::make_shared<const detail::Structures>(
      std::move(mesh), detail::BuildPlan{structure_.name(), builder, options.arity, options.boxtree,
                                         options.threads});
  prepare_own(entry, *structures_, options.progress);
}

Model Model::fitted_to(Mesh new_mesh, const RefitOptions& options) const {
  if (!(options.rebuild_at >= 0)) {
    throw Error("a model is rebuilt at 0 or more times its cost, not at " +
                std::to_string(options.rebuild_at));
  }
  auto structures = std::make_shared<const detail::Structures>(*structures_, std::move(new_mesh),
                                                               options.rebuild_at);
  prepare_own(detail::registry().structures()[structure_.index() - 1], *structures, nullptr);
  return {std::move(structures), *this};
}

Model Model::refit(std::vector<Vec3f> positions, const RefitOptions& options) const {
  return fitted_to(mesh().with_vertices(std::move(positions)), options);
}

Model Model::refit(std::span<const Vec3f> positions, std::shared_ptr<const void> owner,
                   const RefitOptions& options) const {
  return fitted_to(mesh().with_vertices(positions, std::move(owner)), options);
}

double Model::wear() const {
  return structures_->wear();
}

const Mesh& Model::mesh() const {
  return structures_->mesh();
}

void Model::prepare(const Engine& engine) const {
  detail::find_engine(*this, *this, Pose(), engine).prepare(*structures_, nullptr);
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
