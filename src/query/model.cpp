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
    BuilderInfo{Builder::volume, "volume",
                "splits so that the parts take the least volume as restricted boxes"},
    BuilderInfo{Builder::volume_longest, "volume-longest", "the same along the longest side alone"},
    BuilderInfo{Builder::volume_random, "volume-random",
                "the same with the triangles in a random order"},
    BuilderInfo{Builder::volume_ahead, "volume-ahead", "the same looking one level ahead"},
};

detail::TreeShape build_binary(const Mesh& mesh, const BuildOptions& options) {
  switch (options.builder) {
    case Builder::median:
      return detail::build_median(mesh, options.progress);
    case Builder::sah:
      return detail::build_sah(mesh, options.progress);
    case Builder::volume:
      return detail::build_volume(mesh, options.progress);
    case Builder::volume_longest:
      return detail::build_volume_longest(mesh, options.progress);
    case Builder::volume_random:
      return detail::build_volume_random(mesh, options.progress);
    case Builder::volume_ahead:
      return detail::build_volume_ahead(mesh, options.progress);
  }
  throw Error("there is no builder with the number " +
              std::to_string(static_cast<int>(options.builder)));
}

/// Throws for options that make no sense, or not with this volume.
void check(const BuildOptions& options) {
  if (options.arity < 2 || options.arity > 16) {
    throw Error("the arity of a hierarchy is from 2 to 16, not " + std::to_string(options.arity));
  }
  if (options.leaf_size < 0 || options.leaf_size > 64) {
    throw Error("leaves have 1 to 64 triangles, not " + std::to_string(options.leaf_size));
  }
  const bool two_planes =
      options.volume == Volume::boxtree_two_planes || options.volume == Volume::boxtree_packed;
  if (two_planes && options.arity != 2) {
    throw Error("boxtrees with two planes a node are binary; an arity of " +
                std::to_string(options.arity) + " needs the boxtree with one plane a node");
  }
  if (!two_planes && options.leaf_size > 1) {
    throw Error("only boxtrees with two planes a node have leaves of several triangles");
  }
  if (!(options.trim >= 0 && options.trim <= 1)) {
    throw Error("the share from which boxes are trimmed is from 0 to 1, not " +
                std::to_string(options.trim));
  }
  if (options.parallel_planes && !detail::is_boxtree(options.volume)) {
    throw Error("only boxtrees have planes that could be parallel");
  }
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
  check(options);
  mesh_ = std::make_shared<const Mesh>(std::move(mesh));
  const detail::TreeShape shape =
      detail::collapse(*mesh_, build_binary(*mesh_, options), options.arity);
  BuildOptions resolved = options;
  if (resolved.leaf_size == 0)
    resolved.leaf_size = options.volume == Volume::boxtree_packed ? 8 : 1;
  hierarchy_ = detail::make_hierarchy(resolved, *mesh_, shape);
}

Volume Model::volume() const {
  return hierarchy_->volume();
}

std::size_t Model::hierarchy_bytes() const {
  return hierarchy_->bytes();
}

}  // namespace tandem
