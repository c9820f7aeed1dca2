#include <tandem/error.h>
#include <tandem/model.h>

#include <array>
#include <string>

#include "build/builders.h"
#include "query/hierarchy.h"

namespace tandem {
namespace {

constexpr std::array k_builders = {
    BuilderInfo{Builder::median, "median",
                "halves each set of triangles along the longest side of its box"},
    BuilderInfo{Builder::sah, "sah", "splits where the surface area heuristic costs least"},
};

detail::TreeShape build_binary(const Mesh& mesh, const BuildOptions& options) {
  switch (options.builder) {
    case Builder::median:
      return detail::build_median(mesh, options.progress);
    case Builder::sah:
      return detail::build_sah(mesh, options.progress);
  }
  throw Error("there is no builder with the number " +
              std::to_string(static_cast<int>(options.builder)));
}

}  // namespace

std::span<const BuilderInfo> builders() {
  return k_builders;
}

Model::Model(Mesh mesh, const BuildOptions& options) {
  if (mesh.triangle_count() > k_max_triangles) {
    throw Error("a model has at most " + std::to_string(k_max_triangles) +
                " triangles; this mesh has " + std::to_string(mesh.triangle_count()));
  }
  if (options.arity < 2 || options.arity > 16) {
    throw Error("the arity of a hierarchy is from 2 to 16, not " + std::to_string(options.arity));
  }
  mesh_ = std::make_shared<const Mesh>(std::move(mesh));
  const detail::TreeShape shape =
      detail::collapse(*mesh_, build_binary(*mesh_, options), options.arity);
  hierarchy_ = detail::make_hierarchy(options.volume, *mesh_, shape);
}

Volume Model::volume() const {
  return hierarchy_->volume();
}

std::size_t Model::hierarchy_bytes() const {
  return hierarchy_->bytes();
}

}  // namespace tandem
